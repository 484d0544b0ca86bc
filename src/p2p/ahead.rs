// SPDX-License-Identifier: MIT OR Apache-2.0
//! Between two ranks that share a core, the first bytes of a large message go ahead, in room of the sender's in the shared segment: two
//! copies in the core's cache take less time than the kernel needs to find the pages of the other process. The receiver fetches the rest.
//!
//! The room holds the bytes of one message, until its receiver says that it has all.

use super::engine::Engine;
use super::memory::Memory;
use super::rendezvous::READ;
use super::wire::Ready;
use crate::knob;
use crate::os::copy::{apart, copy};
use crate::transport::shm;

/// Most bytes of a room, wherever in its first page they begin.
const MOST: u64 = (shm::ROOM - 4096) as u64;

/// Where the bytes of a message from address `from` lie in its sender's room.
fn place(sender: u32, from: usize) -> *mut u8 {
    // Both ends' buffers are likely from the same allocator.
    apart(from, shm::room(sender))
}

/// The sender.
impl Engine {
    /// Copies the first bytes of a send that is to be offered; returns how many.
    #[inline]
    pub fn send_ahead(&mut self, process: u32, number: u32) -> u32 {
        if self.ahead.is_some() || !shm::shares_core(process) {
            return 0;
        }
        let Memory::Flat { at, len } = self.operations[number as usize].memory else { return 0 };
        let bytes = len.min(knob::AHEAD.number().min(MOST) as usize);
        if len >= READ || bytes == 0 {
            return 0;
        }
        // SAFETY: the send's buffer is readable until it completes; nobody reads the room of a process before its next offer.
        unsafe { copy(at, place(shm::me(), at as usize), bytes) };
        self.ahead = Some(number);
        bytes as u32
    }

    /// A send is complete: the room is free, if it had it.
    #[inline]
    pub fn end_ahead(&mut self, number: u32) {
        if self.ahead == Some(number) {
            self.ahead = None;
        }
    }
}

/// The receiver.
impl Engine {
    /// Takes what of a message of `len` bytes has come ahead; returns how much.
    pub fn take_ahead(&mut self, number: u32, process: u32, ready: Ready, len: usize) -> usize {
        let bytes = len.min(ready.ahead as usize);
        // SAFETY: the receive's buffer is writable until it completes; the sender leaves its room alone until it hears of that.
        unsafe { self.operations[number as usize].memory.write(0, place(process, ready.at as usize), bytes) };
        bytes
    }
}
