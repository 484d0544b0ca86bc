// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions whose shape does not fit the table: those that return no error code.

use std::ffi::{c_double, c_int, c_void};

use paceline::api::kind::Object;
use paceline::object::environment;
use paceline::object::request::complete;
use paceline::object::status::Status as EngineStatus;

use crate::handle::from_c;
use crate::types::{FORTRAN_STATUS_SIZE, Fint, Status};

paceline::both! {
    /// Seconds since some time in the past.
    fn MPI_Wtime / PMPI_Wtime() -> c_double { environment::wtime() }
    /// Seconds between two ticks of that clock.
    fn MPI_Wtick / PMPI_Wtick() -> c_double { environment::wtick() }
    /// An address moved by a displacement.
    fn MPI_Aint_add / PMPI_Aint_add(base: isize, displacement: isize) -> isize { base.wrapping_add(displacement) }
    /// The displacement between two addresses.
    fn MPI_Aint_diff / PMPI_Aint_diff(to: isize, from: isize) -> isize { to.wrapping_sub(from) }
}

/// `MPI_x_c2f`, `MPI_x_f2c` and their newer names: Fortran's integers are the C handles.
macro_rules! integers {
    ($($_object:ident: $($name:ident $profiling:ident)+;)*) => {
        paceline::both! {$($(
            /// The same number.
            fn $name / $profiling(handle: c_int) -> c_int { handle }
        )+)*}
    };
}

integers! {
    Comm: MPI_Comm_toint PMPI_Comm_toint MPI_Comm_fromint PMPI_Comm_fromint MPI_Comm_c2f PMPI_Comm_c2f MPI_Comm_f2c PMPI_Comm_f2c;
    Group: MPI_Group_toint PMPI_Group_toint MPI_Group_fromint PMPI_Group_fromint MPI_Group_c2f PMPI_Group_c2f MPI_Group_f2c PMPI_Group_f2c;
    Datatype: MPI_Type_toint PMPI_Type_toint MPI_Type_fromint PMPI_Type_fromint MPI_Type_c2f PMPI_Type_c2f MPI_Type_f2c PMPI_Type_f2c;
    Op: MPI_Op_toint PMPI_Op_toint MPI_Op_fromint PMPI_Op_fromint MPI_Op_c2f PMPI_Op_c2f MPI_Op_f2c PMPI_Op_f2c;
    Request: MPI_Request_toint PMPI_Request_toint MPI_Request_fromint PMPI_Request_fromint
        MPI_Request_c2f PMPI_Request_c2f MPI_Request_f2c PMPI_Request_f2c;
    Message: MPI_Message_toint PMPI_Message_toint MPI_Message_fromint PMPI_Message_fromint
        MPI_Message_c2f PMPI_Message_c2f MPI_Message_f2c PMPI_Message_f2c;
    Info: MPI_Info_toint PMPI_Info_toint MPI_Info_fromint PMPI_Info_fromint MPI_Info_c2f PMPI_Info_c2f MPI_Info_f2c PMPI_Info_f2c;
    Errhandler: MPI_Errhandler_toint PMPI_Errhandler_toint MPI_Errhandler_fromint PMPI_Errhandler_fromint
        MPI_Errhandler_c2f PMPI_Errhandler_c2f MPI_Errhandler_f2c PMPI_Errhandler_f2c;
    Win: MPI_Win_toint PMPI_Win_toint MPI_Win_fromint PMPI_Win_fromint MPI_Win_c2f PMPI_Win_c2f MPI_Win_f2c PMPI_Win_f2c;
    File: MPI_File_toint PMPI_File_toint MPI_File_fromint PMPI_File_fromint MPI_File_c2f PMPI_File_c2f MPI_File_f2c PMPI_File_f2c;
    Session: MPI_Session_toint PMPI_Session_toint MPI_Session_fromint PMPI_Session_fromint
        MPI_Session_c2f PMPI_Session_c2f MPI_Session_f2c PMPI_Session_f2c;
}

// A Fortran status is the bytes of the C status, and so is the status of `mpi_f08`.
const _: () = assert!(size_of::<[Fint; FORTRAN_STATUS_SIZE]>() == size_of::<Status>());

/// Copies a status; the code of success, or of a null or ignored argument.
///
/// # Safety
/// Both are null, 1 (ignored) or addresses of statuses.
unsafe fn copy(from: *const c_void, to: *mut c_void) -> c_int {
    if from.addr() <= 1 || to.addr() <= 1 {
        return crate::constant::word_out(paceline::api::kind::Word::Error, paceline::object::error::Class::Arg as c_int);
    }
    // SAFETY: by this function's contract; both have the size of a status.
    unsafe { from.cast::<u8>().copy_to(to.cast::<u8>(), size_of::<Status>()) };
    0
}

/// Conversions between the forms of a status.
macro_rules! status_copies {
    ($($name:ident $profiling:ident;)*) => {
        paceline::both! {$(
            /// Copies a status to another form.
            fn $name / $profiling(from: *const c_void, to: *mut c_void) -> c_int {
                // SAFETY: the caller passed statuses.
                unsafe { copy(from, to) }
            }
        )*}
    };
}

status_copies! {
    MPI_Status_c2f PMPI_Status_c2f;
    MPI_Status_f2c PMPI_Status_f2c;
    MPI_Status_c2f08 PMPI_Status_c2f08;
    MPI_Status_f082c PMPI_Status_f082c;
    MPI_Status_f082f PMPI_Status_f082f;
    MPI_Status_f2f08 PMPI_Status_f2f08;
}

/// Copies an attribute's value: `MPI_DUP_FN` and its kin in `mpi.h`.
///
/// # Safety
/// `out` is the address of a pointer, `flag` of an int.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn MPIR_Dup_fn(
    _: c_int,
    _: c_int,
    _: *mut c_void,
    value: *mut c_void,
    out: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: by this function's contract.
    unsafe {
        *flag = 1;
        *out.cast::<*mut c_void>() = value;
    }
    0
}

paceline::both! {
    /// Whether buffers of NVIDIA's devices may be passed.
    fn MPIX_Query_cuda_support / PMPIX_Query_cuda_support() -> c_int { paceline::device::supported() as c_int }
    /// Whether buffers of AMD's devices may be passed: no.
    fn MPIX_Query_hip_support / PMPIX_Query_hip_support() -> c_int { 0 }
    /// Whether buffers of Intel's devices may be passed: no.
    fn MPIX_Query_ze_support / PMPIX_Query_ze_support() -> c_int { 0 }
    /// Whether a request is complete; it stays as it is.
    fn MPIX_Request_is_complete / PMPIX_Request_is_complete(request: c_int) -> c_int { is_complete(request) }
    /// The state of an asynchronous thing, of which there are none.
    fn MPIX_Async_get_state / PMPIX_Async_get_state(_thing: *mut c_void) -> *mut c_void { std::ptr::null_mut() }
}

fn is_complete(request: c_int) -> c_int {
    let (mut flag, mut status) = (false, EngineStatus::EMPTY);
    let asked = complete::get_status(from_c(Object::Request, request), &mut flag, &mut status);
    c_int::from(asked.is_err() || flag)
}
