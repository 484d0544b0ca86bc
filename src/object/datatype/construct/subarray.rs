// SPDX-License-Identifier: MIT OR Apache-2.0
//! `MPI_Type_create_subarray`.

use super::super::get;
use super::{fastest_first, finish, is_c_order};
use crate::err;
use crate::object::constant::{COMBINER_SUBARRAY, Handle};
use crate::object::error::Result;

/// `MPI_Type_create_subarray`: a box of `subsizes` at `starts` in an array of `sizes`; the extent is the whole array's.
pub fn subarray(
    ndims: i32,
    sizes: &[i64],
    subsizes: &[i64],
    starts: &[i64],
    order: i32,
    oldtype: Handle,
    newtype: &mut Handle,
) -> Result<()> {
    if ndims < 0 {
        return Err(err!(Arg, "ndims is {ndims}, and may not be negative"));
    }
    let c_order = is_c_order(order)?;
    (0..sizes.len()).try_for_each(|d| check(d, sizes[d], subsizes[d], starts[d]))?;
    let old = get(oldtype)?;
    // An array without dimensions is empty: Open MPI and MPICH take it, though the standard wants one dimension at least.
    let mut shape = if ndims == 0 { old.shape.repeat(0, 0)? } else { old.shape.clone() };
    let (mut stride, mut start) = (old.extent, 0i64);
    for d in fastest_first(sizes.len(), c_order) {
        shape = shape.repeat(subsizes[d], stride)?;
        start = start.saturating_add(starts[d].saturating_mul(stride));
        stride = stride.saturating_mul(sizes[d]);
    }
    let shape = shape.shift(start).resized(0, stride);
    let integers = [&[ndims as i64], sizes, subsizes, starts, &[order as i64]].concat();
    *newtype = finish(shape, COMBINER_SUBARRAY, integers, vec![], vec![old.clone()]);
    Ok(())
}

fn check(d: usize, size: i64, subsize: i64, start: i64) -> Result<()> {
    if size < 1 {
        Err(err!(Arg, "array_of_sizes[{d}] is {size}, and must be positive"))
    } else if subsize < 1 || subsize > size {
        Err(err!(Arg, "array_of_subsizes[{d}] is {subsize}, and must be from 1 to the size, {size}"))
    } else if start < 0 || start > size - subsize {
        Err(err!(Arg, "array_of_starts[{d}] is {start}, and must be from 0 to {}", size - subsize))
    } else {
        Ok(())
    }
}
