// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copies between strided blocks and consecutive bytes. Block lengths known at compile time make each block a pair of
//! register moves instead of a call.

/// Copies `len` bytes; short ones without a call.
///
/// # Safety
/// `from` readable, `to` writable for `len` bytes, not overlapping.
#[inline(always)]
pub unsafe fn short(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: the caller's promise covers `len` bytes at both ends, whichever arm copies them.
    unsafe {
        match len {
            4 => fixed::<4>(from, to),
            8 => fixed::<8>(from, to),
            1 => fixed::<1>(from, to),
            2 => fixed::<2>(from, to),
            12 => fixed::<12>(from, to),
            16 => fixed::<16>(from, to),
            _ => std::ptr::copy_nonoverlapping(from, to, len),
        }
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
        unsafe { std::ptr::copy_nonoverlapping(from, to, block) }
    }
}
