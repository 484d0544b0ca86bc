// SPDX-License-Identifier: MIT OR Apache-2.0
//! All-to-all between groups: a block to each rank of the other group, and one from each.

use crate::coll::schedule::{Place, Schedule};

/// The two directions may carry blocks of different lengths.
pub fn inter(s: &mut Schedule) {
    for (b, other) in s.call().theirs().enumerate() {
        let (out, inn) = (s.call().send_len(b), s.call().recv_len(b));
        s.recv(other, Place::recv_block(b, 0..inn), &[]);
        s.send(other, Place::send_block(b, 0..out), &[]);
    }
}
