// SPDX-License-Identifier: MIT OR Apache-2.0
//! Binomial tree upwards: ceil(log2 n) rounds of len units; every rank but the root sends the buffer once.
//! Operands stay in the order of the tree's ranks: rank order when the tree's root is rank 0.

use crate::coll::schedule::{Id, Place, Region, Schedule};

/// Commutative operations use the tree counted from the root. The others use the tree counted from rank 0, which sends
/// the result on to the root.
pub fn binomial(s: &mut Schedule) {
    let (root, n, len) = (s.root(), s.size(), s.len());
    let top = if s.call().commutative { root } else { 0 };
    let relative = (s.rank() + n - top) % n;
    let mine = if s.rank() == root { Place::recv(0..len) } else { s.scratch(len) };
    // The root of an ordered tree elsewhere is a worker like the others; its contribution, which may lie in `mine` (in
    // place), has been sent before the result comes.
    let done = up(s, mine, relative, |r| (r + top) % n);
    if top != root && relative == 0 {
        s.send(root, mine, &[done]);
    } else if top != root && s.rank() == root {
        s.recv(top, mine, &[done]);
    }
}

/// Collects the partial results below me in the tree whose ranks `absolute` translates, and sends the sum up. At the
/// tree's root the sum ends in `home`, elsewhere `home` is free to use. Returns when `home` is in order.
pub fn up(s: &mut Schedule, home: Place, me: usize, absolute: impl Fn(usize) -> usize) -> Id {
    let (n, len, in_place) = (s.size(), s.len(), s.call().in_place);
    let mut sum = Place::send(0..len);
    let mut free = (!in_place).then_some(home);
    let mut ready = Id::START;
    let mut distance = 1;
    while distance < n && me & distance == 0 {
        if me + distance < n {
            // The child's ranks lie above mine: mine is the left operand, and the sum is where the child's came.
            let into = free.take().unwrap_or_else(|| s.scratch(len));
            let got = s.recv(absolute(me + distance), into, &[ready]);
            ready = s.reduce(sum, into, &[got, ready]);
            free = if sum.region == Region::Send { in_place.then_some(home) } else { Some(sum) };
            sum = into;
        }
        distance *= 2;
    }
    if me == 0 { s.copy(sum, home, &[ready]) } else { s.send(absolute(me - distance), sum, &[ready]) }
}
