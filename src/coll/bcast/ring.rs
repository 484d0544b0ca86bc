// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scatter and ring allgather (van de Geijn): the root gives every rank its n-th of the buffer, then the parts travel round
//! the ring. n rounds; the root sends and every rank receives about 2 len instead of the star's (n-1) len at the root.

use crate::coll::schedule::{Id, Place, Schedule, part};

/// In round k of the allgather a rank passes on the part that it got in round k-1. Rank r starts with part r; the root,
/// which has everything, takes part in sending only.
pub fn ring(s: &mut Schedule) {
    let (me, n, len) = (s.relative(), s.size(), s.len());
    let (before, after) = (s.absolute(me + n - 1), s.absolute(me + 1));
    let block = move |r: usize| Place::recv(part(len, r % n, n));
    let mut have = Id::START;
    if me == 0 {
        for r in 1..n {
            s.send(s.absolute(r), block(r), &[]);
        }
    } else {
        have = s.recv(s.root(), block(me), &[]);
    }
    s.rounds(n - 1, move |s, k| {
        // The rank before the root needs nothing back into the root, and the root's neighbour gets part 0 from it.
        if me + 1 < n {
            s.send(after, block(me + n - k), &[have]);
        }
        if me > 0 {
            have = s.recv(before, block(me + n - k - 1), &[]);
        }
    });
}
