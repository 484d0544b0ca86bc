// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small broadcast: the root posts, the others read when they come. The root does not wait.

use super::area::{Area, depth};
use super::call::Call;
use super::mates::Mates;
use crate::object::error::Result;

/// The root's half: `fill` writes the message.
pub fn give<M: Mates>(area: &Area<M>, call: &Call, fill: impl FnOnce(*mut u8)) -> Result<()> {
    let len = call.bytes as usize;
    let sequence = area.begin(depth(len));
    area.post(sequence, call, len, fill);
    area.ring_all();
    // The later of two roots sees the other, unless both stores were still under way: no fence is spent on that.
    let rival = area.rival(sequence, call);
    area.end(sequence, depth(len));
    rival.map_or(Ok(()), Err)
}

/// The others' half: `take` reads the message.
pub fn take<M: Mates>(area: &Area<M>, call: &Call, take: impl FnOnce(*const u8)) -> Result<()> {
    let len = call.bytes as usize;
    let sequence = area.begin(depth(len));
    let post = area.read(sequence, call.root as usize, call);
    if post.is_err() {
        // Whoever waits for this rank, in another call, must see what it is in.
        area.post(sequence, call, 0, |_| ());
        area.ring_all();
    }
    let result = post.map(|post| take(post.data(len)));
    area.end(sequence, depth(len));
    result
}
