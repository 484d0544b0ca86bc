// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads of the library's own, beside those of the program.

use std::mem::MaybeUninit;
use std::{ptr, thread};

use super::driver;

/// Starts one. It takes none of the program's signals, and disturbs no capture of a stream into a graph.
pub fn start(name: &str, run: fn()) -> std::io::Result<()> {
    let body = move || {
        driver::relax_captures();
        run();
    };
    without_signals(|| thread::Builder::new().name(name.into()).spawn(body)).map(drop)
}

/// A thread that starts meanwhile has all signals blocked.
fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: both are written before they are read; the mask is this thread's own.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        let started = start();
        libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut());
        started
    }
}
