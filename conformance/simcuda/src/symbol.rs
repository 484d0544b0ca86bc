// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions by name. A name without a version gives its newest one.

use crate::call::{Out, driver};
use crate::code::{self, Result};
use crate::setting;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::OnceLock;

/// This library, wherever it was loaded from.
fn own() -> usize {
    static OWN: OnceLock<usize> = OnceLock::new();
    *OWN.get_or_init(|| {
        // SAFETY: Dl_info is plain data, and the address is one of this library.
        let file = unsafe {
            let mut info: libc::Dl_info = std::mem::zeroed();
            libc::dladdr(own as *const c_void, &mut info);
            info.dli_fname
        };
        // SAFETY: the name is what the loader gave; the library is loaded already and is only looked up.
        unsafe { libc::dlopen(file, libc::RTLD_NOLOAD | libc::RTLD_LAZY) as usize }
    })
}

fn find(name: &str) -> Result<*mut c_void> {
    if setting::get().missing.iter().any(|missing| missing == name) {
        return Err(code::NOT_FOUND);
    }
    for version in ["_v3", "_v2", ""] {
        let symbol = CString::new(format!("{name}{version}")).map_err(|_| code::INVALID_VALUE)?;
        // SAFETY: the handle is a library or null (the program itself, in tests), the name a C string.
        let found = unsafe { libc::dlsym(own() as *mut c_void, symbol.as_ptr()) };
        if !found.is_null() {
            return Ok(found);
        }
    }
    Err(code::NOT_FOUND)
}

fn named(name: *const c_char, out: Out<*mut c_void>, status: Out<i32>) -> Result {
    if name.is_null() {
        return Err(code::INVALID_VALUE);
    }
    // SAFETY: the caller gives a C string.
    let name = unsafe { CStr::from_ptr(name) }.to_str().map_err(|_| code::INVALID_VALUE)?;
    let found = find(name);
    status.put_if_wanted(i32::from(found.is_err()));
    out.put(found.unwrap_or(std::ptr::null_mut()))?;
    found.map(drop)
}

driver! { early
    /// A function of the driver by name.
    fn cuGetProcAddress(name: *const c_char, out: Out<*mut c_void>, _version: i32, _flags: u64) {
        named(name, out, Out(std::ptr::null_mut()))
    }

    /// The same, with a status: 0 found, 1 not found.
    fn cuGetProcAddress_v2(name: *const c_char, out: Out<*mut c_void>, _version: i32, _flags: u64, status: Out<i32>) {
        named(name, out, status)
    }
}
