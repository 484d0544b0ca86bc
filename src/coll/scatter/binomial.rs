// SPDX-License-Identifier: MIT OR Apache-2.0
//! Binomial scatter: ceil(log2 n) rounds; the blocks of a whole subtree travel in one message and are split on the way.

use crate::coll::schedule::{Id, Place, Schedule};

/// Counted from the root, the tree below rank r is r .. r + its lowest set bit.
pub fn binomial(s: &mut Schedule) {
    let (me, n, len) = (s.relative(), s.size(), s.len());
    let lowest = if me == 0 { n.next_power_of_two() } else { 1 << me.trailing_zeros() };
    let below = lowest.min(n - me);
    let mine = Place::recv(0..len);
    if me != 0 && below == 1 {
        s.recv(s.absolute(me - lowest), mine, &[]);
        return;
    }
    let all = s.scratch(if n == 1 { 0 } else { below * len });
    let have = if me == 0 { collect(s, all) } else { s.recv(s.absolute(me - lowest), all, &[]) };
    let mut distance = below.next_power_of_two() / 2;
    while distance > 0 {
        let part = all.cut(distance * len..(2 * distance).min(below) * len);
        s.send(s.absolute(me + distance), part, &[have]);
        distance /= 2;
    }
    if me != 0 {
        s.copy(all.cut(0..len), mine, &[have]);
    } else if !s.call().in_place {
        s.copy(Place::send_block(s.root(), 0..len), mine, &[]);
    }
}

/// The root: from the blocks of the buffer to the order of the tree.
fn collect(s: &mut Schedule, all: Place) -> Id {
    let len = s.len();
    let copies: Vec<Id> =
        (1..s.size()).map(|r| s.copy(Place::send_block(s.absolute(r), 0..len), all.cut(r * len..(r + 1) * len), &[])).collect();
    s.join(&copies)
}
