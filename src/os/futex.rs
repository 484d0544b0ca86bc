// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sleep on a word in shared memory until somebody wakes it.

use std::ptr;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Sleeps while `word` holds `value`, at most `limit`. Returns early for any reason: the caller checks again.
pub fn wait(word: &AtomicU32, value: u32, limit: Duration) {
    let limit = libc::timespec { tv_sec: limit.as_secs() as _, tv_nsec: limit.subsec_nanos() as _ };
    // SAFETY: the word is valid for the call; the kernel only reads it. No PRIVATE flag: the word is shared between processes.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, value, &limit, ptr::null::<u32>(), 0) };
}

/// Wakes everybody who sleeps on `word`.
pub fn wake(word: &AtomicU32) {
    // SAFETY: the word is valid for the call; the kernel uses only its address.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, i32::MAX) };
}
