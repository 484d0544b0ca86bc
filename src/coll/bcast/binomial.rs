// SPDX-License-Identifier: MIT OR Apache-2.0
//! Binomial tree: ceil(log2 n) rounds; the root sends the whole buffer ceil(log2 n) times, every other rank receives it once.

use crate::coll::schedule::{Id, Place, Schedule};

/// Counted from the root, rank r hears from r without its lowest set bit, and tells r + every lower power of two,
/// the farthest first: it has the largest tree below it.
pub fn binomial(s: &mut Schedule) {
    let (me, n) = (s.relative(), s.size());
    let all = Place::recv(0..s.len());
    let lowest = if me == 0 { n.next_power_of_two() } else { 1 << me.trailing_zeros() };
    let mut have = Id::START;
    if me != 0 {
        have = s.recv(s.absolute(me - lowest), all, &[]);
    }
    let mut distance = lowest / 2;
    while distance > 0 {
        if me + distance < n {
            s.send(s.absolute(me + distance), all, &[have]);
        }
        distance /= 2;
    }
}
