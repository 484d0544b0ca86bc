// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long the arrays are that C passes without a length. A bad communicator gives 0: the engine function reports it.
//! Arrays that are significant at the root alone have length 0 elsewhere, so that nobody reads them there.

use std::ffi::c_int;

use crate::object::comm::topology::{cart, neighbors};
use crate::object::comm::{self, Comm};
use crate::object::constant::{Handle, IN_PLACE, PROC_NULL, ROOT};

fn of(comm: Handle, length: impl Fn(&Comm) -> usize) -> usize {
    comm::get(comm).map_or(0, |c| length(c))
}

/// One entry a process that a collective call exchanges data with: the remote group, in an intercommunicator.
pub fn peers(comm: Handle) -> usize {
    of(comm, |c| c.peers().members.len())
}

/// As [`peers`]; 0 when `MPI_IN_PLACE` stands for the send buffer, whose counts are then ignored.
pub fn sent(buffer: *mut u8, comm: Handle) -> usize {
    if buffer.addr() == IN_PLACE { 0 } else { peers(comm) }
}

/// One entry a process of the local group.
pub fn local(comm: Handle) -> usize {
    of(comm, |c| c.group.members.len())
}

/// As [`peers`] at the root, 0 elsewhere.
pub fn at_root(root: i32, comm: Handle) -> usize {
    of(comm, |c| match root {
        ROOT => c.peers().members.len(),
        PROC_NULL => 0,
        _ if c.remote.is_none() && root == c.rank => c.group.members.len(),
        _ => 0,
    })
}

/// Dimensions of a Cartesian communicator.
pub fn cart_dims(comm: Handle) -> usize {
    of(comm, |c| cart::of(c).map_or(0, |cart| cart.dims.len()))
}

/// Edges that end at the calling process.
pub fn indegree(comm: Handle) -> usize {
    of(comm, |c| neighbors::kept(c).map_or(0, |n| n.sources.len()))
}

/// Edges that start at the calling process.
pub fn outdegree(comm: Handle) -> usize {
    of(comm, |c| neighbors::kept(c).map_or(0, |n| n.destinations.len()))
}

/// The last entry of a non-decreasing index array (`MPI_Graph_create`).
pub fn last(index: &[i32]) -> usize {
    index.last().map_or(0, |&n| n.max(0) as usize)
}

/// The sum of an array (`MPI_Dist_graph_create`).
pub fn sum(degrees: &[i32]) -> usize {
    degrees.iter().map(|&n| n.max(0) as usize).sum()
}

/// What may stand as a length: a negative one is 0, and the engine function reports it.
pub trait Length {
    /// As a number of elements.
    fn elements(self) -> usize;
}

impl Length for i32 {
    #[inline(always)]
    fn elements(self) -> usize {
        self.max(0) as usize
    }
}

impl Length for i64 {
    #[inline(always)]
    fn elements(self) -> usize {
        self.max(0) as usize
    }
}

/// An in-out integer during a call.
impl Length for &(*mut c_int, i32) {
    fn elements(self) -> usize {
        self.1.max(0) as usize
    }
}

impl Length for usize {
    #[inline(always)]
    fn elements(self) -> usize {
        self
    }
}
