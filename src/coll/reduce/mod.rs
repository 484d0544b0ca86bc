// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reduce: [`binomial`] for small, [`two_shot`] on one node, [`chain`] for large buffers, [`star`] for few ranks,
//! [`inter`] between groups. Units are elements. All keep the operands of non-commutative operations in rank order.

pub mod binomial;
pub mod chain;
pub mod inter;
pub mod star;
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
    Algorithm { name, collective: Collective::Reduce, needs, write }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[
    row("binomial", Needs::Nothing, binomial::binomial),
    row("chain", Needs::Nothing, chain::chain),
    row("star", Needs::Nothing, star::star),
    row("two_shot", Needs::Nothing, two_shot::two_shot),
    row("inter", Needs::Inter, inter::inter),
];

fn check(send: *mut u8, recv: *mut u8, count: i64, datatype: Handle, op: Handle, root: i32, comm: Handle) -> Result<Reduction> {
    Reduction::check(Collective::Reduce, send, recv, count, datatype, op, Some(root), comm)
}

/// `MPI_Reduce` (MPI 5.0, section 6.9.1).
///
/// # Safety
/// `send` must hold `count` elements, and at the root `recv`, which is written.
pub unsafe fn reduce(
    send: *mut u8,
    recv: *mut u8,
    count: i64,
    datatype: Handle,
    op: Handle,
    root: i32,
    comm: Handle,
) -> Result<()> {
    let a = check(send, recv, count, datatype, op, root, comm)?;
    if a.trivial()? {
        return Ok(());
    }
    let mut ground = Ground::Host;
    if tuning::node_first(Collective::Reduce, a.bytes(), a.comm.size() as usize) {
        // SAFETY: the caller's promise.
        match unsafe { node::reduce(a.comm, a.send, recv, count, a.datatype, a.op, root) }? {
            Way::Done => return Ok(()),
            Way::Schedule(agreed) => ground = agreed,
        }
    }
    call::block(a.job(ground)?)
}

/// `MPI_Ireduce` (MPI 5.0, section 6.12.8).
///
/// # Safety
/// As for [`reduce`], until the request completes.
#[allow(clippy::too_many_arguments)]
pub unsafe fn ireduce(
    send: *mut u8,
    recv: *mut u8,
    count: i64,
    datatype: Handle,
    op: Handle,
    root: i32,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    call::background(check(send, recv, count, datatype, op, root, comm)?.later()?, request)
}

/// `MPI_Reduce_init` (MPI 5.0, section 6.13.9).
///
/// # Safety
/// As for [`reduce`], for every start of the request.
#[allow(clippy::too_many_arguments)]
pub unsafe fn reduce_init(
    send: *mut u8,
    recv: *mut u8,
    count: i64,
    datatype: Handle,
    op: Handle,
    root: i32,
    comm: Handle,
    _info: Handle,
    request: &mut Handle,
) -> Result<()> {
    call::persist(check(send, recv, count, datatype, op, root, comm)?.later()?, request)
}
