// SPDX-License-Identifier: MIT OR Apache-2.0
//! What to do when the launcher is gone: end. Its ranks would otherwise run on, unwatched, and a rank that then dies would
//! be waited for without end.

use super::library::{ACTION_COMPLETE, Handler, Info, LOST_CONNECTION, Library, Process};
use crate::os;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

static EXPECTED: AtomicBool = AtomicBool::new(false);
static RANK: AtomicU32 = AtomicU32::new(0);

/// From now on the loss of the server ends this process. A server that cannot tell is lived with.
pub fn watch(library: &Library, rank: u32) {
    RANK.store(rank, Ordering::Relaxed);
    let codes = [LOST_CONNECTION];
    // SAFETY: the codes live during the call; no info, no callback: the call blocks until the handler is registered.
    unsafe { (library.register)(codes.as_ptr(), 1, std::ptr::null(), 0, lost as Handler, std::ptr::null(), std::ptr::null()) };
}

/// From now on the server may go away.
pub fn expect_it() {
    EXPECTED.store(true, Ordering::SeqCst);
}

/// Runs on PMIx's thread.
unsafe extern "C" fn lost(
    _id: usize,
    status: c_int,
    _source: *const Process,
    _info: *const Info,
    _ninfo: usize,
    _results: *const Info,
    _nresults: usize,
    done: Option<unsafe extern "C" fn(c_int, *const Info, usize, *const c_void, *const c_void, *const c_void)>,
    data: *const c_void,
) {
    if status == LOST_CONNECTION && !EXPECTED.load(Ordering::SeqCst) {
        os::say(&format!("paceline: rank {}: the launcher is gone; this process ends", RANK.load(Ordering::Relaxed)));
        // SAFETY: ends the process without handlers of the user's, whose threads still run.
        unsafe { libc::_exit(1) };
    }
    if let Some(done) = done {
        // SAFETY: PMIx's own callback with PMIx's own data, as its interface asks.
        unsafe { done(ACTION_COMPLETE, std::ptr::null(), 0, std::ptr::null(), std::ptr::null(), data) };
    }
}
