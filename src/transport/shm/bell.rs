// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sleeping until a peer rings. Senders pay one load of a shared, rarely written line while nobody sleeps.
//!
//! The sleeper counts itself among the sleepers, arms its word, and looks once more; the ringer makes something true, then looks
//! for sleepers. Between the two steps of each lies a barrier (the ringer's is a compiler fence, paid for by the sleeper with a
//! system call), so at least one of them sees the other.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::layout::{Control, segment};
use crate::os::lock::threaded;
use crate::os::{futex, membarrier};

/// The words between a sleeper and those who ring it.
trait Words {
    /// One sleeper more on this node, or one less.
    fn count(&self, more: bool);
    /// Whether anybody sleeps.
    fn anyone(&self) -> bool;
    /// Sets the sleeper's word.
    fn arm(&self);
    /// Whether it is set (a hint).
    fn armed(&self) -> bool;
    /// Clears it; whether it was set.
    fn disarm(&self) -> bool;
    /// The ringer's barrier.
    fn light(&self);
    /// The sleeper's.
    fn heavy(&self);
    /// Blocks while the word is set, until woken or the time is over.
    fn block(&self, limit: Duration);
    /// Wakes who is blocked.
    fn wake(&self);
}

#[inline]
fn ring_on(words: &impl Words) {
    words.light();
    if words.anyone() && words.armed() && words.disarm() {
        words.wake();
    }
}

fn sleep_on(words: &impl Words, limit: Duration, shared: bool, last_look: impl FnOnce() -> bool) {
    words.count(true);
    words.arm();
    words.heavy();
    if !last_look() {
        words.block(limit);
    }
    // Another thread of this process may sleep on the same word: it must not miss a bell because this one stood up.
    if words.disarm() && shared {
        words.wake();
    }
    words.count(false);
}

/// A process's words in the segment.
struct Shared(u32);

impl Shared {
    #[inline]
    fn control(&self) -> &'static Control {
        segment().control(self.0)
    }
}

impl Words for Shared {
    fn count(&self, more: bool) {
        let sleepers = &segment().header().sleepers;
        if more {
            sleepers.fetch_add(1, Ordering::SeqCst)
        } else {
            sleepers.fetch_sub(1, Ordering::SeqCst)
        };
    }
    #[inline]
    fn anyone(&self) -> bool {
        segment().header().sleepers.load(Ordering::Relaxed) != 0
    }
    fn arm(&self) {
        self.control().sleeping.store(1, Ordering::SeqCst);
    }
    #[cold]
    fn armed(&self) -> bool {
        self.control().sleeping.load(Ordering::Relaxed) != 0
    }
    #[cold]
    fn disarm(&self) -> bool {
        self.control().sleeping.swap(0, Ordering::SeqCst) != 0
    }
    #[inline]
    fn light(&self) {
        membarrier::light();
    }
    fn heavy(&self) {
        membarrier::heavy();
    }
    fn block(&self, limit: Duration) {
        futex::wait(&self.control().sleeping, 1, limit);
    }
    #[cold]
    fn wake(&self) {
        futex::wake(&self.control().sleeping);
    }
}

/// Wakes a process if it sleeps; call it after making something true in shared memory that it may wait for.
#[inline]
pub fn ring(process: u32) {
    ring_on(&Shared(process));
}

/// Wakes other threads of this process that sleep (one of them may wait for what this thread just completed).
pub fn wake_self() {
    ring(segment().me);
}

/// Sleeps until a peer rings or `limit` is over. `last_look` runs after the bell is armed: when it finds something
/// (returns true) there is no sleep.
pub fn sleep(limit: Duration, last_look: impl FnOnce() -> bool) {
    sleep_on(&Shared(segment().me), limit, threaded(), last_look);
}

#[cfg(test)]
mod tests {
    use super::*;
    use loom::sync::atomic::{AtomicU32, fence};
    use loom::sync::{Arc, Condvar, Mutex};
    use loom::thread;

    /// Words on which a sleep never times out: a lost bell is a deadlock, which the model reports.
    struct Model {
        sleepers: AtomicU32,
        word: AtomicU32,
        queue: Mutex<()>,
        woken: Condvar,
        barrier: bool,
    }

    impl Model {
        fn new(barrier: bool) -> Arc<Model> {
            let (sleepers, word) = (AtomicU32::new(0), AtomicU32::new(0));
            Arc::new(Model { sleepers, word, queue: Mutex::new(()), woken: Condvar::new(), barrier })
        }
    }

    impl Words for Model {
        fn count(&self, more: bool) {
            if more {
                self.sleepers.fetch_add(1, Ordering::SeqCst)
            } else {
                self.sleepers.fetch_sub(1, Ordering::SeqCst)
            };
        }
        fn anyone(&self) -> bool {
            self.sleepers.load(Ordering::Relaxed) != 0
        }
        fn arm(&self) {
            self.word.store(1, Ordering::SeqCst);
        }
        fn armed(&self) -> bool {
            self.word.load(Ordering::Relaxed) != 0
        }
        fn disarm(&self) -> bool {
            self.word.swap(0, Ordering::SeqCst) != 0
        }
        fn light(&self) {
            if self.barrier {
                fence(Ordering::SeqCst);
            }
        }
        fn heavy(&self) {
            fence(Ordering::SeqCst);
        }
        /// As the kernel does: the word is looked at under the lock that a waker takes.
        fn block(&self, _: Duration) {
            let queue = self.queue.lock().unwrap();
            if self.word.load(Ordering::SeqCst) == 1 {
                drop(self.woken.wait(queue).unwrap());
            }
        }
        fn wake(&self) {
            let _queue = self.queue.lock().unwrap();
            self.woken.notify_all();
        }
    }

    /// `sleepers` threads of a process wait for a news; another process makes it true and rings.
    fn nobody_oversleeps(sleepers: usize, barrier: bool) {
        let mut limits = loom::model::Builder::new();
        limits.preemption_bound = Some(2);
        limits.check(move || {
            let (words, news) = (Model::new(barrier), Arc::new(AtomicU32::new(0)));
            let waiting: Vec<_> = (0..sleepers)
                .map(|_| {
                    let (words, news) = (words.clone(), news.clone());
                    thread::spawn(move || {
                        let true_now = || news.load(Ordering::Acquire) == 1;
                        while !true_now() {
                            sleep_on(&*words, Duration::MAX, sleepers > 1, true_now);
                        }
                    })
                })
                .collect();
            news.store(1, Ordering::Release);
            ring_on(&*words);
            waiting.into_iter().for_each(|thread| thread.join().unwrap());
        });
    }

    #[test]
    fn a_bell_is_never_lost() {
        nobody_oversleeps(1, true);
    }

    #[test]
    fn two_threads_of_a_process_both_stand_up() {
        nobody_oversleeps(2, true);
    }

    /// One sleep, one ring: whoever would block is rung. Blocks nobody, so that the wrong protocol can be looked at too.
    fn a_sleeper_is_rung(barrier: bool) {
        loom::model(move || {
            let (words, news) = (Model::new(barrier), Arc::new(AtomicU32::new(0)));
            let theirs = (words.clone(), news.clone());
            let waiting = thread::spawn(move || {
                let (words, news) = theirs;
                words.count(true);
                words.arm();
                words.heavy();
                news.load(Ordering::Acquire) == 0
            });
            news.store(1, Ordering::Release);
            words.light();
            let rung = words.anyone();
            let sleeps = waiting.join().unwrap();
            assert!(rung || !sleeps, "a lost bell");
        });
    }

    #[test]
    fn one_of_the_two_sees_the_other() {
        a_sleeper_is_rung(true);
    }

    #[test]
    #[should_panic(expected = "a lost bell")]
    fn the_model_notices_a_missing_barrier() {
        a_sleeper_is_rung(false);
    }
}
