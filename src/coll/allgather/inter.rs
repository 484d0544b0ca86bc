// SPDX-License-Identifier: MIT OR Apache-2.0
//! All-gather between groups: every rank sends its block to every rank of the other group.

use crate::coll::schedule::{Place, Schedule};

/// The two directions may carry blocks of different lengths.
pub fn inter(s: &mut Schedule) {
    let mine = Place::send(0..s.call().send_len(0));
    for (b, other) in s.call().theirs().enumerate() {
        let block = Place::recv_block(b, 0..s.call().recv_len(b));
        s.recv(other, block, &[]);
        s.send(other, mine, &[]);
    }
}
