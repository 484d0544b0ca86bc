// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reduce-scatter in one shot, then a gather: every rank reduces its n-th of the buffer for the root, in chunks as in
//! [`crate::coll::allreduce::two_shot`]. The root receives 2(n-1)/n of the buffer instead of the star's (n-1) times, and the
//! reductions are shared by all.

use crate::coll::allreduce::two_shot::reduce_slices;
use crate::coll::schedule::{Place, Schedule, part};

/// Each rank's slice of the sum lies in scratch until the root has it.
pub fn two_shot(s: &mut Schedule) {
    let (me, n, root, len) = (s.rank(), s.size(), s.root(), s.len());
    if me == root {
        return reduce_slices(s, Place::recv, Vec::new(), (0..n).filter(|r| *r != me).collect());
    }
    let mine = part(len, me, n);
    let slice = s.scratch(mine.len());
    let place = move |units: std::ops::Range<usize>| slice.cut(units.start - mine.start..units.end - mine.start);
    reduce_slices(s, place, vec![root], Vec::new());
}
