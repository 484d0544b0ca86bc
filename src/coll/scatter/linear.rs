// SPDX-License-Identifier: MIT OR Apache-2.0
//! Linear scatter: the root sends every rank its block. One round; the root does all the work.

use crate::coll::schedule::{Place, Schedule};

/// Serves blocks of one length and of their own. In place, the root's block stays where it is.
pub fn linear(s: &mut Schedule) {
    let (me, root, n) = (s.rank(), s.root(), s.size());
    if me != root {
        let mine = Place::recv(0..s.call().recv_len(0));
        s.recv(root, mine, &[]);
        return;
    }
    for r in 1..n {
        let to = s.absolute(r);
        let block = Place::send_block(to, 0..s.call().send_len(to));
        s.send(to, block, &[]);
    }
    if !s.call().in_place {
        let own = Place::send_block(me, 0..s.call().send_len(me));
        s.copy(own, Place::recv(0..own.len()), &[]);
    }
}
