// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the collectives that reduce share: their arguments, checked; units are elements.

use std::ptr::null_mut;
use std::sync::Arc;

use crate::device;
use crate::object::callback;
use crate::object::comm::{self, Comm};
use crate::object::constant::{Handle, PROC_NULL, ROOT, SUM};
use crate::object::datatype::{self, Datatype};
use crate::object::error::Result;
use crate::object::op::{self, Op};
use crate::p2p::Span;

use super::bind::{Buffer, Buffers};
use super::call::{self, Job};
use super::drive;
use super::node;
use super::registry::Collective;
use super::schedule::Ground;

/// A call whose arguments are good.
#[derive(Clone, Copy)]
pub struct Reduction {
    /// Which collective.
    pub collective: Collective,
    /// My operands; the same address as `recv` when they are in place.
    pub send: *mut u8,
    /// The result, where this rank has one.
    pub recv: *mut u8,
    /// Number of elements.
    pub count: i64,
    /// Their type.
    pub datatype: &'static Arc<Datatype>,
    /// The operation.
    pub op: &'static Arc<Op>,
    /// The rank that gets the result; `None` when all do.
    pub root: Option<i32>,
    /// The communicator.
    pub comm: &'static Arc<Comm>,
}

impl Reduction {
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
    ) -> Result<Reduction> {
        let checked = Reduction::try_check(collective, (send, recv), count, (datatype, op), root, comm);
        checked.map_err(|error| call::refused(error, comm, count == 0))
    }

    fn try_check(
        collective: Collective,
        (send, recv): (*mut u8, *mut u8),
        count: i64,
        (datatype, op): (Handle, Handle),
        root: Option<i32>,
        comm: Handle,
    ) -> Result<Reduction> {
        let comm = comm::get(comm)?;
        if comm.is_inter() && root == Some(PROC_NULL) {
            return Ok(Reduction::none(collective, comm));
        }
        let (datatype, op) = op::with_type(datatype, op)?;
        call::check_count(count)?;
        let mut reduction = Reduction { collective, send, recv, count, datatype, op, root, comm };
        if comm.is_inter() {
            reduction.check_between()?;
            return Ok(reduction);
        }
        root.map_or(Ok(()), |root| call::check_root(comm, root))?;
        if reduction.has_result() {
            reduction.check_result()?;
        } else {
            call::check_not_in_place("sendbuf at a rank that is not the root", send)?;
        }
        call::check_operand("sendbuf", reduction.send, count, datatype)?;
        Ok(reduction)
    }

    /// A rank that takes no part in a reduction to a rank of its own group; its other arguments are not looked at.
    fn none(collective: Collective, comm: &'static Arc<Comm>) -> Reduction {
        let (send, recv, datatype) = (null_mut(), null_mut(), datatype::byte());
        let op = op::get(SUM).expect("predefined");
        Reduction { collective, send, recv, count: 0, datatype, op, root: Some(PROC_NULL), comm }
    }

    /// The buffers that this rank has, in an intercommunicator. Nothing is in place there.
    fn check_between(&self) -> Result<()> {
        if self.has_result() {
            call::check_not_in_place("recvbuf", self.recv)?;
            call::check_operand("recvbuf", self.recv, self.count, self.datatype)?;
        }
        if self.has_input() {
            call::check_not_in_place("sendbuf", self.send)?;
            call::check_operand("sendbuf", self.send, self.count, self.datatype)?;
        }
        Ok(())
    }

    fn check_result(&mut self) -> Result<()> {
        call::check_not_in_place("recvbuf", self.recv)?;
        // Open MPI lets an all-reduce of one element through, and programs rely on it: it is taken as in place.
        if self.root.is_some() || self.count > 1 || !callback::is_lenient() {
            call::check_alias(self.send, self.recv, self.count)?;
        }
        call::check_operand("recvbuf", self.recv, self.count, self.datatype)?;
        if call::in_place(self.send) {
            self.send = self.recv;
        }
        Ok(())
    }

    fn has_result(&self) -> bool {
        let root = if self.comm.is_inter() { ROOT } else { self.comm.rank };
        self.root.is_none_or(|one| one == root)
    }

    fn has_input(&self) -> bool {
        !self.comm.is_inter() || self.root != Some(ROOT)
    }

    /// Packed bytes of the buffer.
    pub fn bytes(&self) -> u64 {
        (self.count * self.datatype.size) as u64
    }

    /// Serves a call without partners or contents; whether it was one. Where some ranks know nothing of the call but the
    /// communicator, no call is.
    pub fn trivial(&self) -> Result<bool> {
        if self.comm.is_inter() {
            return Ok(false);
        }
        if self.count > 0 && self.comm.size() == 1 {
            let span = |base| Span::whole(base, self.datatype, self.count);
            drive::copy_now(span(self.send), span(self.recv))?;
        }
        Ok(self.count == 0 || self.comm.size() == 1)
    }

    /// The call as a schedule to run later, with ranks that it may not wait for now.
    pub fn later(&self) -> Result<Option<Job>> {
        self.job(node::last_ground(self.comm))
    }

    /// The call as a schedule to run. A rank alone does its copy in each run too.
    pub fn job(&self, ground: Ground) -> Result<Option<Job>> {
        if self.count == 0 && !self.comm.is_inter() {
            return Ok(None);
        }
        let mut call = match self.root {
            Some(root) => call::call_from(self.comm, root)?,
            None => call::call_on(self.comm),
        };
        (call.len, call.ground) = (self.count as usize, ground);
        call.commutative = self.op.commutative;
        call.folds = ground != Ground::Host && device::has_kernel(self.op, self.datatype);
        call.in_place = !self.comm.is_inter() && self.has_result() && self.send == self.recv;
        let buffer = |base, here| if here { Buffer::one(base, self.count, self.datatype) } else { Buffer::None };
        let (send, recv) = (buffer(self.send, self.has_input()), buffer(self.recv, self.has_result()));
        let buffers = Buffers::elements(send, recv, self.datatype);
        Ok(Some(Job::new(self.collective, self.comm, call, (self.bytes(), self.datatype.size), buffers, Some(self.op))))
    }
}
