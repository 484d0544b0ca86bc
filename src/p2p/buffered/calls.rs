// SPDX-License-Identifier: MIT OR Apache-2.0
//! Attaching, detaching and flushing buffers of the process, of communicators and of sessions.

use super::{ATTACHED, Attached, Owner, drain, find, is_drained};
use crate::err;
use crate::object::constant::{BUFFER_AUTOMATIC, Handle};
use crate::object::error::Result;
use crate::object::request::{self, Active};
use crate::object::status::Status;
use crate::object::{comm, session};

fn attach_to(owner: Owner, buffer: *mut u8, size: i64) -> Result<()> {
    let mut all = ATTACHED.lock();
    if find(&mut all, owner).is_some() {
        return Err(err!(Buffer, "a buffer is attached already"));
    }
    let address = buffer.addr();
    if size < 0 && address != BUFFER_AUTOMATIC {
        return Err(err!(Arg, "the buffer's size {size} is negative"));
    }
    // The size of the automatic buffer means nothing; detaching tells 0.
    let size = if address == BUFFER_AUTOMATIC { 0 } else { size };
    all.push(Attached { owner, address, size, used: 0, pending: Vec::new() });
    Ok(())
}

fn detach_from(owner: Owner, address: &mut usize, size: &mut i64) -> Result<()> {
    drain(owner);
    let mut all = ATTACHED.lock();
    let found = all.iter().position(|attached| attached.owner == owner);
    let found = found.ok_or_else(|| err!(Buffer, "no buffer is attached"))?;
    let attached = all.swap_remove(found);
    (*address, *size) = (attached.address, attached.size);
    Ok(())
}

/// The end of an owner: its buffer is detached, once its messages are on their way.
pub fn forget(owner: Owner) {
    if find(&mut ATTACHED.lock(), owner).is_some() {
        let _ = detach_from(owner, &mut 0, &mut 0);
    }
}

/// Buffered sends that a flush waits for.
struct Flush(Owner);

impl Active for Flush {
    fn advance(&mut self) -> Option<Result<Status>> {
        is_drained(self.0).then_some(Ok(Status::EMPTY))
    }
}

fn flush_later(owner: Owner, request: &mut Handle) -> Result<()> {
    *request = request::start(Box::new(Flush(owner)));
    Ok(())
}

/// `MPI_Buffer_attach`.
pub fn attach(buffer: *mut u8, size: i64) -> Result<()> {
    attach_to(Owner::Everyone, buffer, size)
}

/// `MPI_Buffer_detach`: waits until all buffered messages are under way or delivered.
pub fn detach(address: &mut usize, size: &mut i64) -> Result<()> {
    detach_from(Owner::Everyone, address, size)
}

/// `MPI_Buffer_flush`.
pub fn flush() -> Result<()> {
    drain(Owner::Everyone);
    Ok(())
}

/// `MPI_Buffer_iflush`.
pub fn iflush(request: &mut Handle) -> Result<()> {
    flush_later(Owner::Everyone, request)
}

fn of_comm(comm: Handle) -> Result<Owner> {
    Ok(Owner::Comm(comm::get(comm)?.context))
}

/// `MPI_Comm_attach_buffer`.
pub fn comm_attach(comm: Handle, buffer: *mut u8, size: i64) -> Result<()> {
    attach_to(of_comm(comm)?, buffer, size)
}

/// `MPI_Comm_detach_buffer`.
pub fn comm_detach(comm: Handle, address: &mut usize, size: &mut i64) -> Result<()> {
    detach_from(of_comm(comm)?, address, size)
}

/// `MPI_Comm_flush_buffer`.
pub fn comm_flush(comm: Handle) -> Result<()> {
    drain(of_comm(comm)?);
    Ok(())
}

/// `MPI_Comm_iflush_buffer`.
pub fn comm_iflush(comm: Handle, request: &mut Handle) -> Result<()> {
    flush_later(of_comm(comm)?, request)
}

fn of_session(session: Handle) -> Result<Owner> {
    session::get(session)?;
    Ok(Owner::Session(session))
}

/// `MPI_Session_attach_buffer`.
pub fn session_attach(session: Handle, buffer: *mut u8, size: i64) -> Result<()> {
    attach_to(of_session(session)?, buffer, size)
}

/// `MPI_Session_detach_buffer`.
pub fn session_detach(session: Handle, address: &mut usize, size: &mut i64) -> Result<()> {
    detach_from(of_session(session)?, address, size)
}

/// `MPI_Session_flush_buffer`.
pub fn session_flush(session: Handle) -> Result<()> {
    drain(of_session(session)?);
    Ok(())
}

/// `MPI_Session_iflush_buffer`.
pub fn session_iflush(session: Handle, request: &mut Handle) -> Result<()> {
    flush_later(of_session(session)?, request)
}
