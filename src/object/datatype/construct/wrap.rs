// SPDX-License-Identifier: MIT OR Apache-2.0
//! One type from one type: resized, dup.

use super::super::envelope::Envelope;
use super::super::{TABLE, get, insert};
use super::finish;
use crate::object::attribute;
use crate::object::constant::{COMBINER_DUP, COMBINER_RESIZED, DATATYPE_NULL, Handle};
use crate::object::error::Result;

/// `MPI_Type_create_resized`.
pub fn resized(oldtype: Handle, lb: i64, extent: i64, newtype: &mut Handle) -> Result<()> {
    let old = get(oldtype)?;
    *newtype = finish(old.shape.resized(lb, extent), COMBINER_RESIZED, vec![], vec![lb, extent], vec![old.clone()]);
    Ok(())
}

/// `MPI_Type_dup`: the same type, committed if the old one is, with what the attributes' copy functions give.
pub fn dup(oldtype: Handle, newtype: &mut Handle) -> Result<()> {
    let old = get(oldtype)?;
    *newtype = DATATYPE_NULL; // What the caller sees when a copy function fails.
    let envelope = Envelope { combiner: COMBINER_DUP, types: vec![old.clone()], ..Envelope::default() };
    let new = insert(old.shape.clone(), envelope);
    if old.is_committed() {
        get(new)?.set_committed();
    }
    attribute::datatype::duplicated(oldtype, new).inspect_err(|_| drop(TABLE.retire(new)))?;
    *newtype = new;
    Ok(())
}
