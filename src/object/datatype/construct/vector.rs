// SPDX-License-Identifier: MIT OR Apache-2.0
//! Regular types: contiguous, vector, hvector.

use super::super::get;
use super::super::shape::Shape;
use super::{count as check_count, finish, not_negative};
use crate::object::constant::{COMBINER_CONTIGUOUS, COMBINER_HVECTOR, COMBINER_VECTOR, Handle};
use crate::object::error::Result;

/// `MPI_Type_contiguous`.
pub fn contiguous(count: i64, oldtype: Handle, newtype: &mut Handle) -> Result<()> {
    check_count(count)?;
    let old = get(oldtype)?;
    let shape = old.shape.repeat(count, old.extent)?;
    *newtype = finish(shape, COMBINER_CONTIGUOUS, vec![count], vec![], vec![old.clone()]);
    Ok(())
}

/// `MPI_Type_vector`: `stride` in elements.
pub fn vector(count: i64, blocklength: i64, stride: i64, oldtype: Handle, newtype: &mut Handle) -> Result<()> {
    check_count(count)?;
    not_negative("blocklength", blocklength)?;
    let old = get(oldtype)?;
    let shape = strided(&old.shape, count, blocklength, stride.saturating_mul(old.extent))?;
    *newtype = finish(shape, COMBINER_VECTOR, vec![count, blocklength, stride], vec![], vec![old.clone()]);
    Ok(())
}

/// `MPI_Type_create_hvector`: `stride` in bytes.
pub fn hvector(count: i64, blocklength: i64, stride: i64, oldtype: Handle, newtype: &mut Handle) -> Result<()> {
    check_count(count)?;
    not_negative("blocklength", blocklength)?;
    let old = get(oldtype)?;
    let shape = strided(&old.shape, count, blocklength, stride)?;
    *newtype = finish(shape, COMBINER_HVECTOR, vec![count, blocklength], vec![stride], vec![old.clone()]);
    Ok(())
}

/// `count` blocks of `blocklength` elements, `stride` bytes apart.
fn strided(old: &Shape, count: i64, blocklength: i64, stride: i64) -> Result<Shape> {
    old.repeat(blocklength, old.bounds.extent())?.repeat(count, stride)
}
