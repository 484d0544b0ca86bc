// SPDX-License-Identifier: MIT OR Apache-2.0
//! The standard ABI's face (MPI 5.0, chapter 20), `libmpi_abi.so.1`: the engine's own values, so there is little to convert.
//! The other faces have files of the same names.
//!
//! | file | what |
//! |---|---|
//! | [`types`] | `MPI_Status` and other C types |
//! | [`handle`] | C handles ↔ the engine's |
//! | [`constant`] | limits of strings |
//! | [`status`] | statuses ↔ the engine's |
//! | [`odd`] | functions whose shape does not fit the table |
//!
//! All other functions come from the rows of `paceline::api::table`, below.

pub mod constant;
pub mod handle;
pub mod odd;
pub mod status;
pub mod types;

use std::ffi::{c_int, c_void};

use paceline::api::kind::{Face, Limit, Object, Word};
use paceline::object::constant::{COMM_SELF, Handle, UNWEIGHTED};
use paceline::object::status::Status;

/// The standard ABI.
pub struct Standard;

impl Face for Standard {
    type Handle = *mut c_void;
    type Status = types::Status;

    const DEFAULT_TARGET: (Object, Handle) = (Object::Comm, COMM_SELF);
    // As MPICH's library of this ABI.
    const UNSET_HANDLER_IS_WORLDS: bool = true;
    const VERSION: (i32, i32) = (5, 0);
    const STANDARD_ABI: i32 = 1;

    #[inline(always)]
    fn handle_in(_object: Object, c: *mut c_void) -> Handle {
        handle::from_c(c)
    }

    #[inline(always)]
    fn handle_out(_object: Object, handle: Handle) -> *mut c_void {
        handle::to_c(handle)
    }

    #[inline(always)]
    fn word_in(_word: Word, c: c_int) -> i32 {
        c
    }

    #[inline(always)]
    fn word_out(_word: Word, value: i32) -> c_int {
        value
    }

    #[inline(always)]
    fn buffer(c: *const u8) -> *mut u8 {
        c.cast_mut()
    }

    #[inline(always)]
    fn unweighted(c: *const c_int) -> bool {
        c.addr() == UNWEIGHTED
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

paceline::register_callbacks!(Standard);

paceline::table_p2p!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_request!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_collective!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_persistent!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_neighbor!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_op!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_datatype!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_group!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_comm!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_attribute!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_topology!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_error!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_info!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_env!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_session!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_process!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_rma!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_file!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_tool!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_removed!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_recent!(paceline::export, [crate::Standard, wide, "MPI_"]);
paceline::table_large!(paceline::export, [crate::Standard, wide, "MPI_"]);
