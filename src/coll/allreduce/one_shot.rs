// SPDX-License-Identifier: MIT OR Apache-2.0
//! One shot: every rank gets the buffers of all others and reduces them in rank order. One round, and (n-1) len arrive at each rank:
//! for small buffers on devices, where a kernel reads the others' where they are and a second round costs more than bytes.

use super::two_shot::reduce_range;
use crate::coll::schedule::{Place, Schedule};

/// The first shot of [`super::two_shot`] with everybody's slice the whole. In place the sum must not touch the buffer that the
/// others read.
pub fn one_shot(s: &mut Schedule) {
    let all = Place::recv(0..s.len());
    let result = if s.call().in_place { s.scratch(all.len()) } else { all };
    let (ready, mut read) = reduce_range(s, (result, false), |_| 0..all.len());
    read.push(ready);
    s.copy(result, all, &read);
}
