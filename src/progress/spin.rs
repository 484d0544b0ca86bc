// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long a waiting rank polls before it yields.
//!
//! With a core a rank: long. With more ranks than cores a yield costs microseconds, and is wasted when the one that is
//! waited for runs on another core at this moment: two ranks that answer each other so go on until the kernel gives their cores
//! to the next two. Whether it runs cannot be seen, but tried: a short spin that ends with what was waited for makes spins
//! more frequent, one that ends with a yield makes them four times rarer, so that they go on where more than two of three pay.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::knob;
use crate::transport::shm;

/// Polls when every rank has a core.
const OWN_CORE: u32 = 4000;
/// Most polls of a try: one as long as a time slice would seem to pay whoever runs.
const MOST: u64 = 2000;
/// Most waits between two tries.
const RARELY: u32 = 1024;

/// What a rank has learned; lost updates between threads do no harm.
pub struct Luck {
    /// Waits to the next try.
    left: AtomicU32,
    /// Waits from one try to the next; 1: each wait is one.
    every: AtomicU32,
}

/// Of the waits for an answer.
pub static LUCK: Luck = Luck::new();

impl Luck {
    const fn new() -> Luck {
        Luck { left: AtomicU32::new(1), every: AtomicU32::new(1) }
    }

    /// Told of a wait: whether it is to try.
    fn try_now(&self) -> bool {
        let left = self.left.load(Relaxed).saturating_sub(1);
        self.left.store(if left == 0 { self.every.load(Relaxed) } else { left }, Relaxed);
        left == 0
    }

    /// Told how a try ended.
    pub fn tried(&self, paid: bool) {
        let every = self.every.load(Relaxed);
        let every = if paid { (every / 2).max(1) } else { (every * 4).min(RARELY) };
        self.every.store(every, Relaxed);
        self.left.store(every, Relaxed);
    }
}

/// Polls of a wait that begins, before its first yield.
pub fn polls(luck: Option<&Luck>) -> u32 {
    match (shm::oversubscribed(), luck, knob::SHARED_SPIN.number()) {
        (false, _, _) => OWN_CORE,
        (true, Some(luck), polls @ 1..) if luck.try_now() => polls.min(MOST) as u32,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of so many waits are tries, when every `n`th try fails.
    fn tries(waits: u32, fails: impl Fn(u32) -> bool) -> u32 {
        let luck = Luck::new();
        (0..waits).fold(0, |tries, _| {
            if !luck.try_now() {
                return tries;
            }
            luck.tried(!fails(tries));
            tries + 1
        })
    }

    #[test]
    fn who_always_succeeds_always_tries() {
        assert_eq!(tries(5000, |_| false), 5000);
    }

    #[test]
    fn who_never_succeeds_hardly_tries() {
        assert!(tries(100_000, |_| true) <= 100_000 / RARELY + 10);
    }

    #[test]
    fn a_failure_now_and_then_costs_little() {
        assert!(tries(30_000, |number| number % 1000 == 999) > 29_800);
    }

    #[test]
    fn half_of_the_tries_is_too_little() {
        assert!(tries(30_000, |number| number % 2 == 0) < 100);
    }
}
