// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each collective starts with and must end with, as symbols. A new collective needs an arm in [`model`].

use std::rc::Rc;
use std::sync::Arc;

use crate::coll::registry::Collective;
use crate::coll::schedule::{Call, Lens};

/// What a unit holds: the contributions in it, left to right; `None` before anything was written.
pub type Symbol = Option<Rc<[u32]>>;

/// Unit `i` of `rank`'s contribution.
pub fn contribution(rank: usize, i: usize) -> u32 {
    (rank as u32) << 20 | i as u32
}

/// A unit that holds one contribution.
pub fn unit(rank: usize, i: usize) -> Symbol {
    Some(Rc::from([contribution(rank, i)]))
}

/// One rank's buffers: a list of blocks each.
pub struct Model {
    /// The send buffer. In place, its blocks are those of the receive buffer.
    pub send: Vec<Vec<Symbol>>,
    /// The receive buffer.
    pub recv: Vec<Vec<Symbol>>,
    /// What the receive buffer must be in the end; `None` where anything may stand.
    pub want: Vec<Vec<Symbol>>,
    /// Block `b` of the send buffer is block `alias(b)` of the receive buffer.
    pub alias: Option<fn(&Call, usize) -> usize>,
}

/// Whether a collective has a root.
pub fn rooted(collective: Collective) -> bool {
    use Collective::*;
    matches!(collective, Bcast | Reduce | Gather | Gatherv | Scatter | Scatterv)
}

/// Whether a collective has a reduction.
pub fn reduces(collective: Collective) -> bool {
    use Collective::*;
    matches!(collective, Reduce | Allreduce | ReduceScatter | ReduceScatterBlock | Scan | Exscan)
}

/// Whether the flags and lengths of a call mean something to a collective (to try each case once).
pub fn differs(collective: Collective, call: &Call) -> bool {
    match collective {
        Collective::Barrier => call.commutative && !call.in_place && call.len == 0,
        Collective::Bcast => call.commutative && !call.in_place,
        _ => reduces(collective) || call.commutative,
    }
}

/// The buffers of `call.rank`. May complete the call (`in_place` of this rank, lengths of blocks).
pub fn model(collective: Collective, call: &mut Call) -> Model {
    match collective {
        Collective::Barrier => Model { send: vec![], recv: vec![vec![]], want: vec![vec![]], alias: None },
        Collective::Bcast => bcast(call),
        Collective::Reduce => {
            call.in_place &= call.rank == call.root;
            let wanted = call.rank == call.root;
            reduction(call, wanted)
        }
        Collective::Allreduce => reduction(call, true),
        Collective::Gather | Collective::Gatherv => gather(collective == Collective::Gatherv, call),
        Collective::Scatter | Collective::Scatterv => scatter(collective == Collective::Scatterv, call),
        Collective::Allgather | Collective::Allgatherv => allgather(collective == Collective::Allgatherv, call),
        Collective::Alltoall => alltoall(false, call),
        Collective::Alltoallv | Collective::Alltoallw => alltoall(true, call),
        Collective::ReduceScatter => reduce_scatter(true, call),
        Collective::ReduceScatterBlock => reduce_scatter(false, call),
        Collective::Scan => scan(call.rank + 1, call),
        Collective::Exscan => scan(call.rank, call),
    }
}

fn bcast(call: &Call) -> Model {
    let content = |known: bool| (0..call.len).map(|i| if known { unit(call.root, i) } else { None }).collect();
    Model { send: vec![], recv: vec![content(call.rank == call.root)], want: vec![content(true)], alias: None }
}

fn reduction(call: &Call, wanted: bool) -> Model {
    let mine: Vec<Symbol> = (0..call.len).map(|i| unit(call.rank, i)).collect();
    let sum = |i| Some((0..call.size).map(|r| contribution(r, i)).collect());
    let want = if wanted { (0..call.len).map(sum).collect() } else { vec![] };
    let recv = if wanted { vec![None; call.len] } else { vec![] };
    match call.in_place {
        true => Model { send: vec![], recv: vec![mine], want: vec![want], alias: Some(|_, b| b) },
        false => Model { send: vec![mine], recv: vec![recv], want: vec![want], alias: None },
    }
}

/// Lengths of blocks where each has its own: some empty, some longer than the rest.
fn uneven(len: usize, from: usize, to: usize) -> usize {
    (len + 3 * from + 5 * to) % (len + 3) / (1 + (from + to) % 2)
}

/// The block that goes from rank `from` to rank `to`.
fn block(from: usize, to: usize, len: usize) -> Vec<Symbol> {
    (0..len).map(|i| unit(from, to << 10 | i)).collect()
}

fn set_lens(vector: bool, call: &mut Call, send: Vec<usize>, recv: Vec<usize>) {
    if vector {
        call.lens = Some(Arc::new(Lens { send, recv }));
    }
}

fn gather(vector: bool, call: &mut Call) -> Model {
    let (me, n, len, root) = (call.rank, call.size, call.len, call.root);
    call.in_place &= me == root;
    let lens: Vec<usize> = (0..n).map(|r| if vector { uneven(len, r, root) } else { len }).collect();
    let mine = block(me, root, lens[me]);
    if me != root {
        set_lens(vector, call, vec![lens[me]], vec![]);
        return Model { send: vec![mine], recv: vec![], want: vec![], alias: None };
    }
    let want: Vec<_> = (0..n).map(|r| block(r, root, lens[r])).collect();
    set_lens(vector, call, vec![lens[me]], lens.clone());
    let mut recv: Vec<Vec<Symbol>> = lens.iter().map(|&len| vec![None; len]).collect();
    if call.in_place {
        recv[me] = mine;
        return Model { send: vec![], recv, want, alias: Some(|call, _| call.rank) };
    }
    Model { send: vec![mine], recv, want, alias: None }
}

fn scatter(vector: bool, call: &mut Call) -> Model {
    let (me, n, len, root) = (call.rank, call.size, call.len, call.root);
    call.in_place &= me == root;
    let lens: Vec<usize> = (0..n).map(|r| if vector { uneven(len, root, r) } else { len }).collect();
    let send = (0..n).filter(|_| me == root).map(|r| block(root, r, lens[r])).collect();
    set_lens(vector, call, if me == root { lens.clone() } else { vec![] }, vec![lens[me]]);
    if call.in_place {
        return Model { send, recv: vec![], want: vec![], alias: None };
    }
    Model { send, recv: vec![vec![None; lens[me]]], want: vec![block(root, me, lens[me])], alias: None }
}

fn allgather(vector: bool, call: &mut Call) -> Model {
    let (me, n, len) = (call.rank, call.size, call.len);
    let lens: Vec<usize> = (0..n).map(|r| if vector { uneven(len, r, 0) } else { len }).collect();
    let want = (0..n).map(|r| block(r, 0, lens[r])).collect();
    set_lens(vector, call, vec![lens[me]], lens.clone());
    let mut recv: Vec<Vec<Symbol>> = lens.iter().map(|&len| vec![None; len]).collect();
    if call.in_place {
        recv[me] = block(me, 0, lens[me]);
        return Model { send: vec![], recv, want, alias: Some(|call, _| call.rank) };
    }
    Model { send: vec![block(me, 0, lens[me])], recv, want, alias: None }
}

fn alltoall(vector: bool, call: &mut Call) -> Model {
    let (me, n, len) = (call.rank, call.size, call.len);
    // In place, what goes to a rank has the length of what comes from it.
    let length = |from: usize, to: usize| match (vector, call.in_place) {
        (false, _) => len,
        (true, false) => uneven(len, from, to),
        (true, true) => uneven(len, from.min(to), from.max(to)),
    };
    let send: Vec<_> = (0..n).map(|r| block(me, r, length(me, r))).collect();
    let want: Vec<_> = (0..n).map(|r| block(r, me, length(r, me))).collect();
    let lens = |blocks: &[Vec<Symbol>]| blocks.iter().map(Vec::len).collect::<Vec<_>>();
    set_lens(vector, call, lens(&send), lens(&want));
    if call.in_place {
        return Model { send: vec![], recv: send, want, alias: Some(|_, b| b) };
    }
    let recv = want.iter().map(|b| vec![None; b.len()]).collect();
    Model { send, recv, want, alias: None }
}

/// In place too the model keeps the two buffers apart: the result begins where the first block does, and may be longer.
fn reduce_scatter(vector: bool, call: &mut Call) -> Model {
    let (me, n, len) = (call.rank, call.size, call.len);
    let lens: Vec<usize> = (0..n).map(|r| if vector { uneven(len, r, 1) } else { len }).collect();
    let send = (0..n).map(|b| block(me, b, lens[b])).collect();
    let sum = |i| Some((0..n).map(|r| contribution(r, me << 10 | i)).collect());
    let want = vec![(0..lens[me]).map(sum).collect()];
    let recv = vec![vec![None; lens[me]]];
    set_lens(vector, call, lens.clone(), vec![lens[me]]);
    Model { send, recv, want, alias: None }
}

/// The sum of the first `ranks` ranks; of none, anything.
fn scan(ranks: usize, call: &Call) -> Model {
    let mine: Vec<Symbol> = (0..call.len).map(|i| unit(call.rank, i)).collect();
    let sum = |i| (ranks > 0).then(|| (0..ranks).map(|r| contribution(r, i)).collect());
    let want = vec![(0..call.len).map(sum).collect()];
    match call.in_place {
        true => Model { send: vec![], recv: vec![mine], want, alias: Some(|_, b| b) },
        false => Model { send: vec![mine], recv: vec![vec![None; call.len]], want, alias: None },
    }
}
