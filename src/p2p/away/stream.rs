// SPDX-License-Identifier: MIT OR Apache-2.0
//! Streams out of device memory and into it. The sender's copies into pinned memory run ahead of the pieces that go into the ring;
//! the receiver gathers pieces in pinned memory while what it has gathered before is copied on. So copies in both directions overlap.

use std::collections::VecDeque;

use super::Then;
use crate::device::staging::{self, Bounce};
use crate::device::{Home, Pending};
use crate::object::error::Result;
use crate::os;
use crate::p2p::engine::Engine;
use crate::p2p::memory::Memory;

/// Pieces that are read ahead.
const DEPTH: usize = 3;

/// Reads a run of device memory from front to back.
#[derive(Default)]
pub struct Reader {
    ahead: VecDeque<(usize, usize, Bounce, Pending)>,
}

impl Reader {
    /// Bytes from `next` on, up to `end`, of the run at `at`: where they are in host memory and how many; `None` when none is there yet.
    pub fn read(&mut self, home: &Home, at: *const u8, next: usize, end: usize) -> Result<Option<(*const u8, usize)>> {
        while self.ahead.front().is_some_and(|(from, len, ..)| from + len <= next) {
            self.ahead.pop_front();
        }
        let mut ahead = self.ahead.back().map_or(next, |(from, len, ..)| from + len);
        while ahead < end && self.ahead.len() < DEPTH {
            let Some(bounce) = self.bounce(home)? else { break };
            let len = bounce.len().min(end - ahead);
            // SAFETY: the sender's buffer is readable until the stream ends; the bounce waits in the queue.
            let copy = unsafe { home.memory.copy(at.wrapping_add(ahead), bounce.at(), len)? };
            self.ahead.push_back((ahead, len, bounce, copy));
            ahead += len;
        }
        let Some((from, len, bounce, copy)) = self.ahead.front_mut() else { return Ok(None) };
        if !copy.done()? {
            return Ok(None);
        }
        Ok(Some((bounce.at().wrapping_add(next - *from).cast_const(), *from + *len - next)))
    }

    /// Streams share the large pieces; one that has none yet may take a small one, so that none starves.
    fn bounce(&self, home: &Home) -> Result<Option<Bounce>> {
        match staging::take_large(home.memory)? {
            None if self.ahead.is_empty() => staging::take_small(home.memory).map(Some),
            other => Ok(other),
        }
    }
}

/// Pieces of a stream that have arrived one after the other, and are not on the device yet.
pub struct Filling {
    bounce: Bounce,
    /// Where in the message the first of them belongs.
    offset: usize,
    len: usize,
}

impl Engine {
    /// A piece arrives for device memory.
    #[cold]
    pub fn take_piece_away(&mut self, number: u32, offset: usize, data: *const u8, len: usize) {
        let operation = &mut self.operations[number as usize];
        operation.missing = operation.missing.saturating_sub(len as u64);
        if operation.held.broken {
            return self.landed(number);
        }
        if let Err(error) = self.gather_piece(number, offset, data, len) {
            self.break_off(number, error);
        }
    }

    fn gather_piece(&mut self, number: u32, offset: usize, data: *const u8, len: usize) -> Result<()> {
        let Memory::Away { home, .. } = self.operations[number as usize].memory else { unreachable!("`landing` was called") };
        let mut done = 0;
        while done < len {
            let Some(mut filling) = self.filling(number, &home, offset + done)? else {
                return self.put(number, offset + done, data.wrapping_add(done), len - done);
            };
            let piece = (filling.bounce.len() - filling.len).min(len - done);
            // SAFETY: the caller's bytes are readable now; the bounce has room, and no copy reads it yet.
            unsafe { os::copy::copy(data.add(done), filling.bounce.at().add(filling.len), piece) };
            (filling.len, done) = (filling.len + piece, done + piece);
            let all = done == len && self.operations[number as usize].missing == 0;
            if all || filling.len == filling.bounce.len() {
                self.copy_on(number, *filling)?;
            } else {
                self.operations[number as usize].held.filling = Some(filling);
            }
        }
        Ok(())
    }

    /// What gathers the pieces of a receive; `None`: no pinned memory is free for that now.
    fn filling(&mut self, number: u32, home: &Home, offset: usize) -> Result<Option<Box<Filling>>> {
        if let Some(filling) = self.operations[number as usize].held.filling.take() {
            return Ok(Some(filling));
        }
        Ok(staging::take_large(home.memory)?.map(|bounce| Box::new(Filling { bounce, offset, len: 0 })))
    }

    fn copy_on(&mut self, number: u32, Filling { bounce, offset, len }: Filling) -> Result<()> {
        let Memory::Away { at, home, .. } = self.operations[number as usize].memory else { unreachable!("`landing` was called") };
        // SAFETY: bounce and receive buffer live until the copy is complete.
        let copy = unsafe { home.memory.copy(bounce.at(), at.wrapping_add(offset), len)? };
        self.fly(number, copy, Then::Land { _bounce: Some(bounce) });
        Ok(())
    }
}
