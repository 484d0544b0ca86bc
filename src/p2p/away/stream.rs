// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stream out of device memory: copies into pinned memory run ahead of the pieces that go into the ring.

use std::collections::VecDeque;

use crate::device::staging::{self, Bounce};
use crate::device::{Home, Pending};
use crate::object::error::Result;

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
