// SPDX-License-Identifier: MIT OR Apache-2.0
//! Making, freeing and asking about operations, and `MPI_Reduce_local`.

use std::sync::Arc;

use super::{Action, Op, TABLE, get, with_type};
use crate::err;
use crate::object::callback;
use crate::object::constant::{Handle, IN_PLACE, OP_NULL};
use crate::object::error::Result;
use crate::p2p::Span;
use crate::p2p::memory::Memory;

/// `MPI_Op_create`.
pub fn create(function: usize, commute: bool, op: &mut Handle) -> Result<()> {
    create_user(function, false, commute, op)
}

/// `MPI_Op_create_c`: the function takes its length as an `MPI_Count`.
pub fn create_large(function: usize, commute: bool, op: &mut Handle) -> Result<()> {
    create_user(function, true, commute, op)
}

fn create_user(function: usize, large: bool, commutative: bool, op: &mut Handle) -> Result<()> {
    if function == 0 {
        return Err(err!(Arg, "user_fn is NULL"));
    }
    *op = TABLE.insert_with(|handle| Arc::new(Op { handle, commutative, action: Action::User { function, large } }));
    Ok(())
}

/// `MPI_Op_free`. Reductions under way keep theirs.
pub fn free(op: &mut Handle) -> Result<()> {
    if !matches!(get(*op)?.action, Action::User { .. }) {
        return Err(err!(Op, "{} is predefined and cannot be freed", get(*op)?.name()));
    }
    TABLE.remove(*op);
    *op = OP_NULL;
    Ok(())
}

/// `MPI_Op_commutative`.
pub fn commutative(op: Handle, commute: &mut bool) -> Result<()> {
    *commute = get(op)?.commutative;
    Ok(())
}

/// `MPI_Reduce_local`: `inout = input op inout`.
///
/// # Safety
/// `inbuf` and `inoutbuf` must hold `count` elements.
pub unsafe fn reduce_local(inbuf: *mut u8, inoutbuf: *mut u8, count: i64, datatype: Handle, op: Handle) -> Result<()> {
    if count < 0 {
        return Err(err!(Count, "count is {count}, and may not be negative"));
    }
    let (datatype, op) = with_type(datatype, op)?;
    if [inbuf, inoutbuf].iter().any(|buffer| buffer.addr() == IN_PLACE) {
        return Err(err!(Buffer, "neither buffer may be MPI_IN_PLACE here"));
    }
    if inbuf == inoutbuf && count > 0 && !inbuf.is_null() && !callback::is_lenient() {
        return Err(err!(Buffer, "inbuf and inoutbuf are the same address"));
    }
    Memory::check_one("inbuf", Span::whole(inbuf, datatype, count))?;
    Memory::check_one("inoutbuf", Span::whole(inoutbuf, datatype, count))?;
    // SAFETY: the caller's promise.
    unsafe { super::away::reduce_now(op, datatype, count, inbuf, inoutbuf) }
}
