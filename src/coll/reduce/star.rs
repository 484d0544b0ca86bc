// SPDX-License-Identifier: MIT OR Apache-2.0
//! Star: the root gets every rank's buffer and reduces them in rank order. One round, (n-1) len units into the root;
//! scratch at the root: two buffers, or one for each other rank where all are reduced at once.

use crate::coll::allreduce::two_shot::reduce_range;
use crate::coll::schedule::{Id, Place, Schedule};

/// From the last rank to the first: each is the left operand of what has been summed so far.
pub fn star(s: &mut Schedule) {
    let (me, n, root, len) = (s.rank(), s.size(), s.root(), s.len());
    if s.call().folds {
        let wants = |r| if r == root { 0..len } else { 0..0 };
        reduce_range(s, (Place::recv(wants(me)), s.call().in_place), wants);
        return;
    }
    let mine = Place::send(0..len);
    if me != root {
        s.send(root, mine, &[]);
        return;
    }
    let home = Place::recv(0..len);
    let sum = if s.call().in_place { s.scratch(len) } else { home };
    let inbox = [s.scratch(len), s.scratch(len)];
    let mut free = [Id::START; 2];
    let mut ready = if root == n - 1 { s.copy(mine, sum, &[]) } else { s.recv_operand(n - 1, sum, &[]) };
    for r in (0..n - 1).rev() {
        if r == root {
            ready = s.reduce(mine, sum, &[ready]);
            continue;
        }
        let got = s.recv_operand(r, inbox[r % 2], &[free[r % 2]]);
        ready = s.reduce(inbox[r % 2], sum, &[got, ready]);
        free[r % 2] = ready;
    }
    s.copy(sum, home, &[ready]);
}
