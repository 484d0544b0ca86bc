// SPDX-License-Identifier: MIT OR Apache-2.0
//! Typed stretches of memory, read and written as packed bytes.

use std::sync::Arc;

use super::{Span, away, failure, mixed};
use crate::device::{self, Home, Kind};
use crate::object::datatype::Datatype;
use crate::object::error::Result;
use crate::os;

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
    /// Typed elements in several memories.
    Mixed {
        /// Stretches in one memory each, in packed order.
        parts: Arc<[Memory]>,
        /// How many packed bytes.
        len: usize,
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
        let home = device::home(span.base.wrapping_offset(span.datatype.true_lb as isize));
        if device::may_mix(span.base) && (span.base.is_null() || mixed::ends_differ(&span, &home)) {
            return mixed::of(span);
        }
        Memory::typed(span, home)
    }

    /// The same of a buffer whose device is known: the driver is not asked again.
    #[inline]
    pub fn within(span: Span<'_>, home: Option<Home>) -> Memory {
        let len = (span.to - span.from) as usize;
        match home {
            Some(home) if home.kind == Kind::Device && span.datatype.dense && len > 0 => {
                Memory::Away { at: span.base.wrapping_offset((span.datatype.true_lb + span.from) as isize), len, home }
            }
            _ => Memory::of(span),
        }
    }

    /// Typed elements in one memory.
    pub(super) fn typed(span: Span<'_>, home: Option<Home>) -> Memory {
        let (base, datatype, count, from) = (span.base, span.datatype.clone(), span.count, span.from);
        let len = (span.to - from) as usize;
        match home {
            Some(home) => Memory::AwayTyped { base, datatype, from, len, home },
            None => Memory::Typed { base, datatype, count, from, len },
        }
    }

    /// Whether the CPU may not touch some of a span's bytes.
    #[inline]
    pub fn is_away(span: &Span<'_>) -> bool {
        if span.to == span.from {
            return false;
        }
        let dense = span.datatype.dense;
        let first = span.datatype.true_lb + if dense { span.from } else { 0 };
        if device::home(span.base.wrapping_offset(first as isize)).is_some() {
            return true;
        }
        !dense && device::may_mix(span.base) && !matches!(Memory::of(*span), Memory::Typed { .. })
    }

    /// For a buffer of a reduction, whose elements the operation gets by address.
    ///
    /// # Errors
    /// It lies in several memories.
    #[inline]
    pub fn check_one(name: &str, span: Span<'_>) -> Result<()> {
        if !span.datatype.dense && device::may_mix(span.base) && matches!(Memory::of(span), Memory::Mixed { .. }) {
            return Err(mixed::refuse(name));
        }
        Ok(())
    }

    /// Nothing.
    pub const NONE: Memory = Memory::Flat { at: std::ptr::null_mut(), len: 0 };

    /// Packed bytes in it.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Memory::Flat { len, .. } | Memory::Typed { len, .. } => *len,
            Memory::Away { len, .. } | Memory::AwayTyped { len, .. } | Memory::Mixed { len, .. } => *len,
        }
    }

    /// The device that it belongs to, unless the CPU may touch it. What lies in several memories is read and written as if by the
    /// CPU, and waits for the devices.
    #[inline]
    pub fn home(&self) -> Option<Home> {
        match self {
            Memory::Flat { .. } | Memory::Typed { .. } | Memory::Mixed { .. } => None,
            Memory::Away { home, .. } | Memory::AwayTyped { home, .. } => Some(*home),
        }
    }

    /// Whether a message of `bytes` would end inside a basic element of a derived type: its sender used another type.
    pub fn splits(&self, bytes: i64) -> bool {
        match self {
            Memory::Typed { datatype, from: 0, .. } | Memory::AwayTyped { datatype, from: 0, .. } => {
                datatype.elements_in(bytes).is_none()
            }
            Memory::Mixed { parts, .. } => parts[0].splits(bytes),
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
            match self {
                Memory::Flat { .. } | Memory::Typed { .. } => self.read(offset, out, len),
                Memory::Mixed { parts, .. } => {
                    return mixed::within(parts, offset, len)
                        .try_for_each(|(part, at, len, to)| part.try_read(at, out.add(to), len));
                }
                _ => return away::read(self, offset, out, len),
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
            match self {
                Memory::Flat { .. } | Memory::Typed { .. } => self.write(offset, data, len),
                Memory::Mixed { parts, .. } => {
                    let mut parts = mixed::within(parts, offset, len);
                    return parts.try_for_each(|(part, at, len, from)| part.try_write(at, data.add(from), len));
                }
                _ => return away::write(self, offset, data, len),
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
            Memory::Flat { at, .. } => unsafe { os::copy::copy(at.add(offset), out, len) },
            Memory::Typed { base, datatype, count, from, .. } => {
                // SAFETY: the caller's promise.
                unsafe { datatype.pack(*base, *count, from + offset as i64, std::slice::from_raw_parts_mut(out, len)) }
            }
            // SAFETY: the caller's promise.
            _ => unsafe { failure::note(self.try_read(offset, out, len)) },
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
            Memory::Flat { at, .. } => unsafe { os::copy::copy(data, at.add(offset), len) },
            Memory::Typed { base, datatype, count, from, .. } => {
                // SAFETY: the caller's promise.
                unsafe { datatype.unpack(*base, *count, from + offset as i64, std::slice::from_raw_parts(data, len)) }
            }
            // SAFETY: the caller's promise.
            _ => unsafe { failure::note(self.try_write(offset, data, len)) },
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
