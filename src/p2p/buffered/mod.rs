// SPDX-License-Identifier: MIT OR Apache-2.0
//! Buffered sends (MPI 5.0, section 3.6). The user's buffers are allowances: they are accounted for exactly, while the
//! copies lie in memory of our own. A message uses the buffer of its communicator, else of its session, else everyone's.
//! [`calls`] attaching, detaching and flushing.

mod calls;

pub use calls::*;

use std::time::{Duration, Instant};

use super::{Envelope, Span, Ticket, argument, finish, start_send};
use crate::err;
use crate::object::comm;
use crate::object::constant::{BSEND_OVERHEAD, BUFFER_AUTOMATIC, Handle};
use crate::object::error::Result;
use crate::object::request;
use crate::os::lock::Lock;
use crate::p2p::memory::Memory;
use crate::progress;

/// Whose messages may use a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// All of the process.
    Everyone,
    /// Those of the communicator with this context.
    Comm(u32),
    /// Those of communicators that come from this session.
    Session(Handle),
}

struct Pending {
    ticket: Ticket,
    data: Box<[u8]>,
}

/// An attached buffer, and the sends that still use it.
struct Attached {
    owner: Owner,
    address: usize,
    size: i64,
    used: i64,
    pending: Vec<Pending>,
}

static ATTACHED: Lock<Vec<Attached>> = Lock::new(Vec::new());

fn cost(len: usize) -> i64 {
    len as i64 + OVERHEAD
}

/// What a message costs beside its bytes: the smallest `MPI_BSEND_OVERHEAD` of all headers, Intel MPI's (MPICH: 96, Open MPI: 128).
const OVERHEAD: i64 = 88;
const _: () = assert!(OVERHEAD <= BSEND_OVERHEAD as i64);

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

    /// Takes room for a message; `MPI_BUFFER_AUTOMATIC` has always more.
    fn take(&mut self, len: usize) -> Result<Owner> {
        self.sweep();
        if self.address != BUFFER_AUTOMATIC && self.used + cost(len) > self.size {
            return Err(err!(
                Buffer,
                "a buffered send of {len} bytes needs {} bytes of the attached buffer of {}, {} are in use",
                cost(len),
                self.size,
                self.used
            ));
        }
        self.used += cost(len);
        Ok(self.owner)
    }
}

fn find(all: &mut [Attached], owner: Owner) -> Option<&mut Attached> {
    all.iter_mut().find(|attached| attached.owner == owner)
}

/// The buffer that is nearest to a context.
fn nearest(all: &mut [Attached], context: u32) -> Result<&mut Attached> {
    // Most programs have one buffer, for everyone.
    let own = all.iter().any(|attached| attached.owner != Owner::Everyone);
    let session = own.then(|| comm::context::owner(context)).flatten().and_then(|handle| comm::get(handle).ok());
    let session = session.map_or(0, |comm| comm.group.session);
    let owners = [Owner::Comm(context), Owner::Session(session), Owner::Everyone];
    let index = owners.into_iter().find_map(|owner| all.iter().position(|attached| attached.owner == owner));
    let none = || err!(Buffer, "no buffer is attached: call MPI_Buffer_attach before a buffered send");
    index.map(|index| &mut all[index]).ok_or_else(none)
}

/// Takes room for a message of a context.
fn take_room(context: u32, len: usize) -> Result<Owner> {
    nearest(&mut ATTACHED.lock(), context)?.take(len)
}

/// How long a message waits for the room of those before it: a receiver that takes them is only late, but nobody may come at all.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whether a message could have room when sends before it are complete.
fn could_have_room(context: u32, len: usize) -> bool {
    nearest(&mut ATTACHED.lock(), context).is_ok_and(|attached| !attached.pending.is_empty() && cost(len) <= attached.size)
}

/// Takes room, and waits a little for it.
fn wait_for_room(context: u32, len: usize) -> Result<Owner> {
    let mut taken = take_room(context, len);
    let began = Instant::now();
    while taken.is_err() && could_have_room(context, len) && began.elapsed() < PATIENCE {
        if !progress::poll() {
            progress::found_nothing();
        }
        taken = take_room(context, len);
    }
    taken
}

fn give_back(owner: Owner, len: usize) {
    if let Some(attached) = find(&mut ATTACHED.lock(), owner) {
        attached.used -= cost(len);
    }
}

/// Whether no buffered send uses the owner's buffer.
fn is_drained(owner: Owner) -> bool {
    find(&mut ATTACHED.lock(), owner).is_none_or(|attached| {
        attached.sweep();
        attached.pending.is_empty()
    })
}

/// Waits until no buffered send uses the owner's buffer.
pub fn drain(owner: Owner) {
    progress::wait("the delivery of buffered sends", || is_drained(owner));
}

/// Waits until no buffered send is under way.
pub fn drain_all() {
    let owners: Vec<_> = ATTACHED.lock().iter().map(|attached| attached.owner).collect();
    owners.into_iter().for_each(drain);
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
    let mut data = vec![0; len].into_boxed_slice();
    // SAFETY: the caller's promise; the copy has room.
    unsafe { memory.try_read(0, data.as_mut_ptr(), len)? };
    let owner = wait_for_room(to.context, len)?;
    // SAFETY: the copy lives until the ticket is finished.
    let sent = unsafe { start_send(to, Span::bytes(data.as_mut_ptr(), len as i64)) };
    let Ok(Some(ticket)) = sent else {
        give_back(owner, len);
        return sent;
    };
    match find(&mut ATTACHED.lock(), owner) {
        Some(attached) => attached.pending.push(Pending { ticket, data }),
        // Another thread detached it meanwhile, which is the program's fault: the copy stays for the message's sake.
        None => drop(Box::leak(data)),
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
