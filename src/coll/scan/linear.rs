// SPDX-License-Identifier: MIT OR Apache-2.0
//! Linear scan: the sum goes up the ranks, one after the other. n-1 rounds, one message a rank: for large buffers when few wait.

use super::inbox;
use crate::coll::schedule::{Id, Place, Schedule};

/// `MPI_Scan`.
pub fn inclusive(s: &mut Schedule) {
    let (me, n, all) = (s.rank(), s.size(), 0..s.len());
    let (own, sum) = (Place::send(all.clone()), Place::recv(all));
    let below = inbox(s, me > 0);
    let mut have = if s.call().in_place { Id::START } else { s.copy(own, sum, &[]) };
    if me > 0 {
        let got = s.recv(me - 1, below, &[]);
        have = s.reduce(below, sum, &[got, have]);
    }
    if me + 1 < n {
        s.send(me + 1, sum, &[have]);
    }
}

/// `MPI_Exscan`: what arrives is the result, and with my own contribution goes on.
pub fn exclusive(s: &mut Schedule) {
    let (me, n, all) = (s.rank(), s.size(), 0..s.len());
    let (own, below) = (Place::send(all.clone()), Place::recv(all));
    let sum = inbox(s, me > 0 && me + 1 < n);
    if me == 0 {
        if n > 1 {
            s.send(1, own, &[]);
        }
        return;
    }
    if me + 1 == n {
        s.recv(me - 1, below, &[]);
        return;
    }
    let copied = s.copy(own, sum, &[]);
    let got = s.recv(me - 1, below, &[copied]);
    let have = s.reduce(below, sum, &[got, copied]);
    s.send(me + 1, sum, &[have]);
}
