// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pipelined ring (Patarasuk and Yuan 2009): n-1 steps that reduce and scatter, n-1 that gather; 2(n-1)/n of the buffer
//! crosses each link. Every block goes in chunks, so a chunk is reduced while the next one is under way.
//! For commutative operations: block b is reduced in the order b+1, b+2, … round the ring.

use crate::coll::schedule::{Id, Place, Schedule, chunk_of, part};

/// Chunks that may wait for their reduction at once, when the contents must first come into scratch (in place).
const INBOXES: usize = 4;

/// In step k a rank sends block me-k and gets block me-k-1; after n-1 steps it has the whole of block me+1, and the same
/// walk round the ring spreads the results. Out of place a partial result is received where it belongs and the own
/// contribution is added to it, so nothing is copied.
pub fn ring(s: &mut Schedule) {
    let (me, n, len, chunk, in_place) = (s.rank(), s.size(), s.len(), s.chunk(), s.call().in_place);
    if n == 1 {
        s.copy(Place::send(0..len), Place::recv(0..len), &[]);
        return;
    }
    let (prev, next) = ((me + n - 1) % n, (me + 1) % n);
    let chunks = len.div_ceil(n).div_ceil(chunk);
    let piece = move |b: usize, c: usize| chunk_of(part(len, b % n, n), c, chunk);
    let inbox = s.scratch(if in_place { INBOXES * chunk.min(len) } else { 0 });
    let mut free = [Id::START; INBOXES];
    let mut ready = vec![Id::START; chunks];
    s.rounds(2 * (n - 1) * chunks, move |s, round| {
        let (k, c) = (round / chunks, round % chunks);
        let (out, inn) = (piece(me + 2 * n - k, c), piece(me + 2 * n - k - 1, c));
        let source = if k == 0 { Place::send(out) } else { Place::recv(out) };
        s.send(next, source, &[ready[c]]);
        let (own, sum) = (Place::send(inn.clone()), Place::recv(inn));
        ready[c] = if k >= n - 1 {
            s.recv(prev, sum, &[])
        } else if in_place {
            let slot = round % INBOXES;
            let from = slot * inbox.len() / INBOXES;
            let got_at = inbox.cut(from..from + sum.len());
            let got = s.recv_operand(prev, got_at, &[free[slot]]);
            free[slot] = s.reduce(got_at, sum, &[got]);
            free[slot]
        } else {
            let got = s.recv_operand(prev, sum, &[]);
            s.reduce(own, sum, &[got])
        };
    });
}
