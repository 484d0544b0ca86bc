// SPDX-License-Identifier: MIT OR Apache-2.0
//! Room in the segment for the areas of communicators: a bump mark and a short list of returned pieces.

use std::sync::atomic::{AtomicU32, Ordering};

use super::layout::{Header, segment};

const PAGE: usize = 4096;

struct Held<'a>(&'a AtomicU32);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Release);
    }
}

/// Spins with yields: held for a few loads and stores, when a communicator is made or freed.
fn hold(header: &Header) -> Held<'_> {
    while header.heap_lock.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
        std::thread::yield_now();
    }
    Held(&header.heap_lock)
}

/// Reserves `bytes` (4096-aligned; zeroed) of the segment's heap; returns the offset to tell the others, or `None`
/// when the heap is used up. One process reserves, the others use the same offset.
pub fn reserve(bytes: usize) -> Option<usize> {
    let segment = segment();
    let (start, length) = segment.heap();
    let (header, bytes) = (segment.header(), bytes.next_multiple_of(PAGE));
    let held = hold(header);
    if let Some(offset) = take_returned(header, bytes) {
        drop(held);
        // SAFETY: the piece is ours now, inside the mapping.
        unsafe { clear(segment.base.add(offset), bytes) };
        return Some(offset);
    }
    let mark = header.heap_mark.load(Ordering::Relaxed);
    (mark + bytes <= length).then(|| {
        header.heap_mark.store(mark + bytes, Ordering::Relaxed);
        start + mark
    })
}

/// Zeroes pages of the segment by giving them back, so that those nobody touches cost nothing.
///
/// # Safety
/// Whole pages of the mapping that nobody uses.
unsafe fn clear(at: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise; the mapping is of a memfd, which can have holes.
    unsafe {
        if libc::madvise(at.cast(), bytes, libc::MADV_REMOVE) != 0 {
            at.write_bytes(0, bytes);
        }
    }
}

/// Gives a reservation back (by one process, when no process uses it any more). A piece that the short list cannot
/// hold stays unused for the life of the job.
pub fn release(offset: usize, bytes: usize) {
    let header = segment().header();
    let _held = hold(header);
    let count = header.free_count.load(Ordering::Relaxed) as usize;
    if let Some(place) = header.free.get(count) {
        place[0].store(offset, Ordering::Relaxed);
        place[1].store(bytes.next_multiple_of(PAGE), Ordering::Relaxed);
        header.free_count.store(count as u32 + 1, Ordering::Relaxed);
    }
}

/// A returned piece of exactly this size (areas come in few sizes).
fn take_returned(header: &Header, bytes: usize) -> Option<usize> {
    let count = header.free_count.load(Ordering::Relaxed) as usize;
    let found = (0..count).find(|&i| header.free[i][1].load(Ordering::Relaxed) == bytes)?;
    let offset = header.free[found][0].load(Ordering::Relaxed);
    let last = &header.free[count - 1];
    header.free[found][0].store(last[0].load(Ordering::Relaxed), Ordering::Relaxed);
    header.free[found][1].store(last[1].load(Ordering::Relaxed), Ordering::Relaxed);
    header.free_count.store(count as u32 - 1, Ordering::Relaxed);
    Some(offset)
}
