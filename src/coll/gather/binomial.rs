// SPDX-License-Identifier: MIT OR Apache-2.0
//! Binomial gather: ceil(log2 n) rounds; each rank collects the blocks of the ranks below it in the tree and hands them up
//! in one message.

use crate::coll::schedule::{Id, Place, Schedule};

/// Counted from the root, the tree below rank r is r .. r + its lowest set bit.
pub fn binomial(s: &mut Schedule) {
    let (me, n, len) = (s.relative(), s.size(), s.len());
    let lowest = if me == 0 { n.next_power_of_two() } else { 1 << me.trailing_zeros() };
    let below = lowest.min(n - me);
    let mine = if s.call().in_place { Place::recv_block(s.root(), 0..len) } else { Place::send(0..len) };
    if below == 1 && me != 0 {
        s.send(s.absolute(me - lowest), mine, &[]);
        return;
    }
    let all = s.scratch(if n == 1 { 0 } else { below * len });
    let mut have = vec![if me == 0 { Id::START } else { s.copy(mine, all.cut(0..len), &[]) }];
    let mut distance = 1;
    while distance < below {
        let more = distance.min(below - distance);
        let part = all.cut(distance * len..(distance + more) * len);
        have.push(s.recv(s.absolute(me + distance), part, &[]));
        distance *= 2;
    }
    if me != 0 {
        s.send(s.absolute(me - lowest), all, &have);
    } else {
        spread(s, all, mine, &have);
    }
}

/// The root: from the order of the tree to the blocks of the buffer.
fn spread(s: &mut Schedule, all: Place, mine: Place, have: &[Id]) {
    let (n, len) = (s.size(), s.len());
    let own = Place::recv_block(s.root(), 0..len);
    s.copy(mine, own, &[]);
    for r in 1..n {
        let child = r.ilog2() as usize + 1;
        s.copy(all.cut(r * len..(r + 1) * len), Place::recv_block(s.absolute(r), 0..len), &[have[child]]);
    }
}
