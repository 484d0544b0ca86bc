// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two-sided communication.
//!
//! | file | what |
//! |---|---|
//! | [`matching`], [`queue`] | messages to receives, pure |
//! | [`arrived`] | messages that no receive waits for yet |
//! | [`waiting`] | what a rank waits for, in words |
//! | [`memory`] | typed stretches of memory as packed bytes · [`mixed`] in several memories at once |
//! | [`wire`] | records that travel in cells |
//! | [`engine`] | queues, records, the poll of the inboxes |
//! | [`operation`] | operations from start to end |
//! | [`rendezvous`] | large messages: pulled by the receiver, or streamed by the sender |
//! | [`ahead`] | the first bytes of large messages between ranks that share a core |
//! | [`push`] | large messages that both copy |
//! | [`away`] | messages in memory that the CPU may not touch |
//! | [`alarm`] | an operation of many ranks failed at one: the others hear of it |
//! | [`failure`] | a device has failed where nobody could say so |
//! | [`send`], [`receive`], [`probe`], [`persistent`], [`partitioned`], [`buffered`], [`exchange`] | MPI's calls |

mod ahead;
pub mod alarm;
mod argument;
mod arrived;
mod away;
pub mod buffered;
mod engine;
pub mod exchange;
pub mod failure;
pub mod matching;
pub mod memory;
mod mixed;
mod operation;
pub mod partitioned;
pub mod persistent;
pub mod probe;
mod push;
mod queue;
pub mod receive;
mod rendezvous;
pub mod send;
pub mod waiting;
mod wire;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::device::scratch::Buffer;
use crate::device::{Home, Pending};
use crate::knob;
use crate::object::datatype::Datatype;
use crate::object::error::Result;
use crate::object::status::Status;
use crate::os::lock::Lock;
use crate::transport::shm;

use alarm::{Alarm, Name, Said};
use away::Borrows;
pub use away::{Loan, Loans};
use engine::Engine;
use memory::Memory;

static ENGINE: Lock<Engine> = Lock::new(Engine::new());

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
    #[inline]
    pub fn whole(base: *mut u8, datatype: &'a Arc<Datatype>, count: i64) -> Span<'a> {
        Span { base, datatype, count, from: 0, to: count * datatype.size }
    }

    /// No bytes.
    #[inline]
    pub fn nothing() -> Span<'static> {
        Span::bytes(std::ptr::null_mut(), 0)
    }

    /// Plain bytes at an address.
    #[inline]
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

/// Opens the ends of all rings. The process must have joined the segment.
pub fn start() {
    ENGINE.lock().open();
}

/// Moves messages forward once; returns whether anything happened.
#[inline]
pub(crate) fn poll() -> bool {
    ENGINE.lock().poll()
}

/// Whether records wait for room in a ring, or transfers are under way.
pub(crate) fn busy() -> bool {
    ENGINE.lock().busy()
}

/// The process that a record came from last, counted from 1.
static HEARD: AtomicU32 = AtomicU32::new(0);

#[inline]
fn hear_from(process: u32) {
    HEARD.store(process + 1, Ordering::Relaxed);
}

/// The process that a record came from last: likely the one that answers next.
#[inline]
pub(crate) fn heard_last() -> Option<u32> {
    HEARD.load(Ordering::Relaxed).checked_sub(1)
}

/// Whether a device works for messages: nobody rings when it is done.
pub(crate) fn device_busy() -> bool {
    ENGINE.lock().flying()
}

/// A ticket that is complete when a device has done some work; `keep` is device memory that must live until then.
pub fn watch(pending: Pending, keep: Option<Buffer>) -> Ticket {
    Ticket(ENGINE.lock().watch(pending, keep))
}

/// Copies within the process, as many packed bytes as both hold. A ticket when a device does it.
///
/// # Safety
/// `from` must stay readable and `into` writable until it is complete; they do not overlap.
pub unsafe fn start_copy(from: Span<'_>, into: Span<'_>) -> Result<Option<Ticket>> {
    let (from, into) = (Memory::of(from), Memory::of(into));
    // SAFETY: the caller's promise.
    let (mut pending, keep) = unsafe { away::copy(&from, &into)? };
    Ok(if pending.done()? { None } else { Some(watch(pending, keep)) })
}

/// The same, and waits until it is done.
///
/// # Safety
/// `from` must be readable and `into` writable; they do not overlap.
pub unsafe fn copy_now(from: Span<'_>, into: Span<'_>) -> Result<()> {
    // SAFETY: the caller's promise.
    match unsafe { start_copy(from, into)? } {
        Some(ticket) => send::complete("a copy on a device", ticket).map(drop),
        None => Ok(()),
    }
}

/// Starts a send; `None` when it is already complete (eager).
///
/// # Safety
/// The span must stay readable until the operation completes.
#[inline]
pub unsafe fn start_send(to: Envelope, data: Span<'_>) -> Result<Option<Ticket>> {
    ENGINE.lock().send(to, Memory::of(data), false)
}

/// [`start_send`] of memory.
///
/// # Safety
/// The memory must stay readable until the operation completes.
#[inline]
pub unsafe fn start_send_of(to: Envelope, memory: Memory) -> Result<Option<Ticket>> {
    ENGINE.lock().send(to, memory, false)
}

/// Starts a send that completes only once it is matched (`MPI_Issend`).
///
/// # Safety
/// The span must stay readable until the operation completes.
pub unsafe fn start_synchronous(to: Envelope, data: Span<'_>) -> Result<Option<Ticket>> {
    ENGINE.lock().send(to, Memory::of(data), true)
}

/// Starts a receive.
///
/// # Safety
/// The span must stay writable until the operation completes.
#[inline]
pub unsafe fn start_receive(from: Envelope, data: Span<'_>) -> Ticket {
    ENGINE.lock().receive(from, data)
}

/// [`start_receive`] into memory.
///
/// # Safety
/// The memory must stay writable until the operation completes.
#[inline]
pub unsafe fn start_receive_into(from: Envelope, memory: Memory) -> Ticket {
    ENGINE.lock().receive_or_borrow(from, memory, Borrows::Nothing)
}

/// Starts a receive that a request stands for.
///
/// # Safety
/// As for [`start_receive`].
#[inline]
pub unsafe fn start_requested_receive(from: Envelope, data: Span<'_>) -> Ticket {
    let mut engine = ENGINE.lock();
    let ticket = engine.receive(from, data);
    engine.request(ticket);
    ticket
}

/// A request stands for the operation from now on: it is finished or forgotten for that request only.
pub fn request(ticket: Ticket) {
    ENGINE.lock().request(ticket);
}

/// Whether a request stands for the operation of this number: any number may be asked for.
pub fn is_requested(ticket: Ticket) -> bool {
    ENGINE.lock().is_requested(ticket)
}

/// How many operations requests stand for.
pub fn requested() -> usize {
    ENGINE.lock().requested()
}

/// [`finish_well`] for a request, whose number may be wrong.
#[inline]
pub fn finish_requested(ticket: Ticket, status: &mut Status) -> bool {
    ENGINE.lock().finish_requested(ticket, status)
}

/// A receive whose contents a reduction may read where the sender has them: ask [`finish_operand`] for the loan.
///
/// # Safety
/// As for [`start_receive_into`].
pub unsafe fn start_receive_operand(from: Envelope, memory: Memory) -> Ticket {
    ENGINE.lock().receive_or_borrow(from, memory, Borrows::Operand)
}

/// The same of `len` bytes that have no buffer here: where they cannot stay, the loan is memory of the device.
pub fn start_receive_operand_anywhere(from: Envelope, len: usize, home: Home) -> Ticket {
    let memory = Memory::Away { at: std::ptr::null_mut(), len, home };
    ENGINE.lock().receive_or_borrow(from, memory, Borrows::OperandAnywhere)
}

/// Lets the receiver's device write a place, if it can; else it hears that it cannot. Complete when the place is the caller's again. To be
/// met by [`start_receive_exposure`].
///
/// # Safety
/// The memory must stay writable, and nobody else may use it, until the operation completes.
pub unsafe fn start_expose(to: Envelope, memory: Memory) -> Result<Option<Ticket>> {
    ENGINE.lock().expose(to, memory)
}

/// Receives no contents, but the way to as many bytes at the sender that [`start_expose`] has exposed, for the device of `memory`: ask
/// [`finish_operand`] for the loan. The memory itself is left alone.
///
/// # Safety
/// As for [`start_receive_into`].
pub unsafe fn start_receive_exposure(from: Envelope, memory: Memory) -> Ticket {
    ENGINE.lock().receive_or_borrow(from, memory, Borrows::Place)
}

/// Whether a receive of [`start_receive_operand`] or [`start_receive_exposure`] is complete, and the loan if there is one.
pub fn finish_operand(ticket: Ticket) -> Option<(Result<Status>, Option<Box<Loan>>)> {
    let mut engine = ENGINE.lock();
    if !engine.is_complete(ticket) {
        return None;
    }
    let loan = engine.borrowed(ticket.0);
    engine.finish(ticket).map(|result| (result, loan))
}

/// Gives a loan back to its sender at once.
pub fn repay(loan: Loan) {
    ENGINE.lock().repay(loan);
}

/// Gives loans back when a device has done some work: a ticket for that.
pub fn repay_after(pending: Pending, loans: Loans) -> Ticket {
    Ticket(ENGINE.lock().repay_after(pending, loans))
}

/// Whether an operation is complete; cheap, makes no progress. When `Some`, the ticket is spent.
#[inline]
pub fn finish(ticket: Ticket) -> Option<Result<Status>> {
    ENGINE.lock().finish(ticket)
}

/// The common case of [`finish`]: when the operation is complete and has not failed, sets its status and spends the ticket.
#[inline]
pub fn finish_well(ticket: Ticket, status: &mut Status) -> bool {
    ENGINE.lock().finish_well(ticket, status)
}

/// How many operations have completed so far: while it stands still, no ticket that was not complete has become so.
#[inline]
pub fn completions() -> u64 {
    ENGINE.lock().completions
}

/// Whether an operation is complete; the ticket stays valid.
#[inline]
pub fn is_complete(ticket: Ticket) -> bool {
    ENGINE.lock().is_complete(ticket)
}

/// Lets an operation complete on its own; its ticket is spent.
pub fn forget(ticket: Ticket) {
    ENGINE.lock().forget(ticket)
}

/// Takes a send back, after which nobody reads its buffer, and gives the ticket up. `false`: its receiver is reading. Of host memory it is
/// given up whether it is read or not.
pub fn withdraw(ticket: Ticket) -> bool {
    ENGINE.lock().withdraw(ticket)
}

/// Takes a posted receive back if it has not matched yet; then it completes as cancelled. Sends are never cancelled.
pub fn cancel(ticket: Ticket) -> bool {
    ENGINE.lock().cancel(ticket)
}

/// The status of an operation if it is complete; the ticket stays valid.
pub fn look(ticket: Ticket) -> Option<Status> {
    let engine = ENGINE.lock();
    engine.is_complete(ticket).then(|| engine.status(ticket))
}

/// Tells another process that an operation of many ranks failed here, or asks it what it called.
pub fn alert(process: u32, alarm: Alarm) {
    ENGINE.lock().alert(process, alarm);
}

/// Another rank's failure in an operation or its question, if this one has heard of it.
#[inline]
pub fn heard(of: Name) -> Option<Alarm> {
    ENGINE.lock().heard(of)
}

/// What was heard of an operation is done with.
pub fn calm(of: Name) {
    ENGINE.lock().calm(of);
}

/// An operation is over at this process, its rank `rank`, which called `said`: nobody asks for its alarms any more.
#[inline]
pub fn ended(of: Name, rank: i32, said: Said) {
    ENGINE.lock().ended(of, rank, said);
}

/// Receives that wait for a message, and messages that wait for a receive.
pub fn queued() -> (u64, u64) {
    ENGINE.lock().queued()
}

/// No communicator has this context any more: what was heard of its operations is forgotten. Whether no receive is posted there and
/// no message waits, so that another communicator may have it.
pub fn retire(context: u32) -> bool {
    let mut engine = ENGINE.lock();
    engine.calm_all(context);
    engine.is_idle(context)
}

/// Which limit holds: with more ranks than cores a sender that need not wait saves a task switch, which costs more than the second copy.
fn eager() -> &'static knob::Knob {
    if shm::oversubscribed() && !knob::EAGER.is_set() { &knob::SHARED_EAGER } else { &knob::EAGER }
}
