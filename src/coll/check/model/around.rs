// SPDX-License-Identifier: MIT OR Apache-2.0
//! Neighborhood collectives, on graphs of several shapes. Where a call has a root, here its number is the shape.

use std::sync::Arc;

use super::super::symbol::{Blocks, Symbol};
use super::{Model, block, set_lens, uneven, units};
use crate::coll::registry::Collective;
use crate::coll::schedule::Call;
use crate::object::comm::topology::cart::Cart;
use crate::object::comm::topology::neighbors::Neighbors;
use crate::object::constant::PROC_NULL;

/// How many shapes there are: a ring; a grid that is open in one dimension; a grid with dimensions of 1 and 2 places; a
/// graph with edges that occur several times and edges from a rank to itself.
pub const SHAPES: usize = 4;

/// What goes along the edges.
#[derive(Clone, Copy, PartialEq)]
pub struct Kind {
    /// A block for each edge, not the same for all.
    each: bool,
    /// Blocks of their own lengths.
    vector: bool,
}

/// The kind of a neighborhood collective.
pub fn kind(collective: Collective) -> Option<Kind> {
    match collective {
        Collective::NeighborAllgather => Some(Kind { each: false, vector: false }),
        Collective::NeighborAllgatherv => Some(Kind { each: false, vector: true }),
        Collective::NeighborAlltoall => Some(Kind { each: true, vector: false }),
        Collective::NeighborAlltoallv | Collective::NeighborAlltoallw => Some(Kind { each: true, vector: true }),
        _ => None,
    }
}

/// Where an edge begins and ends: ranks, and places in their lists.
struct Edge {
    from: (usize, usize),
    to: (usize, usize),
}

fn grid(dims: &[usize], periods: &[bool]) -> Cart {
    Cart { dims: dims.iter().map(|&d| d as i32).collect(), periods: periods.to_vec() }
}

fn cart(shape: usize, n: usize) -> Option<Cart> {
    let rows = (1..=n).filter(|d| d * d <= n && n.is_multiple_of(*d)).max().expect("1 divides");
    match shape {
        0 => Some(grid(&[n], &[true])),
        1 => Some(grid(&[rows, n / rows], &[true, false])),
        2 if n.is_multiple_of(2) => Some(grid(&[1, 2, n / 2], &[true; 3])),
        2 => Some(grid(&[1, n], &[true, false])),
        _ => None,
    }
}

/// What goes up from one arrives from below at the next, and the other way round.
fn grid_edges(cart: &Cart, n: usize) -> Vec<Edge> {
    let mut edges = Vec::new();
    for rank in 0..n {
        for slot in 0..2 * cart.dims.len() {
            let to = cart.step(rank as i32, slot / 2, if slot % 2 == 0 { -1 } else { 1 });
            if to != PROC_NULL {
                edges.push(Edge { from: (rank, slot), to: (to as usize, slot ^ 1) });
            }
        }
    }
    edges
}

/// From each rank some edges, some of them twice, some to itself; lists in the order of the edges.
fn tangle(n: usize) -> Vec<Edge> {
    let ends =
        (0..n).flat_map(|r| [(r, (r * 5 + 2) % n), (r, r), (r, (r + 1) % n), (r, (r * 5 + 2) % n)].into_iter().take(1 + r % 4));
    let (mut outs, mut ins) = (vec![0; n], vec![0; n]);
    let next = |counts: &mut Vec<usize>, r: usize| {
        counts[r] += 1;
        counts[r] - 1
    };
    ends.map(|(from, to)| Edge { from: (from, next(&mut outs, from)), to: (to, next(&mut ins, to)) }).collect()
}

fn neighbors(shape: usize, call: &Call, edges: &[Edge]) -> Neighbors {
    if let Some(cart) = cart(shape, call.size) {
        return cart.neighbors(call.rank as i32);
    }
    let mine = |at: fn(&Edge) -> (usize, usize), other: fn(&Edge) -> (usize, usize)| {
        edges.iter().filter(|e| at(e).0 == call.rank).map(|e| other(e).0 as i32).collect()
    };
    Neighbors { sources: mine(|e| e.to, |e| e.from), destinations: mine(|e| e.from, |e| e.to), crossed: false }
}

/// What stands where nothing arrives.
fn untouched(me: usize, slot: usize, len: usize) -> impl Iterator<Item = Symbol> {
    units(me, 1 << 20 | slot << 10, len)
}

/// The buffers of `call.rank`; completes the call.
pub fn model(kind: Kind, call: &mut Call) -> Model {
    let (me, n, base, shape) = (call.rank, call.size, call.len, call.root);
    let edges = cart(shape, n).map_or_else(|| tangle(n), |cart| grid_edges(&cart, n));
    let around = neighbors(shape, call, &edges);
    let slot = |s: usize| if kind.each { s } else { 0 };
    let len = |(rank, s): (usize, usize)| if kind.vector { uneven(base, rank, slot(s)) } else { base };
    let outs = if kind.each { around.destinations.len() } else { 1 };
    let mut send = Blocks::none();
    (0..outs).for_each(|s| send.push(block(me, s, len((me, s)))));
    let (mut recv, mut want) = (Blocks::none(), Blocks::none());
    for s in 0..around.sources.len() {
        match edges.iter().find(|e| e.to == (me, s)) {
            Some(Edge { from, .. }) => {
                want.push(block(from.0, slot(from.1), len(*from)));
                recv.push(std::iter::repeat_n(Symbol::NONE, len(*from)));
            }
            None => {
                want.push(untouched(me, s, base));
                recv.push(untouched(me, s, base));
            }
        }
    }
    set_lens(kind.vector, call, send.lens(), recv.lens());
    call.neighbors = Some(Arc::new(around));
    Model::apart(send, recv, want)
}
