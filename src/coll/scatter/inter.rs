// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scatter between groups: the root sends every rank of the other group its block.

use crate::coll::schedule::{Place, Schedule};

/// Serves blocks of one length and of their own.
pub fn inter(s: &mut Schedule) {
    let (me, root, theirs) = (s.rank(), s.root(), s.call().theirs());
    if me == root {
        for (b, to) in theirs.enumerate() {
            let block = Place::send_block(b, 0..s.call().send_len(b));
            s.send(to, block, &[]);
        }
    } else if theirs.contains(&root) {
        let mine = Place::recv(0..s.call().recv_len(0));
        s.recv(root, mine, &[]);
    }
}
