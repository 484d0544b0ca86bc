// SPDX-License-Identifier: MIT OR Apache-2.0
//! Buffered sends (MPI 5.0, section 3.6). The user's buffer is an allowance: it is accounted for exactly, while the copies
//! lie in memory of our own.

use super::{Envelope, Span, Ticket, argument, finish, start_send};
use crate::err;
use crate::object::constant::{BSEND_OVERHEAD, Handle};
use crate::object::error::Result;
use crate::object::request::{self, Active};
use crate::object::status::Status;
use crate::os::lock::Lock;
use crate::p2p::memory::Memory;
use crate::progress;

struct Pending {
    ticket: Ticket,
    data: Box<[u8]>,
}

/// The attached buffer, and the sends that still use it.
struct Attached {
    buffer: Option<(usize, i64)>,
    used: i64,
    pending: Vec<Pending>,
}

static ATTACHED: Lock<Attached> = Lock::new(Attached { buffer: None, used: 0, pending: Vec::new() });

fn cost(len: usize) -> i64 {
    len as i64 + BSEND_OVERHEAD_MOST
}

/// What a message costs beside its bytes: the smallest overhead that any ABI promises its users.
const BSEND_OVERHEAD_MOST: i64 = if BSEND_OVERHEAD < 96 { BSEND_OVERHEAD as i64 } else { 96 };

impl Attached {
    /// Gives the room of completed sends back.
    fn sweep(&mut self) {
        let used = &mut self.used;
        self.pending.retain(|pending| {
            let done = finish(pending.ticket).is_some();
            if done {
                *used -= cost(pending.data.len());
            }
            !done
        });
    }

    fn room_for(&mut self, len: usize) -> Result<()> {
        let Some((_, size)) = self.buffer else {
            return Err(err!(Buffer, "no buffer is attached: call MPI_Buffer_attach before a buffered send"));
        };
        self.sweep();
        if self.used + cost(len) > size {
            return Err(err!(
                Buffer,
                "a buffered send of {len} bytes needs {} bytes of the attached buffer of {size}, {} are in use",
                cost(len),
                self.used
            ));
        }
        Ok(())
    }
}

/// `MPI_Buffer_attach`.
pub fn attach(buffer: *mut u8, size: i64) -> Result<()> {
    let mut attached = ATTACHED.lock();
    if attached.buffer.is_some() {
        return Err(err!(Buffer, "a buffer is attached already"));
    }
    if size < 0 {
        return Err(err!(Arg, "the buffer's size {size} is negative"));
    }
    attached.buffer = Some((buffer as usize, size));
    Ok(())
}

/// `MPI_Buffer_detach`: waits until all buffered messages are under way or delivered.
pub fn detach(address: &mut usize, size: &mut i64) -> Result<()> {
    drain();
    let buffer = ATTACHED.lock().buffer.take();
    let Some(buffer) = buffer else {
        return Err(err!(Buffer, "no buffer is attached"));
    };
    (*address, *size) = buffer;
    Ok(())
}

/// Waits until no buffered send uses the buffer.
pub fn drain() {
    progress::wait("the delivery of buffered sends", || {
        let mut attached = ATTACHED.lock();
        attached.sweep();
        attached.pending.is_empty()
    });
}

/// `MPI_Bsend`.
///
/// # Safety
/// The buffer must be readable.
pub unsafe fn bsend(buffer: *mut u8, count: i64, datatype: Handle, dest: i32, tag: i32, comm: Handle) -> Result<()> {
    let envelope = argument::destination(dest, tag, comm)?;
    let data = argument::span(buffer, count, datatype)?;
    let Some(envelope) = envelope else { return Ok(()) };
    // SAFETY: the caller's promise.
    unsafe { start(envelope, data) }.map(|_| ())
}

/// Copies the data and starts their send; never a ticket, since the program's part is complete.
///
/// # Safety
/// The span must be readable.
pub(super) unsafe fn start(to: Envelope, data: Span<'_>) -> Result<Option<Ticket>> {
    let memory = Memory::of(data);
    let len = memory.len();
    ATTACHED.lock().room_for(len)?;
    let mut data = vec![0; len].into_boxed_slice();
    // SAFETY: the caller's promise; the copy has room.
    unsafe { memory.read(0, data.as_mut_ptr(), len) };
    // SAFETY: the copy lives until the ticket is finished.
    if let Some(ticket) = unsafe { start_send(to, Span::bytes(data.as_mut_ptr(), len as i64)) }? {
        let mut attached = ATTACHED.lock();
        attached.used += cost(len);
        attached.pending.push(Pending { ticket, data });
    }
    Ok(None)
}

/// `MPI_Ibsend`.
///
/// # Safety
/// The buffer must be readable.
pub unsafe fn ibsend(
    buffer: *mut u8,
    count: i64,
    datatype: Handle,
    dest: i32,
    tag: i32,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { bsend(buffer, count, datatype, dest, tag, comm)? };
    *request = request::two_sided(None);
    Ok(())
}

/// `MPI_Buffer_flush`.
pub fn flush() -> Result<()> {
    drain();
    Ok(())
}

/// Buffered sends that a flush waits for.
struct Flush;

impl Active for Flush {
    fn advance(&mut self) -> Option<Result<Status>> {
        let mut attached = ATTACHED.lock();
        attached.sweep();
        attached.pending.is_empty().then_some(Ok(Status::EMPTY))
    }
}

/// `MPI_Buffer_iflush`.
pub fn iflush(request: &mut Handle) -> Result<()> {
    *request = request::start(Box::new(Flush));
    Ok(())
}
