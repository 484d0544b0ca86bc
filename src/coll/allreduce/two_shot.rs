// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two shots: every rank gets its n-th of the buffer from all others at once, reduces it in rank order, and gives the
//! result to all others. A rank sends and receives 2(n-1)/n of the buffer, as in the ring, but with n-1 messages a round instead of
//! n-1 rounds. Slices go in chunks: where messages go through the host, the copies of later chunks in and of earlier results out run
//! while a chunk is reduced; elsewhere one chunk is a slice, and there are two rounds; on devices there is one, since the kernel that
//! reduces a slice writes it to all ranks' buffers. Scratch: n-1 times [`AHEAD`] + 1 chunks, but on devices none for operands that stay at
//! their senders.

use std::ops::Range;

use crate::coll::schedule::{Id, Place, Schedule, chunk_of, part};

/// Chunks that are asked for before the result of one is passed on.
const AHEAD: usize = 2;

/// Both shots go round the ranks from the next one on, so that no rank is everyone's first target.
pub fn two_shot(s: &mut Schedule) {
    let (me, n) = (s.rank(), s.size());
    let others: Vec<usize> = (1..n).map(|d| (me + d) % n).collect();
    reduce_slices(s, Place::recv, others.clone(), others);
}

/// The units of chunk `c` of rank `r`'s slice.
fn piece(len: usize, r: usize, n: usize, c: usize, chunk: usize) -> Range<usize> {
    chunk_of(part(len, r, n), c, chunk)
}

/// Reduces my slice of all ranks' send buffers, chunk by chunk, into `place` of the chunk's units, which may be those of my own (in
/// place). The result goes to the ranks `takers`, and those of the ranks `givers` come to my receive buffer.
pub fn reduce_slices(
    s: &mut Schedule,
    place: impl Fn(Range<usize>) -> Place + Send + 'static,
    takers: Vec<usize>,
    givers: Vec<usize>,
) {
    let (me, n, len, chunk, in_place) = (s.rank(), s.size(), s.len(), s.chunk(), s.call().in_place);
    let chunks = len.div_ceil(n).div_ceil(chunk);
    let ahead = AHEAD.min(chunks.saturating_sub(1));
    let inboxes = inboxes(s, (ahead + 1) * chunk.min(len.div_ceil(n)), in_place);
    // When the result that each part of the scratch was for is there: then the part is free, too.
    let mut ready = vec![Id::START; ahead + 1];
    // A slice that is one chunk: its kernel writes the result where all want it.
    let puts = chunks == 1 && s.puts();
    let mut round = move |s: &mut Schedule, k: usize| {
        let wants = |r| piece(len, r, n, k, chunk);
        if k < chunks {
            let (slot, units) = (k % (ahead + 1), wants(me).len());
            let from = |area: Place| slot * area.len() / (ahead + 1);
            let inbox = |r: usize| inboxes[r].map(|area: Place| area.cut(from(area)..from(area) + units));
            let mut shot = ask(s, (place(wants(me)), in_place), wants, inbox, ready[slot]);
            if puts {
                for r in &givers {
                    s.expose(*r, Place::recv(wants(*r)), &[]);
                }
                shot.got.extend(takers.iter().map(|r| s.exposed(*r, shot.result, &[])));
            }
            ready[slot] = sum(s, &shot);
        }
        if let Some(c) = k.checked_sub(ahead) {
            let mine = place(piece(len, me, n, c, chunk));
            for r in &takers {
                s.send(*r, mine, &[ready[c % (ahead + 1)]]);
            }
            for r in &givers {
                let theirs = Place::recv(piece(len, *r, n, c, chunk));
                if puts {
                    s.recv_result(*r, theirs, &[])
                } else {
                    s.recv(*r, theirs, &[])
                };
            }
        }
    };
    // What is written at once can be kept for the next call.
    if chunks <= 1 { (0..chunks).for_each(|k| round(s, k)) } else { s.rounds(chunks + ahead, round) }
}

/// Every rank `r` gets the units `wants(r)` of all ranks' send buffers; reduces mine into a place, which may be that of mine (in place).
/// Returns when the result is there, and the sends.
pub fn reduce_range(s: &mut Schedule, result: (Place, bool), wants: impl Fn(usize) -> Range<usize>) -> (Id, Vec<Id>) {
    let inboxes = inboxes(s, wants(s.rank()).len(), result.1);
    let shot = ask(s, result, wants, |r| inboxes[r], Id::START);
    (sum(s, &shot), shot.sent)
}

/// Scratch for the operands of each rank that need it: the last rank's arrive where the sum is to be, unless mine are there.
fn inboxes(s: &mut Schedule, units: usize, in_place: bool) -> Vec<Option<Place>> {
    let (me, n) = (s.rank(), s.size());
    (0..n).map(|r| (r != me && (r != n - 1 || in_place)).then(|| s.scratch(units))).collect()
}

/// The first shot of a chunk.
struct Shot {
    result: Place,
    /// It is where mine are.
    in_place: bool,
    mine: Place,
    /// Where each rank's operands arrive.
    inbox: Vec<Place>,
    /// When they are there, by rank, and what else the sum comes after.
    got: Vec<Id>,
    sent: Vec<Id>,
}

/// Sends every rank `r` its units `wants(r)` and asks for mine.
fn ask(
    s: &mut Schedule,
    (result, in_place): (Place, bool),
    wants: impl Fn(usize) -> Range<usize>,
    inbox: impl Fn(usize) -> Option<Place>,
    free: Id,
) -> Shot {
    let (me, n) = (s.rank(), s.size());
    let mine = Place::send(wants(me));
    let inbox: Vec<Place> = (0..n).map(|r| inbox(r).unwrap_or(if r == me { mine } else { result })).collect();
    let (mut got, mut sent) = (vec![Id::START; n], Vec::with_capacity(n));
    for d in 1..n {
        let (to, from) = ((me + d) % n, (me + n - d) % n);
        sent.push(s.send(to, Place::send(wants(to)), &[]));
        got[from] = s.recv_operand(from, inbox[from], &[free]);
    }
    Shot { result, in_place, mine, inbox, got, sent }
}

/// In the order of the ranks: at once, or from the last rank on with the operands to its left following.
fn sum(s: &mut Schedule, shot: &Shot) -> Id {
    let (me, n, Shot { result, mine, inbox, got, .. }) = (s.rank(), s.size(), shot);
    if s.call().folds {
        return s.fold(inbox.clone(), *result, got);
    }
    let (mut sum, mut ready) = (inbox[n - 1], got[n - 1]);
    if me == n - 1 && !shot.in_place {
        sum = *result;
        ready = s.copy(*mine, sum, &[]);
    }
    for r in (0..n - 1).rev() {
        ready = s.reduce(inbox[r], sum, &[ready, got[r]]);
    }
    s.copy(sum, *result, &[ready])
}
