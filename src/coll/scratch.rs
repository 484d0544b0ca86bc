// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scratch memory, one piece a thread kept for the next call.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::ptr::null_mut;

/// A piece larger than this goes back to the system.
const KEPT: usize = 64 << 20;
const ALIGN: usize = 64;

thread_local! {
    static SPARE: Cell<Memory> = const { Cell::new(Memory::NONE) };
}

/// Uninitialized memory, aligned to 64 bytes.
pub struct Memory {
    at: *mut u8,
    bytes: usize,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory::NONE
    }
}

impl Memory {
    const NONE: Memory = Memory { at: null_mut(), bytes: 0 };

    /// At least `bytes` bytes; the thread's spare piece if it is large enough.
    pub fn take(bytes: usize) -> Memory {
        if bytes == 0 {
            return Memory::NONE;
        }
        let spare = SPARE.try_with(Cell::take).unwrap_or_default();
        if spare.bytes >= bytes { spare } else { Memory::new(bytes) }
    }

    fn new(bytes: usize) -> Memory {
        let layout = Layout::from_size_align(bytes, ALIGN).expect("scratch of that size");
        // SAFETY: the layout is not empty.
        let at = unsafe { alloc(layout) };
        if at.is_null() {
            handle_alloc_error(layout);
        }
        Memory { at, bytes }
    }

    /// Its address (null when it is empty).
    pub fn address(&self) -> *mut u8 {
        self.at
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut mine = std::mem::take(self);
        let kept = SPARE.try_with(|spare| {
            let other = spare.take();
            if mine.bytes > KEPT || other.bytes >= mine.bytes {
                spare.set(other);
            } else {
                spare.set(std::mem::replace(&mut mine, other));
            }
        });
        let _ = kept;
        mine.free();
    }
}

impl Memory {
    fn free(self) {
        if self.bytes > 0 {
            // SAFETY: allocated by `new` with this layout, and given up here.
            unsafe { dealloc(self.at, Layout::from_size_align_unchecked(self.bytes, ALIGN)) };
        }
        std::mem::forget(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_piece_is_kept_for_the_next_call() {
        let large = Memory::take(4096);
        let at = large.address();
        drop(large);
        drop(Memory::new(64));
        assert_eq!(Memory::take(1000).address(), at);
    }
}
