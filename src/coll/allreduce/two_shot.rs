// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two shots: every rank gets its n-th of the buffer from all others at once, reduces it in rank order, and gives the
//! result to all others. Two rounds; a rank sends and receives 2(n-1)/n of the buffer, as in the ring, but with n-1
//! messages a round instead of n-1 rounds. Scratch: (n-1)/n of the buffer.

use std::ops::Range;

use crate::coll::schedule::{Id, Place, Schedule, part};

/// Both shots go round the ranks from the next one on, so that no rank is everyone's first target.
pub fn two_shot(s: &mut Schedule) {
    let (me, n, len) = (s.rank(), s.size(), s.len());
    let block = |r: usize| part(len, r, n);
    let result = Place::recv(block(me));
    let ready = reduce_slice(s, result);
    for r in (1..n).map(|d| (me + d) % n) {
        s.send(r, result, &[ready]);
        s.recv(r, Place::recv(block(r)), &[]);
    }
}

/// Reduces my slice of all ranks' send buffers into `result`, which may be that slice of my own (in place).
pub fn reduce_slice(s: &mut Schedule, result: Place) -> Id {
    let (n, len) = (s.size(), s.len());
    let in_place = s.call().in_place;
    reduce_range(s, result, in_place, |r| part(len, r, n)).0
}

/// Every rank `r` gets the units `wants(r)` of all ranks' send buffers; reduces mine into `result`, which is those of
/// my own if `in_place`. Returns when the result is there, and the sends. The sum starts at the last rank and the operands to its left follow, so the order is that of the ranks.
pub fn reduce_range(s: &mut Schedule, result: Place, in_place: bool, wants: impl Fn(usize) -> Range<usize>) -> (Id, Vec<Id>) {
    let (me, n) = (s.rank(), s.size());
    let mine = Place::send(wants(me));
    let inbox: Vec<Place> = (0..n)
        .map(|r| match r {
            r if r == me => mine,
            r if r == n - 1 && !in_place => result,
            _ => s.scratch(mine.len()),
        })
        .collect();
    let (mut got, mut sent) = (vec![Id::START; n], Vec::with_capacity(n));
    for d in 1..n {
        let (to, from) = ((me + d) % n, (me + n - d) % n);
        let place = Place::send(wants(to));
        sent.push(s.send(to, place, &[]));
        got[from] = s.recv_operand(from, inbox[from], &[]);
    }
    let (mut sum, mut ready) = (inbox[n - 1], got[n - 1]);
    if me == n - 1 && !in_place {
        sum = result;
        ready = s.copy(mine, sum, &[]);
    }
    for r in (0..n - 1).rev() {
        ready = s.reduce(inbox[r], sum, &[ready, got[r]]);
    }
    (s.copy(sum, result, &[ready]), sent)
}
