// SPDX-License-Identifier: MIT OR Apache-2.0
//! A fence whose price only the rare side pays. A sender stores a message and loads "does the receiver sleep?"; a receiver
//! stores "I sleep" and loads "is there a message?". One of them must see the other's store, which on x86 wants a full
//! fence on both sides. Receivers go to sleep rarely and send often, so the sleeper makes every processor fence
//! (`membarrier`, Linux 4.16) and the sender pays nothing.

use std::sync::atomic::{AtomicBool, Ordering, compiler_fence, fence};

const REGISTER_GLOBAL_EXPEDITED: i32 = 1 << 2;
const GLOBAL_EXPEDITED: i32 = 1 << 1;

static AVAILABLE: AtomicBool = AtomicBool::new(false);

fn membarrier(command: i32) -> bool {
    // SAFETY: takes two integers and touches no memory.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}

/// Registers this process; returns whether the kernel offers the call.
pub fn register() -> bool {
    membarrier(REGISTER_GLOBAL_EXPEDITED)
}

/// Tells whether all processes of the job registered: only then may senders skip their fence.
pub fn set_available(on: bool) {
    AVAILABLE.store(on, Ordering::SeqCst);
}

/// The frequent side's fence, between its store and its load.
#[inline]
pub fn light() {
    if AVAILABLE.load(Ordering::Relaxed) {
        compiler_fence(Ordering::SeqCst);
    } else {
        fence(Ordering::SeqCst);
    }
}

/// The rare side's fence, between its store and its load.
pub fn heavy() {
    fence(Ordering::SeqCst);
    if AVAILABLE.load(Ordering::Relaxed) {
        membarrier(GLOBAL_EXPEDITED);
    }
}
