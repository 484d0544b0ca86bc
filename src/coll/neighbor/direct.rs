// SPDX-License-Identifier: MIT OR Apache-2.0
//! Neighborhood exchange: a message along every edge, all at once. Messages between two ranks match in order, so the k-th edge
//! from one to the other at the sender is the k-th at the receiver; a grid's two neighbours in a dimension may be one
//! process, and then what goes up comes from below: sends are written in the other order.

use crate::coll::schedule::{Place, Schedule};

/// The same block to every neighbour.
pub fn allgather(s: &mut Schedule) {
    direct(s, |_| 0);
}

/// A block for each neighbour.
pub fn alltoall(s: &mut Schedule) {
    direct(s, |edge| edge);
}

/// `block(edge)`: which block of the send buffer goes along an edge.
fn direct(s: &mut Schedule, block: fn(usize) -> usize) {
    let neighbors = s.call().neighbors.clone().expect("a neighborhood collective has neighbours");
    for (b, &from) in neighbors.sources.iter().enumerate() {
        // MPI_PROC_NULL: the block is left as it is.
        let Ok(from) = usize::try_from(from) else { continue };
        let place = Place::recv_block(b, 0..s.call().recv_len(b));
        s.recv(from, place, &[]);
    }
    for i in 0..neighbors.destinations.len() {
        let edge = if neighbors.crossed { i ^ 1 } else { i };
        let Ok(to) = usize::try_from(neighbors.destinations[edge]) else { continue };
        let place = Place::send_block(block(edge), 0..s.call().send_len(block(edge)));
        s.send(to, place, &[]);
    }
}
