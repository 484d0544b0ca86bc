// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each collective starts with and must end with, as symbols. A new collective needs an arm in [`model`].

use std::rc::Rc;

use crate::coll::registry::Collective;
use crate::coll::schedule::Call;

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
        other => panic!("{}: the checker has no model of it yet", other.name()),
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
