// SPDX-License-Identifier: MIT OR Apache-2.0
//! The standard ABI's C types.

use std::ffi::c_int;

/// `MPI_Status` (MPI 5.0, section 20.3.2): three public fields, five of the library's.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Status {
    pub source: c_int,
    pub tag: c_int,
    pub error: c_int,
    pub internal: [c_int; 5],
}

const _: () = assert!(size_of::<Status>() == 32);

/// `MPI_Fint`.
pub type Fint = c_int;

/// Number of `INTEGER`s of a Fortran status.
pub const FORTRAN_STATUS_SIZE: usize = 8;
