// SPDX-License-Identifier: MIT OR Apache-2.0
//! All-reduce: [`recursive_doubling`] and [`tree`] for small, [`two_shot`] on one node, [`one_shot`] for small buffers on devices, [`ring`] for large buffers,
//! [`inter`] between groups. Units are elements. Every algorithm gives all ranks the same bits, floating point included.

pub mod inter;
pub mod one_shot;
pub mod recursive_doubling;
pub mod ring;
pub mod tree;
pub mod two_shot;

use crate::object::constant::Handle;
use crate::object::error::Result;

use super::call;
use super::node::{self, Way};
use super::reduction::Reduction;
use super::registry::{Algorithm, Collective, Needs};
use super::schedule::{Ground, Schedule};
use super::tuning;

const fn row(name: &'static str, needs: Needs, write: fn(&mut Schedule)) -> Algorithm {
    Algorithm { name, collective: Collective::Allreduce, needs, write }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[
    row("one_shot", Needs::Nothing, one_shot::one_shot),
    row("recursive_doubling", Needs::Nothing, recursive_doubling::recursive_doubling),
    row("ring", Needs::Commutative, ring::ring),
    row("tree", Needs::Nothing, tree::tree),
    row("two_shot", Needs::Nothing, two_shot::two_shot),
    row("inter", Needs::Inter, inter::inter),
];

fn check(send: *mut u8, recv: *mut u8, count: i64, datatype: Handle, op: Handle, comm: Handle) -> Result<Reduction> {
    Reduction::check(Collective::Allreduce, send, recv, count, datatype, op, None, comm)
}

/// `MPI_Allreduce` (MPI 5.0, section 6.9.6).
///
/// # Safety
/// `send` (unless `MPI_IN_PLACE`) and `recv` must hold `count` elements; `recv` is written.
pub unsafe fn allreduce(send: *mut u8, recv: *mut u8, count: i64, datatype: Handle, op: Handle, comm: Handle) -> Result<()> {
    let a = check(send, recv, count, datatype, op, comm)?;
    if a.trivial()? {
        return Ok(());
    }
    let mut ground = Ground::Host;
    if tuning::node_first(Collective::Allreduce, a.bytes(), a.comm.size() as usize) {
        // SAFETY: the caller's promise.
        match unsafe { node::allreduce(a.comm, a.send, recv, count, a.datatype, a.op) }? {
            Way::Done => return Ok(()),
            Way::Schedule(agreed) => ground = agreed,
        }
    }
    call::block(a.job(ground)?)
}

/// `MPI_Iallreduce` (MPI 5.0, section 6.12.9).
///
/// # Safety
/// As for [`allreduce`], until the request completes.
pub unsafe fn iallreduce(
    send: *mut u8,
    recv: *mut u8,
    count: i64,
    datatype: Handle,
    op: Handle,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    call::background(check(send, recv, count, datatype, op, comm)?.later()?, request)
}

/// `MPI_Allreduce_init` (MPI 5.0, section 6.13.10).
///
/// # Safety
/// As for [`allreduce`], for every start of the request.
#[allow(clippy::too_many_arguments)]
pub unsafe fn allreduce_init(
    send: *mut u8,
    recv: *mut u8,
    count: i64,
    datatype: Handle,
    op: Handle,
    comm: Handle,
    _info: Handle,
    request: &mut Handle,
) -> Result<()> {
    call::persist(check(send, recv, count, datatype, op, comm)?.later()?, request)
}
