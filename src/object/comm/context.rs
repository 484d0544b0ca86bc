// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which context ids are free in this process. An id stands for eight contexts: two-sided messages, collectives,
//! greetings and parts of partitioned communication; the others are not used.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;

use crate::object::constant::{COMM_NULL, Handle};
use crate::p2p;

/// Words of the bitmap: 16384 ids.
pub const WORDS: usize = 256;
/// Contexts of one id.
pub const STEP: u32 = 8;
/// From the context of two-sided messages to that of the greetings of partitioned channels.
pub const GREETINGS: u32 = 4;
/// From the context of two-sided messages to that of their parts.
pub const PARTS: u32 = 5;
/// Ids of `MPI_COMM_WORLD`, `MPI_COMM_SELF` and the library itself.
const RESERVED: u64 = 0b111;

/// So many ids rest after their release before they are used again: a message of the old communicator that is still
/// under way then meets no receive of a new one.
const REST: usize = 32;

/// A bitmap; 1 means free.
pub struct Ids {
    free: [u64; WORDS],
    resting: VecDeque<u32>,
}

/// The communicator of each id, or `MPI_COMM_NULL`: for errors of operations that know only their context.
static OWNERS: [AtomicU32; WORDS * 64] = [const { AtomicU32::new(COMM_NULL) }; WORDS * 64];

/// Notes whose context it is.
pub fn set_owner(context: u32, comm: Handle) {
    OWNERS[(context / STEP) as usize].store(comm, Ordering::Release);
}

/// The communicator that a context belongs to, while it is not freed.
pub fn owner(context: u32) -> Option<Handle> {
    let comm = OWNERS.get((context / STEP) as usize)?.load(Ordering::Acquire);
    (comm != COMM_NULL).then_some(comm)
}

/// The ids of this process.
pub static IDS: Mutex<Ids> = Mutex::new(Ids::new());

impl Default for Ids {
    fn default() -> Ids {
        Ids::new()
    }
}

impl Ids {
    /// All free but the reserved ones.
    pub const fn new() -> Ids {
        let mut words = [u64::MAX; WORDS];
        words[0] = !RESERVED;
        Ids { free: words, resting: VecDeque::new() }
    }

    /// A copy of the first words to agree upon.
    pub fn snapshot(&self, words: usize) -> Vec<u64> {
        self.free[..words].to_vec()
    }

    /// Takes an id, if it is free.
    pub fn claim(&mut self, id: u32) -> bool {
        let (word, bit) = place(id);
        let free = self.free[word] & bit != 0;
        self.free[word] &= !bit;
        free
    }

    /// Gives an id back that no communicator had.
    pub fn release(&mut self, id: u32) {
        let (word, bit) = place(id);
        debug_assert_eq!(self.free[word] & bit, 0, "id {id} released twice");
        self.free[word] |= bit;
    }

    /// Gives the id of a communicator back.
    pub fn retire(&mut self, id: u32) {
        self.resting.push_back(id);
        if self.resting.len() > REST
            && let Some(rested) = self.resting.pop_front()
        {
            self.rest_or_release(rested);
        }
    }

    /// A receive that is still posted, or a message that nobody received, keeps an id at rest: it must not meet the
    /// traffic of another communicator.
    fn rest_or_release(&mut self, rested: u32) {
        if (0..STEP).all(|i| p2p::retire(rested * STEP + i)) {
            self.release(rested);
        } else {
            self.resting.push_back(rested);
        }
    }
}

fn place(id: u32) -> (usize, u64) {
    ((id / 64) as usize, 1 << (id % 64))
}

/// Chooses one of the ids that are free everywhere: the lowest at the first attempt, later any, so that groups that
/// got into each other's way part.
pub fn choose(common: &[u64], attempt: u64, salt: u64) -> Option<u32> {
    let free: u64 = common.iter().map(|w| u64::from(w.count_ones())).sum();
    let skip = match attempt {
        _ if free == 0 => return None,
        0 => 0,
        _ => scramble(salt.wrapping_add(attempt << 32)) % free,
    };
    nth(common, skip)
}

fn nth(words: &[u64], mut skip: u64) -> Option<u32> {
    for (index, &word) in words.iter().enumerate() {
        let ones = u64::from(word.count_ones());
        if skip < ones {
            let bit = (0..skip).fold(word, |w, _| w & (w - 1)).trailing_zeros();
            return Some(index as u32 * 64 + bit);
        }
        skip -= ones;
    }
    None
}

/// Steele, Lea, Flood: "Fast splittable pseudorandom number generators" (2014), the finalizer of SplitMix64.
fn scramble(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_given_once() {
        let mut ids = Ids::new();
        assert_eq!(choose(&ids.snapshot(WORDS), 0, 0), Some(3));
        assert!(ids.claim(3) && !ids.claim(3) && !ids.claim(0));
        assert_eq!(choose(&ids.snapshot(WORDS), 0, 0), Some(4));
        ids.release(3);
        assert!(ids.claim(3));
    }

    #[test]
    fn ids_of_communicators_rest() {
        let mut ids = Ids::new();
        let mut last = 0;
        for _ in 0..100 {
            let id = choose(&ids.snapshot(WORDS), 0, 0).unwrap();
            assert!(ids.claim(id) && id != last && id < 4 + REST as u32);
            ids.retire(id);
            last = id;
        }
    }

    #[test]
    fn every_attempt_chooses_a_free_id() {
        let words = [0, 1 << 63, 0b1010_0000];
        assert_eq!([0, 1, 2].map(|n| nth(&words, n)), [Some(127), Some(133), Some(135)]);
        let chosen: std::collections::BTreeSet<_> = (0..50).map(|a| choose(&words, a, 7).unwrap()).collect();
        assert_eq!(chosen.into_iter().collect::<Vec<_>>(), [127, 133, 135]);
        assert_eq!(choose(&[0; 4], 3, 1), None);
    }
}
