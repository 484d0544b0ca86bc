// SPDX-License-Identifier: MIT OR Apache-2.0
//! Direct reduce-scatter: every rank sends each other rank its block and combines what comes for its own, in rank order. Right
//! for every operation; (n-1)/n of the buffer leaves each rank.

use super::aside;
use crate::coll::schedule::{Id, Place, Schedule};

/// Contributions that may wait for their turn.
const INBOXES: usize = 4;

/// From the last rank down: each contribution is the left operand of the sum of those after it.
pub fn direct(s: &mut Schedule) {
    let (me, n) = (s.rank(), s.size());
    let input = aside(s);
    let len = s.call().send_len(me);
    let sum = Place::recv(0..len);
    let inbox: Vec<Place> = (0..INBOXES.min(n - 1)).map(|_| s.scratch(len)).collect();
    for k in 1..n {
        let to = (me + k) % n;
        s.send(to, input.block(to), &[input.ready]);
    }
    let last = n - 1;
    let mut have = match last == me {
        true => s.copy(input.block(me), sum, &[input.ready]),
        false => s.recv(last, sum, &[input.ready]),
    };
    let mut free = [Id::START; INBOXES];
    for r in (0..last).rev() {
        if r == me {
            have = s.reduce(input.block(me), sum, &[have, input.ready]);
            continue;
        }
        let slot = r % inbox.len();
        let got = s.recv(r, inbox[slot], &[free[slot]]);
        have = s.reduce(inbox[slot], sum, &[got, have]);
        free[slot] = have;
    }
}
