// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ring reduce-scatter: n-1 rounds; the partial sum of block b sets out at rank b+1 and comes home complete. For commutative
//! operations; every link carries (n-1)/n of the buffer.

use super::aside;
use crate::coll::schedule::{Id, Place, Schedule};

/// In round k a rank passes on block me-1-k and adds its own to block me-2-k.
pub fn ring(s: &mut Schedule) {
    let (me, n) = (s.rank(), s.size());
    let (prev, next) = ((me + n - 1) % n, (me + 1) % n);
    let input = aside(s);
    let longest = (0..n).map(|b| s.call().send_len(b)).max().unwrap_or(0);
    let inbox = [s.scratch(longest), s.scratch(longest)];
    let mut sent = [Id::START; 2];
    let (mut carried, mut ready) = (input.block(prev), input.ready);
    for k in 0..n - 1 {
        let b = (me + 2 * n - 2 - k) % n;
        let sum = if b == me { Place::recv(0..s.call().send_len(me)) } else { inbox[k % 2].cut(0..s.call().send_len(b)) };
        sent[(k + 1) % 2] = s.send(next, carried, &[ready]);
        let got = s.recv(prev, sum, &[sent[k % 2], input.ready]);
        ready = s.reduce(input.block(b), sum, &[got]);
        carried = sum;
    }
    if n == 1 {
        s.copy(input.block(me), Place::recv(0..s.call().send_len(me)), &[input.ready]);
    }
}
