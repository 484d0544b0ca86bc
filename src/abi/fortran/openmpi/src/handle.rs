// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handles by their integers: C's library knows both. It is asked by the profiling names, which wrappers do not see.

use std::ffi::c_void;

use paceline_fortran::{Fint, Object};

/// `Object: f2c c2f`.
macro_rules! objects {
    ($($object:ident: $f2c:ident $c2f:ident;)*) => {
        unsafe extern "C" {$(
            safe fn $f2c(integer: Fint) -> *mut c_void;
            safe fn $c2f(handle: *mut c_void) -> Fint;
        )*}

        /// The handle of an integer.
        #[inline(always)]
        pub fn to_c(object: Object, integer: Fint) -> *mut c_void {
            match object {
                $(Object::$object => $f2c(integer),)*
            }
        }

        /// The integer of a handle.
        #[inline(always)]
        pub fn from_c(object: Object, handle: *mut c_void) -> Fint {
            match object {
                $(Object::$object => $c2f(handle),)*
            }
        }
    };
}

objects! {
    Comm: PMPI_Comm_f2c PMPI_Comm_c2f;
    Group: PMPI_Group_f2c PMPI_Group_c2f;
    Datatype: PMPI_Type_f2c PMPI_Type_c2f;
    Op: PMPI_Op_f2c PMPI_Op_c2f;
    Request: PMPI_Request_f2c PMPI_Request_c2f;
    Message: PMPI_Message_f2c PMPI_Message_c2f;
    Info: PMPI_Info_f2c PMPI_Info_c2f;
    Errhandler: PMPI_Errhandler_f2c PMPI_Errhandler_c2f;
    Win: PMPI_Win_f2c PMPI_Win_c2f;
    File: PMPI_File_f2c PMPI_File_c2f;
    Session: PMPI_Session_f2c PMPI_Session_c2f;
}
