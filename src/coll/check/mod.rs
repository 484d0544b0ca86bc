// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checker: runs all ranks of every registered schedule in one thread, with random interleavings, on symbolic contents
//! (each unit knows whose contributions it holds, in which order), and proves the result, the absence of deadlock, and that
//! no step touches a place while another one uses it. [`world`] is the machine, [`model`] what each collective must do.
//!
//! It walks the registry, so an algorithm is proven from the day it has a row.

mod model;
mod world;

use std::sync::atomic::{AtomicU64, Ordering};

use super::registry::{self, Algorithm, Collective};
use super::schedule::Call;
use world::{Sends, World};

const CHUNK: usize = 4;

/// Lengths that break careless code: none, one, a prime, around a chunk, several chunks; and, for few ranks, several
/// chunks in the part of every rank.
fn lengths(n: usize) -> Vec<usize> {
    let mut all = vec![0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 13, 3 * CHUNK + 2];
    if n <= 9 {
        all.push(n * (2 * CHUNK + 1) + n / 2);
    }
    all
}

fn roots(collective: Collective, n: usize) -> Vec<usize> {
    let mut roots = if model::rooted(collective) { vec![0, n / 2, n - 1] } else { vec![0] };
    roots.dedup();
    roots
}

/// Every call of `n` ranks that an algorithm must serve.
fn calls(algorithm: &Algorithm, n: usize) -> Vec<Call> {
    let mut calls = Vec::new();
    for root in roots(algorithm.collective, n) {
        for len in lengths(n) {
            for bits in 0..4 {
                let (commutative, in_place) = (bits & 1 != 0, bits & 2 != 0);
                let call = Call { size: n, root, len, chunk: CHUNK, commutative, in_place, ..Call::default() };
                if algorithm.serves(&call) && model::differs(algorithm.collective, &call) {
                    calls.push(call);
                }
            }
        }
    }
    calls
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

/// Every algorithm, every call of `n` ranks, every way of completing sends.
fn prove_all(n: usize) {
    static SEED: AtomicU64 = AtomicU64::new(1);
    for algorithm in registry::all() {
        for call in calls(algorithm, n) {
            for (sends, window) in WAYS {
                prove(algorithm, &call, sends, window, SEED.fetch_add(1, Ordering::Relaxed));
            }
        }
    }
}

/// One algorithm in eight, one of the calls of `n` ranks.
fn prove_some(n: usize) {
    let mut random = Random(n as u64);
    for algorithm in registry::all().skip(n % 8).step_by(8) {
        let calls = calls(algorithm, n);
        let (sends, window) = WAYS[random.below(WAYS.len())];
        prove(algorithm, &calls[random.below(calls.len())], sends, window, n as u64);
    }
}

#[test]
fn every_algorithm_serves_every_call_of_1_to_9_ranks() {
    (1..=9).for_each(prove_all);
}

#[test]
fn every_algorithm_serves_some_calls_of_10_to_64_ranks() {
    (10..=64).for_each(prove_some);
}

/// Minutes, even optimised: `cargo test --profile quick -- --ignored serves_every_call_of_10`.
#[test]
#[ignore = "takes minutes"]
fn every_algorithm_serves_every_call_of_10_to_64_ranks() {
    (10..=64).for_each(prove_all);
}

/// The checker itself must see faults: wrong order, a missing edge, a deadlock, a message too many.
mod faults {
    use super::super::registry::{Collective, Needs};
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
