// SPDX-License-Identifier: MIT OR Apache-2.0
//! Partitioned communication (MPI 5.0, section 4.2): the program says part by part that its data is ready, and asks part by
//! part whether it arrived.
//!
//! A sender greets its receiver once, when the request is made: greetings match by source and tag in a context of their
//! own, in the order in which requests were made. The greeting tells how the sender cuts the data and the tag of its first
//! part. In each round every part of the sender is one message, which the receiver takes straight into its buffer; how the
//! receiver cuts the same bytes matters only to [`arrived`].

mod calls;

pub use calls::*;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use super::{Envelope, Span, Ticket, finish, forget, start_receive, start_send};
use crate::err;
use crate::object::comm::Comm;
use crate::object::comm::context::{GREETINGS, PARTS};
use crate::object::constant::Handle;
use crate::object::datatype::Datatype;
use crate::object::error::{Error, Result};
use crate::object::request::{self, Active, Restart};
use crate::object::status::Status;
use crate::os::lock::Lock;
use crate::progress;

/// Tags of parts; each sender's process counts its own, and they come again after 2^31 parts.
static NEXT_TAG: AtomicU32 = AtomicU32::new(0);
const TAGS: u32 = 0x7fff_ffff;

/// Words of a greeting: tag of the first part, number of parts, bytes of a part.
type Words = [u64; 3];

/// One end of a partitioned channel, shared by the request, its round and the calls about parts.
pub struct Operation {
    sends: bool,
    /// The other end, in the context of two-sided messages; `None` for `MPI_PROC_NULL`.
    peer: Option<Envelope>,
    buffer: usize,
    datatype: Arc<Datatype>,
    partitions: i32,
    /// Elements of a part.
    count: i64,
    /// What a completed round reports; a receiver's bytes come from the greeting.
    status: Status,
    state: Lock<State>,
    /// While it lives its contexts go to no other communicator.
    _comm: Arc<Comm>,
}

struct State {
    active: bool,
    greeting: Greeting,
    /// How the sender cuts the data: known to the sender at once, to the receiver from the greeting.
    cut: Option<Words>,
    /// The sender's parts in this round.
    parts: Vec<Part>,
    /// All parts before this one are done.
    done: usize,
    failure: Option<Error>,
}

#[derive(Clone, Copy)]
enum Part {
    /// Not marked ready, or its receive is not posted.
    Waiting,
    Moving(Ticket),
    Done,
}

/// A greeting under way. Its words stay where they are until it is finished, also when the request is freed before.
struct Greeting {
    words: Box<Words>,
    ticket: Option<Ticket>,
}

impl Greeting {
    fn poll(&mut self) -> Option<Result<()>> {
        let Some(ticket) = self.ticket else { return Some(Ok(())) };
        let outcome = finish(ticket)?;
        self.ticket = None;
        Some(outcome.map(|_| ()))
    }
}

impl Drop for Greeting {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket.filter(|&ticket| finish(ticket).is_none()) {
            forget(ticket);
            Box::leak(std::mem::replace(&mut self.words, Box::new([0; 3])));
        }
    }
}

impl Operation {
    fn part_bytes(&self) -> i64 {
        self.count * self.datatype.size
    }

    fn bytes(&self) -> i64 {
        self.part_bytes() * i64::from(self.partitions)
    }

    /// Packed bytes `[from, to)` of the buffer.
    fn span(&self, from: i64, to: i64) -> Span<'_> {
        let count = self.count * i64::from(self.partitions);
        Span { base: self.buffer as *mut u8, datatype: &self.datatype, count, from, to }
    }

    /// Starts the message of part `i` of the sender.
    fn begin(&self, words: Words, i: usize) -> Result<Part> {
        let Some(peer) = self.peer else { return Ok(Part::Done) };
        let tag = (words[0] as u32).wrapping_add(i as u32) & TAGS;
        let envelope = Envelope { context: peer.context + PARTS, tag: tag as i32, ..peer };
        let from = i as i64 * words[2] as i64;
        let span = self.span(from, from + words[2] as i64);
        // SAFETY: the buffer stays valid until the round completes: the contract of `MPI_Psend_init` and `MPI_Precv_init`.
        let ticket = unsafe { if self.sends { start_send(envelope, span)? } else { Some(start_receive(envelope, span)) } };
        Ok(ticket.map_or(Part::Done, Part::Moving))
    }

    /// The receiver learns how the sender cuts the data, and posts a receive for each part.
    fn expect(&self, state: &mut State) -> Option<()> {
        if let Err(error) = state.greeting.poll()? {
            state.failure = Some(error);
            return Some(());
        }
        let words = *state.cut.get_or_insert(*state.greeting.words);
        if (words[1] * words[2]) as i64 > self.bytes() {
            state.failure.get_or_insert(err!(
                Truncate,
                "the sender has {} partitions of {} bytes, more than the {} bytes of the receive",
                words[1],
                words[2],
                self.bytes()
            ));
            return Some(());
        }
        state.parts.clear();
        state.parts.extend((0..words[1] as usize).map(|i| self.begin(words, i).unwrap_or(Part::Done)));
        Some(())
    }

    /// What the completed round reports.
    fn report(&self, state: &State) -> Status {
        match state.cut.filter(|_| !self.sends && self.peer.is_some()) {
            Some([_, parts, bytes]) => Status { bytes: (parts * bytes) as i64, ..self.status },
            None => self.status,
        }
    }

    /// The sender's parts that reach into part `i` of this receiver. The receiver may have room for more than is sent.
    fn reaching(&self, words: Words, i: usize) -> Range<usize> {
        let (theirs, mine) = (words[1] as usize, self.partitions as usize);
        // Where the sender's parts are empty numbers alone tell which meet.
        let (step, part) = if words[2] == 0 { (theirs, mine) } else { (self.part_bytes() as usize, words[2] as usize) };
        (i * step / part).min(theirs)..((i + 1) * step).div_ceil(part).min(theirs)
    }

    /// Moves the round forward; whether it is complete.
    fn advance(&self, state: &mut State) -> bool {
        let unknown = !self.sends && self.peer.is_some() && state.parts.is_empty() && state.failure.is_none();
        if unknown && self.expect(state).is_none() {
            return false;
        }
        while let Some(&part) = state.parts.get(state.done) {
            match part {
                Part::Waiting => return false,
                Part::Moving(ticket) => match finish(ticket) {
                    None => return false,
                    Some(outcome) => state.end(state.done, outcome),
                },
                Part::Done => {}
            }
            state.done += 1;
        }
        if state.greeting.poll().is_none() {
            return false;
        }
        state.active = false;
        true
    }
}

impl State {
    fn end(&mut self, i: usize, outcome: Result<Status>) {
        self.parts[i] = Part::Done;
        if let Err(error) = outcome {
            self.failure.get_or_insert(error);
        }
    }

    /// Whether part `i` is done, looking at its message.
    fn is_done(&mut self, i: usize) -> bool {
        if let Part::Moving(ticket) = self.parts[i]
            && let Some(outcome) = finish(ticket)
        {
            self.end(i, outcome);
        }
        matches!(self.parts[i], Part::Done)
    }
}

/// The persistent request's share.
struct Channel(Arc<Operation>);

/// The share of one round.
struct Round(Arc<Operation>);

impl Restart for Channel {
    fn start(&mut self) -> Result<Handle> {
        let operation = &self.0;
        let mut state = operation.state.lock();
        (state.active, state.done, state.failure) = (true, 0, None);
        state.parts.clear();
        if operation.sends {
            state.parts.resize(operation.partitions as usize, Part::Waiting);
        }
        drop(state);
        Ok(request::start(Box::new(Round(operation.clone()))))
    }

    fn partitioned(&self) -> Option<Arc<Operation>> {
        Some(self.0.clone())
    }
}

impl Active for Round {
    fn advance(&mut self) -> Option<Result<Status>> {
        let mut state = self.0.state.lock();
        if !self.0.advance(&mut state) {
            return None;
        }
        let report = self.0.report(&state);
        Some(state.failure.take().map_or(Ok(report), Err))
    }
}

/// Wakes threads that wait for the round: what this thread did may complete it.
fn tell() {
    if crate::os::lock::threaded() {
        progress::wake();
    }
}

fn greet(sends: bool, peer: Option<Envelope>, words: Words) -> Result<Greeting> {
    let mut words = Box::new(words);
    let Some(peer) = peer else { return Ok(Greeting { words, ticket: None }) };
    let envelope = Envelope { context: peer.context + GREETINGS, ..peer };
    let span = Span::bytes(words.as_mut_ptr().cast(), size_of::<Words>() as i64);
    // SAFETY: the words are freed only after the message is finished.
    let ticket = unsafe { if sends { start_send(envelope, span)? } else { Some(start_receive(envelope, span)) } };
    Ok(Greeting { words, ticket })
}
