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
    let to = argument::destination(dest, sendtag, comm)?;
    let from = argument::source(source, recvtag, comm)?;
    let send = argument::span(sendbuf, sendcount, sendtype)?;
    let receive = argument::span(recvbuf, recvcount, recvtype)?;
    // SAFETY: the caller's promise.
    unsafe { exchange("MPI_Sendrecv", to, send, from, receive, status) }
}

unsafe fn exchange(
    what: &str,
    to: Option<Envelope>,
    send: Span<'_>,
    from: Option<Envelope>,
    receive: Span<'_>,
    status: &mut Status,
) -> Result<()> {
    // SAFETY: the caller's promise; both operations complete before this returns.
    let incoming = from.map(|from| unsafe { start_receive(from, receive) });
    let outgoing = match to {
        // SAFETY: as above.
        Some(to) => unsafe { start_send(to, send) }?,
        None => None,
    };
    let sent = outgoing.map_or(Ok(Status::EMPTY), |ticket| complete(what, ticket));
    report(incoming.map_or(Ok(FROM_NOBODY), |ticket| complete(what, ticket)), status)?;
    sent.map(|_| ())
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
    let to = argument::destination(dest, sendtag, comm)?;
    let from = argument::source(source, recvtag, comm)?;
    let receive = argument::span(buffer, count, datatype)?;
    let memory = Memory::of(receive);
    let mut copy = vec![0u8; memory.len()];
    // SAFETY: the caller's promise; the copy has room and outlives the exchange.
    unsafe {
        memory.read(0, copy.as_mut_ptr(), copy.len());
        exchange("MPI_Sendrecv_replace", to, Span::bytes(copy.as_mut_ptr(), copy.len() as i64), from, receive, status)
    }
}

/// Both halves of an exchange under way.
struct Exchange {
    outgoing: Option<Ticket>,
    incoming: Option<Ticket>,
    result: Result<Status>,
    /// What is sent, when the user's buffer is overwritten meanwhile.
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

unsafe fn begin(
    to: Option<Envelope>,
    send: Span<'_>,
    from: Option<Envelope>,
    receive: Span<'_>,
    copy: Vec<u8>,
) -> Result<Handle> {
    // SAFETY: the caller's promise: both buffers stay valid until the request completes.
    let incoming = from.map(|from| unsafe { start_receive(from, receive) });
    let outgoing = match to {
        // SAFETY: as above.
        Some(to) => unsafe { start_send(to, send) }?,
        None => None,
    };
    Ok(request::start(Box::new(Exchange { outgoing, incoming, result: Ok(FROM_NOBODY), _copy: copy })))
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
    let to = argument::destination(dest, sendtag, comm)?;
    let from = argument::source(source, recvtag, comm)?;
    let send = argument::span(sendbuf, sendcount, sendtype)?;
    let receive = argument::span(recvbuf, recvcount, recvtype)?;
    // SAFETY: the caller's promise.
    *request = unsafe { begin(to, send, from, receive, Vec::new()) }?;
    Ok(())
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
    let to = argument::destination(dest, sendtag, comm)?;
    let from = argument::source(source, recvtag, comm)?;
    let receive = argument::span(buffer, count, datatype)?;
    let memory = Memory::of(receive);
    let mut copy = vec![0u8; memory.len()];
    // SAFETY: the caller's promise; the copy has room and lives in the request.
    unsafe {
        memory.read(0, copy.as_mut_ptr(), copy.len());
        let send = Span::bytes(copy.as_mut_ptr(), copy.len() as i64);
        *request = begin(to, send, from, receive, copy)?;
    }
    Ok(())
}
