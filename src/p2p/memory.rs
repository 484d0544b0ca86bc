// SPDX-License-Identifier: MIT OR Apache-2.0
//! Typed stretches of memory, read and written as packed bytes.

use std::sync::Arc;

use super::{Span, away, failure};
use crate::device::{self, Home};
use crate::object::datatype::Datatype;
use crate::object::error::Result;

/// What an operation holds of its buffer: flat memory needs no type any more.
#[derive(Clone)]
pub enum Memory {
    /// One run of bytes.
    Flat {
        /// Its address.
        at: *mut u8,
        /// Its length.
        len: usize,
    },
    /// Packed bytes `[from, from + len)` of typed elements.
    Typed {
        /// Address of element 0.
        base: *mut u8,
        /// The elements' type, kept alive.
        datatype: Arc<Datatype>,
        /// How many elements.
        count: i64,
        /// First packed byte.
        from: i64,
        /// How many packed bytes.
        len: usize,
    },
    /// One run of bytes that the CPU may not touch.
    Away {
        /// Its address.
        at: *mut u8,
        /// Its length.
        len: usize,
        /// The device that may.
        home: Home,
    },
    /// Typed elements that the CPU may not touch.
    AwayTyped {
        /// Address of element 0.
        base: *mut u8,
        /// The elements' type, kept alive.
        datatype: Arc<Datatype>,
        /// First packed byte.
        from: i64,
        /// How many packed bytes.
        len: usize,
        /// The device that may.
        home: Home,
    },
}

// SAFETY: an address and a shared type; who may touch the memory is settled by the operation that owns it.
unsafe impl Send for Memory {}

impl Memory {
    /// The memory of a span. Dense types become flat.
    #[inline(always)]
    pub fn of(span: Span<'_>) -> Memory {
        let len = (span.to - span.from) as usize;
        if span.datatype.dense || len == 0 {
            let at = span.base.wrapping_offset((span.datatype.true_lb + span.from) as isize);
            return match device::home(at) {
                Some(home) if len > 0 => Memory::Away { at, len, home },
                _ => Memory::Flat { at, len },
            };
        }
        if let Some(home) = device::home(span.base.wrapping_offset(span.datatype.true_lb as isize)) {
            return Memory::AwayTyped { base: span.base, datatype: span.datatype.clone(), from: span.from, len, home };
        }
        Memory::Typed { base: span.base, datatype: span.datatype.clone(), count: span.count, from: span.from, len }
    }

    /// Nothing.
    pub const NONE: Memory = Memory::Flat { at: std::ptr::null_mut(), len: 0 };

    /// Packed bytes in it.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Memory::Flat { len, .. } | Memory::Typed { len, .. } | Memory::Away { len, .. } | Memory::AwayTyped { len, .. } => {
                *len
            }
        }
    }

    /// The device that it belongs to, unless the CPU may touch it.
    #[inline]
    pub fn home(&self) -> Option<Home> {
        match self {
            Memory::Flat { .. } | Memory::Typed { .. } => None,
            Memory::Away { home, .. } | Memory::AwayTyped { home, .. } => Some(*home),
        }
    }

    /// Whether a message of `bytes` would end inside a basic element of a derived type: its sender used another type.
    pub fn splits(&self, bytes: i64) -> bool {
        match self {
            Memory::Typed { datatype, from: 0, .. } | Memory::AwayTyped { datatype, from: 0, .. } => {
                datatype.elements_in(bytes).is_none()
            }
            _ => false,
        }
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// [`Memory::read`] for a caller that can report that a device has failed.
    ///
    /// # Safety
    /// As for [`Memory::read`].
    pub unsafe fn try_read(&self, offset: usize, out: *mut u8, len: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe {
            match self.home() {
                None => self.read(offset, out, len),
                Some(_) => return away::read(self, offset, out, len),
            }
        }
        Ok(())
    }

    /// [`Memory::write`] for a caller that can report that a device has failed.
    ///
    /// # Safety
    /// As for [`Memory::write`].
    pub unsafe fn try_write(&self, offset: usize, data: *const u8, len: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe {
            match self.home() {
                None => self.write(offset, data, len),
                Some(_) => return away::write(self, offset, data, len),
            }
        }
        Ok(())
    }

    /// Copies `len` packed bytes from `offset` on to `out`, in host memory. Waits for the device if the memory is one's; its
    /// failure becomes the outcome of the program's call ([`super::failure`]).
    ///
    /// # Safety
    /// The memory must be readable, `out` writable for `len` bytes, and `offset + len` within bounds.
    #[inline]
    pub unsafe fn read(&self, offset: usize, out: *mut u8, len: usize) {
        debug_assert!(offset + len <= self.len());
        match self {
            // SAFETY: the caller's promise.
            Memory::Flat { at, .. } => unsafe { std::ptr::copy_nonoverlapping(at.add(offset), out, len) },
            Memory::Typed { base, datatype, count, from, .. } => {
                // SAFETY: the caller's promise.
                unsafe { datatype.pack(*base, *count, from + offset as i64, std::slice::from_raw_parts_mut(out, len)) }
            }
            // SAFETY: the caller's promise.
            _ => unsafe { failure::note(away::read(self, offset, out, len)) },
        }
    }

    /// Copies `len` bytes at `data`, in host memory, to the packed bytes from `offset` on. Otherwise as [`Memory::read`].
    ///
    /// # Safety
    /// The memory must be writable, `data` readable for `len` bytes, and `offset + len` within bounds.
    #[inline]
    pub unsafe fn write(&self, offset: usize, data: *const u8, len: usize) {
        debug_assert!(offset + len <= self.len());
        match self {
            // SAFETY: the caller's promise.
            Memory::Flat { at, .. } => unsafe { std::ptr::copy_nonoverlapping(data, at.add(offset), len) },
            Memory::Typed { base, datatype, count, from, .. } => {
                // SAFETY: the caller's promise.
                unsafe { datatype.unpack(*base, *count, from + offset as i64, std::slice::from_raw_parts(data, len)) }
            }
            // SAFETY: the caller's promise.
            _ => unsafe { failure::note(away::write(self, offset, data, len)) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::constant::INT;
    use crate::object::datatype::committed;
    use crate::object::datatype::construct::vector;
    use crate::object::datatype::manage::commit;

    #[test]
    fn a_message_to_a_derived_type_ends_between_basic_elements() {
        let (mut pairs, mut buffer) = (0, [0i32; 8]);
        vector(2, 1, 2, INT, &mut pairs).unwrap();
        commit(&mut pairs).unwrap();
        let memory = Memory::of(Span::whole(buffer.as_mut_ptr().cast(), committed(pairs).unwrap(), 2));
        let torn: Vec<i64> = (0..16).filter(|&bytes| memory.splits(bytes)).collect();
        assert_eq!(torn, (0..16).filter(|bytes| bytes % 4 != 0).collect::<Vec<i64>>());
    }
}
