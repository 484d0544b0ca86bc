// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checker: runs all ranks of every registered schedule in one thread, with random interleavings, on symbolic contents
//! (each unit knows whose contributions it holds, in which order), and proves the result, the absence of deadlock, and that
//! no step touches a place while another one uses it. [`world`] is the machine, [`memory`] what its ranks hold, in the words
//! of [`symbol`]; [`model`] says what each collective must do.
//!
//! It walks the registry, so an algorithm is proven from the day it has a row. Up to 9 ranks every call is tried with every
//! way of completing sends; from 10 to 64 ranks every root and length with one way, one split into groups and one set of flags
//! (commutative, in place, folds), which change from call to call.

mod memory;
mod model;
mod symbol;
mod world;

use std::sync::atomic::{AtomicUsize, Ordering};

use super::registry::{self, Algorithm, Collective, Needs};
use super::schedule::Call;
use world::{Sends, World};

const CHUNK: usize = 4;

/// From so many ranks on, fewer lengths are tried, and one way of completing sends.
const MANY: usize = 10;

/// Lengths that break careless code: none, one, a prime, around a chunk, several chunks; and, for few ranks, several
/// chunks in the part of every rank.
fn lengths(n: usize) -> Vec<usize> {
    let mut all = vec![0, 1, CHUNK - 1, CHUNK + 1, 13];
    if n < MANY {
        all.extend([CHUNK, 3 * CHUNK + 2, n * (2 * CHUNK + 1) + n / 2]);
    }
    all
}

/// The first, one in the middle, the last; of neighborhood collectives, the shapes of graphs.
fn roots(collective: Collective, n: usize) -> Vec<usize> {
    let mut roots = match collective {
        _ if model::rooted(collective) => vec![0, n / 2, n - 1],
        _ if model::around(collective) => return (0..model::SHAPES).collect(),
        _ => vec![0],
    };
    roots.dedup();
    roots
}

/// Ranks of the first group of an intercommunicator; 0 for one group.
fn firsts(algorithm: &Algorithm, n: usize) -> Vec<usize> {
    if algorithm.needs != Needs::Inter {
        return vec![0];
    }
    let all = if n < MANY { vec![1, n / 2, n - 1] } else { vec![1 + n * 5 % (n - 1)] };
    let mut firsts: Vec<usize> = all.into_iter().filter(|first| (1..n).contains(first)).collect();
    firsts.dedup();
    firsts
}

/// The calls of `n` ranks that an algorithm must serve.
fn calls(algorithm: &Algorithm, n: usize) -> Vec<Call> {
    let mut calls = Vec::new();
    for first in firsts(algorithm, n) {
        for root in roots(algorithm.collective, n) {
            for len in lengths(n) {
                let call = Call { size: n, root, len, chunk: CHUNK, first, ..Call::default() };
                let flagged = flags(algorithm, call);
                let one = (calls.len() + n) % flagged.len().max(1);
                let many = if n < MANY { 0..flagged.len() } else { one..flagged.len().min(one + 1) };
                calls.extend_from_slice(&flagged[many]);
            }
        }
    }
    calls
}

/// A call with all flags that mean something to an algorithm.
fn flags(algorithm: &Algorithm, call: Call) -> Vec<Call> {
    let flag = |i: u32, bit: u32| i & bit != 0;
    let calls = (0..8).map(|i| Call { commutative: flag(i, 1), in_place: flag(i, 2), folds: flag(i, 4), ..call.clone() });
    calls.filter(|call| algorithm.serves(call) && model::differs(algorithm.collective, call)).collect()
}

/// Random numbers (splitmix64), from a seed so that a failure can be run again.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

fn prove(algorithm: &'static Algorithm, call: &Call, sends: Sends, window: usize, seed: u64) {
    let what = format!("{} {} {call:?} {sends:?} window {window} seed {seed}", algorithm.collective.name(), algorithm.name);
    if let Err(why) = World::new(algorithm, call, sends, window, Random(seed)).run() {
        panic!("{what}: {why}");
    }
}

const WAYS: [(Sends, usize); 3] = [(Sends::Eager, 48), (Sends::Rendezvous, 48), (Sends::Mixed, 1)];

/// Every algorithm, every call of `n` ranks.
fn prove_all(n: usize) {
    let mut seed = n as u64 * 1_000_000;
    for algorithm in registry::all() {
        for call in calls(algorithm, n) {
            let ways = if n < MANY { &WAYS[..] } else { &WAYS[seed as usize % WAYS.len()..][..1] };
            for (sends, window) in ways {
                seed += 1;
                prove(algorithm, &call, *sends, *window, seed);
            }
        }
    }
}

#[test]
fn every_algorithm_serves_every_call_of_1_to_9_ranks() {
    (1..MANY).for_each(prove_all);
}

/// As many threads as there are cores; the dearest numbers of ranks come first.
#[test]
fn every_algorithm_serves_every_call_of_10_to_64_ranks() {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(n) = 64usize.checked_sub(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n >= MANY) {
            prove_all(n);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
}

/// The checker itself must see faults: wrong order, a missing edge, a deadlock, a message too many.
mod faults {
    use super::super::schedule::{Place, Schedule};
    use super::*;

    fn verdict(collective: Collective, write: fn(&mut Schedule)) -> String {
        let algorithm = Box::leak(Box::new(Algorithm { name: "faulty", collective, needs: Needs::Nothing, write }));
        let call = Call { size: 2, len: 3, chunk: CHUNK, ..Call::default() };
        let run = |seed| World::new(algorithm, &call, Sends::Rendezvous, 48, Random(seed)).run();
        (0..20).filter_map(|seed| run(seed).err()).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn operands_in_the_wrong_order() {
        let why = verdict(Collective::Allreduce, |s| {
            let (other, all) = (1 - s.rank(), Place::recv(0..3));
            s.send(other, Place::send(0..3), &[]);
            let got = s.recv(other, all, &[]);
            s.reduce(Place::send(0..3), all, &[got]);
        });
        assert!(why.contains("holds"), "{why}");
    }

    #[test]
    fn a_missing_edge() {
        let why = verdict(Collective::Bcast, |s| {
            let (all, aside) = (Place::recv(0..3), s.scratch(3));
            if s.rank() == 0 {
                s.send(1, all, &[]);
                s.copy(aside, all, &[]);
            } else {
                s.recv(0, all, &[]);
            }
        });
        assert!(why.contains("while"), "{why}");
    }

    #[test]
    fn an_exposed_place_that_is_read_too_early() {
        let why = verdict(Collective::Allreduce, |s| {
            let (mine, all, aside) = (Place::send(0..3), Place::recv(0..3), s.scratch(3));
            if s.rank() == 0 {
                let read = s.send(1, mine, &[]);
                s.expose(1, all, &[]);
                s.recv_result(1, all, &[]);
                s.copy(all, aside, &[read]);
            } else {
                let got = [s.recv_operand(0, aside, &[]), s.exposed(0, all, &[])];
                let sum = s.fold(vec![aside, mine], all, &got);
                s.send(0, all, &[sum]);
            }
        });
        assert!(why.contains("while"), "{why}");
    }

    #[test]
    fn two_ranks_that_wait_for_each_other() {
        let why = verdict(Collective::Barrier, |s| {
            let heard = s.hear(1 - s.rank(), &[]);
            s.notify(1 - s.rank(), &[heard]);
        });
        assert!(why.contains("deadlock"), "{why}");
    }

    #[test]
    fn a_barrier_that_lets_through() {
        let why = verdict(Collective::Barrier, |s| {
            if s.rank() == 0 {
                s.notify(1, &[]);
            } else {
                s.hear(0, &[]);
            }
        });
        assert!(why.contains("barrier"), "{why}");
    }

    #[test]
    fn messages_of_unequal_length() {
        let why = verdict(Collective::Bcast, |s| {
            if s.rank() == 0 {
                s.send(1, Place::recv(0..3), &[]);
            } else {
                s.recv(0, Place::recv(0..2), &[]);
            }
        });
        assert!(why.contains("expects"), "{why}");
    }
}
