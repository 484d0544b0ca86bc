// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sleeping until a peer rings. Senders pay one load of a shared, rarely written line while nobody sleeps.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::layout::segment;
use crate::os::lock::threaded;
use crate::os::{futex, membarrier};

/// Wakes a process if it sleeps; call it after making something true in shared memory that it may wait for.
#[inline]
pub fn ring(process: u32) {
    membarrier::light();
    if segment().header().sleepers.load(Ordering::Relaxed) != 0 {
        wake(process);
    }
}

#[cold]
fn wake(process: u32) {
    let word = &segment().control(process).sleeping;
    if word.load(Ordering::Relaxed) != 0 && word.swap(0, Ordering::SeqCst) != 0 {
        futex::wake(word);
    }
}

/// Wakes other threads of this process that sleep (one of them may wait for what this thread just completed).
pub fn wake_self() {
    ring(segment().me);
}

/// Sleeps until a peer rings or `limit` is over. `last_look` runs after the bell is armed: when it finds something
/// (returns true) there is no sleep.
pub fn sleep(limit: Duration, last_look: impl FnOnce() -> bool) {
    let (header, word) = (segment().header(), &segment().control(segment().me).sleeping);
    header.sleepers.fetch_add(1, Ordering::SeqCst);
    word.store(1, Ordering::SeqCst);
    membarrier::heavy();
    if !last_look() {
        futex::wait(word, 1, limit);
    }
    // Another thread of this process may sleep on the same word: it must not miss a bell because this one stood up.
    if word.swap(0, Ordering::SeqCst) != 0 && threaded() {
        futex::wake(word);
    }
    header.sleepers.fetch_sub(1, Ordering::SeqCst);
}
