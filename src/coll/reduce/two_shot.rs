// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reduce-scatter in one shot, then a gather: every rank reduces its n-th of the buffer for the root. Two rounds; the root
//! receives 2(n-1)/n of the buffer instead of the star's (n-1) times, and the reductions are shared by all.

use crate::coll::allreduce::two_shot::reduce_slice;
use crate::coll::schedule::{Id, Place, Schedule, part};

/// Each rank's slice of the sum lies in scratch until the root has it.
pub fn two_shot(s: &mut Schedule) {
    let (me, n, root, len) = (s.rank(), s.size(), s.root(), s.len());
    let block = |r: usize| part(len, r, n);
    if me == root {
        reduce_slice(s, Place::recv(block(me)));
        for r in (0..n).filter(|r| *r != me) {
            s.recv(r, Place::recv(block(r)), &[Id::START]);
        }
    } else {
        let slice = s.scratch(block(me).len());
        let ready = reduce_slice(s, slice);
        s.send(root, slice, &[ready]);
    }
}
