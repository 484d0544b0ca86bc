// SPDX-License-Identifier: MIT OR Apache-2.0
//! A copy that two processes make together: one takes units from its front, the other from its back, until they meet.
//!
//! All is one word: how many units each has taken, and how many of those at the back are written. So a unit is taken once, and
//! whoever finds none left knows what the other still works at.

use std::sync::atomic::{AtomicU64, Ordering};

/// Most units of a copy.
pub const MOST: usize = (1 << BITS) - 1;
/// Most units taken at a time.
const TURN: u32 = 16;

const BITS: u32 = 21;

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

/// What the word says.
#[derive(Clone, Copy, Default)]
struct Taken {
    front: u32,
    back: u32,
    /// Units at the back that are written.
    written: u32,
}

impl Taken {
    fn of(word: u64) -> Taken {
        let part = |number: u32| (word >> (number * BITS)) as u32 & MOST as u32;
        Taken { front: part(0), back: part(1), written: part(2) }
    }

    fn word(self) -> u64 {
        u64::from(self.front) | u64::from(self.back) << BITS | u64::from(self.written) << (2 * BITS)
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
    /// For another copy.
    pub fn reset(&self) {
        self.0.store(0);
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

    /// Takes units at the front of `all`. As long as the other side does not help, in larger stretches.
    pub fn front(&self, all: u32) -> Front {
        let outcome = self.change(|taken| {
            let left = all - taken.front - taken.back;
            let want = if taken.back == 0 { left / 2 } else { left / 4 };
            let (from, count) = (taken.front, want.clamp(1, TURN).min(left));
            taken.front += count;
            Some(match (count, taken.back == taken.written) {
                (1.., _) => Front::Took(from, from + count),
                (0, true) => Front::Met(taken.back),
                (0, false) => Front::Wait,
            })
        });
        outcome.expect("always changes")
    }

    /// Takes units at the back of `all`.
    pub fn back(&self, all: u32) -> Option<(u32, u32)> {
        self.change(|taken| {
            let left = all - taken.front - taken.back;
            let (to, count) = (all - taken.back, (left / 4).clamp(1, TURN).min(left));
            taken.back += count;
            (count > 0).then_some((to - count, to))
        })
    }

    /// So many of the units taken at the back are written.
    pub fn wrote(&self, count: u32) {
        self.adjust(|taken| taken.written += count);
    }

    /// The units taken last at the back could not be written: they are the front's.
    pub fn give_back(&self, count: u32) {
        self.adjust(|taken| taken.back -= count);
    }

    /// The front side gives up: nobody takes any more.
    pub fn close(&self, all: u32) {
        self.adjust(|taken| taken.front = all - taken.back);
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
            let bytes: Arc<Vec<_>> = Arc::new((0..all).map(|_| loom::cell::UnsafeCell::new(0)).collect());
            let theirs = (share.clone(), bytes.clone());
            let back = thread::spawn(move || {
                let (share, bytes) = theirs;
                while let Some((from, to)) = share.back(all) {
                    if fails {
                        return share.give_back(to - from);
                    }
                    write(&bytes, (from, to));
                    share.wrote(to - from);
                }
            });
            loop {
                match share.front(all) {
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
        let share = Share(AtomicU64::new(0));
        let (from, to) = share.back(100).unwrap();
        assert!(to == 100 && from < to && share.settled().is_none());
        share.close(100);
        assert_eq!((share.front(100), share.back(100)), (Front::Wait, None));
        share.wrote(to - from);
        assert_eq!((share.settled(), share.front(100)), (Some(to - from), Front::Met(to - from)));
        share.reset();
        assert_eq!(share.settled(), Some(0));
    }

    #[test]
    fn the_most_units_fit_the_word() {
        let (share, all) = (Share(AtomicU64::new(0)), MOST as u32);
        let mut back = 0;
        while let Some((from, to)) = share.back(all) {
            back += to - from;
            share.wrote(to - from);
        }
        assert_eq!((back, share.settled()), (all, Some(all)));
    }
}
