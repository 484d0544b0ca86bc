// SPDX-License-Identifier: MIT OR Apache-2.0
//! `MPI_Sendrecv`, `MPI_Sendrecv_replace` and their immediate forms.

use super::receive::FROM_NOBODY;
use super::send::{complete, report};
use super::{Envelope, Span, Ticket, argument, finish, start_receive, start_send};
use crate::object::constant::Handle;
use crate::object::error::Result;
use crate::object::request::{self, Active};
use crate::object::status::Status;
use crate::p2p::memory::Memory;

/// Buffer, count and type of one half.
type Data = (*mut u8, i64, Handle);
/// Rank and tag of one half.
type Peer = (i32, i32);

/// Both halves of an exchange, checked.
struct Halves {
    to: Option<Envelope>,
    send: Span<'static>,
    from: Option<Envelope>,
    receive: Span<'static>,
    /// What is sent, when the user's buffer is overwritten meanwhile.
    copy: Vec<u8>,
}

impl Halves {
    fn of(send: Data, to: Peer, receive: Data, from: Peer, comm: Handle) -> Result<Halves> {
        let to = argument::destination(to.0, to.1, comm)?;
        let from = argument::source(from.0, from.1, comm)?;
        let send = argument::span(send.0, send.1, send.2)?;
        let receive = argument::span(receive.0, receive.1, receive.2)?;
        Ok(Halves { to, send, from, receive, copy: Vec::new() })
    }

    /// The same buffer for both: what is sent is copied first.
    ///
    /// # Safety
    /// The buffer must be readable.
    unsafe fn of_one(buffer: Data, to: Peer, from: Peer, comm: Handle) -> Result<Halves> {
        let halves = Halves::of(buffer, to, buffer, from, comm)?;
        let memory = Memory::of(halves.receive);
        let mut copy = vec![0u8; memory.len()];
        // SAFETY: the caller's promise; the copy has room.
        unsafe { memory.try_read(0, copy.as_mut_ptr(), copy.len())? };
        Ok(Halves { send: Span::bytes(copy.as_mut_ptr(), copy.len() as i64), copy, ..halves })
    }

    /// Starts both: the receive's ticket, the send's.
    ///
    /// # Safety
    /// Both buffers stay valid until both operations complete.
    unsafe fn start(&self) -> Result<(Option<Ticket>, Option<Ticket>)> {
        // SAFETY: the caller's promise.
        let incoming = self.from.map(|from| unsafe { start_receive(from, self.receive) });
        let outgoing = match self.to {
            // SAFETY: as above.
            Some(to) => unsafe { start_send(to, self.send) }?,
            None => None,
        };
        Ok((incoming, outgoing))
    }

    /// # Safety
    /// The buffers must be valid.
    unsafe fn now(self, what: &str, status: &mut Status) -> Result<()> {
        // SAFETY: both operations complete before this returns.
        let (incoming, outgoing) = unsafe { self.start() }?;
        let sent = outgoing.map_or(Ok(Status::EMPTY), |ticket| complete(what, ticket));
        report(incoming.map_or(Ok(FROM_NOBODY), |ticket| complete(what, ticket)), status)?;
        sent.map(|_| ())
    }

    /// # Safety
    /// The buffers must stay valid until the request completes.
    unsafe fn later(self, request: &mut Handle) -> Result<()> {
        // SAFETY: the caller's promise; the copy lives in the request.
        let (incoming, outgoing) = unsafe { self.start() }?;
        *request = request::start(Box::new(Exchange { incoming, outgoing, result: Ok(FROM_NOBODY), _copy: self.copy }));
        Ok(())
    }
}

/// Both halves of an exchange under way.
struct Exchange {
    outgoing: Option<Ticket>,
    incoming: Option<Ticket>,
    result: Result<Status>,
    _copy: Vec<u8>,
}

impl Active for Exchange {
    fn advance(&mut self) -> Option<Result<Status>> {
        if let Some(result) = self.incoming.and_then(finish) {
            self.incoming = None;
            self.result = result;
        }
        if let Some(sent) = self.outgoing.and_then(finish) {
            self.outgoing = None;
            self.result = self.result.clone().and_then(|status| sent.map(|_| status));
        }
        (self.incoming.is_none() && self.outgoing.is_none()).then(|| self.result.clone())
    }
}

/// `MPI_Sendrecv`.
///
/// # Safety
/// The send buffer must be readable, the receive buffer writable, and they must not overlap.
#[allow(clippy::too_many_arguments)]
pub unsafe fn sendrecv(
    sendbuf: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    dest: i32,
    sendtag: i32,
    recvbuf: *mut u8,
    recvcount: i64,
    recvtype: Handle,
    source: i32,
    recvtag: i32,
    comm: Handle,
    status: &mut Status,
) -> Result<()> {
    let (send, receive) = ((sendbuf, sendcount, sendtype), (recvbuf, recvcount, recvtype));
    let halves = Halves::of(send, (dest, sendtag), receive, (source, recvtag), comm)?;
    // SAFETY: the caller's promise.
    unsafe { halves.now("MPI_Sendrecv", status) }
}

/// `MPI_Sendrecv_replace`.
///
/// # Safety
/// The buffer must be readable and writable.
#[allow(clippy::too_many_arguments)]
pub unsafe fn sendrecv_replace(
    buffer: *mut u8,
    count: i64,
    datatype: Handle,
    dest: i32,
    sendtag: i32,
    source: i32,
    recvtag: i32,
    comm: Handle,
    status: &mut Status,
) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe {
        let halves = Halves::of_one((buffer, count, datatype), (dest, sendtag), (source, recvtag), comm)?;
        halves.now("MPI_Sendrecv_replace", status)
    }
}

/// `MPI_Isendrecv`.
///
/// # Safety
/// The send buffer must stay readable and the receive buffer writable until the request completes; they must not overlap.
#[allow(clippy::too_many_arguments)]
pub unsafe fn isendrecv(
    sendbuf: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    dest: i32,
    sendtag: i32,
    recvbuf: *mut u8,
    recvcount: i64,
    recvtype: Handle,
    source: i32,
    recvtag: i32,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    let (send, receive) = ((sendbuf, sendcount, sendtype), (recvbuf, recvcount, recvtype));
    let halves = Halves::of(send, (dest, sendtag), receive, (source, recvtag), comm)?;
    // SAFETY: the caller's promise.
    unsafe { halves.later(request) }
}

/// `MPI_Isendrecv_replace`.
///
/// # Safety
/// The buffer must stay readable and writable until the request completes.
#[allow(clippy::too_many_arguments)]
pub unsafe fn isendrecv_replace(
    buffer: *mut u8,
    count: i64,
    datatype: Handle,
    dest: i32,
    sendtag: i32,
    source: i32,
    recvtag: i32,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { Halves::of_one((buffer, count, datatype), (dest, sendtag), (source, recvtag), comm)?.later(request) }
}
