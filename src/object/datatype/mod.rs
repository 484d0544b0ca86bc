// SPDX-License-Identifier: MIT OR Apache-2.0
//! Datatypes: what a type is, how its bytes are laid out, and how they are packed.

use std::sync::Arc;

use super::constant::Handle;
use super::error::Result;

/// A datatype. Sizes and bounds in bytes.
pub struct Datatype {
    /// Its handle (also given to user functions).
    pub handle: Handle,
    /// Packed bytes of one element.
    pub size: i64,
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
}

impl Datatype {
    /// Copies bytes `[from, from + out.len())` of the packed form of `count` elements at `base` into `out`.
    ///
    /// # Safety
    /// `base` must be the address of `count` elements of this type that may be read.
    pub unsafe fn pack(&self, _base: *const u8, _count: i64, _from: i64, _out: &mut [u8]) {
        todo!()
    }

    /// Copies `data` to where bytes `[from, from + data.len())` of the packed form of `count` elements at `base` lie.
    ///
    /// # Safety
    /// `base` must be the address of `count` elements of this type that may be written.
    pub unsafe fn unpack(&self, _base: *mut u8, _count: i64, _from: i64, _data: &[u8]) {
        todo!()
    }

    /// Calls `each(offset from base, length)` for each contiguous memory run of packed bytes `[from, to)`, in packed order.
    pub fn runs(&self, _count: i64, _from: i64, _to: i64, _each: &mut dyn FnMut(i64, usize)) {
        todo!()
    }
}

/// Looks a handle up; an error of class `Type` when it names no datatype.
pub fn get(_handle: Handle) -> Result<&'static Arc<Datatype>> {
    todo!()
}

/// The type of raw bytes, `MPI_BYTE`.
pub fn byte() -> &'static Arc<Datatype> {
    todo!()
}
