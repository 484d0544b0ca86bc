// SPDX-License-Identifier: MIT OR Apache-2.0
//! Probes, and matched probes with their receives (MPI 5.0, section 3.8).

use super::arrived::Arrived;
use super::receive::FROM_NOBODY;
use super::send::complete_into;
use super::{ENGINE, Envelope, Span, Ticket, argument};
use crate::err;
use crate::object::constant::{Handle, MESSAGE_NO_PROC, MESSAGE_NULL};
use crate::object::error::Result;
use crate::object::handle::Kind;
use crate::object::request;
use crate::object::status::Status;
use crate::os::lock::Lock;
use crate::p2p::matching::Pattern;
use crate::p2p::waiting::Wanted;
use crate::progress;

/// A message taken out of the queues by a matched probe.
struct Message {
    context: u32,
    source: i32,
    tag: i32,
    arrived: Arrived,
}

static MESSAGES: Lock<Vec<Option<Message>>> = Lock::new(Vec::new());
const BASE: Handle = (Kind::Message as u32) << 27 | 0x400;

fn pattern(from: Envelope) -> Pattern {
    Pattern { source: from.rank, tag: from.tag }
}

fn look(from: Envelope) -> Option<Status> {
    let mut engine = ENGINE.lock();
    let found = engine.matcher(from.context).peek(pattern(from));
    found.map(|(source, tag, message)| Status { source, tag, bytes: message.len() as i64, ..Status::EMPTY })
}

/// Whether a message of the library's own has come.
pub(crate) fn has_come(from: Envelope) -> bool {
    look(from).is_some()
}

fn take(from: Envelope) -> Option<(Handle, Status)> {
    let (source, tag, arrived) = ENGINE.lock().matcher(from.context).claim(pattern(from))?;
    let status = Status { source, tag, bytes: arrived.len() as i64, ..Status::EMPTY };
    let message = Some(Message { context: from.context, source, tag, arrived });
    let mut messages = MESSAGES.lock();
    let place = messages.iter().position(Option::is_none).unwrap_or_else(|| {
        messages.push(None);
        messages.len() - 1
    });
    messages[place] = message;
    Some((BASE + place as u32, status))
}

fn wanted(call: &str, from: Envelope) -> Wanted<'_> {
    Wanted { call, context: from.context, source: from.rank, tag: from.tag }
}

/// `MPI_Probe`.
pub fn probe(source: i32, tag: i32, comm: Handle, status: &mut Status) -> Result<()> {
    let Some(from) = argument::source(source, tag, comm)? else {
        *status = FROM_NOBODY;
        return Ok(());
    };
    progress::wait_for_answer(wanted("MPI_Probe", from), || look(from).map(|found| *status = found).is_some());
    Ok(())
}

/// `MPI_Iprobe`.
pub fn iprobe(source: i32, tag: i32, comm: Handle, flag: &mut bool, status: &mut Status) -> Result<()> {
    let Some(from) = argument::source(source, tag, comm)? else {
        (*flag, *status) = (true, FROM_NOBODY);
        return Ok(());
    };
    progress::poll();
    let found = look(from);
    *flag = found.is_some();
    match found {
        Some(found) => *status = found,
        None => progress::found_nothing(),
    }
    Ok(())
}

/// `MPI_Mprobe`.
pub fn mprobe(source: i32, tag: i32, comm: Handle, message: &mut Handle, status: &mut Status) -> Result<()> {
    let Some(from) = argument::source(source, tag, comm)? else {
        (*message, *status) = (MESSAGE_NO_PROC, FROM_NOBODY);
        return Ok(());
    };
    progress::wait_for_answer(wanted("MPI_Mprobe", from), || take(from).map(|found| (*message, *status) = found).is_some());
    Ok(())
}

/// `MPI_Improbe`.
pub fn improbe(source: i32, tag: i32, comm: Handle, flag: &mut bool, message: &mut Handle, status: &mut Status) -> Result<()> {
    *flag = true;
    let Some(from) = argument::source(source, tag, comm)? else {
        (*message, *status) = (MESSAGE_NO_PROC, FROM_NOBODY);
        return Ok(());
    };
    progress::poll();
    match take(from) {
        Some(found) => (*message, *status) = found,
        None => {
            (*flag, *message) = (false, MESSAGE_NULL);
            progress::found_nothing();
        }
    }
    Ok(())
}

/// Receives a message that a matched probe took; `None` for `MPI_MESSAGE_NO_PROC`.
unsafe fn receive(buffer: *mut u8, count: i64, datatype: Handle, message: &mut Handle) -> Result<Option<Ticket>> {
    let span: Span<'_> = argument::span(buffer, count, datatype)?;
    if *message == MESSAGE_NO_PROC {
        *message = MESSAGE_NULL;
        return Ok(None);
    }
    let place = message.wrapping_sub(BASE) as usize;
    let taken = MESSAGES.lock().get_mut(place).and_then(Option::take);
    let found = taken.ok_or_else(|| err!(Request, "the message handle {message:#x} names no matched message"))?;
    *message = MESSAGE_NULL;
    let mut engine = ENGINE.lock();
    let memory = super::memory::Memory::of(span);
    let home = memory.home();
    let number = engine.operation(memory, found.context, Pattern { source: found.source, tag: found.tag });
    if let Some(home) = home {
        engine.fence_receive(number, &home);
    }
    engine.accept(number, found.source, found.tag, found.arrived);
    Ok(Some(Ticket(number)))
}

/// `MPI_Mrecv`.
///
/// # Safety
/// The buffer must be writable.
pub unsafe fn mrecv(buffer: *mut u8, count: i64, datatype: Handle, message: &mut Handle, status: &mut Status) -> Result<()> {
    // SAFETY: the caller's promise.
    match unsafe { receive(buffer, count, datatype, message) }? {
        None => *status = FROM_NOBODY,
        Some(ticket) => complete_into("MPI_Mrecv", ticket, status)?,
    }
    Ok(())
}

/// `MPI_Imrecv`.
///
/// # Safety
/// The buffer must stay writable until the request completes.
pub unsafe fn imrecv(buffer: *mut u8, count: i64, datatype: Handle, message: &mut Handle, request: &mut Handle) -> Result<()> {
    // SAFETY: the caller's promise.
    *request = match unsafe { receive(buffer, count, datatype, message) }? {
        None => request::completed(FROM_NOBODY),
        Some(ticket) => request::two_sided(Some(ticket)),
    };
    Ok(())
}
