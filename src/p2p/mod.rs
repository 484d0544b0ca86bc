// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two-sided communication.

use std::sync::Arc;

use crate::object::datatype::Datatype;
use crate::object::error::Result;
use crate::object::status::Status;

/// A stretch of a typed buffer: packed bytes `[from, to)` of `count` elements of `datatype` at `base`.
/// Everything that is sent or received is one of these.
#[derive(Clone, Copy)]
pub struct Span<'a> {
    /// Address of element 0 (as MPI means it: data may lie below it).
    pub base: *mut u8,
    /// The elements' type.
    pub datatype: &'a Arc<Datatype>,
    /// How many elements.
    pub count: i64,
    /// First packed byte.
    pub from: i64,
    /// One past the last packed byte.
    pub to: i64,
}

impl<'a> Span<'a> {
    /// The whole of `count` elements.
    pub fn whole(base: *mut u8, datatype: &'a Arc<Datatype>, count: i64) -> Span<'a> {
        Span { base, datatype, count, from: 0, to: count * datatype.size }
    }

    /// Plain bytes at an address.
    pub fn bytes(base: *mut u8, len: i64) -> Span<'a> {
        Span { base, datatype: crate::object::datatype::byte(), count: len, from: 0, to: len }
    }
}

/// One end of a channel: whom, in which context, who I say I am, with which tag.
#[derive(Clone, Copy, Debug)]
pub struct Envelope {
    /// Job-wide number of the other process (the destination of a send; ignored for receives, which match by `rank`).
    pub process: u32,
    /// Context of the communicator (`Comm::context` for user messages, `+ 1` for collectives).
    pub context: u32,
    /// Send: my rank, which the receiver matches. Receive: the sender's rank, or `ANY_SOURCE`.
    pub rank: i32,
    /// The tag, or `ANY_TAG` in a receive.
    pub tag: i32,
}

/// An internal operation under way. Must be finished with [`finish`] (no `Drop`: it is a slot number).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(pub u32);

/// Starts a send; `None` when it is already complete (eager).
///
/// # Safety
/// The span must stay readable until the operation completes.
pub unsafe fn start_send(_to: Envelope, _data: Span<'_>) -> Result<Option<Ticket>> {
    todo!()
}

/// Starts a receive.
///
/// # Safety
/// The span must stay writable until the operation completes.
pub unsafe fn start_receive(_from: Envelope, _data: Span<'_>) -> Ticket {
    todo!()
}

/// Whether an operation is complete; cheap, makes no progress. When `Some`, the ticket is spent.
pub fn finish(_ticket: Ticket) -> Option<Result<Status>> {
    todo!()
}
