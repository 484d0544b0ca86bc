// SPDX-License-Identifier: MIT OR Apache-2.0
//! Datatypes: what a type is, how its bytes are laid out, and how they are packed.
//!
//! | file | what |
//! |---|---|
//! | [`element`] | basic elements as the machine and as MPI's reduction rules see them |
//! | [`layout`], [`copy`] | where packed bytes lie; walking any packed range; strided copies |
//! | [`signature`] | basic elements in order, compressed |
//! | [`bounds`] | lower and upper bound, markers, alignment |
//! | [`shape`] | the three together, and how constructors combine them |
//! | [`predefined`] | the built-in types |
//! | [`construct`] | the type constructors |
//! | [`envelope`] | how a type was made |
//! | [`manage`] | commit, free, names, sizes, extents |
//! | [`elements`] | counting what arrived |
//! | [`message`] | `MPI_Pack` and `MPI_Unpack` |
//! | [`external`] | the portable representation, external32 |
//! | [`fortran`] | `MPI_Type_match_size`, types by precision and range |

pub mod bounds;
pub mod construct;
pub mod copy;
pub mod element;
pub mod elements;
pub mod envelope;
pub mod external;
pub mod fortran;
pub mod layout;
pub mod manage;
pub mod message;
pub mod predefined;
pub mod shape;
pub mod signature;
mod visit;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use super::constant::{BYTE, DATATYPE_NULL, Handle, UNDEFINED};
use super::error::{Error, Result};
use super::handle::{Kind, Table};
use crate::err;
use element::{Class, Element};
use envelope::Envelope;
pub use predefined::register_predefined;
use shape::Shape;

/// A datatype. Sizes and bounds in bytes.
pub struct Datatype {
    /// Its handle (also given to user functions).
    pub handle: Handle,
    /// Packed bytes of one element.
    pub size: i64,
    /// The same as `MPI_Type_size` gives it: `MPI_UNDEFINED` when an int cannot hold it.
    size_as_int: i32,
    /// Lower bound.
    pub lb: i64,
    /// Extent: distance between consecutive elements.
    pub extent: i64,
    /// Lowest byte that holds data, and the span of data.
    pub true_lb: i64,
    #[allow(missing_docs)]
    pub true_extent: i64,
    /// Any number of consecutive elements are one run of `count * size` bytes at `base + true_lb`.
    pub dense: bool,
    /// What a predefined type is; `None` for derived types.
    pub basic: Option<Basic>,
    /// Layout, signature and bounds.
    pub shape: Shape,
    /// How it was made.
    pub envelope: Arc<Envelope>,
    committed: AtomicBool,
    name: Mutex<String>,
    _number: Number,
}

/// What a predefined type is to reductions and conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Basic {
    pub element: Element,
    pub class: Class,
}

static TABLE: Table<Arc<Datatype>> = Table::new(Kind::Datatype);

/// A type's number. Operations under way may hand the handle of a freed type to the program's functions, so no other type
/// gets it before they are through.
struct Number(Handle);

impl Drop for Number {
    fn drop(&mut self) {
        TABLE.forgo(self.0);
    }
}

impl Datatype {
    fn new(handle: Handle, shape: Shape, envelope: Arc<Envelope>) -> Datatype {
        let bounds = &shape.bounds;
        Datatype {
            handle,
            _number: Number(handle),
            size: shape.size(),
            size_as_int: shape.size().try_into().unwrap_or(UNDEFINED),
            lb: bounds.lb(),
            extent: bounds.extent(),
            true_lb: bounds.true_lb(),
            true_extent: bounds.true_extent(),
            dense: shape.layout.is_solid(bounds.extent()),
            basic: None,
            shape,
            envelope,
            committed: AtomicBool::new(false),
            name: Mutex::new(String::new()),
        }
    }

    /// Whether it may be used in communication.
    #[inline]
    pub fn is_committed(&self) -> bool {
        self.committed.load(Ordering::Relaxed)
    }

    fn set_committed(&self) {
        self.committed.store(true, Ordering::Relaxed);
    }

    /// Its name for messages: the user's or MPI's, or its handle.
    pub fn label(&self) -> String {
        let name = self.name.lock();
        if name.is_empty() { format!("derived type {:#x}", self.handle) } else { name.clone() }
    }

    /// Copies bytes `[from, from + out.len())` of the packed form of `count` elements at `base` into `out`.
    ///
    /// # Safety
    /// `base` must be the address of `count` elements of this type that may be read.
    #[inline]
    pub unsafe fn pack(&self, base: *const u8, count: i64, from: i64, out: &mut [u8]) {
        debug_assert!(from + out.len() as i64 <= count * self.size);
        if self.dense {
            let source = base.wrapping_offset((self.true_lb + from) as isize);
            // SAFETY: a dense type's packed bytes are `count * size` readable bytes at `base + true_lb`.
            unsafe { copy::short(source, out.as_mut_ptr(), out.len()) }
        } else {
            // SAFETY: the caller's promise.
            unsafe { visit::gather(self, base, from, out) }
        }
    }

    /// Copies `data` to where bytes `[from, from + data.len())` of the packed form of `count` elements at `base` lie.
    ///
    /// # Safety
    /// `base` must be the address of `count` elements of this type that may be written.
    #[inline]
    pub unsafe fn unpack(&self, base: *mut u8, count: i64, from: i64, data: &[u8]) {
        debug_assert!(from + data.len() as i64 <= count * self.size);
        if self.dense {
            let target = base.wrapping_offset((self.true_lb + from) as isize);
            // SAFETY: a dense type's packed bytes are `count * size` writable bytes at `base + true_lb`.
            unsafe { copy::short(data.as_ptr(), target, data.len()) }
        } else {
            // SAFETY: the caller's promise.
            unsafe { visit::scatter(self, base, from, data) }
        }
    }

    /// Copies `count` elements from one buffer to another of this type (gaps are left alone).
    ///
    /// # Safety
    /// `from` and `to` must each hold `count` elements, `to` writable; they do not overlap.
    pub unsafe fn copy(&self, count: i64, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { visit::duplicate(self, count, from, to) }
    }

    /// Calls `each(offset from base, length)` for each contiguous memory run of packed bytes `[from, to)`, in packed order.
    #[cfg(test)]
    pub fn runs(&self, from: i64, to: i64, each: &mut dyn FnMut(i64, usize)) {
        visit::runs(self, from, to, each);
    }

    /// Lowest and highest byte that `count` elements touch, from the address of element 0.
    pub fn footprint(&self, count: i64) -> (i64, i64) {
        reach(self.extent, self.true_lb, self.true_extent, count)
    }

    /// Calls `each(offset from base, stride, block, count)` for rows of equal blocks of packed bytes `[from, to)`, in packed order.
    pub fn rows(&self, from: i64, to: i64, each: &mut dyn FnMut(i64, i64, usize, usize)) {
        visit::rows(self, from, to, each);
    }
}

fn reach(extent: i64, true_lb: i64, true_extent: i64, count: i64) -> (i64, i64) {
    if count == 0 {
        return (0, 0);
    }
    let last = (count - 1) * extent;
    (last.min(0) + true_lb, last.max(0) + true_lb + true_extent)
}

/// Looks a handle up; an error of class `Type` when it names no datatype.
#[inline]
pub fn get(handle: Handle) -> Result<&'static Arc<Datatype>> {
    match TABLE.get(handle) {
        Some(datatype) => Ok(datatype),
        None => get_slowly(handle),
    }
}

/// The size of a predefined type, if the handle names one.
#[inline(always)]
pub fn glance_size(handle: Handle) -> Option<i32> {
    TABLE.predefined(handle).map(|datatype| datatype.size_as_int)
}

/// Looks up a type that is to be used in communication: it must be committed.
#[inline]
pub fn committed(handle: Handle) -> Result<&'static Arc<Datatype>> {
    let datatype = get(handle)?;
    if datatype.is_committed() { Ok(datatype) } else { Err(uncommitted(datatype)) }
}

/// The type of raw bytes, `MPI_BYTE`.
#[inline]
pub fn byte() -> &'static Arc<Datatype> {
    get(BYTE).expect("MPI_BYTE is predefined")
}

#[cold]
fn get_slowly(handle: Handle) -> Result<&'static Arc<Datatype>> {
    register_predefined();
    TABLE.get(handle).ok_or_else(|| {
        if handle == DATATYPE_NULL {
            err!(Type, "the datatype is MPI_DATATYPE_NULL")
        } else {
            err!(Type, "handle {handle:#x} names no datatype (was it freed?)")
        }
    })
}

#[cold]
fn uncommitted(datatype: &Datatype) -> Error {
    err!(Type, "{} is not committed: call MPI_Type_commit first", datatype.label())
}

/// Makes a derived type of a shape and returns its handle.
fn insert(shape: Shape, envelope: Envelope) -> Handle {
    let envelope = Arc::new(envelope);
    TABLE.insert_with(|handle| Arc::new(Datatype::new(handle, shape, envelope)))
}

#[cfg(test)]
mod calls_tests;
#[cfg(test)]
mod random_trees;

#[cfg(test)]
mod tests {
    use super::super::constant::{INT, SHORT_INT};
    use super::*;

    #[test]
    fn a_column_packs_and_unpacks() {
        let mut column = 0;
        construct::vector(3, 1, 4, INT, &mut column).unwrap();
        let t = get(column).unwrap();
        assert_eq!((t.size, t.extent, t.dense), (12, 36, false));
        let matrix: Vec<i32> = (0..12).collect();
        let mut packed = [0u8; 12];
        // SAFETY: the column starts at the first of twelve ints.
        unsafe { t.pack(matrix.as_ptr().cast(), 1, 0, &mut packed) };
        assert_eq!(packed, [0i32, 4, 8].map(i32::to_ne_bytes).concat()[..]);
        let mut back = vec![-1i32; 12];
        // SAFETY: as above.
        unsafe { t.unpack(back.as_mut_ptr().cast(), 1, 2, &packed[2..9]) };
        assert_eq!(back[4], 4);
        assert_eq!((back[1], back[11]), (-1, -1));
    }

    #[test]
    fn runs_of_a_pair_skip_the_padding() {
        let mut seen = Vec::new();
        get(SHORT_INT).unwrap().runs(1, 9, &mut |at, len| seen.push((at, len)));
        assert_eq!(seen, [(1, 1), (4, 4), (8, 2), (12, 1)]);
    }

    #[test]
    fn a_footprint_reaches_past_the_extent() {
        assert_eq!(reach(1, 0, 13, 3), (0, 15));
        assert_eq!(reach(-8, 2, 4, 3), (-14, 6));
        assert_eq!(reach(4, 0, 4, 0), (0, 0));
    }

    #[test]
    fn handles_that_name_nothing_are_errors() {
        assert!(get(DATATYPE_NULL).err().unwrap().text().contains("MPI_DATATYPE_NULL"));
        let mut t = 0;
        construct::contiguous(2, INT, &mut t).unwrap();
        assert!(committed(t).err().unwrap().text().contains("MPI_Type_commit"));
    }
}
