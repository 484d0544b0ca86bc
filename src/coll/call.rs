// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the entries of all collectives share: checks of arguments, and the way from a call to a run.

use std::sync::Arc;

use crate::err;
use crate::object::callback;
use crate::object::comm::{self, Comm};
use crate::object::constant::{Handle, IN_PLACE, PROC_NULL, ROOT};
use crate::object::datatype::Datatype;
use crate::object::error::{Error, Result};
use crate::object::op::Op;
use crate::object::request::{self, Active, Restart};
use crate::object::status::Status;
use crate::p2p::Span;
use crate::p2p::alarm::Name;
use crate::p2p::memory::Memory;

use super::bind::{Bound, Buffer, Buffers};
use super::drive::Run;
use super::node;
use super::plan::Plan;
use super::registry::{Algorithm, Collective};
use super::said::{self, Said};
use super::schedule::{Call, Lens};
use super::sides::{self, Side};
use super::tuning;

/// The communicator of a collective that exists within one group only.
pub fn intracomm(handle: Handle, collective: Collective) -> Result<&'static Arc<Comm>> {
    let comm = comm::get(handle)?;
    if comm.is_inter() {
        return Err(err!(Comm, "{} needs an intracommunicator", collective.name()));
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

/// The same for a buffer of a reduction, whose elements the operation gets by address: they cannot lie in several memories.
pub fn check_operand(name: &str, buffer: *mut u8, count: i64, datatype: &Arc<Datatype>) -> Result<()> {
    check_buffer(name, buffer, count, datatype)?;
    Memory::check_one(name, Span::whole(buffer, datatype, count))
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

/// An error when a rank's block to itself is the same memory on both sides; Open MPI takes that.
fn check_apart(comm: &Comm, send: &Side, recv: &Side) -> Result<()> {
    let rank = comm.rank as usize;
    if send.own(rank).is_some_and(|own| Some(own) == recv.own(rank)) && !callback::is_lenient() {
        return Err(err!(Buffer, "this rank's block in sendbuf and in recvbuf is the same memory; pass MPI_IN_PLACE for it"));
    }
    Ok(())
}

/// Whether an address is `MPI_IN_PLACE`.
pub fn in_place(buffer: *const u8) -> bool {
    buffer as usize == IN_PLACE
}

/// What an algorithm may know, from a communicator; the rest is for the collective to fill in.
pub fn call_on(comm: &Comm) -> Call {
    let (rank, size, first) = comm.place();
    Call { rank, size, first, commutative: true, ..Call::default() }
}

/// The same for a collective with a root, which is checked. In an intercommunicator it is `MPI_ROOT`, `MPI_PROC_NULL` or a rank
/// of the other group.
pub fn call_from(comm: &Comm, root: i32) -> Result<Call> {
    let mut call = call_on(comm);
    call.root = match &comm.remote {
        None => {
            check_root(comm, root)?;
            root as usize
        }
        Some(_) if root == ROOT => call.rank,
        Some(_) if root == PROC_NULL => call.size,
        Some(remote) if (0..remote.members.len() as i32).contains(&root) => call.theirs().start + root as usize,
        Some(remote) => {
            let last = remote.members.len() - 1;
            return Err(err!(Root, "root {root} is neither MPI_ROOT, MPI_PROC_NULL nor a rank of the other group (0 to {last})"));
        }
    };
    Ok(call)
}

/// The name of a blocking collective that sends messages: by its number in the shared segment, where every blocking collective has one,
/// also that of a rank whose call was refused; without a segment by the communicator's own count.
pub fn name(comm: &Comm, counted: Option<u64>) -> Name {
    let context = comm.context + 1;
    counted.map_or_else(|| Name { context, tag: comm.next_tag(), round: 0 }, |number| Name::counted(context, number))
}

/// The error of a blocking call's arguments. Other ranks may wait in it for this one, unless the call is `empty`: where all know that, nobody
/// waits.
#[cold]
pub fn refused(error: Error, comm: Handle, empty: bool) -> Error {
    let within = comm::get(comm).is_ok_and(|comm| !comm.is_inter());
    if empty && within { error } else { error.refusing() }
}

/// A call whose arguments are good, and the algorithm that the table chose for it: run once, or again and again.
pub struct Job {
    algorithm: &'static Algorithm,
    call: Call,
    said: Said,
    buffers: Buffers,
    op: Option<Arc<Op>>,
    comm: Arc<Comm>,
    /// Why it fails when it starts: other ranks may have made right calls, and hear of it.
    fault: Option<Error>,
}

impl Job {
    /// A collective of so many packed bytes. `unit`: bytes of a unit.
    pub fn new(
        collective: Collective,
        comm: &Arc<Comm>,
        mut call: Call,
        (bytes, unit): (u64, i64),
        buffers: Buffers,
        op: Option<&Arc<Op>>,
    ) -> Job {
        let algorithm = tuning::choose(collective, bytes, unit as u64, &mut call);
        let said = said::of(collective, bytes, &call);
        Job { algorithm, call, said, buffers, op: op.cloned(), comm: comm.clone(), fault: None }
    }

    /// A collective that moves data: units are packed bytes. The sides that this rank has say how long the blocks are.
    pub fn moving(
        collective: Collective,
        comm: &Arc<Comm>,
        mut call: Call,
        send: Option<Side>,
        recv: Option<Side>,
    ) -> Result<Job> {
        let within = !comm.is_inter() && !call.in_place && call.neighbors.is_none();
        if let (true, Some(send), Some(recv)) = (within, &send, &recv) {
            check_apart(comm, send, recv)?;
            if let Err(fault) = sides::check_own(call.rank, send, recv) {
                return Ok(Job::failing(collective, comm, call, send.len(0), fault));
            }
        }
        let lens = |side: &Option<Side>| side.as_ref().map_or(Vec::new(), Side::lens);
        let mut bytes = 0;
        match sides::common(send.as_ref(), recv.as_ref()) {
            Some(len) => (call.len, bytes) = (len, len as u64),
            None => call.lens = Some(Arc::new(Lens { send: lens(&send), recv: lens(&recv) })),
        }
        if let (Collective::Allgatherv, Some(lens)) = (collective, &call.lens) {
            bytes = (lens.recv.iter().sum::<usize>() / lens.recv.len().max(1)) as u64;
        }
        let buffer = |side: Option<Side>| side.map_or(Buffer::None, |side| side.buffer);
        Ok(Job::new(collective, comm, call, (bytes, 1), Buffers::bytes(buffer(send), buffer(recv)), None))
    }

    /// A call that cannot be right whatever the others do; its blocks have so many bytes.
    #[cold]
    fn failing(collective: Collective, comm: &Arc<Comm>, call: Call, len: usize, fault: Error) -> Job {
        let nothing = Buffers::bytes(Buffer::None, Buffer::None);
        let said = said::of(collective, len as u64, &call);
        Job { said, fault: Some(fault), ..Job::new(collective, comm, call, (0, 1), nothing, None) }
    }

    /// Tells ranks that wait for this one in the shared segment that it is in a collective of messages.
    fn announce(&self) -> Result<Name> {
        let counted = node::announce(&self.comm, self.algorithm.collective, self.call.root)?;
        Ok(name(&self.comm, counted))
    }

    fn run(self, name: Name) -> Run {
        let plan = Plan::of(self.algorithm, &self.call);
        begin(Run::new((plan, self.said), Bound::new(self.buffers), self.op, self.comm, name), self.fault)
    }

    fn round(&self, tag: i32, round: u32) -> Run {
        let (plan, bound) = (Plan::of(self.algorithm, &self.call), Bound::new(self.buffers.clone()));
        let name = Name { context: self.comm.context + 1, tag, round };
        begin(Run::new((plan, self.said), bound, self.op.clone(), self.comm.clone(), name), self.fault.clone())
    }
}

fn begin(mut run: Run, fault: Option<Error>) -> Run {
    if let Some(fault) = fault {
        run.fail(fault);
    }
    run
}

/// Runs to the end; `None` is a call with nothing to do.
pub fn block(job: Option<Job>) -> Result<()> {
    let Some(job) = job else { return Ok(()) };
    let name = job.announce()?;
    job.run(name).wait()
}

/// Goes on in the background as a request.
pub fn background(job: Option<Job>, request: &mut Handle) -> Result<()> {
    let Some(job) = job else {
        *request = request::completed(Status::EMPTY);
        return Ok(());
    };
    let (number, tag) = job.comm.next_background();
    let name = Name { context: job.comm.context + 1, tag, round: 0 };
    *request = request::start(Box::new(Numbered { run: job.run(name), number }));
    Ok(())
}

/// A nonblocking collective: the communicator's `number`th.
struct Numbered {
    run: Run,
    number: u32,
}

impl Active for Numbered {
    fn advance(&mut self) -> Option<Result<Status>> {
        Active::advance(&mut self.run)
    }

    fn describe(&self) -> String {
        Active::describe(&self.run)
    }

    fn awaited(&mut self) {
        self.run.tell_wait(self.number);
    }
}

/// A persistent request: a new run at every start. The order in which ranks make these requests says which belong together;
/// they may start them in different orders.
pub fn persist(job: Option<Job>, request: &mut Handle) -> Result<()> {
    let again: Box<dyn Restart> = match job {
        Some(job) => Box::new(Again { tag: job.comm.persistent_tag(), rounds: 0, job }),
        None => Box::new(Nothing),
    };
    *request = request::persistent(again);
    Ok(())
}

struct Again {
    job: Job,
    tag: i32,
    /// Starts so far.
    rounds: u32,
}

impl Restart for Again {
    fn start(&mut self) -> Result<Handle> {
        self.rounds = self.rounds.wrapping_add(1);
        Ok(request::start(Box::new(self.job.round(self.tag, self.rounds))))
    }
}

struct Nothing;

impl Restart for Nothing {
    fn start(&mut self) -> Result<Handle> {
        Ok(request::completed(Status::EMPTY))
    }
}
