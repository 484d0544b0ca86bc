// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copies: which stream carries them, and blocks as rows of a two-dimensional copy where no kernel is worth its launch.

use super::context::{Context, Lane};
use super::driver::{self, Address, Copy2d, driver};
use super::event::Event;
use super::stream::Stream;
use crate::device::Pending;
use crate::device::strided::Rows;
use crate::object::error::Result;

/// `CU_MEMORYTYPE_UNIFIED`: the driver knows what the addresses are.
const UNIFIED: u32 = 4;

/// The stream for a copy between two addresses: those out of the device and into it run side by side.
fn lane(from: *const u8, to: *const u8) -> Lane {
    let pinned = crate::device::staging::holds;
    match (pinned(from), pinned(to)) {
        (false, true) => Lane::Out,
        (true, false) => Lane::In,
        _ => Lane::Work,
    }
}

/// Copies `len` bytes.
///
/// # Safety
/// Both stretches must be reachable by the context and valid until the work is complete.
pub unsafe fn plain(context: &'static Context, from: *const u8, to: *mut u8, len: usize) -> Result<Pending> {
    if len == 0 {
        return Ok(Pending::DONE);
    }
    let _entered = context.enter()?;
    let stream = context.stream(lane(from, to));
    // SAFETY: the caller's promise.
    unsafe { enqueue(stream, from, to, len)? };
    Event::record(context, stream).map(Pending::event)
}

/// The same without asking when it is complete.
///
/// # Safety
/// As for [`plain`]; the context must be current.
pub unsafe fn enqueue(stream: Stream, from: *const u8, to: *mut u8, len: usize) -> Result<()> {
    // SAFETY: the caller's promise.
    driver::check("cuMemcpyAsync", unsafe { (driver().copy)(to as Address, from as Address, len, stream.0) })
}

/// Rows between a typed buffer and consecutive bytes.
///
/// # Safety
/// As for [`enqueue`]; `packed` is where the rows' first packed byte lies.
pub unsafe fn rows(stream: Stream, base: *mut u8, rows: &Rows, packed: *mut u8, out: bool) -> Result<()> {
    if rows.count == 1 || rows.stride < rows.block as i64 {
        // SAFETY: the caller's promise.
        return (0..rows.count).try_for_each(|i| unsafe { row(stream, base, rows, packed, i, out) });
    }
    let data = (base.wrapping_offset(rows.offset as isize), rows.stride as usize);
    let flat = (packed, rows.block);
    let (from, to) = if out { (data, flat) } else { (flat, data) };
    let copy = Copy2d {
        src_x: 0,
        src_y: 0,
        src_type: UNIFIED,
        src_host: std::ptr::null(),
        src_device: from.0 as Address,
        src_array: std::ptr::null_mut(),
        src_pitch: from.1,
        dst_x: 0,
        dst_y: 0,
        dst_type: UNIFIED,
        dst_host: std::ptr::null_mut(),
        dst_device: to.0 as Address,
        dst_array: std::ptr::null_mut(),
        dst_pitch: to.1,
        width: rows.block,
        height: rows.count,
    };
    // SAFETY: the caller's promise, row by row.
    driver::check("cuMemcpy2DAsync", unsafe { (driver().copy_2d)(&copy, stream.0) })
}

/// # Safety
/// As for [`rows`].
unsafe fn row(stream: Stream, base: *mut u8, rows: &Rows, packed: *mut u8, i: usize, out: bool) -> Result<()> {
    let data = base.wrapping_offset((rows.offset + i as i64 * rows.stride) as isize);
    let flat = packed.wrapping_add(i * rows.block);
    let (from, to) = if out { (data, flat) } else { (flat, data) };
    // SAFETY: the caller's promise.
    unsafe { enqueue(stream, from, to, rows.block) }
}
