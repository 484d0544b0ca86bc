// SPDX-License-Identifier: MIT OR Apache-2.0
//! Linear gather: every rank sends to the root, which takes them as they come. One round; the root does all the work.

use crate::coll::schedule::{Place, Schedule};

/// Serves blocks of one length and of their own.
pub fn linear(s: &mut Schedule) {
    let (me, root) = (s.rank(), s.root());
    if me != root {
        let mine = Place::send(0..s.call().send_len(0));
        s.send(root, mine, &[]);
        return;
    }
    for from in 0..s.size() {
        let block = Place::recv_block(from, 0..s.call().recv_len(from));
        if from != me {
            s.recv(from, block, &[]);
        } else if !s.call().in_place {
            s.copy(Place::send(0..block.len()), block, &[]);
        }
    }
}
