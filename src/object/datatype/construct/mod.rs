// SPDX-License-Identifier: MIT OR Apache-2.0
//! The type constructors (MPI 5.0, sections 5.1.2 to 5.1.4), in C argument order; displacements in bytes where the
//! function's name begins with `h` and in `structure`, in elements elsewhere. Each one checks its arguments, says its
//! shape, keeps its envelope.

mod darray;
mod indexed;
pub mod large;
mod structure;
mod subarray;
mod vector;
mod wrap;

pub use darray::darray;
pub use indexed::{hindexed, hindexed_block, indexed, indexed_block};
pub use structure::structure;
pub use subarray::subarray;
pub use vector::{contiguous, hvector, vector};
pub use wrap::{dup, resized};

use std::sync::Arc;

use super::envelope::Envelope;
use super::shape::Shape;
use super::{Datatype, insert};
use crate::err;
use crate::object::constant::{Handle, ORDER_C, ORDER_FORTRAN};
use crate::object::error::Result;

fn not_negative(name: &str, value: i64) -> Result<()> {
    if value < 0 { Err(err!(Arg, "{name} is {value}, and may not be negative")) } else { Ok(()) }
}

fn count(value: i64) -> Result<()> {
    if value < 0 { Err(err!(Count, "count is {value}, and may not be negative")) } else { Ok(()) }
}

/// Block lengths: none negative.
fn lengths(all: &[i64]) -> Result<()> {
    match all.iter().position(|&length| length < 0) {
        Some(i) => Err(err!(Arg, "blocklengths[{i}] is {}, and may not be negative", all[i])),
        None => Ok(()),
    }
}

/// Whether the first dimension is the slowest one.
fn is_c_order(order: i32) -> Result<bool> {
    match order {
        ORDER_C => Ok(true),
        ORDER_FORTRAN => Ok(false),
        _ => Err(err!(Arg, "order is {order}, neither MPI_ORDER_C nor MPI_ORDER_FORTRAN")),
    }
}

/// Dimensions from the fastest to the slowest.
fn fastest_first(ndims: usize, c_order: bool) -> impl Iterator<Item = usize> {
    (0..ndims).map(move |i| if c_order { ndims - 1 - i } else { i })
}

/// Makes the type: bounds padded to the alignment, unless markers fix them.
fn finish(shape: Shape, combiner: i32, integers: Vec<i64>, addresses: Vec<i64>, types: Vec<Arc<Datatype>>) -> Handle {
    let shape = Shape { bounds: shape.bounds.padded(), ..shape };
    insert(shape, Envelope { combiner, integers, addresses, types, ..Envelope::default() })
}
