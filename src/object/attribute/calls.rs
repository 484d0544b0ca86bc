// SPDX-License-Identifier: MIT OR Apache-2.0
//! The MPI calls that set, get and delete attributes of communicators and datatypes.

use super::datatype::with_owner;
use super::{Owner, predefined};
use crate::err;
use crate::object::comm::{self, Comm};
use crate::object::constant::Handle;
use crate::object::error::Result;
use crate::object::handle::Kind;

/// A communicator as an owner of attributes.
pub fn comm_owner(comm: &Comm) -> Owner<'_> {
    Owner { kind: Kind::Comm, handle: comm.handle, set: &comm.attributes }
}

fn give(found: Option<usize>, value: &mut usize, flag: &mut bool) {
    *flag = found.is_some();
    *value = found.unwrap_or(*value);
}

fn refuse_predefined(keyval: i32) -> Result<()> {
    if predefined::value(keyval).is_some() {
        return Err(err!(Keyval, "the key {keyval} is one of MPI's own, whose values cannot be changed"));
    }
    Ok(())
}

/// `MPI_Comm_get_attr` (and `MPI_Attr_get`). The value of a predefined attribute is the address of an `int`.
pub fn comm_get_attr(comm: Handle, keyval: i32, value: &mut usize, flag: &mut bool) -> Result<()> {
    let comm = comm::get(comm)?;
    let found = match predefined::value(keyval) {
        Some(number) => Some(number.as_ptr() as usize),
        None => comm_owner(comm).get(keyval)?,
    };
    give(found, value, flag);
    Ok(())
}

/// `MPI_Comm_set_attr` (and `MPI_Attr_put`).
pub fn comm_set_attr(comm: Handle, keyval: i32, value: usize) -> Result<()> {
    let comm = comm::get(comm)?;
    refuse_predefined(keyval)?;
    comm_owner(comm).put(keyval, value)
}

/// `MPI_Comm_delete_attr` (and `MPI_Attr_delete`).
pub fn comm_delete_attr(comm: Handle, keyval: i32) -> Result<()> {
    let comm = comm::get(comm)?;
    refuse_predefined(keyval)?;
    comm_owner(comm).delete(keyval)
}

/// `MPI_Type_get_attr`.
pub fn type_get_attr(datatype: Handle, keyval: i32, value: &mut usize, flag: &mut bool) -> Result<()> {
    let found = with_owner(datatype, |owner| owner.get(keyval))?;
    give(found, value, flag);
    Ok(())
}

/// `MPI_Type_set_attr`.
pub fn type_set_attr(datatype: Handle, keyval: i32, value: usize) -> Result<()> {
    with_owner(datatype, |owner| owner.put(keyval, value))
}

/// `MPI_Type_delete_attr`.
pub fn type_delete_attr(datatype: Handle, keyval: i32) -> Result<()> {
    with_owner(datatype, |owner| owner.delete(keyval))
}
