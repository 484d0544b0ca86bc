// SPDX-License-Identifier: MIT OR Apache-2.0
//! A clock that costs next to nothing.

/// Milliseconds since some moment, as of the kernel's last tick.
pub fn coarse() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the time is a local; this clock exists on every Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC_COARSE, &mut time) };
    time.tv_sec as u64 * 1000 + time.tv_nsec as u64 / 1_000_000
}
