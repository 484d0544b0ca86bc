// SPDX-License-Identifier: MIT OR Apache-2.0
//! The common blocks of Open MPI's `mpif.h`: only addresses matter. C's library has them; a program has blocks of the same names, and
//! the loader gives its addresses to both.
#![allow(non_upper_case_globals)]

use std::ffi::{c_int, c_void};

use paceline_fortran::Fint;

unsafe extern "C" {
    static mpi_fortran_bottom_: u8;
    static mpi_fortran_in_place_: u8;
    static mpi_fortran_status_ignore_: u8;
    static mpi_fortran_statuses_ignore_: u8;
    static mpi_fortran_unweighted_: u8;
    static mpi_fortran_weights_empty_: u8;
}

/// `MPI_UNWEIGHTED` and `MPI_WEIGHTS_EMPTY` in C.
const UNWEIGHTED: usize = 2;
const WEIGHTS_EMPTY: usize = 3;

/// `MPI_BOTTOM`.
#[inline(always)]
pub fn bottom() -> *const c_void {
    (&raw const mpi_fortran_bottom_).cast()
}

/// `MPI_IN_PLACE`.
#[inline(always)]
pub fn in_place() -> *const c_void {
    (&raw const mpi_fortran_in_place_).cast()
}

/// Whether it is `MPI_STATUS_IGNORE` or `MPI_STATUSES_IGNORE`.
#[inline(always)]
pub fn ignores(f: *const u8) -> bool {
    f == &raw const mpi_fortran_status_ignore_ || f == &raw const mpi_fortran_statuses_ignore_
}

/// Weights in C.
pub fn weights(f: *mut Fint) -> *mut c_int {
    match f.cast_const().cast::<u8>() {
        w if w == &raw const mpi_fortran_unweighted_ => std::ptr::without_provenance_mut(UNWEIGHTED),
        w if w == &raw const mpi_fortran_weights_empty_ => std::ptr::without_provenance_mut(WEIGHTS_EMPTY),
        _ => f,
    }
}
