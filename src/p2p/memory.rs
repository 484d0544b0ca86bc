// SPDX-License-Identifier: MIT OR Apache-2.0
//! Typed stretches of memory, read and written as packed bytes.

use std::sync::Arc;

use super::Span;
use crate::object::datatype::Datatype;

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
}

// SAFETY: an address and a shared type; who may touch the memory is settled by the operation that owns it.
unsafe impl Send for Memory {}

impl Memory {
    /// The memory of a span. Dense types become flat.
    #[inline]
    pub fn of(span: Span<'_>) -> Memory {
        let len = (span.to - span.from) as usize;
        if span.datatype.dense || len == 0 {
            let offset = span.datatype.true_lb + span.from;
            return Memory::Flat { at: span.base.wrapping_offset(offset as isize), len };
        }
        Memory::Typed { base: span.base, datatype: span.datatype.clone(), count: span.count, from: span.from, len }
    }

    /// Nothing.
    pub const NONE: Memory = Memory::Flat { at: std::ptr::null_mut(), len: 0 };

    /// Packed bytes in it.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Memory::Flat { len, .. } | Memory::Typed { len, .. } => *len,
        }
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies `len` packed bytes from `offset` on to `out`.
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
        }
    }

    /// Copies `len` bytes at `data` to the packed bytes from `offset` on.
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
        }
    }
}
