// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which ranks exchange large messages with each other most: they had better share a core, whose cache then holds what they copy.
//! (Small messages go faster between two that run at a time.)
//!
//! Each rank tells with whom it exchanged most of its large messages lately. Where two name each other they take [seats](super::seat)
//! side by side: on one core, if an even number of ranks shares it. All ranks find the same order by what they have told, without any
//! further word.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::transport::shm;

/// Looks without a large message until a mate is given up.
const QUIET: u32 = 10;

/// Large messages since the last look.
struct Exchanged {
    /// The process that may have most of them, counted from 1, and by how many bytes it leads all others together: as in the majority
    /// vote of Boyer and Moore (1981).
    mate: AtomicU32,
    lead: AtomicU64,
    all: AtomicU64,
    quiet: AtomicU32,
}

static LATELY: Exchanged = Exchanged::new();
/// The place of this process, and for which state of the mates.
static PLACE: AtomicU64 = AtomicU64::new(u64::MAX);

/// Told of a large message from or to another process.
#[inline]
pub fn count(process: u32, bytes: usize) {
    LATELY.count(process + 1, bytes as u64);
}

/// Whether this process's place may be another than it knows.
pub fn changed() -> bool {
    PLACE.load(Relaxed) >> 32 != u64::from(shm::mates_state())
}

/// Tells the others with whom this process exchanged most since the last time.
pub fn vote() {
    if let Some(mate) = LATELY.look() {
        shm::choose_mate(mate);
    }
}

/// The place of this process in the order of seats.
pub fn place() -> u32 {
    let state = shm::mates_state();
    let known = PLACE.load(Relaxed);
    if known >> 32 == u64::from(state) {
        return known as u32;
    }
    let mates: Vec<u32> = (0..shm::size()).map(shm::mate).collect();
    let place = place_of(shm::me(), &mates);
    PLACE.store(u64::from(state) << 32 | u64::from(place), Relaxed);
    place
}

impl Exchanged {
    const fn new() -> Exchanged {
        Exchanged { mate: AtomicU32::new(0), lead: AtomicU64::new(0), all: AtomicU64::new(0), quiet: AtomicU32::new(0) }
    }

    /// (Two threads may count at a time and lose a message: it is an estimate.)
    fn count(&self, process: u32, bytes: u64) {
        self.all.store(self.all.load(Relaxed) + bytes, Relaxed);
        let lead = self.lead.load(Relaxed);
        if self.mate.load(Relaxed) == process {
            self.lead.store(lead + bytes, Relaxed);
        } else if lead >= bytes {
            self.lead.store(lead - bytes, Relaxed);
        } else {
            self.mate.store(process, Relaxed);
            self.lead.store(bytes - lead, Relaxed);
        }
    }

    /// Whom to name as mate from now on, counted from 1 (0: nobody); `None`: as before.
    fn look(&self) -> Option<u32> {
        let (mate, lead, all) = (self.mate.swap(0, Relaxed), self.lead.swap(0, Relaxed), self.all.swap(0, Relaxed));
        let quiet = if all == 0 { self.quiet.load(Relaxed) + 1 } else { 0 };
        self.quiet.store(quiet.min(QUIET), Relaxed);
        match all {
            0 => (quiet >= QUIET).then_some(0),
            _ => Some(if lead >= all / 2 { mate } else { 0 }),
        }
    }
}

/// The place of process `me`, when each process has named its mate, counted from 1 (0: nobody).
fn place_of(me: u32, mates: &[u32]) -> u32 {
    let mate = |process: u32| {
        let other = mates[process as usize].checked_sub(1).filter(|&other| (other as usize) < mates.len() && other != process);
        other.filter(|&other| mates[other as usize] == process + 1)
    };
    // Pairs come first, so that no single process parts one, each where its first process would sit.
    let key = |process: u32| mate(process).map_or((1, process, process), |other| (0, other.min(process), process));
    (0..mates.len() as u32).filter(|&process| key(process) < key(me)).count() as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn places(mates: &[u32]) -> Vec<u32> {
        (0..mates.len() as u32).map(|process| place_of(process, mates)).collect()
    }

    #[test]
    fn who_names_nobody_sits_by_number() {
        assert_eq!(places(&[0; 5]), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn pairs_sit_side_by_side() {
        assert_eq!(places(&[3, 4, 1, 2]), [0, 2, 1, 3]);
        assert_eq!(places(&[0, 4, 0, 2]), [2, 0, 3, 1]);
        assert_eq!(places(&[0, 3, 2, 0]), [2, 0, 1, 3]);
    }

    #[test]
    fn a_mate_that_names_another_is_none() {
        assert_eq!(places(&[3, 0, 2, 1]), [0, 1, 2, 3]);
    }

    #[test]
    fn half_of_all_before_any_two_others_make_a_mate() {
        let all = Exchanged::new();
        let look = |mates: &[u32]| {
            mates.iter().for_each(|&mate| all.count(mate, 100));
            all.look()
        };
        assert_eq!(look(&[7, 7, 7, 2]), Some(7));
        assert_eq!(look(&[2, 7, 7, 7]), Some(7));
        assert_eq!(look(&[2, 7, 7, 2]), Some(0));
        assert_eq!(look(&[7, 7, 7, 2, 2]), Some(0));
        assert_eq!(look(&[2, 3, 7, 7]), Some(7));
        assert_eq!(look(&[2, 3, 4, 7]), Some(0));
    }

    #[test]
    fn a_mate_stays_for_a_while_without_messages() {
        let all = Exchanged::new();
        all.count(7, 100);
        assert_eq!(all.look(), Some(7));
        assert!((1..QUIET).all(|_| all.look().is_none()));
        assert_eq!(all.look(), Some(0));
    }

    proptest! {
        #[test]
        fn every_place_is_taken_once_and_pairs_begin_at_even_ones(mates in proptest::collection::vec(0u32..20, 1..20)) {
            let mut places = places(&mates);
            for (process, &mate) in mates.iter().enumerate() {
                let mutual = mate as usize > process + 1 && mates.get(mate as usize - 1) == Some(&(process as u32 + 1));
                prop_assert!(!mutual || places[process].is_multiple_of(2) && places[mate as usize - 1] == places[process] + 1);
            }
            places.sort_unstable();
            prop_assert!(places.into_iter().eq(0..mates.len() as u32));
        }
    }
}
