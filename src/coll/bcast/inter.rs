// SPDX-License-Identifier: MIT OR Apache-2.0
//! Broadcast between groups: the root tells the first rank of the other group, which tells its group.

use crate::coll::group;
use crate::coll::schedule::{Place, Schedule};

/// A binomial tree in the other group; the root's own group has nothing to do.
pub fn inter(s: &mut Schedule) {
    let (me, root, theirs, ours) = (s.rank(), s.root(), s.call().theirs(), s.call().ours());
    let all = Place::recv(0..s.len());
    if me == root {
        s.send(theirs.start, all, &[]);
    } else if theirs.contains(&root) {
        let have = if me == ours.start { s.recv(root, all, &[]) } else { group::START };
        group::tell(s, all, have);
    }
}
