// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the processes of a node tell each other of device memory that has been freed: each has a board in the shared segment. Its owner
//! writes there which of the allocations that it has exported are gone, and rings who has mapped any. Nobody needs to be in a call
//! for that, nothing is lost, and what is read twice does no harm.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use crate::os::futex;

/// Exports of a process that are watched at a time.
pub const MARKS: usize = 512;
/// Most processes on a node.
pub const MOST: usize = 512;

/// Names an export on its owner's board: a place there, and which of the allocations that have been at it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The place.
    pub place: u64,
    /// Counts all exports of the process, from 1.
    pub turn: u64,
}

impl Mark {
    /// Of memory that nobody watches: it is never said to be gone.
    pub const NONE: Mark = Mark { place: 0, turn: u64::MAX };
}

/// A process's board. Zeros are a fresh one.
#[repr(C, align(64))]
pub struct Board {
    /// Counts the rings: the word that the process's own thread sleeps on.
    bell: AtomicU32,
    /// Who has mapped memory of this process: a bit each.
    readers: [AtomicU64; MOST / 64],
    /// Up to which turn allocations at a place are gone.
    gone: [AtomicU64; MARKS],
}

impl Board {
    /// The allocation of a mark is gone, and those that had its place before it count as gone, too.
    pub fn bury(&self, mark: Mark) {
        if let Some(gone) = self.gone.get(mark.place as usize) {
            gone.fetch_max(mark.turn, Ordering::Release);
        }
    }

    /// Whether the allocation of a mark is gone.
    pub fn is_gone(&self, mark: Mark) -> bool {
        self.gone.get(mark.place as usize).is_some_and(|gone| gone.load(Ordering::Acquire) >= mark.turn)
    }

    /// A process maps memory of this one; whether it is a new one.
    pub fn add_reader(&self, process: u32) -> bool {
        let bit = 1 << (process % 64);
        self.readers[process as usize / 64].fetch_or(bit, Ordering::SeqCst) & bit == 0
    }

    /// Who has mapped memory of this process.
    pub fn readers(&self) -> impl Iterator<Item = u32> {
        let word = |number: usize| self.readers[number].load(Ordering::SeqCst);
        let all = (0..MOST / 64).map(move |number| (number as u32 * 64, word(number)));
        all.flat_map(|(first, bits)| (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| first + bit))
    }

    /// Wakes the process's thread, if it has one.
    pub fn ring(&self) {
        self.bell.fetch_add(1, Ordering::SeqCst);
        futex::wake(&self.bell);
    }

    /// How often it was rung.
    pub fn rings(&self) -> u32 {
        self.bell.load(Ordering::SeqCst)
    }

    /// Sleeps for so long, or until it has been rung more often than `rings` says.
    pub fn sleep(&self, rings: u32, limit: Duration) {
        futex::wait(&self.bell, rings, limit);
    }
}

/// The boards of a node.
#[derive(Clone, Copy)]
pub struct Boards {
    /// Which one is this process's.
    pub me: u32,
    /// Finds them.
    pub of: fn(u32) -> &'static Board,
}

static BOARDS: OnceLock<Boards> = OnceLock::new();

/// The process has joined its job.
pub fn join(boards: Boards) {
    let _ = BOARDS.set(boards);
}

/// The boards, once the process has joined.
pub fn boards() -> Option<&'static Boards> {
    BOARDS.get()
}

impl Boards {
    /// This process's.
    pub fn mine(&self) -> &'static Board {
        (self.of)(self.me)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh() -> Box<Board> {
        // SAFETY: made of atomics, of which zero is a valid value.
        unsafe { Box::new(std::mem::zeroed()) }
    }

    #[test]
    fn an_allocation_is_gone_with_those_before_it_and_not_after() {
        let board = fresh();
        let mark = |place, turn| Mark { place, turn };
        board.bury(mark(3, 7));
        board.bury(mark(3, 5));
        assert!(board.is_gone(mark(3, 7)) && board.is_gone(mark(3, 5)) && !board.is_gone(mark(3, 8)));
        assert!(!board.is_gone(mark(4, 7)) && !board.is_gone(Mark::NONE));
        // Another process wrote the mark: a place that there is not is no fault of this one.
        board.bury(mark(1 << 40, 1));
        assert!(!board.is_gone(mark(1 << 40, 1)));
    }

    #[test]
    fn readers_are_counted_once() {
        let board = fresh();
        assert!(board.add_reader(0) && board.add_reader(511) && board.add_reader(64) && !board.add_reader(64));
        assert_eq!(board.readers().collect::<Vec<_>>(), [0, 64, 511]);
    }

    #[test]
    fn who_was_rung_does_not_sleep() {
        let board = fresh();
        let before = board.rings();
        board.ring();
        board.sleep(before, Duration::from_secs(3600));
        assert_eq!(board.rings(), before + 1);
    }
}
