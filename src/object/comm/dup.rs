// SPDX-License-Identifier: MIT OR Apache-2.0
//! Duplicates: `MPI_Comm_dup`, with other hints, and without waiting.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use parking_lot::Mutex;

use super::agree::{self, Circle};
use super::birth::{self, Agreement, PENDING, Plan};
use super::hints::understood;
use super::{Comm, TABLE, get};
use crate::object::attribute::Owner;
use crate::object::attribute::calls::comm_owner;
use crate::object::constant::{COMM_NULL, Handle};
use crate::object::errhandler::Slot;
use crate::object::error::Result;
use crate::object::handle::Kind;
use crate::object::info::Entries;
use crate::object::request::{self, Active};
use crate::object::status::Status;

/// A duplicate under way. Copy functions run at the start; when one failed, this process still takes part in the
/// agreement, so that the others do not hang, and then reports its error.
struct Dup {
    agreement: Agreement,
    plan: Option<Plan>,
    copied: Result<()>,
    handle: Handle,
}

/// Error handlers of communicators that `MPI_Comm_idup` is still making: programs set them on the new handle at once.
static UNBORN: Mutex<BTreeMap<Handle, Slot>> = Mutex::new(BTreeMap::new());

/// Does something with the error handler of a communicator that is still being made; `None` when it is not.
pub fn with_unborn<T>(comm: Handle, act: impl FnOnce(&Slot) -> T) -> Option<T> {
    UNBORN.lock().get(&comm).map(act)
}

impl Dup {
    fn start(comm: &Comm, among: Circle, hints: Entries, alone: bool) -> Dup {
        let (attributes, copied) = comm_owner(comm).copy();
        let plan = Plan {
            group: comm.group.clone(),
            remote: comm.remote.clone(),
            rank: comm.rank,
            errhandler: Slot::inherit(&comm.errhandler),
            attributes,
            hints,
            topology: comm.topology.clone(),
        };
        let agreement = Agreement::new(among, alone);
        Dup { agreement, plan: Some(plan), copied, handle: TABLE.reserve() }
    }

    fn step(&mut self) -> Option<Result<Handle>> {
        let outcome = self.agreement.advance()?;
        Some(outcome.and_then(|id| self.end(id)).inspect_err(|_| TABLE.forgo(self.handle)))
    }

    fn end(&mut self, id: u32) -> Result<Handle> {
        let mut plan = self.plan.take().expect("a duplicate ends once");
        let handler = UNBORN.lock().remove(&self.handle);
        if let Some(handler) = handler {
            plan.errhandler = handler;
        }
        if let Err(error) = self.copied.clone() {
            super::context::IDS.lock().release(id);
            Owner { kind: Kind::Comm, handle: self.handle, set: &plan.attributes }.give_up();
            return Err(error);
        }
        birth::fill(self.handle, id, plan);
        Ok(self.handle)
    }
}

impl Active for Dup {
    fn advance(&mut self) -> Option<Result<Status>> {
        let outcome = self.step()?;
        PENDING.fetch_sub(1, Ordering::Relaxed);
        Some(outcome.map(|_| Status::EMPTY))
    }
}

fn dup_now(comm: &Comm, hints: Entries, new: &mut Handle) -> Result<()> {
    *new = COMM_NULL; // What the caller sees when a copy function fails.
    let mut dup = Dup::start(comm, comm.everyone(), hints, birth::alone());
    *new = agree::wait("MPI_Comm_dup: agreement with the other members", || dup.step())?;
    Ok(())
}

fn dup_later(comm: &Comm, hints: Entries, new: &mut Handle, request: &mut Handle) -> Result<()> {
    PENDING.fetch_add(1, Ordering::Relaxed);
    *new = COMM_NULL;
    let dup = Dup::start(comm, comm.everyone_later(), hints, false);
    if let Err(error) = dup.copied.clone() {
        // The others wait for this process's part, which goes on without a request.
        request::free(&mut request::start(Box::new(dup)))?;
        return Err(error);
    }
    *new = dup.handle;
    UNBORN.lock().insert(dup.handle, Slot::inherit(&comm.errhandler));
    *request = request::start(Box::new(dup));
    Ok(())
}

/// `MPI_Comm_dup`.
pub fn dup(comm: Handle, new: &mut Handle) -> Result<()> {
    let comm = get(comm)?;
    let hints = comm.hints.lock().clone();
    dup_now(comm, hints, new)
}

/// `MPI_Comm_dup_with_info`.
pub fn dup_with_info(comm: Handle, info: Handle, new: &mut Handle) -> Result<()> {
    dup_now(get(comm)?, understood(info)?, new)
}

/// `MPI_Comm_idup`: the new handle may be used once the request is complete.
pub fn idup(comm: Handle, new: &mut Handle, request: &mut Handle) -> Result<()> {
    let comm = get(comm)?;
    let hints = comm.hints.lock().clone();
    dup_later(comm, hints, new, request)
}

/// `MPI_Comm_idup_with_info`.
pub fn idup_with_info(comm: Handle, info: Handle, new: &mut Handle, request: &mut Handle) -> Result<()> {
    dup_later(get(comm)?, understood(info)?, new, request)
}
