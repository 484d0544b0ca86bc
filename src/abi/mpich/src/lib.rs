// SPDX-License-Identifier: MIT OR Apache-2.0
//! The face of MPICH and its kin (Intel MPI, Cray MPICH, MVAPICH), `libmpi.so.12`: conversions only.
//! The other faces have files of the same names; Fortran's functions are in `abi/fortran/mpich`.
//!
//! | file | what |
//! |---|---|
//! | [`types`] | `MPI_Status` and other C types |
//! | [`handle`] | C handles ↔ the engine's |
//! | [`data`] | data symbols |
//! | [`constant`] | limits of strings |
//! | [`status`] | statuses ↔ the engine's |
//! | [`qmpi`] | refusals of MPICH's QMPI |
//! | [`odd`] | functions whose shape does not fit the table |
//!
//! All other functions come from the rows of `paceline::api::table`, below.

pub mod constant;
pub mod data;
pub mod handle;
pub mod odd;
pub mod qmpi;
pub mod status;
pub mod types;

use std::ffi::c_int;

use paceline::api::kind::{Face, Limit, Object, Word};
use paceline::object::constant::{BUFFER_AUTOMATIC, COMM_WORLD, Handle, IN_PLACE, UNWEIGHTED};
use paceline::object::status::Status;

/// What differs between the ABI of MPICH and others.
pub struct Mpich;

impl Face for Mpich {
    type Handle = c_int;
    type Status = types::Status;

    const DEFAULT_TARGET: (Object, Handle) = (Object::Comm, COMM_WORLD);
    const UNSET_HANDLER_IS_WORLDS: bool = true;

    #[inline(always)]
    fn handle_in(object: Object, c: c_int) -> Handle {
        handle::from_c(object, c)
    }

    #[inline(always)]
    fn handle_out(_object: Object, handle: Handle) -> c_int {
        handle::to_c(handle)
    }

    fn integer_out(_object: Object, handle: Handle) -> i32 {
        handle::to_c(handle)
    }

    #[inline(always)]
    fn word_in(word: Word, c: c_int) -> i32 {
        constant::word_in(word, c)
    }

    #[inline(always)]
    fn word_out(word: Word, value: i32) -> c_int {
        constant::word_out(word, value)
    }

    #[inline(always)]
    fn buffer(c: *const u8) -> *mut u8 {
        match c.addr() as isize {
            -1 => std::ptr::without_provenance_mut(IN_PLACE),
            -2 => std::ptr::without_provenance_mut(BUFFER_AUTOMATIC),
            _ => c.cast_mut(),
        }
    }

    fn buffer_out(address: usize) -> usize {
        if address == BUFFER_AUTOMATIC { -2isize as usize } else { address }
    }

    #[inline(always)]
    fn unweighted(c: *const c_int) -> bool {
        c.addr() == UNWEIGHTED
    }

    #[inline(always)]
    fn ignores(c: *const types::Status) -> bool {
        // MPI_STATUS_IGNORE; MPICH takes a null pointer for it too.
        c.addr() <= 1
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

paceline::register_callbacks!(Mpich);

paceline::table_p2p!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_request!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_collective!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_persistent!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_neighbor!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_op!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_datatype!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_group!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_comm!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_attribute!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_topology!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_error!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_info!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_env!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_session!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_process!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_rma!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_file!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_tool!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_removed!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_recent!(paceline::export, [crate::Mpich, wide, "MPI_"]);
paceline::table_large!(paceline::export, [crate::Mpich, wide, "MPI_"]);

/// The names of extensions.
pub mod extension {
    paceline::table_fault!(paceline::export, [crate::Mpich, narrow, "MPIX_"]);
    paceline::table_mpich!(paceline::export, [crate::Mpich, wide, "MPIX_"]);
}
