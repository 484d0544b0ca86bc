// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collectives between two groups (MPI 5.0, section 6.2.2): each group gives to the other.

use std::ops::Range;

use super::super::symbol::{Blocks, Sums};
use super::{Model, blank, block, blocks, set_lens, sum_units, uneven, units};
use crate::coll::registry::Collective;
use crate::coll::schedule::Call;

/// What a rank is in a collective with a root.
#[derive(PartialEq)]
enum Role {
    Root,
    /// In the other group.
    Partner,
    /// In the root's group: it does not know who the root is, and has no buffers.
    Bystander,
}

/// The buffers of `call.rank`; completes the call.
pub fn model(collective: Collective, call: &mut Call, sums: &mut Sums) -> Model {
    use Collective::*;
    match collective {
        Barrier => Model::apart(Blocks::none(), Blocks::one([]), Blocks::one([])),
        Bcast | Reduce | Gather | Gatherv | Scatter | Scatterv => with_root(collective, call, sums),
        Allreduce => allreduce(call, sums),
        Allgather | Allgatherv => exchange(call, false),
        Alltoall | Alltoallv | Alltoallw => exchange(call, true),
        ReduceScatter => reduce_scatter(true, call, sums),
        ReduceScatterBlock => reduce_scatter(false, call, sums),
        other => unreachable!("{} between groups", other.name()),
    }
}

fn none() -> Model {
    Model::apart(Blocks::none(), Blocks::none(), Blocks::none())
}

fn with_root(collective: Collective, call: &mut Call, sums: &mut Sums) -> Model {
    let (root, partners) = (call.root, call.theirs());
    let role = match () {
        () if call.rank == root => Role::Root,
        () if partners.contains(&root) => Role::Partner,
        () => Role::Bystander,
    };
    if role == Role::Bystander {
        call.root = call.size;
        return none();
    }
    match collective {
        Collective::Bcast => bcast(call, role),
        Collective::Reduce => reduce(call, role, sums),
        Collective::Gather => gather(false, call, role),
        Collective::Gatherv => gather(true, call, role),
        Collective::Scatter => scatter(false, call, role),
        _ => scatter(true, call, role),
    }
}

fn bcast(call: &Call, role: Role) -> Model {
    let content = Blocks::one(units(call.root, 0, call.len));
    let recv = if role == Role::Root { content.clone() } else { blank(call.len) };
    Model::apart(Blocks::none(), recv, content)
}

fn sum(of: Range<usize>, from: usize, len: usize, sums: &mut Sums) -> Blocks {
    Blocks::one(sum_units(sums.range(of), from, len))
}

fn reduce(call: &Call, role: Role, sums: &mut Sums) -> Model {
    match role {
        Role::Root => Model::apart(Blocks::none(), blank(call.len), sum(call.theirs(), 0, call.len, sums)),
        _ => Model::apart(Blocks::one(units(call.rank, 0, call.len)), Blocks::none(), Blocks::none()),
    }
}

fn allreduce(call: &Call, sums: &mut Sums) -> Model {
    Model::apart(Blocks::one(units(call.rank, 0, call.len)), blank(call.len), sum(call.theirs(), 0, call.len, sums))
}

fn gather(vector: bool, call: &mut Call, role: Role) -> Model {
    let (root, base) = (call.root, call.len);
    let len = |r: usize| if vector { uneven(base, r, root) } else { base };
    if role == Role::Partner {
        set_lens(vector, call, vec![len(call.rank)], vec![]);
        return Model::apart(Blocks::one(block(call.rank, root, len(call.rank))), Blocks::none(), Blocks::none());
    }
    let want = blocks(call.theirs().map(|r| block(r, root, len(r))));
    set_lens(vector, call, vec![], want.lens());
    let recv = Blocks::blank(want.lens());
    Model::apart(Blocks::none(), recv, want)
}

fn scatter(vector: bool, call: &mut Call, role: Role) -> Model {
    let (root, base) = (call.root, call.len);
    let len = |r: usize| if vector { uneven(base, root, r) } else { base };
    if role == Role::Partner {
        let mine = len(call.rank);
        set_lens(vector, call, vec![], vec![mine]);
        return Model::apart(Blocks::none(), blank(mine), Blocks::one(block(root, call.rank, mine)));
    }
    let send = blocks(call.theirs().map(|r| block(root, r, len(r))));
    set_lens(vector, call, send.lens(), vec![]);
    Model::apart(send, Blocks::none(), Blocks::none())
}

/// All-gather, and with a block for each rank all-to-all; lengths differ in the two directions.
fn exchange(call: &mut Call, each: bool) -> Model {
    let (me, base) = (call.rank, call.len);
    let to = |r: usize| if each { r } else { 0 };
    let send = match each {
        true => blocks(call.theirs().map(|r| block(me, r, uneven(base, me, r)))),
        false => Blocks::one(block(me, 0, uneven(base, me, 0))),
    };
    let want = blocks(call.theirs().map(|r| block(r, to(me), uneven(base, r, to(me)))));
    set_lens(true, call, send.lens(), want.lens());
    let recv = Blocks::blank(want.lens());
    Model::apart(send, recv, want)
}

/// Each group has its own counts, of equal sum: those of the one are dealt from the first rank on, those of the other from the last.
fn reduce_scatter(vector: bool, call: &mut Call, sums: &mut Sums) -> Model {
    let total = if vector { call.len } else { call.len * call.first * (call.size - call.first) };
    let (ours, theirs) = (call.ours(), call.theirs());
    let n = ours.len();
    let each = |i: usize| (i + 1) * total / n - i * total / n;
    let lens: Vec<usize> = (0..n).map(|i| if ours.start == 0 { each(i) } else { each(n - 1 - i) }).collect();
    let mine = call.rank - ours.start;
    let (before, own) = (lens[..mine].iter().sum(), lens[mine]);
    call.len = total;
    set_lens(true, call, lens, vec![own]);
    Model::apart(Blocks::one(units(call.rank, 0, total)), blank(own), sum(theirs, before, own, sums))
}
