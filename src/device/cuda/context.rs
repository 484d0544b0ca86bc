// SPDX-License-Identifier: MIT OR Apache-2.0
//! A context that owns memory of the program, with the streams that we work on in it. It is made current for each stretch of
//! driver calls and taken off again, so the program's own current context, or its absence, is as before.

use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::classify::Attributes;
use super::driver::{self, Object, driver};
use super::event::Event;
use super::ipc::{Exports, Imports};
use super::module::Modules;
use super::stream::Stream;
use crate::object::error::Result;

/// What we keep for a context, for as long as the process lives.
pub struct Context {
    raw: Object,
    /// Tells it from an earlier context with the same handle.
    life: u64,
    /// Tells contexts apart, from 1.
    pub number: usize,
    /// The device, or the instance of one (MIG), by what no other has.
    pub device: [u8; 16],
    /// Copies out of the device, into it, and work within it.
    pub streams: [Stream; 3],
    /// Events to use again.
    pub events: Mutex<Vec<Object>>,
    pub(super) exports: Mutex<Exports>,
    pub(super) imports: Mutex<Imports>,
    pub(super) modules: Mutex<Modules>,
}

/// Which stream.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub enum Lane {
    Out,
    In,
    Work,
}

static KNOWN: Mutex<Vec<&'static Context>> = Mutex::new(Vec::new());
/// The context asked for last: nearly always the only one.
static LAST: AtomicUsize = AtomicUsize::new(0);

/// While it lives, a context is the current one of this thread.
pub struct Entered;

impl Drop for Entered {
    fn drop(&mut self) {
        let mut popped = 0;
        // SAFETY: pops what `enter` pushed.
        unsafe { (driver().pop)(&mut popped) };
    }
}

fn push(raw: Object) -> Result<Entered> {
    // SAFETY: a live context; the driver says so if it is not.
    driver::check("cuCtxPushCurrent", unsafe { (driver().push)(raw) })?;
    Ok(Entered)
}

impl Context {
    /// The context of an allocation: its own, or the primary one of its device.
    pub fn of(attributes: &Attributes) -> Result<&'static Context> {
        let last = LAST.load(Ordering::Acquire) as *const Context;
        let raw = match attributes.context {
            0 => primary(attributes.ordinal)?,
            raw => raw,
        };
        let life = driver::life_of(raw);
        // SAFETY: null, or a context that was leaked on purpose.
        if let Some(last) = unsafe { last.as_ref() }.filter(|last| last.raw == raw && last.life == life) {
            return Ok(last);
        }
        let mut known = KNOWN.lock();
        if let Some(found) = known.iter().find(|context| context.raw == raw && context.life == life) {
            LAST.store(*found as *const Context as usize, Ordering::Release);
            return Ok(found);
        }
        let context = Context::new(raw, known.len() + 1)?;
        known.push(context);
        Ok(context)
    }

    /// Whether memory of a device has been seen.
    pub fn is_any_known() -> bool {
        !KNOWN.lock().is_empty()
    }

    /// All that memory has been seen of.
    pub fn all() -> Vec<&'static Context> {
        KNOWN.lock().clone()
    }

    /// Any context that is in use already, for host memory that comes from a device: the one of `device`, if there is one.
    pub fn any(device: &[u8; 16]) -> Option<&'static Context> {
        let known = KNOWN.lock();
        let mut alive = known.iter().filter(|context| context.is_alive());
        alive.clone().find(|context| context.device == *device).or(alive.next()).copied()
    }

    fn new(raw: Object, number: usize) -> Result<&'static Context> {
        let _entered = push(raw)?;
        let (mut ordinal, mut device) = (0, [0; 16]);
        // SAFETY: writes an int and 16 bytes.
        unsafe {
            driver::check("cuCtxGetDevice", (driver().current_device)(&mut ordinal))?;
            driver::check("cuDeviceGetUuid", (driver().device_uuid)(&mut device, ordinal))?;
        }
        Ok(Box::leak(Box::new(Context {
            raw,
            life: driver::life_of(raw),
            number,
            device,
            streams: [Stream::new()?, Stream::new()?, Stream::new()?],
            events: Mutex::default(),
            exports: Mutex::default(),
            imports: Mutex::default(),
            modules: Mutex::default(),
        })))
    }

    /// Whether the program has not ended it, as far as the driver says.
    pub fn is_alive(&self) -> bool {
        driver::life_of(self.raw) == self.life
    }

    /// Makes it current until the answer is dropped.
    #[inline]
    pub fn enter(&self) -> Result<Entered> {
        push(self.raw)
    }

    /// One of its streams.
    #[inline]
    pub fn stream(&self, lane: Lane) -> Stream {
        self.streams[lane as usize]
    }

    /// Makes all streams of ours wait for what the default stream has been given so far.
    pub fn fence(&'static self) -> Result<()> {
        let _entered = self.enter()?;
        if Stream::DEFAULT.is_idle() {
            return Ok(());
        }
        let event = Event::record(self, Stream::DEFAULT)?;
        self.streams.iter().try_for_each(|stream| stream.wait_for(&event))
    }
}

/// The primary context of a device, kept for good.
fn primary(ordinal: i32) -> Result<Object> {
    static PRIMARY: Mutex<Vec<(i32, Object)>> = Mutex::new(Vec::new());
    let mut known = PRIMARY.lock();
    if let Some((_, raw)) = known.iter().find(|(device, _)| *device == ordinal) {
        return Ok(*raw);
    }
    let (mut device, mut raw) = (0, 0);
    // SAFETY: writes the handles.
    unsafe {
        driver::check("cuDeviceGet", (driver().device_get)(&mut device, ordinal))?;
        driver::check("cuDevicePrimaryCtxRetain", (driver().primary_retain)(&mut raw, device))?;
    }
    known.push((ordinal, raw));
    Ok(raw)
}
