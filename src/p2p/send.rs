// SPDX-License-Identifier: MIT OR Apache-2.0
//! `MPI_Send` and its modes, blocking and immediate. A ready send is a standard send.

use super::waiting::Operation;
use super::{Envelope, Span, Ticket, argument, finish, finish_well, start_send, start_synchronous};
use crate::object::constant::Handle;
use crate::object::error::Result;
use crate::object::request;
use crate::object::status::Status;
use crate::progress;

/// Waits for a ticket.
pub(crate) fn complete(what: &str, ticket: Ticket) -> Result<Status> {
    let mut result = None;
    progress::wait_for_answer(Operation(what, ticket), || {
        result = finish(ticket);
        result.is_some()
    });
    result.expect("the wait ends when there is a result")
}

/// Waits for a receive; its status is reported also when it fails.
#[inline]
pub(crate) fn complete_into(what: &str, ticket: Ticket, status: &mut Status) -> Result<()> {
    if finish_well(ticket, status) {
        return Ok(());
    }
    report(complete(what, ticket), status)
}

/// Hands out the status of a result, also of a failed one that has one.
pub(crate) fn report(result: Result<Status>, status: &mut Status) -> Result<()> {
    match result {
        Ok(found) => *status = found,
        Err(error) => {
            *status = error.status().unwrap_or(*status);
            return Err(error);
        }
    }
    Ok(())
}

type Start = unsafe fn(Envelope, Span<'_>) -> Result<Option<Ticket>>;

#[inline]
unsafe fn blocking(
    start: Start,
    what: &str,
    buffer: *mut u8,
    count: i64,
    datatype: Handle,
    to: (i32, i32, Handle),
) -> Result<()> {
    let envelope = argument::destination(to.0, to.1, to.2)?;
    let span = argument::span(buffer, count, datatype)?;
    let Some(envelope) = envelope else { return Ok(()) };
    // SAFETY: the caller keeps the buffer readable until the call returns.
    match unsafe { start(envelope, span) }? {
        None => Ok(()),
        Some(ticket) => complete(what, ticket).map(|_| ()),
    }
}

#[inline]
unsafe fn immediate(
    start: Start,
    buffer: *mut u8,
    count: i64,
    datatype: Handle,
    to: (i32, i32, Handle),
    request: &mut Handle,
) -> Result<()> {
    let envelope = argument::destination(to.0, to.1, to.2)?;
    let span = argument::span(buffer, count, datatype)?;
    let ticket = match envelope {
        None => None,
        // SAFETY: the caller keeps the buffer readable until the request completes.
        Some(envelope) => unsafe { start(envelope, span) }?,
    };
    *request = request::two_sided(ticket);
    Ok(())
}

/// `MPI_Send`.
///
/// # Safety
/// The buffer must be readable.
#[inline]
pub unsafe fn send(buffer: *mut u8, count: i64, datatype: Handle, dest: i32, tag: i32, comm: Handle) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { blocking(start_send, "MPI_Send", buffer, count, datatype, (dest, tag, comm)) }
}

/// `MPI_Rsend`.
///
/// # Safety
/// The buffer must be readable.
pub unsafe fn rsend(buffer: *mut u8, count: i64, datatype: Handle, dest: i32, tag: i32, comm: Handle) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { blocking(start_send, "MPI_Rsend", buffer, count, datatype, (dest, tag, comm)) }
}

/// `MPI_Ssend`.
///
/// # Safety
/// The buffer must be readable.
pub unsafe fn ssend(buffer: *mut u8, count: i64, datatype: Handle, dest: i32, tag: i32, comm: Handle) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { blocking(start_synchronous, "MPI_Ssend", buffer, count, datatype, (dest, tag, comm)) }
}

/// `MPI_Isend`.
///
/// # Safety
/// The buffer must stay readable until the request completes.
#[inline]
pub unsafe fn isend(
    buffer: *mut u8,
    count: i64,
    datatype: Handle,
    dest: i32,
    tag: i32,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { immediate(start_send, buffer, count, datatype, (dest, tag, comm), request) }
}

/// `MPI_Irsend`.
///
/// # Safety
/// The buffer must stay readable until the request completes.
pub unsafe fn irsend(
    buffer: *mut u8,
    count: i64,
    datatype: Handle,
    dest: i32,
    tag: i32,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { immediate(start_send, buffer, count, datatype, (dest, tag, comm), request) }
}

/// `MPI_Issend`.
///
/// # Safety
/// The buffer must stay readable until the request completes.
pub unsafe fn issend(
    buffer: *mut u8,
    count: i64,
    datatype: Handle,
    dest: i32,
    tag: i32,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { immediate(start_synchronous, buffer, count, datatype, (dest, tag, comm), request) }
}
