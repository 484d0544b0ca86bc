// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who the neighbours of this process are, in the order in which neighbourhood collectives meet them
//! (MPI 5.0, section 8.6).

use super::Topology;
use crate::err;
use crate::object::comm::Comm;
use crate::object::error::Result;

/// Ranks that this process receives from, and that it sends to; `MPI_PROC_NULL` beyond the edge of a grid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbors {
    /// Receives come from these.
    pub sources: Vec<i32>,
    /// Sends go to these.
    pub destinations: Vec<i32>,
}

/// The neighbours of this process.
pub fn of(comm: &Comm) -> Result<Neighbors> {
    let same = |ranks: Vec<i32>| Neighbors { sources: ranks.clone(), destinations: ranks };
    match comm.topology.as_deref() {
        Some(Topology::Cart(cart)) => {
            let around = |d: usize| [cart.step(comm.rank, d, -1), cart.step(comm.rank, d, 1)];
            Ok(same((0..cart.dims.len()).flat_map(around).collect()))
        }
        Some(Topology::Graph(graph)) => Ok(same(graph.neighbors(comm.rank as usize).to_vec())),
        Some(Topology::DistGraph(graph)) => {
            Ok(Neighbors { sources: graph.sources.clone(), destinations: graph.destinations.clone() })
        }
        None => Err(err!(Topology, "the communicator has no topology")),
    }
}
