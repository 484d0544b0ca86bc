// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts of the algorithms between groups that happen inside one: the group of this rank, whose first rank leads it.

use super::schedule::{Id, Place, Schedule};

/// Nothing to wait for.
pub const START: Id = Id::START;

/// My number in my group, and how many it has.
fn place(s: &Schedule) -> (usize, usize, usize) {
    let ours = s.call().ours();
    (s.rank() - ours.start, ours.len(), ours.start)
}

/// The leader's contents of a place go to the whole group, down a binomial tree; at the leader they are there when `have` is
/// done. Done when they are here and passed on.
pub fn tell(s: &mut Schedule, all: Place, have: Id) -> Id {
    let (me, n, first) = place(s);
    let lowest = if me == 0 { n.next_power_of_two() } else { 1 << me.trailing_zeros() };
    let mut done = vec![if me == 0 { have } else { s.recv(first + me - lowest, all, &[have]) }];
    let mut distance = lowest / 2;
    while distance > 0 {
        if me + distance < n {
            done.push(s.send(first + me + distance, all, &[done[0]]));
        }
        distance /= 2;
    }
    s.join(&done)
}

/// The group's sum of a place, in rank order, up a binomial tree: at the leader the place where it ends and when; elsewhere
/// when this rank's part is done.
pub fn sum(s: &mut Schedule, mine: Place) -> (Place, Id) {
    let (me, n, first) = place(s);
    let (mut sum, mut ready) = (mine, START);
    let mut distance = 1;
    while distance < n && me & distance == 0 {
        if me + distance < n {
            // The child's ranks lie above mine: mine is the left operand, and the sum is where the child's came.
            let into = s.scratch(mine.len());
            let got = s.recv(first + me + distance, into, &[]);
            ready = s.reduce(sum, into, &[got, ready]);
            sum = into;
        }
        distance *= 2;
    }
    match me {
        0 => (sum, ready),
        _ => (sum, s.send(first + me - distance, sum, &[ready])),
    }
}
