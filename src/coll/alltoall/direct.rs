// SPDX-License-Identifier: MIT OR Apache-2.0
//! Direct all-to-all: every message at once.

use super::aside;
use crate::coll::schedule::{Place, Schedule};

/// Rank after rank, beginning beside me.
pub fn direct(s: &mut Schedule) {
    let (me, n) = (s.rank(), s.size());
    let input = aside(s);
    for k in 1..n {
        let (to, from) = ((me + k) % n, (me + n - k) % n);
        let block = Place::recv_block(from, 0..s.call().recv_len(from));
        s.recv(from, block, &[input.ready]);
        s.send(to, input.block(to), &[input.ready]);
    }
    let own = Place::recv_block(me, 0..s.call().recv_len(me));
    s.copy(input.block(me), own, &[input.ready]);
}
