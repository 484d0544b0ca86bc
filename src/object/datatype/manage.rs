// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commit, free, names, sizes and extents.

use super::{TABLE, get};
use crate::err;
use crate::object::attribute;
use crate::object::constant::{DATATYPE_NULL, Handle, MAX_OBJECT_NAME};
use crate::object::error::Result;

/// `MPI_Type_commit`.
pub fn commit(datatype: &mut Handle) -> Result<()> {
    get(*datatype)?.set_committed();
    Ok(())
}

/// `MPI_Type_free`. Types made of it, and communication under way, keep theirs.
pub fn free(datatype: &mut Handle) -> Result<()> {
    let found = get(*datatype)?;
    if found.basic.is_some() {
        return Err(err!(Type, "{} is predefined and cannot be freed", found.label()));
    }
    attribute::datatype::freed(*datatype)?;
    TABLE.retire(*datatype);
    *datatype = DATATYPE_NULL;
    Ok(())
}

/// `MPI_Type_set_name`.
pub fn set_name(datatype: Handle, name: &str) -> Result<()> {
    let mut end = name.len().min(MAX_OBJECT_NAME as usize - 1);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    *get(datatype)?.name.lock() = name[..end].to_owned();
    Ok(())
}

/// `MPI_Type_get_name`.
pub fn get_name(datatype: Handle, name: &mut String) -> Result<()> {
    if datatype == DATATYPE_NULL {
        "MPI_DATATYPE_NULL".clone_into(name);
        return Ok(());
    }
    name.clone_from(&get(datatype)?.name.lock());
    Ok(())
}

/// `MPI_Type_size`, `_x`, `_c`.
#[inline]
pub fn size(datatype: Handle, size: &mut i64) -> Result<()> {
    *size = get(datatype)?.size;
    Ok(())
}

/// `MPI_Type_get_extent`, `_x`, `_c`.
pub fn get_extent(datatype: Handle, lb: &mut i64, extent: &mut i64) -> Result<()> {
    let found = get(datatype)?;
    (*lb, *extent) = (found.lb, found.extent);
    Ok(())
}

/// `MPI_Type_get_true_extent`, `_x`, `_c`.
pub fn get_true_extent(datatype: Handle, true_lb: &mut i64, true_extent: &mut i64) -> Result<()> {
    let found = get(datatype)?;
    (*true_lb, *true_extent) = (found.true_lb, found.true_extent);
    Ok(())
}

/// `MPI_Type_extent` (removed from MPI, still linked by old programs).
pub fn extent(datatype: Handle, extent: &mut i64) -> Result<()> {
    *extent = get(datatype)?.extent;
    Ok(())
}

/// `MPI_Type_lb` (removed from MPI, still linked by old programs).
pub fn lb(datatype: Handle, displacement: &mut i64) -> Result<()> {
    *displacement = get(datatype)?.lb;
    Ok(())
}

/// `MPI_Type_ub` (removed from MPI, still linked by old programs).
pub fn ub(datatype: Handle, displacement: &mut i64) -> Result<()> {
    let found = get(datatype)?;
    *displacement = found.lb + found.extent;
    Ok(())
}
