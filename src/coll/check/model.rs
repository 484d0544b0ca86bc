// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each collective starts with and must end with, as symbols. A new collective needs an arm in [`model`]. Here: within one
//! group; [`between`] two groups; [`around`] the neighborhood collectives.

mod around;
mod between;

use std::sync::Arc;

use super::symbol::{Blocks, Sums, Symbol};
use crate::coll::registry::Collective;
use crate::coll::schedule::{Call, Lens};

/// One rank's buffers: a list of blocks each.
pub struct Model {
    /// The send buffer. In place, its blocks are those of the receive buffer.
    pub send: Blocks,
    /// The receive buffer.
    pub recv: Blocks,
    /// What the receive buffer must be in the end; [`Symbol::NONE`] where anything may stand.
    pub want: Blocks,
    /// Block `b` of the send buffer is block `alias(b)` of the receive buffer.
    pub alias: Option<fn(&Call, usize) -> usize>,
}

impl Model {
    /// Buffers that have nothing to do with each other.
    fn apart(send: Blocks, recv: Blocks, want: Blocks) -> Model {
        Model { send, recv, want, alias: None }
    }

    /// In place: the input stands in the receive buffer.
    fn in_place(recv: Blocks, want: Blocks, alias: fn(&Call, usize) -> usize) -> Model {
        Model { send: Blocks::none(), recv, want, alias: Some(alias) }
    }
}

pub use around::SHAPES;

/// Whether a collective has a root.
pub fn rooted(collective: Collective) -> bool {
    use Collective::*;
    matches!(collective, Bcast | Reduce | Gather | Gatherv | Scatter | Scatterv)
}

/// Whether it is a neighborhood collective.
pub fn around(collective: Collective) -> bool {
    around::kind(collective).is_some()
}

/// Whether a collective has a reduction.
pub fn reduces(collective: Collective) -> bool {
    use Collective::*;
    matches!(collective, Reduce | Allreduce | ReduceScatter | ReduceScatterBlock | Scan | Exscan)
}

/// Whether the flags and lengths of a call mean something to a collective (to try each case once).
pub fn differs(collective: Collective, call: &Call) -> bool {
    if call.folds && !reduces(collective) {
        return false;
    }
    match collective {
        Collective::Barrier => call.commutative && !call.in_place && call.len == 0,
        Collective::Bcast => call.commutative && !call.in_place,
        _ if call.first != 0 && reduces(collective) => !call.in_place,
        _ if call.first != 0 || around(collective) => call.commutative && !call.in_place,
        _ => reduces(collective) || call.commutative,
    }
}

/// The buffers of `call.rank`. May complete the call (`in_place` of this rank, lengths of blocks, neighbours).
pub fn model(collective: Collective, call: &mut Call, sums: &mut Sums) -> Model {
    if call.first != 0 {
        return between::model(collective, call, sums);
    }
    if let Some(kind) = around::kind(collective) {
        return around::model(kind, call);
    }
    match collective {
        Collective::Barrier => Model::apart(Blocks::none(), Blocks::one([]), Blocks::one([])),
        Collective::Bcast => bcast(call),
        Collective::Reduce => {
            call.in_place &= call.rank == call.root;
            let wanted = call.rank == call.root;
            reduction(call, wanted, sums)
        }
        Collective::Allreduce => reduction(call, true, sums),
        Collective::Gather | Collective::Gatherv => gather(collective == Collective::Gatherv, call),
        Collective::Scatter | Collective::Scatterv => scatter(collective == Collective::Scatterv, call),
        Collective::Allgather | Collective::Allgatherv => allgather(collective == Collective::Allgatherv, call),
        Collective::Alltoall => alltoall(false, call),
        Collective::Alltoallv | Collective::Alltoallw => alltoall(true, call),
        Collective::ReduceScatter => reduce_scatter(true, call, sums),
        Collective::ReduceScatterBlock => reduce_scatter(false, call, sums),
        Collective::Scan => scan(call.rank + 1, call, sums),
        Collective::Exscan => scan(call.rank, call, sums),
        _ => unreachable!("a neighborhood collective"),
    }
}

/// `len` units that one rank contributes, counted from `from`.
fn units(rank: usize, from: usize, len: usize) -> impl Iterator<Item = Symbol> {
    (0..len).map(move |i| Symbol::of(rank, from + i))
}

/// `len` units of a sum, counted from `from`.
fn sum_units(sum: u32, from: usize, len: usize) -> impl Iterator<Item = Symbol> {
    (0..len).map(move |i| Symbol { unit: (from + i) as u32, sum })
}

fn blank(len: usize) -> Blocks {
    Blocks::blank([len])
}

fn bcast(call: &Call) -> Model {
    let content = Blocks::one(units(call.root, 0, call.len));
    let recv = if call.rank == call.root { content.clone() } else { blank(call.len) };
    Model::apart(Blocks::none(), recv, content)
}

fn reduction(call: &Call, wanted: bool, sums: &mut Sums) -> Model {
    let mine = Blocks::one(units(call.rank, 0, call.len));
    let (recv, want) = match wanted {
        true => (blank(call.len), Blocks::one(sum_units(sums.range(0..call.size), 0, call.len))),
        false => (Blocks::one([]), Blocks::one([])),
    };
    if call.in_place { Model::in_place(mine, want, |_, b| b) } else { Model::apart(mine, recv, want) }
}

/// Lengths of blocks where each has its own: some empty, some longer than the rest.
fn uneven(len: usize, from: usize, to: usize) -> usize {
    (len + 3 * from + 5 * to) % (len + 3) / (1 + (from + to) % 2)
}

/// The block that goes from rank `from` to rank `to`.
fn block(from: usize, to: usize, len: usize) -> impl Iterator<Item = Symbol> {
    units(from, to << 10, len)
}

fn blocks<I: Iterator<Item = Symbol>>(all: impl Iterator<Item = I>) -> Blocks {
    let mut blocks = Blocks::none();
    all.for_each(|block| blocks.push(block));
    blocks
}

fn set_lens(vector: bool, call: &mut Call, send: Vec<usize>, recv: Vec<usize>) {
    if vector {
        call.lens = Some(Arc::new(Lens { send, recv }));
    }
}

/// Blocks with nothing in them but this rank's own block.
fn with_own(me: usize, lens: &[usize], own: &Blocks) -> Blocks {
    let mut recv = Blocks::blank(lens.iter().copied());
    let at = recv.range(me, 0..lens[me]);
    recv.units[at].copy_from_slice(&own.units);
    recv
}

fn gather(vector: bool, call: &mut Call) -> Model {
    let (me, n, len, root) = (call.rank, call.size, call.len, call.root);
    call.in_place &= me == root;
    let lens: Vec<usize> = (0..n).map(|r| if vector { uneven(len, r, root) } else { len }).collect();
    let mine = Blocks::one(block(me, root, lens[me]));
    if me != root {
        set_lens(vector, call, vec![lens[me]], vec![]);
        return Model::apart(mine, Blocks::none(), Blocks::none());
    }
    let want = blocks((0..n).map(|r| block(r, root, lens[r])));
    set_lens(vector, call, vec![lens[me]], lens.clone());
    if call.in_place {
        return Model::in_place(with_own(me, &lens, &mine), want, |call, _| call.rank);
    }
    Model::apart(mine, Blocks::blank(lens), want)
}

fn scatter(vector: bool, call: &mut Call) -> Model {
    let (me, n, len, root) = (call.rank, call.size, call.len, call.root);
    call.in_place &= me == root;
    let lens: Vec<usize> = (0..n).map(|r| if vector { uneven(len, root, r) } else { len }).collect();
    let send = blocks((0..n).filter(|_| me == root).map(|r| block(root, r, lens[r])));
    set_lens(vector, call, if me == root { lens.clone() } else { vec![] }, vec![lens[me]]);
    if call.in_place {
        return Model::apart(send, Blocks::none(), Blocks::none());
    }
    Model::apart(send, blank(lens[me]), Blocks::one(block(root, me, lens[me])))
}

fn allgather(vector: bool, call: &mut Call) -> Model {
    let (me, n, len) = (call.rank, call.size, call.len);
    let lens: Vec<usize> = (0..n).map(|r| if vector { uneven(len, r, 0) } else { len }).collect();
    let want = blocks((0..n).map(|r| block(r, 0, lens[r])));
    let mine = Blocks::one(block(me, 0, lens[me]));
    set_lens(vector, call, vec![lens[me]], lens.clone());
    if call.in_place {
        return Model::in_place(with_own(me, &lens, &mine), want, |call, _| call.rank);
    }
    Model::apart(mine, Blocks::blank(lens), want)
}

fn alltoall(vector: bool, call: &mut Call) -> Model {
    let (me, n, len) = (call.rank, call.size, call.len);
    // In place, what goes to a rank has the length of what comes from it.
    let in_place = call.in_place;
    let length = |from: usize, to: usize| match (vector, in_place) {
        (false, _) => len,
        (true, false) => uneven(len, from, to),
        (true, true) => uneven(len, from.min(to), from.max(to)),
    };
    let send = blocks((0..n).map(|r| block(me, r, length(me, r))));
    let want = blocks((0..n).map(|r| block(r, me, length(r, me))));
    set_lens(vector, call, send.lens(), want.lens());
    if in_place {
        return Model::in_place(send, want, |_, b| b);
    }
    let recv = Blocks::blank(want.lens());
    Model::apart(send, recv, want)
}

/// In place too the model keeps the two buffers apart: the result begins where the first block does, and may be longer.
fn reduce_scatter(vector: bool, call: &mut Call, sums: &mut Sums) -> Model {
    let (me, n, len) = (call.rank, call.size, call.len);
    let lens: Vec<usize> = (0..n).map(|r| if vector { uneven(len, r, 1) } else { len }).collect();
    let send = blocks((0..n).map(|b| block(me, b, lens[b])));
    let want = Blocks::one(sum_units(sums.range(0..n), me << 10, lens[me]));
    let recv = blank(lens[me]);
    set_lens(vector, call, lens.clone(), vec![lens[me]]);
    Model::apart(send, recv, want)
}

/// The sum of the first `ranks` ranks; of none, anything.
fn scan(ranks: usize, call: &Call, sums: &mut Sums) -> Model {
    let mine = Blocks::one(units(call.rank, 0, call.len));
    let want = match ranks {
        0 => blank(call.len),
        _ => Blocks::one(sum_units(sums.range(0..ranks), 0, call.len)),
    };
    match call.in_place {
        true => Model::in_place(mine, want, |_, b| b),
        false => Model::apart(mine, blank(call.len), want),
    }
}
