// SPDX-License-Identifier: MIT OR Apache-2.0
//! A copy that two processes make together: one takes units from its front, the other from its back, until they meet.
//!
//! All is one word: which copy it is, how many units each has taken, and how many of those at the back are written. So a unit is taken
//! once, whoever finds none left knows what the other still works at, and who comes too late takes nothing.

use std::sync::atomic::{AtomicU64, Ordering};

/// Most units of a copy.
pub const MOST: usize = (1 << BITS) - 1;

const BITS: u32 = 15;

/// A word that two processes change.
pub trait Word {
    fn load(&self) -> u64;
    /// Replaces `old`; else what is there instead.
    fn exchange(&self, old: u64, new: u64) -> Result<u64, u64>;
    fn store(&self, new: u64);
}

impl Word for AtomicU64 {
    fn load(&self) -> u64 {
        AtomicU64::load(self, Ordering::Acquire)
    }
    fn exchange(&self, old: u64, new: u64) -> Result<u64, u64> {
        self.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire)
    }
    fn store(&self, new: u64) {
        AtomicU64::store(self, new, Ordering::Release);
    }
}

/// A copy, as both sides know it.
#[derive(Clone, Copy)]
pub struct Whole {
    /// Tells it from those before it; counts modulo 2^19.
    pub number: u64,
    pub units: u32,
    /// Most units taken at a time.
    pub turn: u32,
}

/// What the word says.
#[derive(Clone, Copy, Default)]
struct Taken {
    number: u64,
    front: u32,
    back: u32,
    /// Units at the back that are written.
    written: u32,
}

impl Taken {
    fn of(word: u64) -> Taken {
        let part = |number: u32| (word >> (number * BITS)) as u32 & MOST as u32;
        Taken { number: word >> (3 * BITS), front: part(0), back: part(1), written: part(2) }
    }

    fn word(self) -> u64 {
        let parts = u64::from(self.front) | u64::from(self.back) << BITS | u64::from(self.written) << (2 * BITS);
        self.number << (3 * BITS) | parts
    }

    fn left(&self, whole: Whole) -> u32 {
        whole.units - self.front - self.back
    }
}

/// What is left for the front side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Front {
    /// It took the units from the first to before the second.
    Took(u32, u32),
    /// The back side works at the last ones, and may give them back.
    Wait,
    /// Nothing: the back side has written so many.
    Met(u32),
}

/// Made of zeros: nothing is taken.
#[repr(C, align(64))]
pub struct Share<W = AtomicU64>(W);

impl<W: Word> Share<W> {
    /// For another copy, of this number.
    pub fn begin(&self, number: u64) {
        self.0.store(Taken { number, ..Taken::default() }.word());
    }

    fn change<T>(&self, change: impl Fn(&mut Taken) -> Option<T>) -> Option<T> {
        let mut word = self.0.load();
        loop {
            let mut taken = Taken::of(word);
            let outcome = change(&mut taken)?;
            if taken.word() == word {
                return Some(outcome);
            }
            match self.0.exchange(word, taken.word()) {
                Ok(_) => return Some(outcome),
                Err(other) => word = other,
            }
        }
    }

    fn adjust(&self, change: impl Fn(&mut Taken)) {
        self.change(|taken| {
            change(taken);
            Some(())
        });
    }

    /// Takes units at the front. As long as the other side does not help, in larger stretches.
    pub fn front(&self, whole: Whole) -> Front {
        let outcome = self.change(|taken| {
            let left = taken.left(whole);
            let want = if taken.back == 0 { left / 2 } else { left / 4 };
            let (from, count) = (taken.front, want.clamp(1, whole.turn).min(left));
            taken.front += count;
            Some(match (count, taken.back == taken.written) {
                (1.., _) => Front::Took(from, from + count),
                (0, true) => Front::Met(taken.back),
                (0, false) => Front::Wait,
            })
        });
        outcome.expect("always changes")
    }

    /// Takes units at the back, from the first to before the second; none if the word speaks of another copy.
    pub fn back(&self, whole: Whole) -> Option<(u32, u32)> {
        let number = Taken { number: whole.number, ..Taken::default() }.word() >> (3 * BITS);
        self.change(|taken| {
            let left = if taken.number == number { taken.left(whole) } else { 0 };
            let count = (left / 4).clamp(1, whole.turn).min(left);
            taken.back += count;
            (count > 0).then(|| (whole.units - taken.back, whole.units - taken.back + count))
        })
    }

    /// So many of the units taken at the back are written.
    pub fn wrote(&self, count: u32) {
        self.adjust(|taken| taken.written += count);
    }

    /// The units taken last at the back could not be written: they are the front's. The back must not take any more: after
    /// [`Share::close`] nobody would copy these.
    pub fn give_back(&self, count: u32) {
        self.adjust(|taken| taken.back -= count);
    }

    /// The front side gives up: nobody takes any more.
    pub fn close(&self, whole: Whole) {
        self.adjust(|taken| taken.front += taken.left(whole));
    }

    /// Units that the back side has written, once it works at none: what counts after [`Share::close`].
    pub fn settled(&self) -> Option<u32> {
        let taken = Taken::of(self.0.load());
        (taken.back == taken.written).then_some(taken.back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    impl Word for loom::sync::atomic::AtomicU64 {
        fn load(&self) -> u64 {
            self.load(Ordering::Acquire)
        }
        fn exchange(&self, old: u64, new: u64) -> Result<u64, u64> {
            self.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire)
        }
        fn store(&self, new: u64) {
            self.store(new, Ordering::Release);
        }
    }

    const fn whole(units: u32) -> Whole {
        Whole { number: 1 << 20 | 5, units, turn: 16 }
    }

    fn share() -> Share {
        let share = Share(AtomicU64::new(0));
        share.begin(whole(0).number);
        share
    }

    type Bytes = [loom::cell::UnsafeCell<u8>];

    fn write(bytes: &Bytes, (from, to): (u32, u32)) {
        for unit in from..to {
            // SAFETY: loom checks that nobody else touches it meanwhile.
            bytes[unit as usize].with_mut(|byte| unsafe { *byte += 1 });
        }
    }

    /// Every unit is written once and seen by the front side; the back may fail at its first turn.
    fn both_copy(all: u32, fails: bool) {
        loom::model(move || {
            let share = Arc::new(Share(loom::sync::atomic::AtomicU64::new(0)));
            share.begin(whole(all).number);
            let bytes: Arc<Vec<_>> = Arc::new((0..all).map(|_| loom::cell::UnsafeCell::new(0)).collect());
            let theirs = (share.clone(), bytes.clone());
            let back = thread::spawn(move || {
                let (share, bytes) = theirs;
                while let Some((from, to)) = share.back(whole(all)) {
                    if fails {
                        return share.give_back(to - from);
                    }
                    write(&bytes, (from, to));
                    share.wrote(to - from);
                }
            });
            loop {
                match share.front(whole(all)) {
                    Front::Took(from, to) => write(&bytes, (from, to)),
                    Front::Wait => thread::yield_now(),
                    Front::Met(_) => break,
                }
            }
            // SAFETY: as in `write`.
            assert!(bytes.iter().all(|byte| byte.with(|byte| unsafe { *byte }) == 1));
            back.join().unwrap();
        });
    }

    #[test]
    fn each_unit_is_copied_once() {
        both_copy(1, false);
        both_copy(3, false);
    }

    #[test]
    fn what_the_back_cannot_write_is_left_to_the_front() {
        both_copy(2, true);
    }

    #[test]
    fn after_the_front_has_closed_the_back_takes_nothing() {
        let share = share();
        let (from, to) = share.back(whole(100)).unwrap();
        assert!(to == 100 && from < to && share.settled().is_none());
        share.close(whole(100));
        assert_eq!((share.front(whole(100)), share.back(whole(100))), (Front::Wait, None));
        share.wrote(to - from);
        assert_eq!((share.settled(), share.front(whole(100))), (Some(to - from), Front::Met(to - from)));
        share.begin(6);
        assert_eq!((share.settled(), share.back(whole(100))), (Some(0), None), "another copy");
    }

    #[test]
    fn the_most_units_fit_the_word() {
        let (share, all) = (share(), MOST as u32);
        let mut back = 0;
        while let Some((from, to)) = share.back(whole(all)) {
            back += to - from;
            share.wrote(to - from);
        }
        assert_eq!((back, share.settled()), (all, Some(all)));
    }
}
