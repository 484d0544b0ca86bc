// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data symbols: constants of `mpi.h` that are addresses, and what Fortran's interfaces look at.

use std::ffi::c_int;

use paceline::object::constant::{UNWEIGHTED, WEIGHTS_EMPTY};

use crate::types::{FORTRAN_STATUS_SIZE, Fint};

/// An address as data.
#[repr(transparent)]
pub struct Address(*const c_int);

// SAFETY: a number for all practical purposes; nobody reads through it.
unsafe impl Sync for Address {}

/// `MPI_UNWEIGHTED`.
#[unsafe(no_mangle)]
pub static MPI_UNWEIGHTED: Address = Address(std::ptr::without_provenance(UNWEIGHTED));
/// `MPI_WEIGHTS_EMPTY`.
#[unsafe(no_mangle)]
pub static MPI_WEIGHTS_EMPTY: Address = Address(std::ptr::without_provenance(WEIGHTS_EMPTY));

/// A Fortran status that nobody reads.
type Ignored = [Fint; FORTRAN_STATUS_SIZE];

/// What `MPI_F08_STATUS_IGNORE` points to.
#[unsafe(no_mangle)]
pub static MPIR_F08_MPI_STATUS_IGNORE_OBJ: Ignored = [0; FORTRAN_STATUS_SIZE];
/// What `MPI_F08_STATUSES_IGNORE` points to.
#[unsafe(no_mangle)]
pub static MPIR_F08_MPI_STATUSES_IGNORE_OBJ: Ignored = [0; FORTRAN_STATUS_SIZE];
/// `MPI_F08_STATUS_IGNORE`.
#[unsafe(no_mangle)]
pub static MPI_F08_STATUS_IGNORE: Address = Address(&raw const MPIR_F08_MPI_STATUS_IGNORE_OBJ as *const c_int);
/// `MPI_F08_STATUSES_IGNORE`.
#[unsafe(no_mangle)]
pub static MPI_F08_STATUSES_IGNORE: Address = Address(&raw const MPIR_F08_MPI_STATUSES_IGNORE_OBJ as *const c_int);
/// `MPI_F_STATUS_IGNORE`: set by Fortran's library, null without it.
#[unsafe(no_mangle)]
pub static mut MPI_F_STATUS_IGNORE: Address = Address(std::ptr::null());
/// `MPI_F_STATUSES_IGNORE`: as above.
#[unsafe(no_mangle)]
pub static mut MPI_F_STATUSES_IGNORE: Address = Address(std::ptr::null());
/// `MPI_F_ERRCODES_IGNORE` of Intel MPI, as above.
#[unsafe(no_mangle)]
pub static MPI_F_ERRCODES_IGNORE: Address = Address(std::ptr::null());
/// `MPI_F_ARGVS_NULL` of Intel MPI, as above.
#[unsafe(no_mangle)]
pub static MPI_F_ARGVS_NULL: Address = Address(std::ptr::null());
/// `MPI_T_PVAR_ALL_HANDLES` of `mpi.h`.
#[unsafe(no_mangle)]
pub static MPI_T_PVAR_ALL_HANDLES: Address = Address(std::ptr::without_provenance(1));
