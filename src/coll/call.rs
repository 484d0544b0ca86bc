// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the entries of all collectives share: checks of arguments, and the way from a call to a run.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::err;
use crate::object::comm::{self, Comm};
use crate::object::constant::{Handle, IN_PLACE};
use crate::object::datatype::Datatype;
use crate::object::error::Result;
use crate::object::op::Op;
use crate::object::request::{self, Restart};
use crate::object::status::Status;

use super::bind::Bound;
use super::drive::Run;
use super::plan::Plan;
use super::registry::{Algorithm, Collective};
use super::schedule::Call;
use super::tuning;

/// The communicator of a collective.
pub fn intracomm(handle: Handle, collective: Collective) -> Result<&'static Arc<Comm>> {
    let comm = comm::get(handle)?;
    if comm.remote.is_some() {
        return Err(err!(UnsupportedOperation, "{} on an intercommunicator is not supported yet", collective.name()));
    }
    Ok(comm)
}

/// An error unless `root` is a rank of the communicator.
pub fn check_root(comm: &Comm, root: i32) -> Result<()> {
    if (0..comm.size()).contains(&root) {
        return Ok(());
    }
    Err(err!(Root, "root {root} is not a rank of this communicator (0 to {})", comm.size() - 1))
}

/// An error when the count is negative.
pub fn check_count(count: i64) -> Result<()> {
    if count >= 0 { Ok(()) } else { Err(err!(Count, "count {count} is negative")) }
}

/// An error when a buffer with contents has no address (types with absolute addresses excepted).
pub fn check_buffer(name: &str, buffer: *const u8, count: i64, datatype: &Datatype) -> Result<()> {
    if !buffer.is_null() || count == 0 || datatype.size == 0 || datatype.true_lb != 0 {
        return Ok(());
    }
    Err(err!(Buffer, "{name} is a null pointer, with {count} elements"))
}

/// An error when `MPI_IN_PLACE` stands where only an address may.
pub fn check_not_in_place(name: &str, buffer: *const u8) -> Result<()> {
    if in_place(buffer) { Err(err!(Buffer, "{name} must not be MPI_IN_PLACE here")) } else { Ok(()) }
}

/// An error when the two buffers are the same.
pub fn check_alias(send: *const u8, recv: *const u8, count: i64) -> Result<()> {
    if send != recv || count == 0 || send.is_null() {
        return Ok(());
    }
    Err(err!(Buffer, "sendbuf and recvbuf are the same address; pass MPI_IN_PLACE as sendbuf to reduce in place"))
}

/// Whether an address is `MPI_IN_PLACE`.
pub fn in_place(buffer: *const u8) -> bool {
    buffer as usize == IN_PLACE
}

/// What an algorithm may know, from a communicator; the rest is for the collective to fill in.
pub fn call_on(comm: &Comm) -> Call {
    Call { rank: comm.rank as usize, size: comm.size() as usize, commutative: true, ..Call::default() }
}

/// The next collective's number on a communicator, which is its tag. Every rank draws one for every collective that
/// sends messages, in the same order. Numbers above these are for messages outside of schedules.
pub fn number(comm: &Comm) -> i32 {
    (comm.sequence.fetch_add(1, Ordering::Relaxed) & 0x3fff_ffff) as i32
}

/// A run of a collective of so many packed bytes, by the algorithm that the table chooses. `unit`: bytes of a unit.
pub fn plan(
    collective: Collective,
    comm: &Arc<Comm>,
    mut call: Call,
    bytes: u64,
    unit: i64,
    bound: Bound,
    op: Option<Arc<Op>>,
) -> Run {
    let algorithm: &'static Algorithm = tuning::choose(collective, bytes, unit as u64, &mut call);
    let tag = number(comm);
    Run::new(Plan::of(algorithm, &call), bound, op, comm.clone(), tag)
}

/// Runs to the end; `None` is a call with nothing to do.
pub fn block(run: Option<Run>) -> Result<()> {
    let Some(mut run) = run else { return Ok(()) };
    run.announce()?;
    run.wait()
}

/// Goes on in the background as a request.
pub fn background(run: Option<Run>, request: &mut Handle) -> Result<()> {
    *request = to_request(run);
    Ok(())
}

fn to_request(run: Option<Run>) -> Handle {
    match run {
        Some(run) => request::start(Box::new(run)),
        None => request::completed(Status::EMPTY),
    }
}

/// A persistent request that begins a new run at every start.
pub fn persist(again: impl FnMut() -> Option<Run> + Send + 'static) -> Handle {
    request::persistent(Box::new(Again(again)))
}

struct Again<F>(F);

impl<F: FnMut() -> Option<Run> + Send> Restart for Again<F> {
    fn start(&mut self) -> Result<Handle> {
        Ok(to_request((self.0)()))
    }
}
