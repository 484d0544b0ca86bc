// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reduce to rank 0 up a binomial tree, broadcast down the same tree: 2 ceil(log2 n) rounds of len units. Operands stay
//! in rank order. Fewer messages than recursive doubling: 2(n-1) in all.

use crate::coll::reduce::binomial::up;
use crate::coll::schedule::{Place, Schedule};

/// A rank's parent is it without its lowest set bit.
pub fn tree(s: &mut Schedule) {
    let (me, n) = (s.rank(), s.size());
    let all = Place::recv(0..s.len());
    let lowest = if me == 0 { n.next_power_of_two() } else { 1 << me.trailing_zeros() };
    let mut have = up(s, all, me, |r| r);
    if me != 0 {
        have = s.recv(me - lowest, all, &[have]);
    }
    let mut distance = lowest / 2;
    while distance > 0 {
        if me + distance < n {
            s.send(me + distance, all, &[have]);
        }
        distance /= 2;
    }
}
