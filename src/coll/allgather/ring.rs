// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ring all-gather: n-1 rounds, in each a block goes to the next rank; every link carries (n-1)/n of the result.

use super::direct::{keep, own};
use crate::coll::schedule::{Id, Place, Schedule};

/// In round k a rank passes on the block of the rank k before it.
pub fn ring(s: &mut Schedule) {
    let (me, n) = (s.rank(), s.size());
    let (prev, next) = ((me + n - 1) % n, (me + 1) % n);
    let mut carried = own(s);
    let mut ready = Id::START;
    for k in 1..n {
        let from = (me + n - k) % n;
        let block = Place::recv_block(from, 0..s.call().recv_len(from));
        s.send(next, carried, &[ready]);
        ready = s.recv(prev, block, &[]);
        carried = block;
    }
    let mine = own(s);
    keep(s, mine);
}
