// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who the neighbours of this process are, in the order in which neighbourhood collectives meet them
//! (MPI 5.0, section 8.6).

use std::sync::Arc;

use super::Topology;
use crate::err;
use crate::object::comm::Comm;
use crate::object::error::Result;

/// Ranks that this process receives from, and that it sends to; `MPI_PROC_NULL` beyond the edge of a grid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Neighbors {
    /// Receives come from these.
    pub sources: Vec<i32>,
    /// Sends go to these.
    pub destinations: Vec<i32>,
    /// Of each two that follow each other, what goes to the one comes from the direction of the other (grids): where both
    /// are one process, its messages cross over.
    pub crossed: bool,
}

/// The neighbours of this process, as they are looked up in each call.
pub fn kept(comm: &Comm) -> Result<&Arc<Neighbors>> {
    if let Some(kept) = comm.neighbors.get() {
        return Ok(kept);
    }
    let found = Arc::new(of(comm)?);
    Ok(comm.neighbors.get_or_init(|| found))
}

/// The neighbours of this process.
pub fn of(comm: &Comm) -> Result<Neighbors> {
    match comm.topology.as_deref() {
        Some(Topology::Cart(cart)) => Ok(cart.neighbors(comm.rank)),
        Some(Topology::Graph(graph)) => {
            let ranks = graph.neighbors(comm.rank as usize);
            Ok(Neighbors { sources: ranks.to_vec(), destinations: ranks.to_vec(), crossed: false })
        }
        Some(Topology::DistGraph(graph)) => {
            let (sources, destinations) = (graph.sources.clone(), graph.destinations.clone());
            Ok(Neighbors { sources, destinations, crossed: false })
        }
        None => Err(err!(Topology, "the communicator has no topology")),
    }
}
