// SPDX-License-Identifier: MIT OR Apache-2.0
//! `MPI_Type_create_struct`.

use std::sync::Arc;

use super::super::shape::Shape;
use super::super::{Datatype, get};
use super::{count as check_count, finish, lengths};
use crate::err;
use crate::object::constant::{COMBINER_STRUCT, DATATYPE_NULL, Handle};
use crate::object::error::Result;

/// `MPI_Type_create_struct`: displacements in bytes. The old markers `MPI_LB` and `MPI_UB` may be among the types.
pub fn structure(
    count: i64,
    blocklengths: &[i64],
    displacements: &[i64],
    oldtypes: &[Handle],
    newtype: &mut Handle,
) -> Result<()> {
    check_count(count)?;
    lengths(blocklengths)?;
    let types = (0..oldtypes.len()).map(|i| member(oldtypes, i)).collect::<Result<Vec<_>>>()?;
    let parts = (0..types.len()).map(|i| part(&types[i], blocklengths[i], displacements[i]));
    let shape = Shape::sequence(parts.collect::<Result<Vec<_>>>()?)?;
    let integers = [&[count], blocklengths].concat();
    *newtype = finish(shape, COMBINER_STRUCT, integers, displacements.to_vec(), types);
    Ok(())
}

fn member(types: &[Handle], i: usize) -> Result<Arc<Datatype>> {
    if types[i] == DATATYPE_NULL {
        return Err(err!(Type, "types[{i}] is MPI_DATATYPE_NULL"));
    }
    get(types[i]).cloned()
}

fn part(old: &Datatype, length: i64, at: i64) -> Result<Shape> {
    Ok(old.shape.repeat(length, old.extent)?.shift(at))
}
