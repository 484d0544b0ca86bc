// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the collectives that reduce share: their arguments, checked; units are elements.

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
use super::registry::Collective;

/// A call whose arguments are good.
#[derive(Clone, Copy)]
pub struct Reduction<'a> {
    /// Which collective.
    pub collective: Collective,
    /// My operands; the same address as `recv` when they are in place.
    pub send: *mut u8,
    /// The result, where this rank has one.
    pub recv: *mut u8,
    /// Number of elements.
    pub count: i64,
    /// Their type.
    pub datatype: &'a Arc<Datatype>,
    /// The operation.
    pub op: &'a Arc<Op>,
    /// The rank that gets the result; `None` when all do.
    pub root: Option<i32>,
    /// The communicator.
    pub comm: &'a Arc<Comm>,
}

impl Reduction<'static> {
    /// Looks the handles up and checks the arguments (MPI 5.0, section 6.9).
    #[allow(clippy::too_many_arguments)]
    pub fn check(
        collective: Collective,
        send: *mut u8,
        recv: *mut u8,
        count: i64,
        datatype: Handle,
        op: Handle,
        root: Option<i32>,
        comm: Handle,
    ) -> Result<Reduction<'static>> {
        let comm = call::intracomm(comm, collective)?;
        let (datatype, op) = (datatype::committed(datatype)?, op::get(op)?);
        call::check_count(count)?;
        root.map_or(Ok(()), |root| call::check_root(comm, root))?;
        op.check(datatype)?;
        let mut reduction = Reduction { collective, send, recv, count, datatype, op, root, comm };
        if reduction.has_result() {
            reduction.check_result()?;
        } else {
            call::check_not_in_place("sendbuf at a rank that is not the root", send)?;
        }
        call::check_buffer("sendbuf", reduction.send, count, datatype)?;
        Ok(reduction)
    }

    fn check_result(&mut self) -> Result<()> {
        call::check_not_in_place("recvbuf", self.recv)?;
        // Open MPI lets an all-reduce of one element through, and programs rely on it: it is taken as in place.
        if self.root.is_some() || self.count > 1 {
            call::check_alias(self.send, self.recv, self.count)?;
        }
        call::check_buffer("recvbuf", self.recv, self.count, self.datatype)?;
        if call::in_place(self.send) {
            self.send = self.recv;
        }
        Ok(())
    }

    /// The call as a persistent request.
    pub fn persist(self, request: &mut Handle) {
        let (send, recv) = (self.send as usize, self.recv as usize);
        let (datatype, op, comm) = (self.datatype.clone(), self.op.clone(), self.comm.clone());
        let (collective, count, root) = (self.collective, self.count, self.root);
        let again = move || {
            let (send, recv) = (send as *mut u8, recv as *mut u8);
            Reduction { collective, send, recv, count, datatype: &datatype, op: &op, root, comm: &comm }.run()
        };
        *request = call::persist(again);
    }
}

impl Reduction<'_> {
    fn has_result(&self) -> bool {
        self.root.is_none_or(|root| root == self.comm.rank)
    }

    /// Packed bytes of the buffer.
    pub fn bytes(&self) -> u64 {
        (self.count * self.datatype.size) as u64
    }

    /// Serves a call without partners or contents; whether it was one.
    pub fn trivial(&self) -> bool {
        if self.count > 0 && self.comm.size() == 1 {
            let span = |base| Span::whole(base, self.datatype, self.count);
            if let Err(error) = drive::copy_now(span(self.send), span(self.recv)) {
                crate::init::abort(1, &format!("paceline: rank {}: {error}", crate::init::rank()));
            }
        }
        self.count == 0 || self.comm.size() == 1
    }

    /// The call as a schedule, `None` when there is nothing left to do.
    pub fn run(&self) -> Option<Run> {
        if self.trivial() {
            return None;
        }
        let mut call = call::call_on(self.comm);
        call.root = self.root.unwrap_or(0) as usize;
        call.len = self.count as usize;
        call.commutative = self.op.commutative;
        call.in_place = self.has_result() && self.send == self.recv;
        let buffer = |base| Buffer::one(base, self.count, self.datatype);
        let recv = if self.has_result() { buffer(self.recv) } else { Buffer::None };
        let bound = Bound::elements(buffer(self.send), recv, self.datatype);
        let op = Some(self.op.clone());
        Some(call::plan(self.collective, self.comm, call, self.bytes(), self.datatype.size, bound, op))
    }
}
