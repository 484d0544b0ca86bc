// SPDX-License-Identifier: MIT OR Apache-2.0
//! Open MPI's C types.

use std::ffi::c_int;

/// `MPI_Status`.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Status {
    pub source: c_int,
    pub tag: c_int,
    pub error: c_int,
    pub cancelled: c_int,
    pub bytes: usize,
}

const _: () = assert!(size_of::<Status>() == 24);

/// `MPI_Fint`.
pub type Fint = i32;

/// Number of `INTEGER`s of a Fortran status.
pub const FORTRAN_STATUS_SIZE: usize = 6;
