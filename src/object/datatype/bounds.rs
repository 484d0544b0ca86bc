// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bounds of a type map: lower and upper bound with markers, true bounds, alignment (MPI 5.0, section 5.1.7).

/// The bounds of a type map. An empty map has `lb > ub` in the raw fields; the accessors give 0 then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    raw_lb: i64,
    raw_ub: i64,
    raw_true_lb: i64,
    raw_true_ub: i64,
    /// Whether a marker (from `MPI_Type_create_resized`, or `MPI_LB`) fixes the lower bound.
    pub lb_marked: bool,
    /// Whether a marker fixes the upper bound.
    pub ub_marked: bool,
    /// Largest alignment among the basic elements.
    pub align: i64,
}

/// Identities of min and max, so that joining needs no special case for empty maps.
const NO_LB: i64 = i64::MAX;
const NO_UB: i64 = i64::MIN;

impl Bounds {
    /// The bounds of the empty map.
    pub const EMPTY: Bounds = Bounds {
        raw_lb: NO_LB,
        raw_ub: NO_UB,
        raw_true_lb: NO_LB,
        raw_true_ub: NO_UB,
        lb_marked: false,
        ub_marked: false,
        align: 1,
    };

    /// A basic element: `span` bytes of data in `extent` bytes.
    pub fn basic(span: i64, extent: i64, align: i64) -> Bounds {
        Bounds { raw_lb: 0, raw_ub: extent, raw_true_lb: 0, raw_true_ub: span, align, ..Bounds::EMPTY }
    }

    /// A marker of the old kind, `MPI_LB` or `MPI_UB`, at 0.
    pub fn marker(upper: bool) -> Bounds {
        let marker = Bounds { lb_marked: !upper, ub_marked: upper, ..Bounds::EMPTY };
        if upper { Bounds { raw_ub: 0, ..marker } } else { Bounds { raw_lb: 0, ..marker } }
    }

    /// Lower bound.
    pub fn lb(&self) -> i64 {
        if self.raw_lb == NO_LB { 0 } else { self.raw_lb }
    }

    /// Upper bound.
    pub fn ub(&self) -> i64 {
        if self.raw_ub == NO_UB { 0 } else { self.raw_ub }
    }

    /// Upper minus lower bound.
    pub fn extent(&self) -> i64 {
        self.ub() - self.lb()
    }

    /// Lowest byte of data; 0 without data.
    pub fn true_lb(&self) -> i64 {
        if self.raw_true_lb == NO_LB { 0 } else { self.raw_true_lb }
    }

    /// Span of the data.
    pub fn true_extent(&self) -> i64 {
        if self.raw_true_lb == NO_LB { 0 } else { self.raw_true_ub - self.raw_true_lb }
    }

    /// The map moved by `by` bytes.
    pub fn shift(self, by: i64) -> Bounds {
        let low = |at: i64| if at == NO_LB { at } else { at.saturating_add(by) };
        let high = |at: i64| if at == NO_UB { at } else { at.saturating_add(by) };
        Bounds {
            raw_lb: low(self.raw_lb),
            raw_ub: high(self.raw_ub),
            raw_true_lb: low(self.raw_true_lb),
            raw_true_ub: high(self.raw_true_ub),
            ..self
        }
    }

    /// Both maps together: a marker wins over places that data only imply.
    pub fn join(self, other: Bounds) -> Bounds {
        let lb = match (self.lb_marked, other.lb_marked) {
            (true, false) => self.raw_lb,
            (false, true) => other.raw_lb,
            _ => self.raw_lb.min(other.raw_lb),
        };
        let ub = match (self.ub_marked, other.ub_marked) {
            (true, false) => self.raw_ub,
            (false, true) => other.raw_ub,
            _ => self.raw_ub.max(other.raw_ub),
        };
        Bounds {
            raw_lb: lb,
            raw_ub: ub,
            raw_true_lb: self.raw_true_lb.min(other.raw_true_lb),
            raw_true_ub: self.raw_true_ub.max(other.raw_true_ub),
            lb_marked: self.lb_marked || other.lb_marked,
            ub_marked: self.ub_marked || other.ub_marked,
            align: self.align.max(other.align),
        }
    }

    /// `count` copies, `stride` bytes apart: the first and the last decide.
    pub fn repeat(self, count: i64, stride: i64) -> Bounds {
        if count <= 0 { Bounds::EMPTY } else { self.join(self.shift((count - 1).saturating_mul(stride))) }
    }

    /// Upper bound raised so that the extent is a multiple of the alignment, unless a marker fixes it.
    pub fn padded(self) -> Bounds {
        if self.ub_marked || self.raw_ub == NO_UB || self.raw_lb == NO_LB {
            return self;
        }
        let over = self.extent().rem_euclid(self.align);
        let pad = if over == 0 { 0 } else { self.align - over };
        Bounds { raw_ub: self.raw_ub.saturating_add(pad), ..self }
    }

    /// Both bounds fixed by markers.
    pub fn resized(self, lb: i64, extent: i64) -> Bounds {
        Bounds { raw_lb: lb, raw_ub: lb.saturating_add(extent), lb_marked: true, ub_marked: true, ..self }
    }
}
