// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions whose shape does not fit the table: those that return no error code.

use std::ffi::{c_double, c_int, c_void};

use paceline::object::environment;

use crate::handle::{from_c, to_c};

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

/// `MPI_x_toint` and `MPI_x_fromint` of each kind of object: the engine's handle.
macro_rules! integers {
    ($($to:ident $pto:ident $from:ident $pfrom:ident;)*) => {
        paceline::both! {$(
            /// The integer of a handle.
            fn $to / $pto(c: *mut c_void) -> c_int { from_c(c) as c_int }
            /// The handle of an integer.
            fn $from / $pfrom(integer: c_int) -> *mut c_void { to_c(integer as u32) }
        )*}
    };
}

integers! {
    MPI_Comm_toint PMPI_Comm_toint MPI_Comm_fromint PMPI_Comm_fromint;
    MPI_Group_toint PMPI_Group_toint MPI_Group_fromint PMPI_Group_fromint;
    MPI_Type_toint PMPI_Type_toint MPI_Type_fromint PMPI_Type_fromint;
    MPI_Op_toint PMPI_Op_toint MPI_Op_fromint PMPI_Op_fromint;
    MPI_Request_toint PMPI_Request_toint MPI_Request_fromint PMPI_Request_fromint;
    MPI_Message_toint PMPI_Message_toint MPI_Message_fromint PMPI_Message_fromint;
    MPI_Info_toint PMPI_Info_toint MPI_Info_fromint PMPI_Info_fromint;
    MPI_Errhandler_toint PMPI_Errhandler_toint MPI_Errhandler_fromint PMPI_Errhandler_fromint;
    MPI_Win_toint PMPI_Win_toint MPI_Win_fromint PMPI_Win_fromint;
    MPI_File_toint PMPI_File_toint MPI_File_fromint PMPI_File_fromint;
    MPI_Session_toint PMPI_Session_toint MPI_Session_fromint PMPI_Session_fromint;
}
