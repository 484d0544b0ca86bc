// SPDX-License-Identifier: MIT OR Apache-2.0
//! Between two ranks that share a core, the first bytes of a large message go ahead, in room of the sender's in the shared segment: two
//! copies in the core's cache take less time than the kernel needs to find the pages of the other process. The receiver fetches the rest.
//!
//! The room holds the bytes of one message, until its receiver says that it has all.

use super::engine::Engine;
use super::memory::Memory;
use super::rendezvous::{Pull, READ};
use super::wire::Ready;
use crate::os::PAGE;
use crate::os::copy::{apart, copy};
use crate::os::memfd;
use crate::transport::shm;
use crate::{knob, trace};

/// Most bytes in a room, wherever in its first page they begin.
const MOST: usize = shm::ROOM - PAGE;
/// Bytes that get memory with the first message.
const FIRST: usize = 64 << 10;
/// Messages until it gets more.
const PAID: u32 = 16;

/// Where the bytes of a message from address `from` lie in its sender's room.
fn place(sender: u32, from: usize) -> *mut u8 {
    // Both ends' buffers are likely from the same allocator.
    apart(from, shm::room(sender))
}

/// What has gone ahead of this process's sends.
pub struct Ahead {
    /// The send whose first bytes lie in the room.
    send: Option<u32>,
    /// Bytes of the room that have memory.
    ready: usize,
    /// Messages since then that would have filled more.
    longer: u32,
}

impl Ahead {
    pub const fn new() -> Ahead {
        Ahead { send: None, ready: 0, longer: 0 }
    }

    /// How many of so many bytes the room takes. It gets memory as messages pay for it: a new page may take as long (5 us in a virtual
    /// machine) as four that go ahead save.
    fn grow(&mut self, bytes: usize) -> usize {
        if bytes > self.ready {
            self.longer += 1;
            if self.ready == 0 || self.longer > PAID {
                let ready = (2 * self.ready).clamp(FIRST, MOST);
                // SAFETY: both ends lie in the room, which is mapped.
                unsafe { memfd::populate(shm::room(shm::me()).add(self.ready), ready + PAGE - self.ready) };
                (self.ready, self.longer) = (ready, 0);
            }
        }
        bytes.min(self.ready)
    }
}

/// The sender.
impl Engine {
    /// Copies the first bytes of a send that is to be offered; returns how many.
    #[inline]
    pub fn send_ahead(&mut self, process: u32, number: u32) -> u32 {
        if self.ahead.send.is_some() || !shm::shares_core(process) {
            return 0;
        }
        let Memory::Flat { at, len } = self.operations[number as usize].memory else { return 0 };
        let bytes = len.min(knob::AHEAD.number().min(MOST as u64) as usize);
        // Of longer messages this is too small a part, and both ranks copy them.
        if len >= READ || bytes == 0 {
            return 0;
        }
        let bytes = self.ahead.grow(bytes);
        // SAFETY: the send's buffer is readable until it completes. Only this process writes to its room, and nobody reads there: whose
        // message was there has said that it has all. At most `MOST` bytes from within the first page have room.
        unsafe { copy(at, place(shm::me(), at as usize), bytes) };
        self.ahead.send = Some(number);
        bytes as u32
    }

    /// A send is complete: the room is free, if it had it.
    #[inline]
    pub fn end_ahead(&mut self, number: u32) {
        if self.ahead.send == Some(number) {
            self.ahead.send = None;
        }
    }
}

/// The receiver.
impl Engine {
    /// Takes what of a message has come ahead; returns whether that is all.
    pub fn take_ahead(&mut self, pull: &mut Pull, ready: Ready) -> bool {
        let bytes = pull.len.min(ready.ahead as usize);
        // SAFETY: the receive's buffer is writable until it completes; the sender has put at most `MOST` bytes there, and leaves its room
        // alone until it hears that the message is here.
        unsafe { self.operations[pull.mine as usize].memory.write(0, place(pull.process, ready.at as usize), bytes) };
        trace::chose("path", "ahead in the segment", bytes as u64);
        (pull.ahead, pull.done) = (bytes, bytes);
        bytes == pull.len
    }
}
