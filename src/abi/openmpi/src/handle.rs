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
    if is_address(c) {
        let halves = c.cast::<u32>();
        // Apart: they are compared and used where they are, which one load of both would not allow. A wrong handle may be at any address.
        // SAFETY: C passed a handle, so an address of one of our data symbols or of the program's copy of one. What is neither
        // is a wrong program, which Open MPI dereferences too.
        let magic = unsafe { halves.add(1).read_unaligned() };
        // SAFETY: as above.
        return if magic == data::MAGIC { unsafe { halves.read_unaligned() } } else { 0 };
    }
    if c.addr() >> 48 == TAG { c.addr() as Handle } else { 0 }
}

/// Whether it may be an address of a program: below the kernel's half, and above the page that is never mapped.
#[inline(always)]
fn is_address(c: *mut c_void) -> bool {
    c.addr().wrapping_sub(0x1000) >> 47 == 0
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
