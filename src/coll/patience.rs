// SPDX-License-Identifier: MIT OR Apache-2.0
//! When a collective has waited long enough for messages to ask whether all ranks make the same call.

use crate::os::clock;
use crate::progress;

/// The clock is read at one look in so many, and at each after a sleep.
const LOOKS: u32 = 256;
/// Milliseconds.
const LONG: u64 = 1000;

/// The wait since the last message came.
#[derive(Default)]
pub struct Patience {
    looks: u32,
    sleeps: u64,
    since: Option<u64>,
    asked: bool,
}

impl Patience {
    /// Told of one more look that found nothing; true once, when there were many and for long.
    #[inline]
    pub fn is_over(&mut self) -> bool {
        self.looks = self.looks.wrapping_add(1);
        let sleeps = progress::sleeps();
        let read = self.looks.is_multiple_of(LOOKS) || self.sleeps != sleeps;
        self.sleeps = sleeps;
        read && !self.asked && self.is_over_at(clock::coarse())
    }

    #[cold]
    fn is_over_at(&mut self, now: u64) -> bool {
        self.asked = now - *self.since.get_or_insert(now) >= LONG;
        self.asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_once_after_a_second() {
        let mut patience = Patience::default();
        assert!(!patience.is_over_at(5000) && !patience.is_over_at(5999));
        assert!(patience.is_over_at(6000));
        assert!((0..2 * LOOKS).all(|_| !patience.is_over()));
    }
}
