// SPDX-License-Identifier: MIT OR Apache-2.0
//! The type constructors (MPI 5.0, sections 5.1.2 to 5.1.4), in C argument order; displacements in bytes unless the
//! function's name says otherwise. Each one checks its arguments, says its shape, keeps its envelope.

mod vector;

pub use vector::{contiguous, hvector, vector};

use std::sync::Arc;

use super::envelope::Envelope;
use super::shape::Shape;
use super::{Datatype, insert};
use crate::err;
use crate::object::constant::Handle;
use crate::object::error::Result;

fn not_negative(name: &str, value: i64) -> Result<()> {
    if value < 0 { Err(err!(Arg, "{name} is {value}, and may not be negative")) } else { Ok(()) }
}

fn count(value: i64) -> Result<()> {
    if value < 0 { Err(err!(Count, "count is {value}, and may not be negative")) } else { Ok(()) }
}

/// Makes the type: bounds padded to the alignment, unless markers fix them.
fn finish(shape: Shape, combiner: i32, integers: Vec<i64>, addresses: Vec<i64>, types: Vec<Arc<Datatype>>) -> Handle {
    let shape = Shape { bounds: shape.bounds.padded(), ..shape };
    insert(shape, Envelope { combiner, integers, addresses, types })
}
