// SPDX-License-Identifier: MIT OR Apache-2.0
//! What Open MPI 4's `libmpi_cxx.so.40` takes from inside `libmpi.so.40`. `mpicxx` links every C++ program to that library,
//! whether or not it uses the bindings that MPI 3.0 removed, and the loader wants all of its data: without these such a program
//! does not start. The bindings' calls of MPI functions work; keyvals, error handlers and operations made through them do not.

use std::ffi::{c_char, c_int, c_void};

use paceline::api::kind::Word;
use paceline::object::error::Class;

use crate::constant::word_out;

/// Data that the bindings read only when an error becomes an exception: sizes are Open MPI 4.1.4's, contents empty.
macro_rules! data {
    ($($symbol:ident: $bytes:literal;)*) => {$(
        /// Empty.
        #[unsafe(no_mangle)]
        #[allow(non_upper_case_globals)]
        pub static mut $symbol: [u64; usize::div_ceil($bytes, 8)] = [0; usize::div_ceil($bytes, 8)];
    )*};
}

data! {
    ompi_errcodes_intern: 120;
    ompi_registered_datareps: 64;
}

/// The last of the internal error codes: none.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static mut ompi_errcode_intern_lastused: c_int = 0;

fn unsupported(what: &str) -> c_int {
    paceline::os::say(&format!("paceline: {what} of the C++ bindings, which MPI 3.0 removed, is not supported"));
    word_out(Word::Error, Class::UnsupportedOperation as i32)
}

/// Behind `Create_keyval`.
#[unsafe(no_mangle)]
pub extern "C" fn ompi_attr_create_keyval(
    _kind: c_int,
    _copy: *mut c_void,
    _delete: *mut c_void,
    _key: *mut c_int,
    _extra: *mut c_void,
    _flags: c_int,
    _bindings: *mut c_void,
) -> c_int {
    unsupported("Create_keyval")
}

/// Behind `Create_errhandler`.
#[unsafe(no_mangle)]
pub extern "C" fn ompi_errhandler_create(_kind: c_int, _function: *mut c_void, _language: c_int) -> *mut c_void {
    unsupported("Create_errhandler");
    std::ptr::null_mut()
}

/// Behind the bindings' own error checks.
#[unsafe(no_mangle)]
pub extern "C" fn ompi_errhandler_invoke(
    _handler: *mut c_void,
    _object: *mut c_void,
    _kind: c_int,
    code: c_int,
    _message: *const c_char,
) -> c_int {
    code
}

/// Behind `Op::Init`.
#[unsafe(no_mangle)]
pub extern "C" fn ompi_op_set_cxx_callback(_op: *mut c_void, _function: *mut c_void) {
    unsupported("Op::Init");
}
