// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pipelined chain: partial results travel in chunks from the last rank towards the root, each rank putting its operand
//! to their left. n-2 + len/chunk steps; every link carries the buffer once. Scratch: a few chunks.

use crate::coll::schedule::{Id, Place, Schedule, chunk_of};

/// Chunks that may be in scratch at once.
const INBOXES: usize = 4;

/// Commutative operations use the chain counted from the root. The others use the chain that ends at rank 0, which
/// sends each finished chunk on to the root.
pub fn chain(s: &mut Schedule) {
    let (me, root, n, len, chunk) = (s.rank(), s.root(), s.size(), s.len(), s.chunk());
    let (in_place, end) = (s.call().in_place, if s.call().commutative { root } else { 0 });
    let place = (me + n - end) % n;
    let (towards, behind) = ((me + n - 1) % n, (me + 1) % n);
    let last = place + 1 == n;
    let home_is_free = me == root && end == root && !in_place;
    let inbox = s.scratch(if last || home_is_free { 0 } else { INBOXES * chunk.min(len) });
    let mut free = [Id::START; INBOXES];
    s.rounds(len.div_ceil(chunk), move |s, c| {
        let units = chunk_of(0..len, c, chunk);
        let (mine, home, slot) = (Place::send(units.clone()), Place::recv(units.clone()), c % INBOXES);
        let (sum, ready) = if last {
            (mine, Id::START)
        } else {
            let from = slot * inbox.len() / INBOXES;
            let into = if home_is_free { home } else { inbox.cut(from..from + units.len()) };
            let got = s.recv_operand(behind, into, &[free[slot]]);
            (into, s.reduce(mine, into, &[got]))
        };
        let passed = match (place == 0, me == root) {
            (true, true) => s.copy(sum, home, &[ready]),
            (true, false) => s.send(root, sum, &[ready]),
            (false, _) => s.send(towards, sum, &[ready]),
        };
        free[slot] = passed;
        if me == root && end != root {
            s.recv(end, home, &[passed]);
        }
    });
}
