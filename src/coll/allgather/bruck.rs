// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bruck's all-gather (Bruck et al. 1997): ceil(log2 n) rounds for any n, in each of which what a rank has doubles.

use super::direct::own;
use crate::coll::schedule::{Id, Place, Schedule};

/// Blocks are collected in the order me, me+1, …, and turned into place at the end.
pub fn bruck(s: &mut Schedule) {
    let (me, n, len) = (s.rank(), s.size(), s.len());
    let all = s.scratch(n * len);
    let mine = own(s);
    let mut have = vec![s.copy(mine, all.cut(0..len), &[])];
    let mut distance = 1;
    while distance < n {
        let more = distance.min(n - distance);
        s.send((me + n - distance) % n, all.cut(0..more * len), &have);
        let part = all.cut(distance * len..(distance + more) * len);
        have.push(s.recv((me + distance) % n, part, &[]));
        distance *= 2;
    }
    turn(s, all, &have);
}

fn turn(s: &mut Schedule, all: Place, have: &[Id]) {
    let (me, n, len) = (s.rank(), s.size(), s.len());
    for i in 0..n {
        s.copy(all.cut(i * len..(i + 1) * len), Place::recv_block((me + i) % n, 0..len), have);
    }
}
