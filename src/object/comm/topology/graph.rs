// SPDX-License-Identifier: MIT OR Apache-2.0
//! Graphs that every process knows whole (`MPI_Graph_create`). Processes are not reordered.

use super::{Topology, first, intra};
use crate::err;
use crate::object::comm::{Comm, get};
use crate::object::constant::{COMM_NULL, Handle, UNDEFINED};
use crate::object::error::Result;

/// A graph: the neighbours of node `i` are `edges[index[i - 1]..index[i]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Ends of the nodes' edges.
    pub index: Vec<i32>,
    /// Neighbours, node after node.
    pub edges: Vec<i32>,
}

impl Graph {
    fn new(comm: &Comm, nnodes: i32, index: &[i32], edges: &[i32]) -> Result<Graph> {
        if nnodes < 0 || nnodes > comm.size() {
            return Err(err!(Arg, "the graph has {nnodes} nodes; the communicator has {} processes", comm.size()));
        }
        if index.iter().scan(0, |before, &end| Some(end >= std::mem::replace(before, end))).any(|ok| !ok) {
            return Err(err!(Arg, "the index {index:?} decreases"));
        }
        if let Some(bad) = edges.iter().find(|e| !(0..nnodes).contains(*e)) {
            return Err(err!(Arg, "an edge leads to node {bad}; the graph has {nnodes} nodes"));
        }
        Ok(Graph { index: index.to_vec(), edges: edges.to_vec() })
    }

    /// The neighbours of a node.
    pub fn neighbors(&self, node: usize) -> &[i32] {
        let start = if node == 0 { 0 } else { self.index[node - 1] as usize };
        &self.edges[start..self.index[node] as usize]
    }
}

fn of(comm: &Comm) -> Result<&Graph> {
    match comm.topology.as_deref() {
        Some(Topology::Graph(graph)) => Ok(graph),
        _ => Err(err!(Topology, "the communicator has no graph topology")),
    }
}

/// `MPI_Graph_create`.
pub fn create(comm: Handle, nnodes: i32, index: &[i32], edges: &[i32], _reorder: bool, new: &mut Handle) -> Result<()> {
    *new = COMM_NULL; // What the caller sees when the arguments are wrong.
    let comm = intra(comm)?;
    let graph = Graph::new(comm, nnodes, index, edges)?;
    *new = if nnodes == 0 { COMM_NULL } else { first(comm, nnodes as usize, Topology::Graph(graph))? };
    Ok(())
}

/// `MPI_Graph_map`.
pub fn map(comm: Handle, nnodes: i32, index: &[i32], edges: &[i32], newrank: &mut i32) -> Result<()> {
    let comm = intra(comm)?;
    Graph::new(comm, nnodes, index, edges)?;
    *newrank = if comm.rank < nnodes { comm.rank } else { UNDEFINED };
    Ok(())
}

/// `MPI_Graphdims_get`.
pub fn dims_get(comm: Handle, nnodes: &mut i32, nedges: &mut i32) -> Result<()> {
    let graph = of(get(comm)?)?;
    (*nnodes, *nedges) = (graph.index.len() as i32, graph.edges.len() as i32);
    Ok(())
}

/// `MPI_Graph_get`.
pub fn graph_get(comm: Handle, _maxindex: i32, _maxedges: i32, index: &mut [i32], edges: &mut [i32]) -> Result<()> {
    let graph = of(get(comm)?)?;
    fill(index, &graph.index);
    fill(edges, &graph.edges);
    Ok(())
}

fn fill(out: &mut [i32], values: &[i32]) {
    out.iter_mut().zip(values).for_each(|(out, &value)| *out = value);
}

/// `MPI_Graph_neighbors_count`.
pub fn neighbors_count(comm: Handle, rank: i32, count: &mut i32) -> Result<()> {
    let comm = get(comm)?;
    let graph = of(comm)?;
    *count = graph.neighbors(comm.group.check_rank(rank)?).len() as i32;
    Ok(())
}

/// `MPI_Graph_neighbors`.
pub fn neighbors(comm: Handle, rank: i32, _maxneighbors: i32, neighbors: &mut [i32]) -> Result<()> {
    let comm = get(comm)?;
    let graph = of(comm)?;
    fill(neighbors, graph.neighbors(comm.group.check_rank(rank)?));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_the_standards_example() {
        let graph = Graph { index: vec![2, 3, 4, 6], edges: vec![1, 3, 0, 3, 0, 2] };
        assert_eq!([0, 1, 2, 3].map(|n| graph.neighbors(n).to_vec()), [vec![1, 3], vec![0], vec![3], vec![0, 2]]);
    }
}
