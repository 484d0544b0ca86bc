// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dissemination barrier (Hensgen, Finkel, Manber 1988): in round k every rank tells the one 2^k after it and hears from
//! the one 2^k before it. ceil(log2 n) rounds, one empty message a rank and round.

use crate::coll::schedule::{Id, Schedule};

/// Every rank has heard, through others, from every rank.
pub fn dissemination(s: &mut Schedule) {
    let (me, n) = (s.rank(), s.size());
    let mut heard = Id::START;
    let mut distance = 1;
    while distance < n {
        s.notify((me + distance) % n, &[heard]);
        let now = s.hear((me + n - distance) % n, &[]);
        heard = s.join(&[heard, now]);
        distance *= 2;
    }
}
