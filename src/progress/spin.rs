// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long a waiting rank polls before it yields.
//!
//! With a core a rank: long. With more ranks than cores a yield and the change back cost microseconds, and are wasted when the one that is
//! waited for runs on another core at this moment: two ranks that answer each other so go on until the kernel gives their cores
//! to the next two. Who is waited for is guessed: the one that was heard last. It shows when it gives its core away, but not
//! when the kernel takes it, nor when it computes: so spins that end with what was waited for make spins more frequent, those that do
//! not make them four times rarer, and they go on where more than two of three pay.
//!
//! Two that wait for each other while they yield would never be seen running. So now and then a rank spins for one that does not
//! run: that one finds it running when its turn comes, and from then on they spin both.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::transport::shm;
use crate::{knob, p2p};

/// Polls when every rank has a core.
const OWN_CORE: u32 = 4000;
/// Most waits between two tries.
const RARELY: u32 = 1024;
/// Waits between two spins for a rank that does not run.
const INVITE: u32 = 256;
/// Polls between two looks whether the other rank still runs.
const LOOK: u32 = 16;

/// What a rank has learned; lost updates between threads do no harm.
pub struct Luck {
    /// Waits to the next try.
    left: AtomicU32,
    /// Waits from one try to the next; 1: each wait is one.
    every: AtomicU32,
    /// Waits to the next spin for one that does not run.
    invite: AtomicU32,
}

/// Of the waits for an answer.
pub static LUCK: Luck = Luck::new();

/// How to wait before the first yield.
#[derive(Clone, Copy)]
pub struct Spin {
    /// Polls.
    polls: u32,
    /// For a rank that is seen to run.
    of: Option<u32>,
}

impl Luck {
    const fn new() -> Luck {
        Luck { left: AtomicU32::new(1), every: AtomicU32::new(1), invite: AtomicU32::new(INVITE) }
    }

    /// Told of a wait: whether it is to try.
    fn try_now(&self) -> bool {
        count_down(&self.left, || self.every.load(Relaxed))
    }

    /// Told of a wait for a rank that does not run: whether to spin all the same.
    fn invite_now(&self) -> bool {
        count_down(&self.invite, || INVITE)
    }

    /// Told how a try ended.
    fn tried(&self, paid: bool) {
        let every = self.every.load(Relaxed);
        let every = if paid { (every / 2).max(1) } else { (every * 4).min(RARELY) };
        self.every.store(every, Relaxed);
        self.left.store(every, Relaxed);
    }
}

/// Whether it has come down to 0; it then starts anew.
fn count_down(left: &AtomicU32, again: impl Fn() -> u32) -> bool {
    let now = left.load(Relaxed).saturating_sub(1);
    left.store(if now == 0 { again() } else { now }, Relaxed);
    now == 0
}

impl Spin {
    /// Of a wait that begins.
    pub fn new(luck: Option<&Luck>) -> Spin {
        const NO: Spin = Spin { polls: 0, of: None };
        let polls = knob::SHARED_SPIN.number() as u32;
        match luck {
            _ if !shm::oversubscribed() => Spin { polls: OWN_CORE, of: None },
            Some(luck) if polls > 0 => match p2p::heard_last() {
                Some(other) if other == shm::me() => NO,
                Some(other) if shm::runs_elsewhere(other) && luck.try_now() => Spin { polls, of: Some(other) },
                Some(other) if shm::runs_elsewhere(other) || shm::shares_core(other) => NO,
                Some(_) if luck.invite_now() => Spin { polls, of: None },
                _ => NO,
            },
            _ => NO,
        }
    }

    /// Whether to poll once more after so many rounds, rather than to yield.
    #[inline]
    pub fn goes_on(&mut self, rounds: u32, runs: impl Fn(u32) -> bool) -> bool {
        if rounds.is_multiple_of(LOOK) && self.of.is_some_and(|other| !runs(other)) {
            self.polls = rounds.min(self.polls);
        }
        rounds <= self.polls
    }

    /// Polls before the first yield.
    pub fn polls(&self) -> u32 {
        self.polls
    }

    /// Told how the wait ended.
    pub fn ended(&self, luck: &Luck, yielded: bool) {
        if self.of.is_some() {
            luck.tried(!yielded);
        }
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

    /// Polls of a wait in vain for a rank that stops running after so many.
    fn polled(mut spin: Spin, runs_for: u32) -> usize {
        (1..).take_while(|&round| spin.goes_on(round, |_| round < runs_for)).count()
    }

    #[test]
    fn a_spin_ends_soon_after_the_other_has_given_its_core_away() {
        assert_eq!(polled(Spin { polls: 300, of: Some(2) }, 1000), 300);
        assert_eq!(polled(Spin { polls: 300, of: Some(2) }, 20), 2 * LOOK as usize);
        assert_eq!(polled(Spin { polls: 300, of: None }, 20), 300);
        assert_eq!(polled(Spin { polls: 0, of: None }, 20), 0);
    }

    #[test]
    fn only_tries_are_learned_from() {
        let luck = Luck::new();
        Spin { polls: 300, of: None }.ended(&luck, true);
        assert!(luck.try_now() && luck.try_now());
        Spin { polls: 300, of: Some(2) }.ended(&luck, true);
        assert!(!luck.try_now());
    }

    #[test]
    fn who_is_not_seen_is_invited_now_and_then() {
        let luck = Luck::new();
        assert_eq!((0..10 * INVITE).filter(|_| luck.invite_now()).count(), 10);
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
