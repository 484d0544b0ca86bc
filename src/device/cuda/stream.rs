// SPDX-License-Identifier: MIT OR Apache-2.0
//! Streams of our own, which never wait for the program's default stream by themselves.

use super::driver::{self, Object, driver};
use super::event::Event;
use crate::object::error::Result;

/// `CU_STREAM_NON_BLOCKING`.
const NON_BLOCKING: u32 = 1;
/// The default stream whose order the program relies on.
const LEGACY: Object = 0;

/// A stream of the current context.
#[derive(Clone, Copy)]
pub struct Stream(pub(super) Object);

impl Stream {
    /// The program's default stream.
    pub const DEFAULT: Stream = Stream(LEGACY);

    /// A new one, in the current context.
    pub fn new() -> Result<Stream> {
        let mut raw = 0;
        // SAFETY: writes the handle.
        driver::check("cuStreamCreate", unsafe { (driver().stream_create)(&mut raw, NON_BLOCKING) })?;
        Ok(Stream(raw))
    }

    /// Whether it has nothing left to do.
    pub fn is_idle(self) -> bool {
        // SAFETY: a live stream of the current context.
        unsafe { (driver().stream_query)(self.0) == 0 }
    }

    /// Work given from now on waits for the event.
    pub fn wait_for(self, event: &Event) -> Result<()> {
        // SAFETY: a live stream and a recorded event.
        driver::check("cuStreamWaitEvent", unsafe { (driver().stream_wait)(self.0, event.raw(), 0) })
    }
}
