// SPDX-License-Identifier: MIT OR Apache-2.0
//! The common blocks of MPICH's `mpif.h`: only addresses matter. A program has blocks of the same names, and the loader
//! gives its addresses to this library; sizes are MPICH 4.0.2's.
#![allow(non_upper_case_globals)]

use std::ffi::c_int;

use paceline_fortran::Fint;

/// `MPI_BOTTOM`, `MPI_IN_PLACE`, `MPI_STATUS_IGNORE(5)`.
#[unsafe(no_mangle)]
pub static mut mpipriv1_: [Fint; 7] = [0; 7];
/// `MPI_STATUSES_IGNORE(5, 1)`, `MPI_ERRCODES_IGNORE(1)`.
#[unsafe(no_mangle)]
pub static mut mpipriv2_: [Fint; 6] = [0; 6];
/// `MPI_ARGVS_NULL(1, 1)`, `MPI_ARGV_NULL(1)`.
#[unsafe(no_mangle)]
pub static mut mpiprivc_: [u8; 2] = [0; 2];
/// `MPI_UNWEIGHTED`.
#[unsafe(no_mangle)]
pub static mut mpifcmb5_: Fint = 0;
/// `MPI_WEIGHTS_EMPTY`.
#[unsafe(no_mangle)]
pub static mut mpifcmb9_: Fint = 0;

unsafe extern "C" {
    static MPI_UNWEIGHTED: *mut c_int;
    static MPI_WEIGHTS_EMPTY: *mut c_int;
    static mut MPI_F_STATUS_IGNORE: *const Fint;
    static mut MPI_F_STATUSES_IGNORE: *const Fint;
}

/// `MPI_BOTTOM`.
#[inline(always)]
pub fn bottom() -> *const Fint {
    (&raw const mpipriv1_).cast()
}

/// `MPI_IN_PLACE`.
#[inline(always)]
pub fn in_place() -> *const Fint {
    bottom().wrapping_add(1)
}

/// `MPI_STATUS_IGNORE`.
#[inline(always)]
pub fn status_ignore() -> *const Fint {
    bottom().wrapping_add(2)
}

/// `MPI_STATUSES_IGNORE`.
#[inline(always)]
pub fn statuses_ignore() -> *const Fint {
    (&raw const mpipriv2_).cast()
}

/// Weights in C.
pub fn weights(f: *mut Fint) -> *mut c_int {
    match f.cast_const() {
        // SAFETY: constants of C's library.
        f if f == &raw const mpifcmb5_ => unsafe { MPI_UNWEIGHTED },
        // SAFETY: as above.
        f if f == &raw const mpifcmb9_ => unsafe { MPI_WEIGHTS_EMPTY },
        _ => f,
    }
}

/// Tells C which statuses Fortran ignores (`MPI_Status_f2c` asks).
#[unsafe(link_section = ".init_array")]
#[used]
static AT_LOAD: extern "C" fn() = at_load;

extern "C" fn at_load() {
    // SAFETY: the loader runs this before the program, and C's library reads it only in calls.
    unsafe {
        MPI_F_STATUS_IGNORE = status_ignore();
        MPI_F_STATUSES_IGNORE = statuses_ignore();
    }
}
