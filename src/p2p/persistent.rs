// SPDX-License-Identifier: MIT OR Apache-2.0
//! Persistent sends and receives (MPI 5.0, section 3.9): the arguments are checked and kept, each start begins one round.

use std::sync::Arc;

use super::receive::FROM_NOBODY;
use super::{Envelope, Span, Ticket, argument, buffered, start_receive, start_send, start_synchronous};
use crate::object::comm::{self, Comm};
use crate::object::constant::Handle;
use crate::object::datatype::Datatype;
use crate::object::error::Result;
use crate::object::request::{self, Restart};
use crate::object::status::Status;

type Start = unsafe fn(Envelope, Span<'_>) -> Result<Option<Ticket>>;

/// The arguments of one call. Type and communicator are shared: the program may free its handles before the last start.
struct Kept {
    start: Start,
    envelope: Option<Envelope>,
    /// What a round with `MPI_PROC_NULL` reports.
    nobody: Status,
    buffer: usize,
    count: i64,
    datatype: Arc<Datatype>,
    /// While it lives its context goes to no other communicator.
    _comm: Arc<Comm>,
}

impl Restart for Kept {
    fn start(&mut self) -> Result<Handle> {
        let Some(envelope) = self.envelope else { return Ok(request::completed(self.nobody)) };
        let span = Span::whole(self.buffer as *mut u8, &self.datatype, self.count);
        // SAFETY: `MPI_Start`'s contract: the buffer stays valid until the round completes.
        Ok(request::two_sided(unsafe { (self.start)(envelope, span) }?))
    }
}

/// `at`: where it goes or comes from (nobody: `MPI_PROC_NULL`), and what a round with nobody reports.
fn keep(start: Start, data: Span<'_>, at: (Option<Envelope>, Status), comm: Handle) -> Result<Handle> {
    let (buffer, count, datatype) = (data.base as usize, data.count, data.datatype.clone());
    let (envelope, nobody) = at;
    let kept = Kept { start, envelope, nobody, buffer, count, datatype, _comm: comm::get(comm)?.clone() };
    Ok(request::persistent(Box::new(kept)))
}

unsafe fn receive(from: Envelope, data: Span<'_>) -> Result<Option<Ticket>> {
    // SAFETY: the caller's promise.
    Ok(Some(unsafe { start_receive(from, data) }))
}

macro_rules! sends {
    ($($(#[$doc:meta])* $name:ident = $start:path;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// The buffer must be readable in each round.
        pub unsafe fn $name(
            buffer: *mut u8, count: i64, datatype: Handle, dest: i32, tag: i32, comm: Handle, request: &mut Handle,
        ) -> Result<()> {
            let to = argument::destination(dest, tag, comm)?;
            *request = keep($start, argument::span(buffer, count, datatype)?, (to, Status::EMPTY), comm)?;
            Ok(())
        }
    )*};
}

sends! {
    /// `MPI_Send_init`.
    send_init = start_send;
    /// `MPI_Ssend_init`.
    ssend_init = start_synchronous;
    /// `MPI_Rsend_init`.
    rsend_init = start_send;
    /// `MPI_Bsend_init`.
    bsend_init = buffered::start;
}

/// `MPI_Recv_init`.
///
/// # Safety
/// The buffer must be writable in each round.
pub unsafe fn recv_init(
    buffer: *mut u8,
    count: i64,
    datatype: Handle,
    source: i32,
    tag: i32,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    let from = argument::source(source, tag, comm)?;
    *request = keep(receive, argument::span(buffer, count, datatype)?, (from, FROM_NOBODY), comm)?;
    Ok(())
}
