// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions that do more than call C's: each a module named after C's function, as `bind!` wants it.

use std::ffi::{c_int, c_void};
use std::ptr;

/// `name (arguments) [C declaration] call;`.
macro_rules! odd {
    ($($(#[$doc:meta])* $name:ident ($($arg:ident: $type:ty),*) [$($c:tt)*] $body:expr;)*) => {$(
        $(#[$doc])*
        #[allow(non_snake_case)]
        pub mod $name {
            use super::*;

            /// The C function with what Fortran does not pass.
            ///
            /// # Safety
            /// As of the C function.
            pub unsafe fn call($($arg: $type),*) -> c_int {
                unsafe extern "C" { $($c)* }
                // SAFETY: by this function's contract.
                unsafe { $body }
            }
        }
    )*};
}

odd! {
    /// Fortran has no arguments of the command line here.
    MPI_Init() [fn MPI_Init(argc: *mut c_int, argv: *mut c_void) -> c_int;] MPI_Init(ptr::null_mut(), ptr::null_mut());
    /// As `MPI_Init`.
    MPI_Init_thread(required: c_int, provided: *mut c_int)
        [fn MPI_Init_thread(argc: *mut c_int, argv: *mut c_void, required: c_int, provided: *mut c_int) -> c_int;]
        MPI_Init_thread(ptr::null_mut(), ptr::null_mut(), required, provided);
    /// As `MPI_Init`; the info object is C's last argument.
    MPI_Info_create_env(info: *mut impl Sized)
        [fn MPI_Info_create_env(argc: c_int, argv: *mut c_void, info: *mut c_void) -> c_int;]
        MPI_Info_create_env(0, ptr::null_mut(), info.cast());
    /// C's takes any arguments behind the level.
    MPI_Pcontrol(level: c_int) [fn MPI_Pcontrol(level: c_int, ...) -> c_int;] MPI_Pcontrol(level);
}

unsafe extern "C" {
    safe fn MPI_Wtime() -> f64;
    safe fn MPI_Wtick() -> f64;
}

/// `MPI_WTIME`.
pub fn wtime() -> f64 {
    MPI_Wtime()
}

/// `MPI_WTICK`.
pub fn wtick() -> f64 {
    MPI_Wtick()
}
