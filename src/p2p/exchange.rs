// SPDX-License-Identifier: MIT OR Apache-2.0
//! `MPI_Sendrecv`, `MPI_Sendrecv_replace`.

use super::receive::FROM_NOBODY;
use super::send::{complete, report};
use super::{Envelope, Span, argument, start_receive, start_send};
use crate::object::constant::Handle;
use crate::object::error::Result;
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
