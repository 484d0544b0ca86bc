// SPDX-License-Identifier: MIT OR Apache-2.0
//! With more ranks than cores, waiting ranks keep to a core of their share, so that each core serves equally many.
//!
//! To the kernel ranks that yield to each other look alike however they are spread, and it may leave three on one core and
//! one alone on the next for seconds; each message then waits for the turns of others. So a rank that has waited for a
//! while and finds itself on another core than its own moves back. It is never bound: in between the kernel may move it,
//! and does when ranks compute, or when another program needs a core: the more often a rank finds itself moved, the later it
//! looks again. Neighbours share a core, or else a [`pair`]. Ranks that are bound differently, and threads that the program has
//! bound, are left alone.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use super::pair;
use crate::knob;
use crate::os::cpuset::{self, CpuSet};
use crate::os::lock::threaded;
use crate::transport::shm;

/// Shortest and longest time between two looks, in us.
const LOOK: (u64, u64) = (1_000, 512_000);
/// The clock is read once in so many yields.
const CLOCK: u32 = 64;
/// A large message counts as so many: whoever waits for it may spin.
const MESSAGE: u32 = 8;

/// Yields until the clock is read.
static LEFT: AtomicU32 = AtomicU32::new(CLOCK);
/// When to look next, and the time between two looks now; in us since the first look.
static NEXT: AtomicU64 = AtomicU64::new(0);
static EVERY: AtomicU64 = AtomicU64::new(LOOK.0);
/// No look is sooner, whatever has changed.
static SOONEST: AtomicU64 = AtomicU64::new(0);
static FIRST: OnceLock<Instant> = OnceLock::new();
static MOVES: AtomicU64 = AtomicU64::new(0);
/// The processors that all processes may use, also as a list; `None`: seats are not wanted.
static ALL: OnceLock<Option<(CpuSet, Vec<usize>)>> = OnceLock::new();

/// How often this process moved back to its core.
pub fn moves() -> u64 {
    MOVES.load(Ordering::Relaxed)
}

/// Told of every yield of a waiting thread.
#[inline]
pub fn yielded() {
    count(1);
}

/// Told of a large message from or to another process.
#[inline]
pub fn exchanged(process: u32, bytes: usize) {
    if shm::oversubscribed() {
        pair::count(process, bytes);
        count(MESSAGE);
    }
}

#[inline]
fn count(yields: u32) {
    // Two threads may count one yield together: it is no exact clock.
    let left = LEFT.load(Ordering::Relaxed).saturating_sub(yields);
    LEFT.store(left, Ordering::Relaxed);
    if left == 0 {
        LEFT.store(CLOCK, Ordering::Relaxed);
        look_in_time();
    }
}

/// Looks when it is time, or when the order of seats has changed.
#[cold]
fn look_in_time() {
    let now = FIRST.get_or_init(Instant::now).elapsed().as_micros() as u64;
    let due = now >= NEXT.load(Ordering::Relaxed);
    if !due && (now < SOONEST.load(Ordering::Relaxed) || !pair::changed()) {
        return;
    }
    SOONEST.store(now + LOOK.0, Ordering::Relaxed);
    let free = !threaded() && shm::oversubscribed() && shm::bound_alike();
    if due && free {
        pair::vote();
    }
    let moved = free && sit();
    if due {
        let every = next(EVERY.load(Ordering::Relaxed), moved);
        EVERY.store(every, Ordering::Relaxed);
        NEXT.store(now + every, Ordering::Relaxed);
    }
}

/// Time until the look after the next, when this one found what it found after `every`.
fn next(every: u64, moved: bool) -> u64 {
    if moved { (every * 2).min(LOOK.1) } else { (every / 2).max(LOOK.0) }
}

/// Moves this process to its core, if it has one and is elsewhere. Whether it moved.
fn sit() -> bool {
    let all = ALL.get_or_init(|| {
        let all = CpuSet::mine().ok().filter(|_| knob::SEATS.flag())?;
        let cpus = all.cpus();
        Some((all, cpus))
    });
    let moved = all.as_ref().is_some_and(|(all, cpus)| Seat { cpu: cpu_of(pair::place(), shm::size(), cpus), all }.take());
    MOVES.fetch_add(u64::from(moved), Ordering::Relaxed);
    moved
}

/// The core of a place: neighbours in the order of places share one.
fn cpu_of(place: u32, ranks: u32, cpus: &[usize]) -> usize {
    cpus[place as usize * cpus.len() / ranks as usize]
}

/// A core among those that all may use.
struct Seat<'a> {
    cpu: usize,
    all: &'a CpuSet,
}

impl Seat<'_> {
    /// Binds the calling thread to this core and then to all again, unless somebody else binds it meanwhile.
    fn move_here(&self) -> bool {
        let here = CpuSet::of(self.cpu);
        here.bind().is_ok() && CpuSet::mine().is_ok_and(|now| now.cpus() == [self.cpu]) && self.all.bind().is_ok()
    }

    /// Moves the calling thread here, unless it is here or has been bound by somebody else. Whether it moved.
    fn take(&self) -> bool {
        cpuset::current() != Some(self.cpu) && CpuSet::mine().is_ok_and(|now| now == *self.all) && self.move_here()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_core_serves_equally_many_and_neighbours_sit_together() {
        let seats: Vec<usize> = (0..7).map(|place| cpu_of(place, 7, &[3, 5, 70])).collect();
        assert_eq!(seats, [3, 3, 3, 5, 5, 70, 70]);
    }

    #[test]
    fn who_is_moved_again_and_again_looks_less_often() {
        let after = |every, moved: &[bool]| moved.iter().fold(every, |every, &moved| next(every, moved));
        assert_eq!(after(LOOK.0, &[true, true, false]), 2 * LOOK.0);
        assert_eq!(after(LOOK.0, &[false, false]), LOOK.0);
        assert_eq!(after(LOOK.0, &[true; 40]), LOOK.1);
    }

    #[test]
    fn a_thread_moves_and_stays_free() {
        let all = CpuSet::mine().unwrap();
        for cpu in all.cpus() {
            Seat { cpu, all: &all }.take();
            assert_eq!(CpuSet::mine().unwrap(), all);
        }
    }

    #[test]
    fn a_bound_thread_is_left_alone() {
        let all = CpuSet::mine().unwrap();
        let cpus = all.cpus();
        CpuSet::of(cpus[0]).bind().unwrap();
        assert!(!Seat { cpu: cpus[cpus.len() - 1], all: &all }.take());
        assert_eq!(CpuSet::mine().unwrap().cpus(), [cpus[0]]);
        all.bind().unwrap();
    }
}
