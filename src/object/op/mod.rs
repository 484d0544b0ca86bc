// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reduction operations: predefined ones with a kernel an element type, and the user's.
//!
//! | file | what |
//! |---|---|
//! | [`kernel`] | the loops every kernel is made of, and the table operation × element |
//! | [`kernel_integer`], [`kernel_float`], [`kernel_half`], [`kernel_extended`], [`kernel_quad`], [`kernel_complex`], [`kernel_pair`] | what one step computes |
//! | [`away`], `slices` | operands in memory that the CPU may not touch; those that the host must reduce, slice by slice |
//! | [`fold`] | many operands in one step |
//! | [`user`], `manage` | the user's operations; create, free, ask, `MPI_Reduce_local` |

pub mod away;
pub mod fold;
pub mod kernel;
mod kernel_complex;
mod kernel_extended;
mod kernel_float;
mod kernel_half;
mod kernel_integer;
mod kernel_pair;
mod kernel_quad;
mod manage;
mod predefined;
mod slices;
#[cfg(test)]
mod tests;
pub mod user;

use std::sync::Arc;

use super::callback;
use super::constant::{DATATYPE_NULL, Handle, OP_NULL};
use super::datatype::Datatype;
use super::datatype::element::{Class, ELEMENTS};
use super::error::{Error, Result};
use super::handle::{Kind, Table};
use crate::err;
use kernel::{Kernel, Many};
pub use manage::{commutative, create, create_large, free, reduce_local};
pub use predefined::{Code, ROWS, register_predefined};

/// A reduction operation.
pub struct Op {
    /// Its handle.
    pub handle: Handle,
    /// Whether the order of operands may be changed.
    pub commutative: bool,
    action: Action,
}

enum Action {
    /// One kernel an element, where the operation is defined.
    Predefined { code: Code, name: &'static str, kernels: Box<[Option<Kernel>; ELEMENTS]>, many: Box<[Option<Many>; ELEMENTS]> },
    /// `MPI_REPLACE`: the input wins.
    Replace,
    /// `MPI_NO_OP`: the target stays.
    Nothing,
    /// A user function, and whether its length argument is an `MPI_Count`.
    User { function: usize, large: bool },
}

static TABLE: Table<Arc<Op>> = Table::new(Kind::Op);

/// The type and the operation of a reduction. That there is no type is the operation's error, as on Open MPI and MPICH.
#[inline]
pub fn with_type(datatype: Handle, op: Handle) -> Result<(&'static Arc<Datatype>, &'static Arc<Op>)> {
    if datatype == DATATYPE_NULL {
        return Err(err!(Op, "no operation is defined for MPI_DATATYPE_NULL"));
    }
    let (datatype, op) = (super::datatype::committed(datatype)?, get(op)?);
    op.check(datatype)?;
    Ok((datatype, op))
}

impl Op {
    /// Which predefined operation it is.
    pub fn code(&self) -> Option<Code> {
        match self.action {
            Action::Predefined { code, .. } => Some(code),
            _ => None,
        }
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match &self.action {
            Action::Predefined { name, .. } => (*name).to_owned(),
            Action::Replace => "MPI_REPLACE".to_owned(),
            Action::Nothing => "MPI_NO_OP".to_owned(),
            Action::User { .. } => format!("user operation {:#x}", self.handle),
        }
    }

    fn kernel(&self, datatype: &Datatype) -> Option<Kernel> {
        match (&self.action, datatype.basic) {
            (Action::Predefined { code, kernels, .. }, Some(basic)) if code.allows(basic.class) => {
                kernels[basic.element.native() as usize]
            }
            _ => None,
        }
    }

    /// An error of class `Op` when the operation is not defined for the type (MPI 5.0, section 6.9.2).
    #[inline]
    pub fn check(&self, datatype: &Datatype) -> Result<()> {
        if matches!(self.action, Action::User { .. }) || self.kernel(datatype).is_some() && !self.forbids_bytes(datatype) {
            Ok(())
        } else {
            Err(self.refusal(datatype))
        }
    }

    #[inline]
    fn forbids_bytes(&self, datatype: &Datatype) -> bool {
        let bytes = datatype.basic.is_some_and(|basic| basic.class == Class::Byte);
        bytes && self.code().is_some_and(|code| !code.is_bitwise()) && !callback::is_lenient()
    }

    #[cold]
    fn refusal(&self, datatype: &Datatype) -> Error {
        let (op, on) = (self.name(), datatype.label());
        match (&self.action, datatype.basic) {
            (Action::Replace | Action::Nothing, _) => err!(Op, "{op} is for one-sided accumulation, not for reductions"),
            (_, None) => err!(Op, "{op} works on predefined types only, not on {on}: make an operation with MPI_Op_create"),
            _ => err!(Op, "{op} is not defined for {on}"),
        }
    }

    /// `inout[i] = input[i] op inout[i]` for `count` elements laid out by `datatype` (input is the left operand).
    ///
    /// # Safety
    /// Both addresses must hold `count` elements; `inout` may be written; they do not overlap.
    pub unsafe fn apply(&self, datatype: &Datatype, count: i64, input: *const u8, inout: *mut u8) {
        if count <= 0 {
            return;
        }
        // SAFETY: the caller's promise, passed on; kernels take equal addresses for `b` and `out`.
        unsafe {
            match &self.action {
                Action::Predefined { .. } => {
                    let kernel = self.kernel(datatype).expect("checked by the caller");
                    kernel(count as usize, input, inout, inout);
                }
                Action::User { function, large } => user::call(*function, *large, datatype, count, input, inout),
                Action::Replace => datatype.copy(count, input, inout),
                Action::Nothing => {}
            }
        }
    }

    /// `out[i] = a[i] op b[i]` in one pass. `out` may be `a` or `b`, but may not overlap them otherwise.
    ///
    /// # Safety
    /// The three addresses must hold `count` elements; `out` may be written.
    pub unsafe fn combine(&self, datatype: &Datatype, count: i64, a: *const u8, b: *const u8, out: *mut u8) {
        if count <= 0 {
            return;
        }
        // SAFETY: the caller's promise, passed on.
        unsafe {
            match &self.action {
                Action::Predefined { .. } => {
                    let kernel = self.kernel(datatype).expect("checked by the caller");
                    kernel(count as usize, a, b, out);
                }
                Action::User { function, large } => {
                    if std::ptr::eq(a, out) {
                        return user::call_left(*function, *large, datatype, count, b, out);
                    }
                    if !std::ptr::eq(b, out) {
                        datatype.copy(count, b, out);
                    }
                    user::call(*function, *large, datatype, count, a, out);
                }
                Action::Replace if !std::ptr::eq(a, out) => datatype.copy(count, a, out),
                Action::Nothing if !std::ptr::eq(b, out) => datatype.copy(count, b, out),
                Action::Replace | Action::Nothing => {}
            }
        }
    }

    /// `out[i] = inputs[0][i] op inputs[1][i] op …`, from left to right. 16-bit floats are combined in 32 bits and
    /// rounded once, at the end. `out` may be one of the first two inputs.
    ///
    /// # Safety
    /// All addresses must hold `count` elements; `out` may be written.
    pub unsafe fn combine_many(&self, datatype: &Datatype, count: i64, inputs: &[*const u8], out: *mut u8) {
        if count <= 0 {
            return;
        }
        // SAFETY: the caller's promise, passed on.
        unsafe {
            match *inputs {
                [] => {}
                [only] if std::ptr::eq(only, out) => {}
                [only] => datatype.copy(count, only, out),
                _ => match self.many(datatype) {
                    Some(many) => many(count as usize, inputs, out),
                    None => self.combine_in_turn(datatype, count, inputs, out),
                },
            }
        }
    }

    /// Whether many contributions had better be combined by [`Op::combine_many`] than two by two.
    #[inline]
    pub fn rounds_once(&self, datatype: &Datatype) -> bool {
        self.many(datatype).is_some()
    }

    #[inline]
    fn many(&self, datatype: &Datatype) -> Option<Many> {
        match (&self.action, datatype.basic) {
            (Action::Predefined { many, .. }, Some(basic)) => many[basic.element as usize],
            _ => None,
        }
    }

    /// # Safety
    /// As [`Op::combine_many`], with at least two inputs.
    unsafe fn combine_in_turn(&self, datatype: &Datatype, count: i64, inputs: &[*const u8], out: *mut u8) {
        // SAFETY: the caller's promise; from the third input on, `out` holds the result so far.
        unsafe {
            self.combine(datatype, count, inputs[0], inputs[1], out);
            for &input in &inputs[2..] {
                self.combine(datatype, count, out, input, out);
            }
        }
    }
}

/// Looks a handle up; an error of class `Op` when it names no operation.
#[inline]
pub fn get(handle: Handle) -> Result<&'static Arc<Op>> {
    match TABLE.get(handle) {
        Some(op) => Ok(op),
        None => get_slowly(handle),
    }
}

#[cold]
fn get_slowly(handle: Handle) -> Result<&'static Arc<Op>> {
    register_predefined();
    TABLE.get(handle).ok_or_else(|| {
        if handle == OP_NULL {
            err!(Op, "the operation is MPI_OP_NULL")
        } else {
            err!(Op, "handle {handle:#x} names no operation (was it freed?)")
        }
    })
}
