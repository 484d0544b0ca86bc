// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work that a device has been given: asked for, never waited for in the progress of others.

use std::time::{Duration, Instant};

use super::cuda::event::Event;
use crate::object::error::Result;

/// Work under way on a device, and memory that must live until it is complete.
#[must_use]
pub struct Pending(Option<Event>, Option<Box<dyn Send>>);

impl Pending {
    /// Complete already.
    pub const DONE: Pending = Pending(None, None);

    /// Complete when the event is.
    pub(super) fn event(event: Event) -> Pending {
        Pending(Some(event), None)
    }

    /// Keeps `memory` until it is complete.
    pub(super) fn keeping(self, memory: Box<dyn Send>) -> Pending {
        Pending(self.0, Some(memory))
    }

    /// Whether it is complete. An error means that the device failed; then nothing is to be expected of it any more.
    #[inline]
    pub fn done(&mut self) -> Result<bool> {
        let Some(event) = &self.0 else { return Ok(true) };
        let done = event.reached()?;
        if done {
            (self.0, self.1) = (None, None);
        }
        Ok(done)
    }

    /// Asks again and again for so long; whether it is complete.
    pub fn done_within(&mut self, limit: Duration) -> Result<bool> {
        let start = Instant::now();
        while !self.done()? {
            if start.elapsed() > limit {
                return Ok(false);
            }
            std::hint::spin_loop();
        }
        Ok(true)
    }

    /// Waits for it, in a call of the program that needs the result at once. Never called from the progress loop.
    pub fn wait(&mut self) -> Result<()> {
        let mut rounds = 0u32;
        while !self.done()? {
            rounds += 1;
            if rounds < 200 { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
        Ok(())
    }
}
