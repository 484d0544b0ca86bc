// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copies of memory that are never slow for where the bytes lie.
//!
//! Some processors copy with `rep movsb` twenty times slower when the target lies a few bytes behind the source within a page (AMD
//! EPYC, 64 KiB: 38 us instead of 2), and libraries and kernels choose that instruction for long copies. Memory from `malloc` lies so to
//! what begins a page: its header has 16 bytes.
//!
//! What other cores will read is better written past the caches ([`copy_out`]).

use super::PAGE;

/// Fewest bytes that some library copies with `rep movsb` (glibc: 2 KiB to 8 KiB, by the processor).
const LONG: usize = 2048;
/// Bytes that none does.
const SHORT: usize = 1024;

/// Whether a copy of `len` bytes from one address to another is slow with `rep movsb`.
#[inline]
pub fn clashes(from: usize, to: usize, len: usize) -> bool {
    len >= LONG && (1..32).contains(&(to.wrapping_sub(from) % PAGE))
}

/// An address at `room` or less than a [`PAGE`] behind it, such that copies from `from` to there and on to where `from` itself would
/// lie in its page do not clash.
#[inline]
pub fn apart(from: usize, room: *mut u8) -> *mut u8 {
    room.wrapping_add((from + PAGE / 2).wrapping_sub(room as usize) % PAGE)
}

/// Copies `len` bytes.
///
/// # Safety
/// `from` readable, `to` writable for `len` bytes, not overlapping.
#[inline]
pub unsafe fn copy(from: *const u8, to: *mut u8, len: usize) {
    if clashes(from as usize, to as usize, len) {
        // SAFETY: the caller's promise.
        return unsafe { in_pieces(from, to, len) };
    }
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(from, to, len) }
}

/// Fewest bytes that are written past the caches.
const STREAMED: usize = 4096;

/// Copies `len` bytes to where other cores read them next. A common store of a line that other cores have read first fetches it from them, which
/// takes longer than all the rest where cores are far from each other; these stores do not.
///
/// # Safety
/// As [`copy`].
#[inline]
pub unsafe fn copy_out(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: the caller's promise.
    unsafe { if len < STREAMED { copy(from, to, len) } else { stream(from, to, len) } }
}

/// Bytes of a line of the caches.
const LINE: usize = 64;

#[cfg(target_arch = "x86_64")]
unsafe fn stream(from: *const u8, to: *mut u8, len: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
    const WORD: usize = size_of::<__m128i>();
    let head = to.align_offset(LINE).min(len);
    let end = head + (len - head) / LINE * LINE;
    // SAFETY: as `copy`; the stores begin at a line's start, and the fence puts them before whatever tells that the bytes are there.
    unsafe {
        copy(from, to, head);
        for line in (head..end).step_by(LINE) {
            let word = |at: usize| _mm_loadu_si128(from.add(line + at * WORD).cast());
            let words = [word(0), word(1), word(2), word(3)];
            for (at, word) in words.into_iter().enumerate() {
                _mm_stream_si128(to.add(line + at * WORD).cast(), word);
            }
        }
        copy(from.add(end), to.add(end), len - end);
        _mm_sfence();
    }
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn stream(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: as `copy`.
    unsafe { copy(from, to, len) }
}

/// The same if the two may overlap.
///
/// # Safety
/// `from` readable, `to` writable for `len` bytes.
pub unsafe fn copy_over(from: *const u8, to: *mut u8, len: usize) {
    let apart = (from as usize).abs_diff(to as usize) >= len;
    // SAFETY: the caller's promise.
    unsafe { if apart { copy(from, to, len) } else { std::ptr::copy(from, to, len) } }
}

#[cold]
unsafe fn in_pieces(from: *const u8, to: *mut u8, len: usize) {
    for at in (0..len).step_by(SHORT) {
        // SAFETY: a part of what the caller promised.
        unsafe { std::ptr::copy_nonoverlapping(from.add(at), to.add(at), SHORT.min(len - at)) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_target_just_behind_its_source_clashes() {
        let clash = |to| clashes(0x7000, to, 1 << 20);
        assert!([0x9001, 0x9010, 0x901f, 0x7010].into_iter().all(clash));
        assert!(![0x9000, 0x9020, 0x6fff, 0x7800].into_iter().any(clash));
        assert!(!clashes(0x7000, 0x9010, 100));
    }

    #[test]
    fn what_lies_apart_clashes_neither_way() {
        for from in 0x7000..0x9000 {
            let room = apart(from, 0x5123 as *mut u8) as usize;
            assert!((0x5123..0x5123 + PAGE).contains(&room));
            assert!(!clashes(from, room, PAGE) && !clashes(room, from, PAGE));
        }
    }

    proptest! {
        #[test]
        fn every_byte_is_copied_and_no_other(from in 0usize..64, behind in 0usize..64, len in 0usize..2 * PAGE, out: bool) {
            let mut buffer: Vec<u8> = (0..6 * PAGE).map(|at| (at % 251) as u8).collect();
            let (to, before) = (from + behind + 3 * PAGE, buffer.clone());
            let copy = if out { copy_out } else { copy };
            // SAFETY: the buffer holds all of it, and the target begins where the source has ended.
            unsafe { copy(buffer.as_ptr().add(from), buffer.as_mut_ptr().add(to), len) };
            prop_assert_eq!(&buffer[to..to + len], &before[from..from + len]);
            prop_assert!(buffer[..to] == before[..to] && buffer[to + len..] == before[to + len..]);
        }

        #[test]
        fn overlapping_bytes_are_copied_too(from in 0usize..9000, to in 0usize..9000, len in 0usize..9000) {
            let mut buffer: Vec<u8> = (0..18000).map(|at| (at % 251) as u8).collect();
            let before = buffer.clone();
            // SAFETY: the buffer holds both.
            unsafe { copy_over(buffer.as_ptr().add(from), buffer.as_mut_ptr().add(to), len) };
            prop_assert_eq!(&buffer[to..to + len], &before[from..from + len]);
        }
    }
}
