// SPDX-License-Identifier: MIT OR Apache-2.0
//! All-reduce between groups: each group sums up, the first ranks exchange the sums, and each group hears the other's.

use crate::coll::group;
use crate::coll::schedule::{Place, Schedule};

/// Up a binomial tree, across, and down one.
pub fn inter(s: &mut Schedule) {
    let (leader, other) = (s.rank() == s.call().ours().start, s.call().theirs().start);
    let all = Place::recv(0..s.len());
    let (sum, ready) = group::sum(s, Place::send(0..all.len()));
    let mut have = group::START;
    if leader {
        s.send(other, sum, &[ready]);
        have = s.recv(other, all, &[]);
    }
    group::tell(s, all, have);
}
