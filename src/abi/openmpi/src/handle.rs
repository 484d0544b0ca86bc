// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handles. In C they are pointers: of predefined objects the address of their data, of dynamic ones a number that no
//! address can be (bits 48 to 63 of an x86-64 address are equal), with the engine's handle in its lower half.

use std::ffi::c_void;

use paceline::object::constant::Handle;

use crate::data;

/// Bits 48 to 63 of a dynamic handle.
const TAG: usize = 0x0ace;

/// The engine's handle; 0 for what is no handle.
#[inline(always)]
pub fn from_c(c: *mut c_void) -> Handle {
    if c.addr() >> 48 == TAG { c.addr() as Handle } else { predefined(c) }
}

#[inline(always)]
fn predefined(c: *mut c_void) -> Handle {
    if c.is_null() {
        return 0;
    }
    // SAFETY: C passed a handle, so an address of one of our data symbols or of the program's copy of one. What is neither
    // is a wrong program, which Open MPI dereferences too.
    let word = unsafe { c.cast::<u64>().read_unaligned() };
    if word >> 32 == data::MAGIC { word as Handle } else { 0 }
}

/// The C handle.
#[inline(always)]
pub fn to_c(handle: Handle) -> *mut c_void {
    if (handle as usize) < data::PREDEFINED {
        let address = data::ADDRESSES.get(handle);
        if !address.is_null() {
            return address;
        }
    }
    std::ptr::without_provenance_mut(TAG << 48 | handle as usize)
}
