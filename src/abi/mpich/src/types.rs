// SPDX-License-Identifier: MIT OR Apache-2.0
//! MPICH's C types.

use std::ffi::c_int;

/// `MPI_Status`: the byte count's lower half, then 31 bits of its upper half above the bit that says "cancelled".
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Status {
    pub count_low: u32,
    pub count_high_and_cancelled: u32,
    pub source: c_int,
    pub tag: c_int,
    pub error: c_int,
}

const _: () = assert!(size_of::<Status>() == 20);

/// `MPI_Fint`.
pub type Fint = c_int;

/// Number of `INTEGER`s of a Fortran status.
pub const FORTRAN_STATUS_SIZE: usize = 5;
