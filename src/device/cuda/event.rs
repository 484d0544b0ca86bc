// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events: how the host learns that work is complete. They come from a pool of their context and go back to it.

use super::context::Context;
use super::driver::{self, NOT_READY, Object, driver};
use super::stream::Stream;
use crate::object::error::Result;

/// `CU_EVENT_DISABLE_TIMING`.
const NO_TIMING: u32 = 2;

/// An event that was recorded.
pub struct Event {
    raw: Object,
    context: &'static Context,
}

impl Event {
    /// Records one behind what the stream has been given. The context must be current.
    pub fn record(context: &'static Context, stream: Stream) -> Result<Event> {
        let event = Event { raw: take(context)?, context };
        // SAFETY: both are live and of the current context.
        driver::check("cuEventRecord", unsafe { (driver().event_record)(event.raw, stream.0) })?;
        Ok(event)
    }

    pub(super) fn raw(&self) -> Object {
        self.raw
    }

    /// Whether the work before it is complete.
    pub fn reached(&self) -> Result<bool> {
        let _entered = self.context.enter()?;
        // SAFETY: a live event.
        match unsafe { (driver().event_query)(self.raw) } {
            0 => Ok(true),
            NOT_READY => Ok(false),
            code => driver::check("work on the device", code).map(|()| true),
        }
    }
}

fn take(context: &'static Context) -> Result<Object> {
    if let Some(raw) = context.events.lock().pop() {
        return Ok(raw);
    }
    let mut raw = 0;
    // SAFETY: writes the handle.
    driver::check("cuEventCreate", unsafe { (driver().event_create)(&mut raw, NO_TIMING) })?;
    Ok(raw)
}

impl Drop for Event {
    fn drop(&mut self) {
        self.context.events.lock().push(self.raw);
    }
}
