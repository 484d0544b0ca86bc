// SPDX-License-Identifier: MIT OR Apache-2.0
//! `MPI_Recv` and `MPI_Irecv`.

use super::send::complete_into;
use super::{argument, start_receive, start_requested_receive};
use crate::object::constant::{ANY_TAG, Handle, PROC_NULL};
use crate::object::error::Result;
use crate::object::request;
use crate::object::status::Status;

/// What a receive from `MPI_PROC_NULL` reports (MPI 5.0, section 3.10).
pub const FROM_NOBODY: Status = Status { source: PROC_NULL, tag: ANY_TAG, ..Status::EMPTY };

/// `MPI_Recv`.
///
/// # Safety
/// The buffer must be writable.
#[inline]
pub unsafe fn recv(
    buffer: *mut u8,
    count: i64,
    datatype: Handle,
    source: i32,
    tag: i32,
    comm: Handle,
    status: &mut Status,
) -> Result<()> {
    let envelope = argument::source(source, tag, comm)?;
    let span = argument::span(buffer, count, datatype)?;
    let Some(envelope) = envelope else {
        *status = FROM_NOBODY;
        return Ok(());
    };
    // SAFETY: the caller keeps the buffer writable until the call returns.
    let ticket = unsafe { start_receive(envelope, span) };
    complete_into("MPI_Recv", ticket, status)
}

/// `MPI_Irecv`.
///
/// # Safety
/// The buffer must stay writable until the request completes.
#[inline]
pub unsafe fn irecv(
    buffer: *mut u8,
    count: i64,
    datatype: Handle,
    source: i32,
    tag: i32,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    let envelope = argument::source(source, tag, comm)?;
    let span = argument::span(buffer, count, datatype)?;
    *request = match envelope {
        None => request::completed(FROM_NOBODY),
        // SAFETY: the caller's promise.
        Some(envelope) => request::of(unsafe { start_requested_receive(envelope, span) }),
    };
    Ok(())
}
