// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `_c` forms of the constructors. They make the same types, which remember that their arguments were large counts: the
//! wide envelope tells them as such (MPI 5.0, section 5.1.13).

use std::sync::atomic::Ordering;

use super::super::get;
use crate::object::constant::Handle;
use crate::object::error::Result;

fn mark(made: Handle) -> Result<()> {
    get(made)?.envelope.large.store(true, Ordering::Relaxed);
    Ok(())
}

macro_rules! large {
    ($($call:literal $name:ident($($arg:ident: $type:ty),*);)*) => {$(
        #[doc = concat!("`", $call, "`.")]
        #[allow(clippy::too_many_arguments)]
        pub fn $name($($arg: $type,)* newtype: &mut Handle) -> Result<()> {
            super::$name($($arg,)* newtype)?;
            mark(*newtype)
        }
    )*};
}

large! {
    "MPI_Type_contiguous_c" contiguous(count: i64, oldtype: Handle);
    "MPI_Type_vector_c" vector(count: i64, blocklength: i64, stride: i64, oldtype: Handle);
    "MPI_Type_create_hvector_c" hvector(count: i64, blocklength: i64, stride: i64, oldtype: Handle);
    "MPI_Type_indexed_c" indexed(count: i64, blocklengths: &[i64], displacements: &[i64], oldtype: Handle);
    "MPI_Type_create_hindexed_c" hindexed(count: i64, blocklengths: &[i64], displacements: &[i64], oldtype: Handle);
    "MPI_Type_create_indexed_block_c" indexed_block(count: i64, blocklength: i64, displacements: &[i64], oldtype: Handle);
    "MPI_Type_create_hindexed_block_c" hindexed_block(count: i64, blocklength: i64, displacements: &[i64], oldtype: Handle);
    "MPI_Type_create_struct_c" structure(count: i64, blocklengths: &[i64], displacements: &[i64], oldtypes: &[Handle]);
    "MPI_Type_create_subarray_c" subarray(ndims: i32, sizes: &[i64], subsizes: &[i64], starts: &[i64], order: i32, oldtype: Handle);
    "MPI_Type_create_darray_c" darray(
        size: i32, rank: i32, ndims: i32, gsizes: &[i64], distribs: &[i32], dargs: &[i32], psizes: &[i32], order: i32, oldtype: Handle
    );
    "MPI_Type_create_resized_c" resized(oldtype: Handle, lb: i64, extent: i64);
}
