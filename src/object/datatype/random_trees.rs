// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random type trees against a naive model that lists every byte and every bound.

use proptest::prelude::*;

use super::construct::*;
use super::get;
use crate::object::constant::*;

/// A type to be made, and modelled.
#[derive(Clone, Debug)]
enum Spec {
    Basic(Handle),
    Contiguous(i64, Box<Spec>),
    Vector(i64, i64, i64, Box<Spec>),
    Hvector(i64, i64, i64, Box<Spec>),
    Indexed(Vec<(i64, i64)>, Box<Spec>),
    Hindexed(Vec<(i64, i64)>, Box<Spec>),
    IndexedBlock(i64, Vec<i64>, Box<Spec>),
    HindexedBlock(i64, Vec<i64>, Box<Spec>),
    Struct(Vec<(i64, i64, Spec)>),
    Subarray(Vec<(i64, i64, i64)>, bool, Box<Spec>),
    Resized(i64, i64, Box<Spec>),
    Dup(Box<Spec>),
}

/// What a type map is, spelled out.
#[derive(Clone, Debug, Default)]
struct Model {
    /// Address of each packed byte.
    bytes: Vec<i64>,
    /// Packed position at which each basic element ends.
    ends: Vec<i64>,
    /// Bounds; `None` in an empty map. The flag: fixed by a marker.
    lb: Option<(i64, bool)>,
    ub: Option<(i64, bool)>,
    align: i64,
}

impl Model {
    fn extent(&self) -> i64 {
        self.ub.map_or(0, |b| b.0) - self.lb.map_or(0, |b| b.0)
    }

    fn add(&mut self, other: &Model, at: i64) {
        let base = self.bytes.len() as i64;
        self.bytes.extend(other.bytes.iter().map(|b| b + at));
        self.ends.extend(other.ends.iter().map(|e| e + base));
        self.align = self.align.max(other.align);
        self.lb = merge(self.lb, other.lb.map(|(v, m)| (v + at, m)), i64::min);
        self.ub = merge(self.ub, other.ub.map(|(v, m)| (v + at, m)), i64::max);
    }

    fn copies(&self, count: i64, stride: i64) -> Model {
        let mut all = Model { align: 1, ..Model::default() };
        (0..count).for_each(|i| all.add(self, i * stride));
        all
    }

    fn placed(&self, blocks: impl Iterator<Item = (i64, i64)>) -> Model {
        let mut all = Model { align: 1, ..Model::default() };
        blocks.for_each(|(length, at)| (0..length).for_each(|i| all.add(self, at + i * self.extent())));
        all
    }

    fn padded(mut self) -> Model {
        if let (Some((lb, _)), Some((ub, false))) = (self.lb, self.ub) {
            let mut up = ub;
            while (up - lb) % self.align != 0 {
                up += 1;
            }
            self.ub = Some((up, false));
        }
        self
    }
}

fn merge(a: Option<(i64, bool)>, b: Option<(i64, bool)>, pick: fn(i64, i64) -> i64) -> Option<(i64, bool)> {
    match (a, b) {
        (Some(a), Some(b)) if a.1 == b.1 => Some((pick(a.0, b.0), a.1)),
        (Some(a), Some(b)) => Some(if a.1 { a } else { b }),
        (a, b) => a.or(b),
    }
}

fn basic(handle: Handle) -> Model {
    let (parts, extent, align): (&[(i64, i64)], i64, i64) = match handle {
        CHAR => (&[(0, 1)], 1, 1),
        SHORT => (&[(0, 2)], 2, 2),
        INT => (&[(0, 4)], 4, 4),
        DOUBLE => (&[(0, 8)], 8, 8),
        SHORT_INT => (&[(0, 2), (4, 4)], 8, 4),
        DOUBLE_INT => (&[(0, 8), (8, 4)], 16, 8),
        _ => unreachable!("not among the leaves"),
    };
    let bytes: Vec<i64> = parts.iter().flat_map(|&(at, len)| at..at + len).collect();
    let mut ends = Vec::new();
    parts.iter().for_each(|p| ends.push(ends.last().unwrap_or(&0) + p.1));
    Model { bytes, ends, lb: Some((0, false)), ub: Some((extent, false)), align }
}

fn model(spec: &Spec) -> Model {
    match spec {
        Spec::Basic(handle) => basic(*handle),
        Spec::Dup(old) => model(old),
        Spec::Contiguous(n, old) => {
            let old = model(old);
            old.copies(*n, old.extent()).padded()
        }
        Spec::Vector(n, b, s, old) => {
            let old = model(old);
            old.copies(*b, old.extent()).copies(*n, s * old.extent()).padded()
        }
        Spec::Hvector(n, b, s, old) => {
            let old = model(old);
            old.copies(*b, old.extent()).copies(*n, *s).padded()
        }
        Spec::Indexed(all, old) => {
            let old = model(old);
            old.placed(all.iter().map(|b| (b.0, b.1 * old.extent()))).padded()
        }
        Spec::Hindexed(all, old) => model(old).placed(all.iter().copied()).padded(),
        Spec::IndexedBlock(length, all, old) => {
            let old = model(old);
            old.placed(all.iter().map(|at| (*length, at * old.extent()))).padded()
        }
        Spec::HindexedBlock(length, all, old) => model(old).placed(all.iter().map(|at| (*length, *at))).padded(),
        Spec::Struct(all) => {
            let mut whole = Model { align: 1, ..Model::default() };
            for (length, at, old) in all {
                let old = model(old);
                (0..*length).for_each(|i| whole.add(&old, at + i * old.extent()));
            }
            whole.padded()
        }
        Spec::Subarray(dims, c_order, old) => subarray_model(dims, *c_order, &model(old)),
        Spec::Resized(lb, extent, old) => Model { lb: Some((*lb, true)), ub: Some((lb + extent, true)), ..model(old) },
    }
}

/// Every index of the array is visited; those inside the box are added.
fn subarray_model(dims: &[(i64, i64, i64)], c_order: bool, old: &Model) -> Model {
    let total: i64 = dims.iter().map(|d| d.0).product();
    let slow_first: Vec<_> = if c_order { dims.to_vec() } else { dims.iter().rev().copied().collect() };
    let mut whole = Model { align: 1, ..Model::default() };
    for linear in 0..total {
        let mut rest = linear;
        let inside = slow_first.iter().rev().all(|&(size, sub, start)| {
            let index = rest % size;
            rest /= size;
            (start..start + sub).contains(&index)
        });
        if inside {
            whole.add(old, linear * old.extent());
        }
    }
    Model { lb: Some((0, true)), ub: Some((total * old.extent(), true)), ..whole }
}

fn make(spec: &Spec) -> Handle {
    let mut new = DATATYPE_NULL;
    let split = |all: &[(i64, i64)]| -> (Vec<i64>, Vec<i64>) { all.iter().copied().unzip() };
    match spec {
        Spec::Basic(handle) => return *handle,
        Spec::Dup(old) => dup(make(old), &mut new),
        Spec::Contiguous(n, old) => contiguous(*n, make(old), &mut new),
        Spec::Vector(n, b, s, old) => vector(*n, *b, *s, make(old), &mut new),
        Spec::Hvector(n, b, s, old) => hvector(*n, *b, *s, make(old), &mut new),
        Spec::Indexed(all, old) => {
            let (lengths, at) = split(all);
            indexed(all.len() as i64, &lengths, &at, make(old), &mut new)
        }
        Spec::Hindexed(all, old) => {
            let (lengths, at) = split(all);
            hindexed(all.len() as i64, &lengths, &at, make(old), &mut new)
        }
        Spec::IndexedBlock(length, at, old) => indexed_block(at.len() as i64, *length, at, make(old), &mut new),
        Spec::HindexedBlock(length, at, old) => hindexed_block(at.len() as i64, *length, at, make(old), &mut new),
        Spec::Struct(all) => {
            let (lengths, at) = split(&all.iter().map(|p| (p.0, p.1)).collect::<Vec<_>>());
            let types: Vec<Handle> = all.iter().map(|p| make(&p.2)).collect();
            structure(all.len() as i64, &lengths, &at, &types, &mut new)
        }
        Spec::Subarray(dims, c_order, old) => {
            let column = |f: fn(&(i64, i64, i64)) -> i64| dims.iter().map(f).collect::<Vec<_>>();
            let order = if *c_order { ORDER_C } else { ORDER_FORTRAN };
            let (sizes, subsizes, starts) = (column(|d| d.0), column(|d| d.1), column(|d| d.2));
            subarray(dims.len() as i32, &sizes, &subsizes, &starts, order, make(old), &mut new)
        }
        Spec::Resized(lb, extent, old) => resized(make(old), *lb, *extent, &mut new),
    }
    .unwrap();
    new
}

fn spec() -> impl Strategy<Value = Spec> {
    let leaf = prop::sample::select(vec![CHAR, SHORT, INT, DOUBLE, SHORT_INT, DOUBLE_INT]).prop_map(Spec::Basic);
    leaf.prop_recursive(3, 24, 3, |inner| {
        let one = inner.clone().prop_map(Box::new);
        let blocks = prop::collection::vec((0i64..4, -8i64..8), 0..5);
        let byte_blocks = prop::collection::vec((0i64..4, -40i64..40), 0..5);
        let dimension = (1i64..5).prop_flat_map(|n| (1..=n).prop_flat_map(move |s| (Just(n), Just(s), 0..=n - s)));
        prop_oneof![
            (0i64..5, one.clone()).prop_map(|(n, t)| Spec::Contiguous(n, t)),
            (0i64..5, 0i64..4, -5i64..6, one.clone()).prop_map(|(n, b, s, t)| Spec::Vector(n, b, s, t)),
            (0i64..5, 0i64..4, -50i64..50, one.clone()).prop_map(|(n, b, s, t)| Spec::Hvector(n, b, s, t)),
            (blocks, one.clone()).prop_map(|(b, t)| Spec::Indexed(b, t)),
            (byte_blocks, one.clone()).prop_map(|(b, t)| Spec::Hindexed(b, t)),
            (0i64..4, prop::collection::vec(-8i64..8, 0..5), one.clone()).prop_map(|(l, at, t)| Spec::IndexedBlock(l, at, t)),
            (0i64..4, prop::collection::vec(-40i64..40, 0..5), one.clone()).prop_map(|(l, at, t)| Spec::HindexedBlock(l, at, t)),
            prop::collection::vec((0i64..3, -40i64..40, inner.clone()), 0..4).prop_map(Spec::Struct),
            (prop::collection::vec(dimension, 1..4), any::<bool>(), one.clone()).prop_map(|(d, c, t)| Spec::Subarray(d, c, t)),
            (-20i64..20, -5i64..60, one.clone()).prop_map(|(lb, e, t)| Spec::Resized(lb, e, t)),
            one.prop_map(Spec::Dup),
        ]
    })
}

/// Packed bytes of several elements: the address of each.
fn addresses(model: &Model, count: i64) -> Vec<i64> {
    (0..count).flat_map(|i| model.bytes.iter().map(move |b| b + i * model.extent())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sizes_and_bounds_are_the_models(spec in spec()) {
        let (t, m) = (get(make(&spec)).unwrap(), model(&spec));
        prop_assert_eq!(t.size, m.bytes.len() as i64);
        prop_assert_eq!(t.lb, m.lb.map_or(0, |b| b.0));
        prop_assert_eq!(t.extent, m.extent());
        let (low, high) = (m.bytes.iter().min(), m.bytes.iter().max());
        prop_assert_eq!(t.true_lb, low.copied().unwrap_or(0));
        prop_assert_eq!(t.true_extent, high.map_or(0, |h| h + 1 - low.unwrap()));
        prop_assert!(!t.dense || addresses(&m, 3).windows(2).all(|w| w[1] == w[0] + 1));
    }

    #[test]
    fn any_range_packs_and_unpacks_like_the_model(spec in spec(), count in 0i64..4, a in 0.0..1.0, b in 0.0..1.0) {
        let (t, m) = (get(make(&spec)).unwrap(), model(&spec));
        let at = addresses(&m, count);
        let total = at.len() as i64;
        let ends = [a, b].map(|f: f64| (f * (total + 1) as f64) as i64);
        let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let (low, high) = (at.iter().copied().min().unwrap_or(0), at.iter().copied().max().unwrap_or(0));
        let memory: Vec<u8> = (low..=high).map(|i| (i * 37 % 251) as u8).collect();
        let base = memory.as_ptr().wrapping_offset(-low as isize);

        let mut packed = vec![0u8; (to - from) as usize];
        // SAFETY: `memory` spans every byte of the elements.
        unsafe { t.pack(base, count, from, &mut packed) };
        let expected: Vec<u8> = (from..to).map(|i| memory[(at[i as usize] - low) as usize]).collect();
        prop_assert_eq!(&packed, &expected);

        let fresh: Vec<u8> = (from..to).map(|i| (i % 253) as u8).collect();
        let (mut written, mut oracle) = (memory.clone(), memory.clone());
        // SAFETY: as above.
        unsafe { t.unpack(written.as_mut_ptr().wrapping_offset(-low as isize), count, from, &fresh) };
        (from..to).for_each(|i| oracle[(at[i as usize] - low) as usize] = fresh[(i - from) as usize]);
        prop_assert_eq!(written, oracle);

        let mut seen = Vec::new();
        t.runs(from, to, &mut |at, len| seen.extend(at..at + len as i64));
        prop_assert_eq!(&seen[..], &at[from as usize..to as usize]);

        let mut copied = vec![0u8; memory.len()];
        // SAFETY: both buffers span every byte of the elements.
        unsafe { t.copy(count, base, copied.as_mut_ptr().wrapping_offset(-low as isize)) };
        at.iter().for_each(|&i| assert_eq!(copied[(i - low) as usize], memory[(i - low) as usize]));
    }

    #[test]
    fn elements_are_counted_like_the_model(spec in spec(), bytes in 0i64..200) {
        let (t, m) = (get(make(&spec)).unwrap(), model(&spec));
        prop_assume!(t.basic.is_none() && t.size > 0);
        let (whole, rest) = (bytes / t.size, bytes % t.size);
        let more = if rest == 0 { Some(0) } else { m.ends.iter().position(|&e| e == rest).map(|i| i as i64 + 1) };
        let expected = more.map(|n| whole * m.ends.len() as i64 + n);
        prop_assert_eq!(t.elements_in(bytes), expected);
    }
}
