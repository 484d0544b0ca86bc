// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copies between strided blocks and consecutive bytes. Block lengths known at compile time make each block a pair of
//! register moves instead of a call.

use crate::os;

/// Copies `len` bytes; short ones without a call, as two moves that may overlap in the middle.
///
/// # Safety
/// `from` readable, `to` writable for `len` bytes, not overlapping.
#[inline(always)]
pub unsafe fn short(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: the caller's promise covers `len` bytes at both ends; each arm moves the first and the last bytes of those.
    unsafe {
        match len {
            8..=16 => ends::<8>(from, to, len),
            4..=7 => ends::<4>(from, to, len),
            17..=32 => ends::<16>(from, to, len),
            2..=3 => ends::<2>(from, to, len),
            1 => fixed::<1>(from, to),
            _ => os::copy::copy(from, to, len),
        }
    }
}

/// The first and the last `N` of `len` bytes.
///
/// # Safety
/// As [`short`], with `N <= len <= 2 * N`.
#[inline(always)]
unsafe fn ends<const N: usize>(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: both pieces lie within the `len` bytes the caller promised.
    unsafe {
        let (head, tail) = (from.cast::<[u8; N]>().read(), from.add(len - N).cast::<[u8; N]>().read());
        to.cast::<[u8; N]>().write(head);
        to.add(len - N).cast::<[u8; N]>().write(tail);
    }
}

/// # Safety
/// As [`short`], with `N` bytes.
#[inline(always)]
unsafe fn fixed<const N: usize>(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise; byte arrays have no alignment.
    unsafe { to.cast::<[u8; N]>().write(from.cast::<[u8; N]>().read()) }
}

/// `count` blocks of `block` bytes: block `i` from `from + i * from_stride` to `to + i * to_stride`.
///
/// # Safety
/// All source blocks readable, all destination blocks writable, source and destination not overlapping.
pub unsafe fn blocks(from: *const u8, from_stride: isize, to: *mut u8, to_stride: isize, block: usize, count: usize) {
    macro_rules! dispatch {
        ($($n:literal)*) => {
            match block {
                // SAFETY: the caller's promise, passed on.
                $($n => unsafe { fixed_blocks::<$n>(from, from_stride, to, to_stride, count) },)*
                // SAFETY: the caller's promise, passed on.
                _ => unsafe { any_blocks(from, from_stride, to, to_stride, block, count) },
            }
        };
    }
    dispatch!(1 2 4 8 12 16 24 32 48 64)
}

/// # Safety
/// As [`blocks`].
unsafe fn fixed_blocks<const N: usize>(from: *const u8, from_stride: isize, to: *mut u8, to_stride: isize, count: usize) {
    for i in 0..count as isize {
        // SAFETY: block `i` lies within what the caller promised.
        unsafe { fixed::<N>(from.wrapping_offset(i * from_stride), to.wrapping_offset(i * to_stride)) }
    }
}

/// # Safety
/// As [`blocks`].
unsafe fn any_blocks(from: *const u8, from_stride: isize, to: *mut u8, to_stride: isize, block: usize, count: usize) {
    for i in 0..count as isize {
        let (from, to) = (from.wrapping_offset(i * from_stride), to.wrapping_offset(i * to_stride));
        // SAFETY: block `i` lies within what the caller promised.
        unsafe { os::copy::copy(from, to, block) }
    }
}

/// Blocks of `block` bytes at `from` plus each offset, put one after the other at `to`.
///
/// # Safety
/// All source blocks readable, the destination writable, not overlapping.
pub unsafe fn gather_listed(from: *const u8, offsets: &[i64], to: *mut u8, block: usize) {
    // SAFETY: the caller's promise; `each_listed` pairs block `i` with bytes from `i * block`.
    each_listed(offsets, block, |at, i, len| unsafe { short(from.wrapping_offset(at), to.add(i), len) });
}

/// The other way: consecutive blocks at `from`, put at `to` plus each offset.
///
/// # Safety
/// The source readable, all destination blocks writable, not overlapping.
pub unsafe fn scatter_listed(from: *const u8, to: *mut u8, offsets: &[i64], block: usize) {
    // SAFETY: as in `gather_listed`.
    each_listed(offsets, block, |at, i, len| unsafe { short(from.add(i), to.wrapping_offset(at), len) });
}

/// Calls `copy(offset, packed position, length)` for each block, with the usual lengths as constants.
#[inline(always)]
fn each_listed(offsets: &[i64], block: usize, copy: impl Fn(isize, usize, usize)) {
    macro_rules! dispatch {
        ($($n:literal)*) => {
            match block {
                $($n => offsets.iter().enumerate().for_each(|(i, &at)| copy(at as isize, i * $n, $n)),)*
                _ => offsets.iter().enumerate().for_each(|(i, &at)| copy(at as isize, i * block, block)),
            }
        };
    }
    dispatch!(4 8 16)
}
