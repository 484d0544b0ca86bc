// SPDX-License-Identifier: MIT OR Apache-2.0
//! Error codes (CUresult) with their names and sentences.

use crate::call::{Out, driver};
use std::ffi::c_char;

/// A CUresult other than CUDA_SUCCESS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub i32);

/// What the body of a driver function gives.
pub type Result<T = ()> = std::result::Result<T, Code>;

macro_rules! codes {
    ($($short:ident = $number:literal, $sentence:literal;)*) => {
        $(#[doc = $sentence] #[allow(dead_code, reason = "codes that only the environment asks for")] pub const $short: Code = Code($number);)*
        /// Number, name and sentence of each code.
        const TABLE: &[(i32, &str, &str)] = &[
            (0, "CUDA_SUCCESS\0", "no error\0"),
            $(($number, concat!("CUDA_ERROR_", stringify!($short), "\0"), concat!($sentence, "\0")),)*
        ];
    };
}

codes! {
    INVALID_VALUE = 1, "invalid argument";
    OUT_OF_MEMORY = 2, "out of memory";
    NOT_INITIALIZED = 3, "initialization error";
    STUB_LIBRARY = 34, "CUDA driver is a stub library";
    NO_DEVICE = 100, "no CUDA-capable device is detected";
    INVALID_DEVICE = 101, "invalid device ordinal";
    INVALID_IMAGE = 200, "device kernel image is invalid";
    INVALID_CONTEXT = 201, "invalid device context";
    MAP_FAILED = 205, "mapping of buffer object failed";
    ALREADY_MAPPED = 208, "resource already mapped";
    PEER_ACCESS_UNSUPPORTED = 217, "peer access is not supported between these two devices";
    INVALID_PTX = 218, "a PTX JIT compilation failed";
    INVALID_HANDLE = 400, "invalid resource handle";
    NOT_FOUND = 500, "named symbol not found";
    NOT_READY = 600, "device not ready";
    PEER_ACCESS_ALREADY_ENABLED = 704, "peer access is already enabled";
    PEER_ACCESS_NOT_ENABLED = 705, "peer access has not been enabled";
    CONTEXT_IS_DESTROYED = 709, "context is destroyed";
    HOST_MEMORY_ALREADY_REGISTERED = 712, "part or all of the requested memory range is already mapped";
    HOST_MEMORY_NOT_REGISTERED = 713, "pointer does not correspond to a registered memory region";
    NOT_SUPPORTED = 801, "operation not supported";
    UNKNOWN = 999, "unknown error";
}

fn row(number: i32) -> Result<&'static (i32, &'static str, &'static str)> {
    TABLE.iter().find(|row| row.0 == number).ok_or(INVALID_VALUE)
}

driver! { early
    /// The name of a code.
    fn cuGetErrorName(number: i32, name: Out<*const c_char>) {
        name.put(row(number)?.1.as_ptr().cast())
    }

    /// The sentence for a code.
    fn cuGetErrorString(number: i32, sentence: Out<*const c_char>) {
        sentence.put(row(number)?.2.as_ptr().cast())
    }
}

/// Ends the process: the program under test has done what would be undefined on a device.
pub fn fatal(message: &str) -> ! {
    eprintln!("simcuda: process {}: {message}", std::process::id());
    std::process::abort()
}
