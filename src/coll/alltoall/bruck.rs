// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bruck's all-to-all (Bruck et al. 1997): ceil(log2 n) messages a rank in place of n-1, at the price of carrying each byte
//! (log2 n)/2 times. For small blocks and many ranks.

use super::aside;
use crate::coll::schedule::{Id, Place, Schedule};

/// Block i (counted from me) travels by the powers of two in i; what travels together goes in one message.
pub fn bruck(s: &mut Schedule) {
    let (me, n, len) = (s.rank(), s.size(), s.len());
    let input = aside(s);
    let all = s.scratch(n * len);
    let block = |i: usize| all.cut(i * len..(i + 1) * len);
    let mut ready: Vec<Id> = (0..n).map(|i| s.copy(input.block((me + i) % n), block(i), &[input.ready])).collect();
    let mut distance = 1;
    while distance < n {
        let moving: Vec<usize> = (0..n).filter(|i| i & distance != 0).collect();
        let (out, inn) = (s.scratch(moving.len() * len), s.scratch(moving.len() * len));
        let at = |p: Place, k: usize| p.cut(k * len..(k + 1) * len);
        let packed: Vec<Id> = moving.iter().enumerate().map(|(k, &i)| s.copy(block(i), at(out, k), &[ready[i]])).collect();
        s.send((me + distance) % n, out, &packed);
        let got = s.recv((me + n - distance) % n, inn, &[]);
        for (k, &i) in moving.iter().enumerate() {
            ready[i] = s.copy(at(inn, k), block(i), &[got, packed[k]]);
        }
        distance *= 2;
    }
    for (i, ready) in ready.into_iter().enumerate() {
        s.copy(block(i), Place::recv_block((me + n - i) % n, 0..len), &[ready]);
    }
}
