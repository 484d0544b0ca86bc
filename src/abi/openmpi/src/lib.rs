// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Open MPI face, `libmpi.so.40`: conversions only. The other faces have files of the same names;
//! Fortran's functions are in `abi/fortran/openmpi`.
//!
//! | file | what |
//! |---|---|
//! | [`types`] | `MPI_Status` and other C types |
//! | [`handle`] | C handles ↔ the engine's |
//! | [`data`] | the data symbols whose addresses are the handles |
//! | [`constant`] | special values, error classes, limits ↔ the engine's |
//! | [`status`] | statuses ↔ the engine's |
//! | [`fortran`] | Fortran's integers of handles |
//! | [`cxx`] | what Open MPI's C++ bindings take from inside |
//! | [`odd`] | functions whose shape does not fit the table |
//!
//! All other functions come from the rows of `paceline::api::table`, below.

pub mod constant;
pub mod cxx;
pub mod data;
pub mod fortran;
pub mod handle;
pub mod odd;
pub mod status;
pub mod types;

use std::ffi::{c_int, c_void};

use paceline::api::kind::{Face, Limit, Object, Word};
use paceline::object::constant::{COMM_WORLD, Handle};
use paceline::object::status::Status;

/// What differs between Open MPI's ABI and others.
pub struct OpenMpi;

impl Face for OpenMpi {
    type Handle = *mut c_void;
    type Status = types::Status;

    // What Open MPI 4.1 and 5.0 tell. Their ABI has no `_c` functions and none of MPI 4.1's, which programs expect behind a later one.
    const VERSION: (i32, i32) = (3, 1);
    // Open MPI asks the world's handler where MPI 4 asks the one of `MPI_COMM_SELF`.
    const DEFAULT_TARGET: (Object, Handle) = (Object::Comm, COMM_WORLD);
    const LENIENT: bool = true;

    #[inline(always)]
    fn handle_in(_object: Object, c: *mut c_void) -> Handle {
        handle::from_c(c)
    }

    #[inline(always)]
    fn handle_out(_object: Object, handle: Handle) -> *mut c_void {
        handle::to_c(handle)
    }

    fn integer_out(object: Object, handle: Handle) -> i32 {
        fortran::from_handle(object, handle)
    }

    #[inline(always)]
    fn word_in(word: Word, c: c_int) -> i32 {
        constant::word_in(word, c)
    }

    #[inline(always)]
    fn word_out(word: Word, value: i32) -> c_int {
        constant::word_out(word, value)
    }

    // MPI_BOTTOM and MPI_IN_PLACE are 0 and 1, as in the engine.
    #[inline(always)]
    fn buffer(c: *const u8) -> *mut u8 {
        c.cast_mut()
    }

    fn is_all_pvars(address: usize) -> bool {
        address == usize::MAX
    }

    #[inline(always)]
    fn unweighted(c: *const c_int) -> bool {
        c.addr() == 2
    }

    #[inline(always)]
    fn ignores(c: *const types::Status) -> bool {
        c.is_null()
    }

    #[inline(always)]
    unsafe fn status_out(status: &Status, c: *mut types::Status, error: bool) {
        // SAFETY: by this function's contract.
        unsafe { status::to_c(status, c, error) }
    }

    #[inline(always)]
    unsafe fn status_in(c: *const types::Status) -> Status {
        // SAFETY: by this function's contract.
        status::from_c(unsafe { &*c })
    }

    fn limit(limit: Limit) -> usize {
        constant::limit(limit)
    }
}

paceline::register_callbacks!(OpenMpi);

paceline::table_p2p!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_request!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_collective!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_persistent!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_neighbor!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_op!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_datatype!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_group!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_comm!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_attribute!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_topology!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_error!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_info!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_env!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_session!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_process!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_rma!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_file!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_tool!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);
paceline::table_removed!(paceline::export, [crate::OpenMpi, narrow, "MPI_"]);

/// The names of extensions.
pub mod extension {
    paceline::table_persistent!(paceline::export, [crate::OpenMpi, narrow, "MPIX_"]);
    paceline::table_fault!(paceline::export, [crate::OpenMpi, narrow, "MPIX_"]);
}
