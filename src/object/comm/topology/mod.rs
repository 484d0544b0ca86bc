// SPDX-License-Identifier: MIT OR Apache-2.0
//! Process topologies (MPI 5.0, chapter 8). [`cart`] Cartesian grids · [`dims`] balanced dimensions ·
//! [`graph`] graphs that every process knows · [`dist_graph`] graphs of which each process knows its part ·
//! [`neighbors`] who the neighbours are, for neighbourhood collectives.

pub mod cart;
pub mod dims;
pub mod dist_graph;
pub mod graph;
pub mod neighbors;

use std::sync::Arc;

use super::birth::{self, Plan};
use super::{Comm, get};
use crate::err;
use crate::object::constant::{CART, DIST_GRAPH, GRAPH, Handle, UNDEFINED};
use crate::object::error::Result;
use crate::object::group::Group;

/// The topology of a communicator.
#[derive(Debug)]
pub enum Topology {
    /// A grid.
    Cart(cart::Cart),
    /// A graph that every process knows.
    Graph(graph::Graph),
    /// My part of a graph.
    DistGraph(dist_graph::DistGraph),
}

/// `MPI_Topo_test`.
pub fn topo_test(comm: Handle, status: &mut i32) -> Result<()> {
    *status = match get(comm)?.topology.as_deref() {
        Some(Topology::Cart(_)) => CART,
        Some(Topology::Graph(_)) => GRAPH,
        Some(Topology::DistGraph(_)) => DIST_GRAPH,
        None => UNDEFINED,
    };
    Ok(())
}

/// The first `count` processes of `comm` become a communicator with this topology; the others get `MPI_COMM_NULL`.
fn first(comm: &Comm, count: usize, topology: Topology) -> Result<Handle> {
    let plan = ((comm.rank as usize) < count).then(|| {
        let members = comm.group.members[..count].to_vec();
        Plan { topology: Some(Arc::new(topology)), ..Plan::child(comm, Group::new(members), comm.rank) }
    });
    birth::now(comm.everyone(), plan)
}

/// Topologies are built on intracommunicators.
fn intra(comm: Handle) -> Result<&'static Arc<Comm>> {
    let comm = get(comm)?;
    if comm.is_inter() { Err(err!(Comm, "a topology needs an intracommunicator")) } else { Ok(comm) }
}
