// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handles. In C they are pointers whose value is the engine's handle: small numbers for predefined objects.

use std::ffi::c_void;

use paceline::object::constant::Handle;

/// The engine's handle; 0 for what is no handle.
#[inline(always)]
pub fn from_c(c: *mut c_void) -> Handle {
    Handle::try_from(c.addr()).unwrap_or(0)
}

/// The C handle.
#[inline(always)]
pub fn to_c(handle: Handle) -> *mut c_void {
    std::ptr::without_provenance_mut(handle as usize)
}
