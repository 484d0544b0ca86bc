// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pairwise all-to-all: n-1 rounds; in round k a rank sends to the one k after it and receives from the one k before it, so
//! every rank has one message each way at a time.

use super::aside;
use crate::coll::schedule::{Place, Schedule};

/// A round begins when both messages of the one before are through.
pub fn pairwise(s: &mut Schedule) {
    let (me, n) = (s.rank(), s.size());
    let input = aside(s);
    let own = Place::recv_block(me, 0..s.call().recv_len(me));
    let mut before = s.copy(input.block(me), own, &[input.ready]);
    for k in 1..n {
        let (to, from) = ((me + k) % n, (me + n - k) % n);
        let block = Place::recv_block(from, 0..s.call().recv_len(from));
        let got = s.recv(from, block, &[before]);
        let sent = s.send(to, input.block(to), &[before]);
        before = s.join(&[got, sent]);
    }
}
