// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions whose shape does not fit the table: those that return no error code, and the integers of Fortran.

use std::ffi::{c_char, c_double, c_int, c_void};

use paceline::api::kind::{Object, Word};
use paceline::object::environment;

use crate::constant::word_in;
use crate::handle::{from_c, to_c};
use crate::types::{FORTRAN_STATUS_SIZE, Fint, Status};
use crate::{data, fortran};

paceline::both! {
    /// Seconds since some time in the past.
    fn MPI_Wtime / PMPI_Wtime() -> c_double { environment::wtime() }
    /// Seconds between two ticks of that clock.
    fn MPI_Wtick / PMPI_Wtick() -> c_double { environment::wtick() }
}

/// `MPI_x_c2f` and `MPI_x_f2c` of each kind of object.
macro_rules! fortran_handles {
    ($($object:ident: $c2f:ident $pc2f:ident $f2c:ident $pf2c:ident;)*) => {
        paceline::both! {$(
            /// Fortran's integer of a handle.
            fn $c2f / $pc2f(c: *mut c_void) -> Fint { fortran::from_handle(Object::$object, from_c(c)) }
            /// The handle of Fortran's integer.
            fn $f2c / $pf2c(integer: Fint) -> *mut c_void { to_c(fortran::to_handle(Object::$object, integer)) }
        )*}
    };
}

fortran_handles! {
    Comm: MPI_Comm_c2f PMPI_Comm_c2f MPI_Comm_f2c PMPI_Comm_f2c;
    Group: MPI_Group_c2f PMPI_Group_c2f MPI_Group_f2c PMPI_Group_f2c;
    Datatype: MPI_Type_c2f PMPI_Type_c2f MPI_Type_f2c PMPI_Type_f2c;
    Op: MPI_Op_c2f PMPI_Op_c2f MPI_Op_f2c PMPI_Op_f2c;
    Request: MPI_Request_c2f PMPI_Request_c2f MPI_Request_f2c PMPI_Request_f2c;
    Message: MPI_Message_c2f PMPI_Message_c2f MPI_Message_f2c PMPI_Message_f2c;
    Info: MPI_Info_c2f PMPI_Info_c2f MPI_Info_f2c PMPI_Info_f2c;
    Errhandler: MPI_Errhandler_c2f PMPI_Errhandler_c2f MPI_Errhandler_f2c PMPI_Errhandler_f2c;
    Win: MPI_Win_c2f PMPI_Win_c2f MPI_Win_f2c PMPI_Win_f2c;
    File: MPI_File_c2f PMPI_File_c2f MPI_File_f2c PMPI_File_f2c;
    Session: MPI_Session_c2f PMPI_Session_c2f MPI_Session_f2c PMPI_Session_f2c;
}

type Numbers = [Fint; FORTRAN_STATUS_SIZE];

// A Fortran status is the bytes of the C status, and so is the status of `mpi_f08`.
const _: () = assert!(size_of::<Numbers>() == size_of::<Status>());

/// Copies a status; the code of success, or of a null or ignored argument.
///
/// # Safety
/// Both are null or addresses of statuses.
unsafe fn copy(from: *const c_void, to: *mut c_void) -> c_int {
    let ignored = [&raw const data::mpi_fortran_status_ignore_, &raw const data::mpi_fortran_statuses_ignore_];
    if from.is_null() || to.is_null() || ignored.iter().any(|&sentinel| from == sentinel.cast()) {
        return paceline::object::error::Class::Arg as c_int;
    }
    // SAFETY: by this function's contract; both have the size of a status and the alignment of an integer is enough for bytes.
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

/// Copy and delete functions that `mpi.h` names by macros (`MPI_COMM_NULL_COPY_FN` and so on).
macro_rules! attribute_functions {
    ($(null copy $null:ident, copy $dup:ident, delete $delete:ident;)*) => {$(
        /// Copies nothing.
        ///
        /// # Safety
        /// `flag` is the address of an int.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub unsafe extern "C" fn $null(_: *mut c_void, _: c_int, _: *mut c_void, _: *mut c_void, _: *mut c_void, flag: *mut c_int) -> c_int {
            // SAFETY: by this function's contract.
            unsafe { *flag = 0 };
            0
        }

        /// Copies the value.
        ///
        /// # Safety
        /// `out` is the address of a pointer, `flag` of an int.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub unsafe extern "C" fn $dup(_: *mut c_void, _: c_int, _: *mut c_void, value: *mut c_void, out: *mut c_void, flag: *mut c_int) -> c_int {
            // SAFETY: by this function's contract.
            unsafe {
                *flag = 1;
                *out.cast::<*mut c_void>() = value;
            }
            0
        }

        /// Deletes nothing.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub extern "C" fn $delete(_: *mut c_void, _: c_int, _: *mut c_void, _: *mut c_void) -> c_int {
            0
        }
    )*};
}

attribute_functions! {
    null copy OMPI_C_MPI_COMM_NULL_COPY_FN, copy OMPI_C_MPI_COMM_DUP_FN, delete OMPI_C_MPI_COMM_NULL_DELETE_FN;
    null copy OMPI_C_MPI_TYPE_NULL_COPY_FN, copy OMPI_C_MPI_TYPE_DUP_FN, delete OMPI_C_MPI_TYPE_NULL_DELETE_FN;
    null copy OMPI_C_MPI_WIN_NULL_COPY_FN, copy OMPI_C_MPI_WIN_DUP_FN, delete OMPI_C_MPI_WIN_NULL_DELETE_FN;
    null copy OMPI_C_MPI_NULL_COPY_FN, copy OMPI_C_MPI_DUP_FN, delete OMPI_C_MPI_NULL_DELETE_FN;
}

/// Whether buffers of NVIDIA's devices may be passed.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub extern "C" fn MPIX_Query_cuda_support() -> c_int {
    paceline::device::supported() as c_int
}

/// Whether buffers of AMD's devices may be passed: no.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub extern "C" fn MPIX_Query_rocm_support() -> c_int {
    0
}

/// Size of each string that [`OMPI_Affinity_str`] fills.
const AFFINITY_STRING: usize = 1024;

/// Where this process is bound: not told.
///
/// # Safety
/// The strings are addresses of 1024 bytes each.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn OMPI_Affinity_str(
    _format: c_int,
    bound: *mut c_char,
    current: *mut c_char,
    exists: *mut c_char,
) -> c_int {
    let text = c"Not told by this library";
    for place in [bound, current, exists].into_iter().filter(|place| !place.is_null()) {
        debug_assert!(text.count_bytes() < AFFINITY_STRING);
        // SAFETY: by this function's contract; the text is shorter.
        unsafe { place.copy_from_nonoverlapping(text.as_ptr(), text.count_bytes() + 1) };
    }
    word_in(Word::Error, 0)
}
