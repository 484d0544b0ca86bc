// SPDX-License-Identifier: MIT OR Apache-2.0
//! QMPI, MPICH's experiment with several profiling tools in one process. Debian's MPICH and the wheel are built without it and
//! refuse these calls; so does this face, for programs that try whether it is there.

use std::ffi::{c_char, c_int, c_void};

use paceline::api::kind::Word;
use paceline::object::error::Class;

use crate::constant::word_out;

fn refused() -> c_int {
    word_out(Word::Error, Class::UnsupportedOperation as i32)
}

/// Functions that take what MPICH's header says and refuse.
macro_rules! refuse {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {$(
        #[doc = concat!("`", stringify!($name), "`: refused.")]
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub extern "C" fn $name($($arg: $type),*) -> c_int {
            $(let _ = $arg;)*
            refused()
        }
    )*};
}

refuse! {
    QMPI_Register_tool_name(tool_name: *const c_char, init_function: *const c_void);
    QMPI_Register_tool_storage(tool_id: c_int, tool_storage: *mut c_void);
    QMPI_Register_function(calling_tool_id: c_int, function_enum: c_int, function: *const c_void);
    QMPI_Get_function(calling_tool_id: c_int, function_enum: c_int, function: *mut *const c_void, next_tool_id: *mut c_int);
    QMPI_Get_tool_storage(context: *mut c_void, tool_id: c_int, storage: *mut *mut c_void);
    QMPI_Get_calling_address(context: *mut c_void, address: *mut *mut c_void);
}
