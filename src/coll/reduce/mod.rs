// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reduce: [`binomial`] for small, [`two_shot`] on one node, [`chain`] for large buffers, [`star`] for few ranks.
//! Units are elements. All keep the operands of non-commutative operations in rank order.

pub mod binomial;
pub mod chain;
pub mod star;
pub mod two_shot;

use std::sync::Arc;

use crate::object::comm::Comm;
use crate::object::constant::Handle;
use crate::object::datatype::{self, Datatype};
use crate::object::error::Result;
use crate::object::op::{self, Op};
use crate::p2p::Span;

use super::bind::{Bound, Buffer};
use super::call;
use super::drive::{self, Run};
use super::node;
use super::registry::{Algorithm, Collective, Needs};
use super::schedule::Schedule;
use super::tuning;

const fn row(name: &'static str, write: fn(&mut Schedule)) -> Algorithm {
    Algorithm { name, collective: Collective::Reduce, needs: Needs::Nothing, write }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[
    row("binomial", binomial::binomial),
    row("chain", chain::chain),
    row("star", star::star),
    row("two_shot", two_shot::two_shot),
];

/// A call whose arguments are good; at the root `send` is `recv` when it is in place.
struct Args {
    send: *mut u8,
    recv: *mut u8,
    count: i64,
    datatype: &'static Arc<Datatype>,
    op: &'static Arc<Op>,
    root: i32,
    comm: &'static Arc<Comm>,
}

impl Args {
    fn check(send: *mut u8, recv: *mut u8, count: i64, datatype: Handle, op: Handle, root: i32, comm: Handle) -> Result<Args> {
        let comm = call::intracomm(comm, Collective::Reduce)?;
        let (datatype, op) = (datatype::get(datatype)?, op::get(op)?);
        call::check_count(count)?;
        call::check_root(comm, root)?;
        op.check(datatype)?;
        let mut args = Args { send, recv, count, datatype, op, root, comm };
        if comm.rank == root {
            args.check_root_buffers()?;
        } else {
            call::check_not_in_place("sendbuf at a rank that is not the root", send)?;
        }
        call::check_buffer("sendbuf", args.send, count, datatype)?;
        Ok(args)
    }

    fn check_root_buffers(&mut self) -> Result<()> {
        call::check_not_in_place("recvbuf", self.recv)?;
        call::check_alias(self.send, self.recv, self.count)?;
        call::check_buffer("recvbuf", self.recv, self.count, self.datatype)?;
        if call::in_place(self.send) {
            self.send = self.recv;
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        (self.count * self.datatype.size) as u64
    }

    /// Serves a call without partners or contents.
    fn trivial(&self) -> bool {
        if self.count > 0 && self.comm.size() == 1 {
            let span = |base| Span::whole(base, self.datatype, self.count);
            drive::copy(span(self.send), span(self.recv));
        }
        self.count == 0 || self.comm.size() == 1
    }

    fn run(&self) -> Option<Run> {
        if self.trivial() {
            return None;
        }
        let mut call = call::call_on(self.comm);
        let at_root = self.comm.rank == self.root;
        (call.root, call.len) = (self.root as usize, self.count as usize);
        call.commutative = self.op.commutative;
        call.in_place = at_root && self.send == self.recv;
        let buffer = |base| Buffer::one(base, self.count, self.datatype);
        let recv = if at_root { buffer(self.recv) } else { Buffer::None };
        let bound = Bound::elements(buffer(self.send), recv, self.datatype);
        let op = Some(self.op.clone());
        Some(call::plan(Collective::Reduce, self.comm, call, self.bytes(), self.datatype.size, bound, op))
    }
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
    let a = Args::check(send, recv, count, datatype, op, root, comm)?;
    if a.trivial() {
        return Ok(());
    }
    if tuning::node_first(Collective::Reduce, a.bytes(), a.comm.size() as usize) {
        // SAFETY: the caller's promise.
        if unsafe { node::reduce(a.comm, a.send, recv, count, a.datatype, a.op, root) }? {
            return Ok(());
        }
    }
    call::block(a.run())
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
    call::background(Args::check(send, recv, count, datatype, op, root, comm)?.run(), request)
}
