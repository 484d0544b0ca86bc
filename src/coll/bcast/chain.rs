// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pipelined chain: the buffer goes from rank to rank in chunks, each rank passing chunk c on while it receives chunk c+1.
//! n-2 + len/chunk steps; every link carries the buffer once, whatever the number of ranks.

use crate::coll::schedule::{Place, Schedule, chunk_of};

/// One round a chunk: receive it from the rank before, send it to the rank after.
pub fn chain(s: &mut Schedule) {
    let (me, n, len, chunk) = (s.relative(), s.size(), s.len(), s.chunk());
    let (before, after) = (s.absolute(me + n - 1), s.absolute(me + 1));
    s.rounds(len.div_ceil(chunk), move |s, c| {
        let here = Place::recv(chunk_of(0..len, c, chunk));
        let mut have = Vec::new();
        if me > 0 {
            have.push(s.recv(before, here, &[]));
        }
        if me + 1 < n {
            s.send(after, here, &have);
        }
    });
}
