// SPDX-License-Identifier: MIT OR Apache-2.0
//! Graphs of which each process knows its own part (MPI 5.0, sections 8.5.4 and 8.5.5). Processes are not reordered;
//! weights are kept for the queries.

use std::sync::Arc;

use super::{Topology, intra};
use crate::err;
use crate::object::comm::birth::{self, Plan};
use crate::object::comm::{Comm, agree, get};
use crate::object::constant::Handle;
use crate::object::error::Result;

/// My part of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DistGraph {
    /// Who sends to me.
    pub sources: Vec<i32>,
    /// To whom I send.
    pub destinations: Vec<i32>,
    /// Weights of both, unless the program gave none.
    pub weights: Option<(Vec<i32>, Vec<i32>)>,
}

/// An edge as its process named it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    from: i32,
    to: i32,
    weight: i32,
}

fn check_ranks(comm: &Comm, ranks: &[i32], what: &str) -> Result<()> {
    match ranks.iter().find(|r| !(0..comm.size()).contains(*r)) {
        None => Ok(()),
        Some(bad) => Err(err!(Arg, "{what} {bad} is outside the communicator, which has {} processes", comm.size())),
    }
}

fn build(comm: &Comm, graph: DistGraph) -> Result<Handle> {
    let mut plan = Plan::child(comm, comm.group.clone(), comm.rank);
    plan.topology = Some(Arc::new(Topology::DistGraph(graph)));
    birth::now(comm.everyone(), plan)
}

/// `MPI_Dist_graph_create_adjacent`. No weights (`MPI_UNWEIGHTED`) are `None`.
#[allow(clippy::too_many_arguments)]
pub fn create_adjacent(
    comm: Handle,
    _indegree: i32,
    sources: &[i32],
    source_weights: Option<&[i32]>,
    _outdegree: i32,
    destinations: &[i32],
    destination_weights: Option<&[i32]>,
    _info: Handle,
    _reorder: bool,
    new: &mut Handle,
) -> Result<()> {
    let comm = intra(comm)?;
    check_ranks(comm, sources, "source")?;
    check_ranks(comm, destinations, "destination")?;
    let weights = source_weights.zip(destination_weights).map(|(s, d)| (s.to_vec(), d.to_vec()));
    *new = build(comm, DistGraph { sources: sources.to_vec(), destinations: destinations.to_vec(), weights })?;
    Ok(())
}

/// `MPI_Dist_graph_create`: any process may name any edge, so all are gathered and each keeps its own.
#[allow(clippy::too_many_arguments)]
pub fn create(
    comm: Handle,
    _n: i32,
    nodes: &[i32],
    degrees: &[i32],
    targets: &[i32],
    weights: Option<&[i32]>,
    _info: Handle,
    _reorder: bool,
    new: &mut Handle,
) -> Result<()> {
    let comm = intra(comm)?;
    check_ranks(comm, nodes, "node")?;
    check_ranks(comm, targets, "destination")?;
    if let Some(bad) = degrees.iter().find(|&&d| d < 0) {
        return Err(err!(Arg, "a degree is {bad}"));
    }
    let all = gather(comm, &named(nodes, degrees, targets, weights))?;
    *new = build(comm, part(&all, comm.rank, weights.is_some()))?;
    Ok(())
}

fn named(nodes: &[i32], degrees: &[i32], targets: &[i32], weights: Option<&[i32]>) -> Vec<Edge> {
    let from = nodes.iter().zip(degrees).flat_map(|(&node, &degree)| std::iter::repeat_n(node, degree as usize));
    let edge = |(i, (from, &to))| Edge { from, to, weight: weights.map_or(1, |w| w[i]) };
    from.zip(targets).enumerate().map(edge).collect()
}

/// The edges that all processes named, in the order of ranks.
fn gather(comm: &Comm, mine: &[Edge]) -> Result<Vec<Edge>> {
    let circle = comm.everyone();
    let counts = agree::gather(&circle, &[mine.len() as u64])?;
    let before: u64 = counts[..comm.rank as usize].iter().sum();
    let mut words = vec![0; 2 * counts.iter().sum::<u64>() as usize];
    for (edge, place) in mine.iter().zip(words[2 * before as usize..].chunks_exact_mut(2)) {
        place[0] = u64::from(edge.from as u32) << 32 | u64::from(edge.to as u32);
        place[1] = u64::from(edge.weight as u32);
    }
    let words = agree::agree(&circle, words, agree::or)?;
    let edge = |w: &[u64]| Edge { from: (w[0] >> 32) as u32 as i32, to: w[0] as u32 as i32, weight: w[1] as u32 as i32 };
    Ok(words.chunks_exact(2).map(edge).collect())
}

fn part(edges: &[Edge], me: i32, weighted: bool) -> DistGraph {
    let incoming = || edges.iter().filter(|e| e.to == me);
    let outgoing = || edges.iter().filter(|e| e.from == me);
    let weights = (incoming().map(|e| e.weight).collect(), outgoing().map(|e| e.weight).collect());
    DistGraph {
        sources: incoming().map(|e| e.from).collect(),
        destinations: outgoing().map(|e| e.to).collect(),
        weights: weighted.then_some(weights),
    }
}

fn of(comm: &Comm) -> Result<&DistGraph> {
    match comm.topology.as_deref() {
        Some(Topology::DistGraph(graph)) => Ok(graph),
        _ => Err(err!(Topology, "the communicator has no distributed graph topology")),
    }
}

/// `MPI_Dist_graph_neighbors_count`.
pub fn neighbors_count(comm: Handle, indegree: &mut i32, outdegree: &mut i32, weighted: &mut bool) -> Result<()> {
    let graph = of(get(comm)?)?;
    (*indegree, *outdegree) = (graph.sources.len() as i32, graph.destinations.len() as i32);
    *weighted = graph.weights.is_some();
    Ok(())
}

/// `MPI_Dist_graph_neighbors`; weight arrays are left alone when the graph has none, or where the program wants none.
pub fn neighbors(
    comm: Handle,
    _maxindegree: i32,
    sources: &mut [i32],
    source_weights: Option<&mut [i32]>,
    _maxoutdegree: i32,
    destinations: &mut [i32],
    destination_weights: Option<&mut [i32]>,
) -> Result<()> {
    let graph = of(get(comm)?)?;
    let fill = |out: &mut [i32], values: &[i32]| out.iter_mut().zip(values).for_each(|(out, &value)| *out = value);
    fill(sources, &graph.sources);
    fill(destinations, &graph.destinations);
    if let Some((incoming, outgoing)) = &graph.weights {
        source_weights.into_iter().for_each(|out| fill(out, incoming));
        destination_weights.into_iter().for_each(|out| fill(out, outgoing));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_process_keeps_its_edges() {
        let edges = named(&[2, 0], &[2, 1], &[0, 1, 2], Some(&[7, 8, 9]));
        assert_eq!(edges[2], Edge { from: 0, to: 2, weight: 9 });
        let mine = part(&edges, 0, true);
        assert_eq!((mine.sources, mine.destinations), (vec![2], vec![2]));
        assert_eq!(mine.weights, Some((vec![7], vec![9])));
        assert_eq!(part(&edges, 1, false), DistGraph { sources: vec![2], ..DistGraph::default() });
    }
}
