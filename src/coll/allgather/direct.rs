// SPDX-License-Identifier: MIT OR Apache-2.0
//! Direct all-gather: every rank sends its block to every other. One round of n-1 messages; where large messages are read
//! from the sender's memory, one copy a byte.

use crate::coll::schedule::{Place, Schedule};

/// Rank after rank, beginning beside me, so that not all begin with the same one.
pub fn direct(s: &mut Schedule) {
    let (me, n) = (s.rank(), s.size());
    let mine = own(s);
    for k in 1..n {
        s.send((me + k) % n, mine, &[]);
        let from = (me + n - k) % n;
        let block = Place::recv_block(from, 0..s.call().recv_len(from));
        s.recv(from, block, &[]);
    }
    keep(s, mine);
}

/// Where my block is at the start.
pub(super) fn own(s: &Schedule) -> Place {
    let (me, len) = (s.rank(), s.call().recv_len(s.rank()));
    if s.call().in_place { Place::recv_block(me, 0..len) } else { Place::send(0..len) }
}

/// My block goes to its place.
pub(super) fn keep(s: &mut Schedule, mine: Place) {
    let me = s.rank();
    s.copy(mine, Place::recv_block(me, 0..mine.len()), &[]);
}
