// SPDX-License-Identifier: MIT OR Apache-2.0
//! With more ranks than cores, waiting ranks keep to a core of their share, so that each core serves equally many.
//!
//! To the kernel ranks that yield to each other look alike however they are spread, and it may leave three on one core and
//! one alone on the next for seconds; each message then waits for the turns of others. So a rank that has waited for a
//! while and finds itself on another core than its own moves back. It is never bound: in between the kernel may move it,
//! and does when ranks compute. Ranks that are bound differently, and threads that the program has bound, are left alone.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::knob;
use crate::os::cpuset::{self, CpuSet};
use crate::os::lock::threaded;
use crate::transport::shm;

/// Yields between two looks: some milliseconds.
const LOOK: u32 = 1024;

static YIELDS: AtomicU32 = AtomicU32::new(0);
static MOVES: AtomicU64 = AtomicU64::new(0);
static SEAT: OnceLock<Option<Seat>> = OnceLock::new();

/// How often this process moved back to its core.
pub fn moves() -> u64 {
    MOVES.load(Ordering::Relaxed)
}

/// Told of every yield of a waiting thread.
#[inline]
pub fn yielded() {
    // Two threads may count one yield together: it is no exact clock.
    let count = YIELDS.load(Ordering::Relaxed).wrapping_add(1);
    YIELDS.store(count, Ordering::Relaxed);
    if count % LOOK == 0 && !threaded() && shm::oversubscribed() && shm::bound_alike() {
        look();
    }
}

#[cold]
fn look() {
    let seat = SEAT.get_or_init(|| {
        let all = CpuSet::mine().ok().filter(|_| knob::SEATS.flag())?;
        Some(Seat::of(shm::me(), shm::size(), all))
    });
    if seat.as_ref().is_some_and(Seat::take) {
        MOVES.fetch_add(1, Ordering::Relaxed);
    }
}

/// The core of one rank among those that all may use.
struct Seat {
    cpu: usize,
    all: CpuSet,
}

impl Seat {
    /// Neighbours share a core: they talk most.
    fn of(rank: u32, ranks: u32, all: CpuSet) -> Seat {
        let cpus = all.cpus();
        Seat { cpu: cpus[rank as usize * cpus.len() / ranks as usize], all }
    }

    /// Moves the calling thread here, unless it is here or has been bound by somebody else. Whether it moved.
    fn take(&self) -> bool {
        cpuset::current() != Some(self.cpu)
            && CpuSet::mine().is_ok_and(|now| now == self.all)
            && CpuSet::of(self.cpu).bind().is_ok()
            && self.all.bind().is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_core_serves_equally_many_and_neighbours_sit_together() {
        let all = CpuSet::of(3).union(&CpuSet::of(70)).union(&CpuSet::of(5));
        let seats: Vec<usize> = (0..7).map(|rank| Seat::of(rank, 7, all.clone()).cpu).collect();
        assert_eq!(seats, [3, 3, 3, 5, 5, 70, 70]);
    }

    #[test]
    fn a_thread_moves_and_stays_free() {
        let all = CpuSet::mine().unwrap();
        for cpu in all.cpus() {
            Seat { cpu, all: all.clone() }.take();
            assert_eq!(CpuSet::mine().unwrap(), all);
        }
    }

    #[test]
    fn a_bound_thread_is_left_alone() {
        let all = CpuSet::mine().unwrap();
        let cpus = all.cpus();
        CpuSet::of(cpus[0]).bind().unwrap();
        assert!(!Seat { cpu: cpus[cpus.len() - 1], all: all.clone() }.take());
        assert_eq!(CpuSet::mine().unwrap().cpus(), [cpus[0]]);
        all.bind().unwrap();
    }
}
