// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reduce between groups: the other group sums up, and its first rank sends the sum to the root.

use crate::coll::group;
use crate::coll::schedule::{Place, Schedule};

/// The root's own group has nothing to do.
pub fn inter(s: &mut Schedule) {
    let (me, root, theirs, ours) = (s.rank(), s.root(), s.call().theirs(), s.call().ours());
    let all = 0..s.len();
    if me == root {
        s.recv(theirs.start, Place::recv(all), &[]);
    } else if theirs.contains(&root) {
        let (sum, ready) = group::sum(s, Place::send(all));
        if me == ours.start {
            s.send(root, sum, &[ready]);
        }
    }
}
