// SPDX-License-Identifier: MIT OR Apache-2.0
//! Filling memory. All these calls are asynchronous; a synchronous name waits only for memory that the host can touch.

use crate::call::driver;
use crate::code::{self, Result};
use crate::memory::{Kind, target};
use crate::stream;

/// Rows of `height` times `width` elements of `bytes` bytes, `pitch` bytes apart.
#[derive(Clone, Copy)]
struct Area {
    pitch: usize,
    width: usize,
    height: usize,
    bytes: usize,
}

impl Area {
    fn line(count: usize, bytes: usize) -> Area {
        Area { pitch: count * bytes, width: count, height: 1, bytes }
    }

    fn extent(&self) -> usize {
        self.pitch * (self.height - 1) + self.width * self.bytes
    }
}

fn fill(at: u64, value: u32, area: Area, stream: u64, waits: bool) -> Result {
    let stream = stream::current(stream)?;
    if area.width * area.height == 0 {
        return Ok(());
    }
    if !(at as usize).is_multiple_of(area.bytes) {
        return Err(code::INVALID_VALUE);
    }
    let target = target("cuMemset", at, area.extent());
    let touchable = !target.is_device() || target.ranges[0].kind == Kind::Managed;
    stream.submit(move || {
        target.check("cuMemset");
        for row in 0..area.height {
            // SAFETY: the target was looked up for the whole extent.
            unsafe { fill_row(target.at.add(row * area.pitch), value, area.width, area.bytes) };
        }
    });
    if waits && touchable {
        stream.synchronize();
    }
    Ok(())
}

/// Writes an element and copies it on, twice as much each time.
///
/// # Safety
/// There must be room for `width` elements of `bytes` bytes at `to`.
unsafe fn fill_row(to: *mut u8, value: u32, width: usize, bytes: usize) {
    // SAFETY: the first element is there; each copy goes from what has been written to what follows, within the row.
    unsafe {
        std::ptr::copy_nonoverlapping(value.to_le_bytes().as_ptr(), to, bytes);
        let mut done = 1;
        while done < width {
            let more = done.min(width - done);
            std::ptr::copy_nonoverlapping(to, to.add(done * bytes), more * bytes);
            done += more;
        }
    }
}

driver! {
    /// Fills bytes.
    fn cuMemsetD8_v2(at: u64, value: u8, count: usize) {
        fill(at, value.into(), Area::line(count, 1), 0, true)
    }

    /// Fills 16-bit words.
    fn cuMemsetD16_v2(at: u64, value: u16, count: usize) {
        fill(at, value.into(), Area::line(count, 2), 0, true)
    }

    /// Fills 32-bit words.
    fn cuMemsetD32_v2(at: u64, value: u32, count: usize) {
        fill(at, value, Area::line(count, 4), 0, true)
    }

    /// Fills bytes in a stream.
    fn cuMemsetD8Async(at: u64, value: u8, count: usize, stream: u64) {
        fill(at, value.into(), Area::line(count, 1), stream, false)
    }

    /// Fills 16-bit words in a stream.
    fn cuMemsetD16Async(at: u64, value: u16, count: usize, stream: u64) {
        fill(at, value.into(), Area::line(count, 2), stream, false)
    }

    /// Fills 32-bit words in a stream.
    fn cuMemsetD32Async(at: u64, value: u32, count: usize, stream: u64) {
        fill(at, value, Area::line(count, 4), stream, false)
    }

    /// Fills rows of bytes in a stream.
    fn cuMemsetD2D8Async(at: u64, pitch: usize, value: u8, width: usize, height: usize, stream: u64) {
        fill(at, value.into(), Area { pitch, width, height, bytes: 1 }, stream, false)
    }
}
