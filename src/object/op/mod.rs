// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reduction operations: predefined ones with a kernel an element type, and the user's.

use super::constant::Handle;
use super::datatype::Datatype;
use super::error::Result;

/// A reduction operation.
pub struct Op {
    /// Its handle.
    pub handle: Handle,
    /// Whether the order of operands may be changed.
    pub commutative: bool,
}

impl Op {
    /// An error of class `Op` when the operation is not defined for the type (MPI 5.0, section 6.9.2).
    pub fn check(&self, _datatype: &Datatype) -> Result<()> {
        todo!()
    }

    /// `inout[i] = input[i] op inout[i]` for `count` elements laid out by `datatype` (input is the left operand).
    ///
    /// # Safety
    /// Both addresses must hold `count` elements; `inout` may be written; they do not overlap.
    pub unsafe fn apply(&self, _datatype: &Datatype, _count: i64, _input: *const u8, _inout: *mut u8) {
        todo!()
    }
}

/// Looks a handle up; an error of class `Op` when it names no operation.
pub fn get(_handle: Handle) -> Result<&'static std::sync::Arc<Op>> {
    todo!()
}
