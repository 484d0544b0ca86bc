// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gather between groups: every rank of the other group sends to the root.

use crate::coll::schedule::{Place, Schedule};

/// Serves blocks of one length and of their own.
pub fn inter(s: &mut Schedule) {
    let (me, root, theirs) = (s.rank(), s.root(), s.call().theirs());
    if me == root {
        for (b, from) in theirs.enumerate() {
            let block = Place::recv_block(b, 0..s.call().recv_len(b));
            s.recv(from, block, &[]);
        }
    } else if theirs.contains(&root) {
        let mine = Place::send(0..s.call().send_len(0));
        s.send(root, mine, &[]);
    }
}
