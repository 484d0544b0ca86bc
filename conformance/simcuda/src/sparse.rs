// SPDX-License-Identifier: MIT OR Apache-2.0
//! Large device memory that costs what has been written of it: a copy of what nobody has written, or of zeros, takes the
//! pages away from its destination instead of writing zeros into them. So buffers of more bytes than an int counts fit a small machine.

use crate::memory::Target;
use std::os::fd::AsRawFd;

/// Copies of fewer bytes are plain.
const LEAST: usize = 16 << 10;
/// Stretches in which zeros are looked for where there is no file to ask.
const STRETCH: usize = 64 << 10;

/// The file behind an end of a copy, and where in it the end starts; none on the host, in mappings and across allocations.
fn file(end: &Target) -> Option<(i32, usize)> {
    let [range] = &end.ranges[..] else { return None };
    let (backing, offset) = range.backing();
    let inside = end.at as usize - crate::address::shadow(range.base) as usize;
    Some((backing.file.as_raw_fd(), offset + inside))
}

/// Copies `len` bytes from `from` to `to`, at the start of each.
///
/// # Safety
/// Both ends have so many bytes, as [`crate::memory::target`] has looked up.
pub unsafe fn copy(to: &Target, from: &Target, len: usize) {
    let Some(place) = file(to).filter(|_| len >= LEAST) else {
        // SAFETY: the caller's promise.
        return unsafe { std::ptr::copy(from.at, to.at, len) };
    };
    match file(from) {
        // One file for both: the ends may overlap.
        // SAFETY: the caller's promise.
        Some(source) if source.0 == place.0 => unsafe { std::ptr::copy(from.at, to.at, len) },
        // SAFETY: as above.
        Some(source) => unsafe { by_holes(to.at, place, from.at, source, len) },
        // SAFETY: as above.
        None => unsafe { by_zeros(to.at, place, from.at, len) },
    }
}

unsafe fn by_holes(to: *mut u8, place: (i32, usize), from: *const u8, source: (i32, usize), len: usize) {
    let mut done = 0;
    while done < len {
        let data = seek(source, done, libc::SEEK_DATA).map_or(len, |at| at.min(len));
        erase(place, done, data - done);
        let end = if data < len { seek(source, data, libc::SEEK_HOLE).map_or(len, |at| at.min(len)) } else { len };
        // SAFETY: the caller's promise; the ends are different files.
        unsafe { std::ptr::copy_nonoverlapping(from.add(data), to.add(data), end - data) };
        done = end;
    }
}

unsafe fn by_zeros(to: *mut u8, place: (i32, usize), from: *const u8, len: usize) {
    for done in (0..len).step_by(STRETCH) {
        let part = STRETCH.min(len - done);
        // SAFETY: the caller's promise.
        unsafe {
            let bytes = std::slice::from_raw_parts(from.add(done), part);
            if bytes.iter().all(|byte| *byte == 0) {
                erase(place, done, part);
            } else {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.add(done), part);
            }
        }
    }
}

/// The first byte at or after `at` that is data, or in a hole.
fn seek((file, start): (i32, usize), at: usize, what: i32) -> Option<usize> {
    // SAFETY: plain system call.
    let found = unsafe { libc::lseek(file, (start + at) as i64, what) };
    (found >= 0).then(|| found as usize - start)
}

/// Makes `len` bytes zeros.
fn erase((file, start): (i32, usize), at: usize, len: usize) {
    if len == 0 {
        return;
    }
    let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
    // SAFETY: plain system call.
    if unsafe { libc::fallocate(file, mode, (start + at) as i64, len as i64) } != 0 {
        crate::code::fatal("memory behind a device could not be erased");
    }
}
