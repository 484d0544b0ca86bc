// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copies, as asynchronous as the section "API synchronization behavior" of the CUDA driver API lets each be:
//!
//! | from, to | synchronous call | asynchronous call |
//! |---|---|---|
//! | device to device | does not wait (unless SYNC_MEMOPS) | does not wait |
//! | pinned to device, device to pinned | waits | does not wait |
//! | pageable to device | the source has been read; the device may not have it (unless SYNC_MEMOPS) | a coin: waits, or does not |
//! | device to pageable | waits | a coin |
//! | host to host | waits | waits |
//!
//! Until a late copy has been done its destination on the host holds rubbish.

use crate::beside::Way;
use crate::call::{In, driver, tell};
use crate::code::{self, Result};
use crate::context;
use crate::memory::{Target, target};
use crate::stream::{self, Stream};
use crate::{address, random, sparse};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

/// Bytes that a host must not read yet.
const RUBBISH: u8 = 0xDB;

/// A rectangle of bytes to copy.
#[derive(Clone, Copy)]
struct Shape {
    width: usize,
    height: usize,
    to_pitch: usize,
    from_pitch: usize,
}

impl Shape {
    fn line(bytes: usize) -> Shape {
        Shape { width: bytes, height: 1, to_pitch: bytes, from_pitch: bytes }
    }

    /// Bytes from the first of the first row to the last of the last.
    fn extent(&self, pitch: usize) -> usize {
        pitch * (self.height - 1) + self.width
    }
}

/// A copy that is ready to be done.
struct Copy {
    name: &'static str,
    to: Target,
    from: Target,
    shape: Shape,
    /// The source as it was when the call was made, if it had to be read then.
    staged: Option<Vec<u8>>,
}

impl Copy {
    fn new(name: &'static str, to: u64, from: u64, shape: Shape) -> Copy {
        let destination = target(name, to, shape.extent(shape.to_pitch));
        let source = target(name, from, shape.extent(shape.from_pitch));
        Copy { name, to: destination, from: source, shape, staged: None }
    }

    fn run(&self) {
        tell(|| format!("{} to {:p} from {:p} runs", self.name, self.to.at, self.from.at));
        self.to.check(self.name);
        self.from.check(self.name);
        if self.shape.height == 1 && self.staged.is_none() {
            // SAFETY: both targets were looked up for the whole width, and are held or are the host's as the program says.
            return unsafe { sparse::copy(&self.to, &self.from, self.shape.width) };
        }
        for row in 0..self.shape.height {
            let from = match &self.staged {
                Some(bytes) => bytes[row * self.shape.width..].as_ptr(),
                None => self.from.at.wrapping_add(row * self.shape.from_pitch).cast_const(),
            };
            let to = self.to.at.wrapping_add(row * self.shape.to_pitch);
            // SAFETY: both targets were looked up for the whole extent, and are held or are the host's as the program says.
            unsafe { std::ptr::copy(from, to, self.shape.width) };
        }
    }

    fn stage(&mut self) {
        let mut bytes = Vec::with_capacity(self.shape.width * self.shape.height);
        for row in 0..self.shape.height {
            let from = self.from.at.wrapping_add(row * self.shape.from_pitch);
            // SAFETY: the source is memory of the host that the program has given.
            bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(from, self.shape.width) });
        }
        self.staged = Some(bytes);
    }

    /// Fills a destination on the host with rubbish.
    fn spoil(&self) {
        for row in 0..self.shape.height {
            let to = self.to.at.wrapping_add(row * self.shape.to_pitch);
            // SAFETY: the destination is memory of the host that the program gives for writing.
            unsafe { to.write_bytes(RUBBISH, self.shape.width) };
        }
    }

    fn sync_memops(&self) -> bool {
        let ranges = self.to.ranges.iter().chain(&self.from.ranges);
        ranges.into_iter().any(|range| range.sync_memops.load(SeqCst))
    }

    /// Whether an asynchronous call waits.
    fn waits_async(&self) -> bool {
        let pageable = |end: &Target| !end.is_device() && !end.pinned;
        match (self.to.is_device(), self.from.is_device()) {
            (false, false) => true,
            _ if pageable(&self.to) || pageable(&self.from) => random::coin(),
            _ => false,
        }
    }

    /// Whether a synchronous call waits.
    fn waits_sync(&self) -> bool {
        let early = self.to.is_device() && (self.from.is_device() || !self.from.pinned);
        !early || self.sync_memops() || context::current().is_ok_and(|context| context.sync_memops())
    }

    fn submit(self, stream: &Arc<Stream>, waits: bool) {
        if !waits && !self.to.is_device() {
            self.spoil();
        }
        tell(|| format!("{} to {:p} from {:p} in stream {:#x}", self.name, self.to.at, self.from.at, stream.handle));
        let (way, number) = (Way::of(&self.to, &self.from), stream.handle);
        way.inspect(|way| way.given(number));
        stream.submit(move || {
            way.inspect(|way| way.begin());
            self.run();
            way.inspect(|way| way.done(number));
        });
        if waits {
            stream.synchronize();
        }
    }
}

/// A call that is asynchronous by its name.
fn later(name: &'static str, to: u64, from: u64, shape: Shape, stream: u64) -> Result {
    let stream = stream::current(stream)?;
    if shape.width * shape.height == 0 {
        return Ok(());
    }
    let copy = Copy::new(name, to, from, shape);
    let waits = copy.waits_async();
    copy.submit(&stream, waits);
    Ok(())
}

/// A call that is synchronous by its name: in the legacy default stream.
fn now(name: &'static str, to: u64, from: u64, shape: Shape) -> Result {
    let stream = stream::current(0)?;
    if shape.width * shape.height == 0 {
        return Ok(());
    }
    let mut copy = Copy::new(name, to, from, shape);
    let waits = copy.waits_sync();
    if !waits && !copy.from.is_device() {
        stream.synchronize();
        copy.stage();
    }
    copy.submit(&stream, waits);
    Ok(())
}

/// Both ends must be what the function's name says.
fn ends(to: u64, to_device: bool, from: u64, from_device: bool) -> Result {
    let is_device = |at: u64| address::is_device(at) || crate::host::find(at).is_some();
    let wrong = (to_device && !is_device(to)) || (from_device && !is_device(from));
    if wrong { Err(code::INVALID_VALUE) } else { Ok(()) }
}

/// CUDA_MEMCPY2D.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Rectangle {
    from_x: usize,
    from_y: usize,
    from_type: u32,
    from_host: u64,
    from_device: u64,
    from_array: u64,
    from_pitch: usize,
    to_x: usize,
    to_y: usize,
    to_type: u32,
    to_host: u64,
    to_device: u64,
    to_array: u64,
    to_pitch: usize,
    width: usize,
    height: usize,
}

impl Rectangle {
    /// Where each end starts, and the shape.
    fn parts(&self) -> Result<(u64, u64, Shape)> {
        let (to_pitch, from_pitch) = (self.to_pitch.max(self.width), self.from_pitch.max(self.width));
        let narrow = |pitch: usize| pitch != 0 && pitch < self.width;
        if self.height > 1 && (narrow(self.to_pitch) || narrow(self.from_pitch)) {
            return Err(code::INVALID_VALUE);
        }
        let to = end(self.to_type, self.to_host, self.to_device)? + (self.to_y * to_pitch + self.to_x) as u64;
        let from = end(self.from_type, self.from_host, self.from_device)? + (self.from_y * from_pitch + self.from_x) as u64;
        Ok((to, from, Shape { width: self.width, height: self.height, to_pitch, from_pitch }))
    }
}

/// One end of a rectangle: CU_MEMORYTYPE_HOST is 1, _DEVICE 2, _UNIFIED 4.
fn end(kind: u32, host: u64, device: u64) -> Result<u64> {
    match kind {
        1 if !address::is_device(host) => Ok(host),
        2 if address::is_device(device) => Ok(device),
        4 => Ok(device),
        _ => Err(code::INVALID_VALUE),
    }
}

/// Writes a word in stream order.
pub fn write_word(stream: &Arc<Stream>, at: u64, value: u32) {
    let word = target("cuStreamWriteValue32", at, 4);
    stream.submit(move || {
        word.check("cuStreamWriteValue32");
        // SAFETY: the target is four bytes that are allocated or the program's own, aligned as the API asks.
        unsafe { &*word.at.cast::<AtomicU32>() }.store(value, SeqCst);
    });
}

/// Waits for a word in stream order.
pub fn wait_word(stream: &Arc<Stream>, at: u64, value: u32, condition: u32) {
    let word = target("cuStreamWaitValue32", at, 4);
    stream.submit(move || {
        word.check("cuStreamWaitValue32");
        // SAFETY: as in `write_word`.
        let cell = unsafe { &*word.at.cast::<AtomicU32>() };
        let holds = |found: u32| match condition {
            0 => found.wrapping_sub(value) as i32 >= 0,
            1 => found == value,
            2 => found & value != 0,
            _ => !(found | value) != 0,
        };
        while !holds(cell.load(SeqCst)) {
            std::thread::sleep(Duration::from_micros(20));
        }
    });
}

driver! {
    /// Copies between any two ends.
    fn cuMemcpy(to: u64, from: u64, bytes: usize) {
        now("cuMemcpy", to, from, Shape::line(bytes))
    }

    /// Copies from the host to a device.
    fn cuMemcpyHtoD_v2(to: u64, from: u64, bytes: usize) {
        ends(to, true, from, false)?;
        now("cuMemcpyHtoD", to, from, Shape::line(bytes))
    }

    /// Copies from a device to the host.
    fn cuMemcpyDtoH_v2(to: u64, from: u64, bytes: usize) {
        ends(to, false, from, true)?;
        now("cuMemcpyDtoH", to, from, Shape::line(bytes))
    }

    /// Copies from device to device.
    fn cuMemcpyDtoD_v2(to: u64, from: u64, bytes: usize) {
        ends(to, true, from, true)?;
        now("cuMemcpyDtoD", to, from, Shape::line(bytes))
    }

    /// Copies between any two ends in a stream.
    fn cuMemcpyAsync(to: u64, from: u64, bytes: usize, stream: u64) {
        later("cuMemcpyAsync", to, from, Shape::line(bytes), stream)
    }

    /// Copies from the host to a device in a stream.
    fn cuMemcpyHtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: u64) {
        ends(to, true, from, false)?;
        later("cuMemcpyHtoDAsync", to, from, Shape::line(bytes), stream)
    }

    /// Copies from a device to the host in a stream.
    fn cuMemcpyDtoHAsync_v2(to: u64, from: u64, bytes: usize, stream: u64) {
        ends(to, false, from, true)?;
        later("cuMemcpyDtoHAsync", to, from, Shape::line(bytes), stream)
    }

    /// Copies from device to device in a stream.
    fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: u64) {
        ends(to, true, from, true)?;
        later("cuMemcpyDtoDAsync", to, from, Shape::line(bytes), stream)
    }

    /// Copies between devices.
    fn cuMemcpyPeer(to: u64, to_context: u64, from: u64, from_context: u64, bytes: usize) {
        context::find(to_context).and(context::find(from_context)).ok_or(code::INVALID_CONTEXT)?;
        now("cuMemcpyPeer", to, from, Shape::line(bytes))
    }

    /// Copies between devices in a stream.
    fn cuMemcpyPeerAsync(to: u64, to_context: u64, from: u64, from_context: u64, bytes: usize, stream: u64) {
        context::find(to_context).and(context::find(from_context)).ok_or(code::INVALID_CONTEXT)?;
        later("cuMemcpyPeerAsync", to, from, Shape::line(bytes), stream)
    }

    /// Copies a rectangle.
    fn cuMemcpy2D_v2(rectangle: In<Rectangle>) {
        let (to, from, shape) = rectangle.get()?.parts()?;
        now("cuMemcpy2D", to, from, shape)
    }

    /// The same, for rectangles of any alignment.
    fn cuMemcpy2DUnaligned_v2(rectangle: In<Rectangle>) {
        let (to, from, shape) = rectangle.get()?.parts()?;
        now("cuMemcpy2DUnaligned", to, from, shape)
    }

    /// Copies a rectangle in a stream.
    fn cuMemcpy2DAsync_v2(rectangle: In<Rectangle>, stream: u64) {
        let (to, from, shape) = rectangle.get()?.parts()?;
        later("cuMemcpy2DAsync", to, from, shape, stream)
    }
}
