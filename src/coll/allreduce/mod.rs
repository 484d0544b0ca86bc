// SPDX-License-Identifier: MIT OR Apache-2.0
//! All-reduce: [`recursive_doubling`] and [`tree`] for small, [`two_shot`] on one node, [`ring`] for large buffers.
//! Units are elements. Every algorithm gives all ranks the same bits, floating point included.

pub mod recursive_doubling;
pub mod ring;
pub mod tree;
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

const fn row(name: &'static str, needs: Needs, write: fn(&mut Schedule)) -> Algorithm {
    Algorithm { name, collective: Collective::Allreduce, needs, write }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[
    row("recursive_doubling", Needs::Nothing, recursive_doubling::recursive_doubling),
    row("ring", Needs::Commutative, ring::ring),
    row("tree", Needs::Nothing, tree::tree),
    row("two_shot", Needs::Nothing, two_shot::two_shot),
];

/// A call whose arguments are good; `send` is `recv` when it is in place.
struct Args {
    send: *mut u8,
    recv: *mut u8,
    count: i64,
    datatype: &'static Arc<Datatype>,
    op: &'static Arc<Op>,
    comm: &'static Arc<Comm>,
}

impl Args {
    fn check(send: *mut u8, recv: *mut u8, count: i64, datatype: Handle, op: Handle, comm: Handle) -> Result<Args> {
        let comm = call::intracomm(comm, Collective::Allreduce)?;
        let (datatype, op) = (datatype::get(datatype)?, op::get(op)?);
        call::check_count(count)?;
        op.check(datatype)?;
        call::check_not_in_place("recvbuf", recv)?;
        call::check_alias(send, recv, count)?;
        let send = if call::in_place(send) { recv } else { send };
        call::check_buffer("sendbuf", send, count, datatype)?;
        call::check_buffer("recvbuf", recv, count, datatype)?;
        Ok(Args { send, recv, count, datatype, op, comm })
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
        call.len = self.count as usize;
        call.commutative = self.op.commutative;
        call.in_place = self.send == self.recv;
        let buffer = |base| Buffer::one(base, self.count, self.datatype);
        let bound = Bound::elements(buffer(self.send), buffer(self.recv), self.datatype);
        let op = Some(self.op.clone());
        Some(call::plan(Collective::Allreduce, self.comm, call, self.bytes(), self.datatype.size, bound, op))
    }
}

/// `MPI_Allreduce` (MPI 5.0, section 6.9.6).
///
/// # Safety
/// `send` (unless `MPI_IN_PLACE`) and `recv` must hold `count` elements; `recv` is written.
pub unsafe fn allreduce(send: *mut u8, recv: *mut u8, count: i64, datatype: Handle, op: Handle, comm: Handle) -> Result<()> {
    let a = Args::check(send, recv, count, datatype, op, comm)?;
    if a.trivial() {
        return Ok(());
    }
    if tuning::node_first(Collective::Allreduce, a.bytes(), a.comm.size() as usize) {
        // SAFETY: the caller's promise.
        if unsafe { node::allreduce(a.comm, a.send, recv, count, a.datatype, a.op) }? {
            return Ok(());
        }
    }
    call::block(a.run())
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
    call::background(Args::check(send, recv, count, datatype, op, comm)?.run(), request)
}
