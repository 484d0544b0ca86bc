// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reduce-scatter between groups: each group sums up, the first ranks exchange the sums, and each deals the other group's out to
//! its own. A group knows its own counts alone, so nothing shorter than the whole sum can cross.

use crate::coll::group;
use crate::coll::schedule::{Place, Schedule};

/// The send buffer is one block; `send_len` is the count of a rank of my group.
pub fn inter(s: &mut Schedule) {
    let (me, ours, other) = (s.rank(), s.call().ours(), s.call().theirs().start);
    let (sum, ready) = group::sum(s, Place::send(0..s.len()));
    let mine = Place::recv(0..s.call().recv_len(0));
    if me != ours.start {
        s.recv(ours.start, mine, &[]);
        return;
    }
    let theirs = s.scratch(s.len());
    s.send(other, sum, &[ready]);
    let have = s.recv(other, theirs, &[]);
    let mut at = 0;
    for (r, rank) in ours.enumerate() {
        let len = s.call().send_len(r);
        let part = theirs.cut(at..at + len);
        at += len;
        if rank == me {
            s.copy(part, mine, &[have]);
        } else {
            s.send(rank, part, &[have]);
        }
    }
}
