// SPDX-License-Identifier: MIT OR Apache-2.0
//! Star: the root sends the whole buffer to every rank. One round. Where large messages are read straight from the
//! sender's memory this is n-1 readers at work at once and one copy a byte, the least that a node can do.

use crate::coll::schedule::{Place, Schedule};

/// The root serves the ranks in the order in which they follow it.
pub fn star(s: &mut Schedule) {
    let all = Place::recv(0..s.len());
    if s.relative() != 0 {
        s.recv(s.root(), all, &[]);
        return;
    }
    for r in 1..s.size() {
        s.send(s.absolute(r), all, &[]);
    }
}
