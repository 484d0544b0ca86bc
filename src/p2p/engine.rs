// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of two-sided communication: operations ([`super::operation`]), the queues of each context, records that wait for
//! room, and the poll of the inboxes. All of it behind one lock that only threaded programs take.

use std::collections::VecDeque;

use super::ahead::Ahead;
use super::alarm::{Alarm, Alarms};
use super::arrived::Arrived;
use super::away::{Borrows, Flight, Haul, Offer};
use super::matching::{Matcher, Pattern};
use super::memory::Memory;
use super::operation::Operation;
use super::push::Pushes;
use super::rendezvous::{Pull, Stream};
use super::wire::{self, Control, Head, Ready, kind};
use super::{Envelope, Span, Ticket};
use crate::err;
use crate::object::error::{Error, Result};
use crate::object::status::Status;
use crate::os;
use crate::progress;
use crate::transport::shm::{self, Cell, Inbox, Outbox};

/// Records taken from one inbox before the next inbox has its turn.
const TURN: usize = 32;

/// A record that waits for room in a ring.
pub enum Waiting {
    Ready(Ready),
    Control(u8, Control),
    Message(Head, u32),
    Offer(Box<Offer>),
    Alarm(Alarm),
}

pub struct Engine {
    me: u32,
    eager: usize,
    pub outboxes: Vec<Outbox>,
    inboxes: Vec<Inbox>,
    waiting: Vec<VecDeque<Waiting>>,
    /// The processes whose rings are full.
    crowded: Vec<u32>,
    contexts: Vec<Option<Box<Matcher<u32, Arrived>>>>,
    pub operations: Vec<Operation>,
    pub free: Vec<u32>,
    pub pulls: VecDeque<Pull>,
    pub streams: VecDeque<Stream>,
    pub pushes: Pushes,
    pub ahead: Ahead,
    pub scratch: Vec<u8>,
    /// Operations that have completed.
    pub completions: u64,
    /// Copies that devices make for operations.
    pub flights: Vec<Flight>,
    pub hauls: VecDeque<Haul>,
    /// Failures of other ranks in operations of many, and their questions.
    pub alarms: Alarms,
}

impl Engine {
    pub const fn new() -> Engine {
        Engine {
            me: 0,
            eager: 0,
            outboxes: Vec::new(),
            inboxes: Vec::new(),
            waiting: Vec::new(),
            crowded: Vec::new(),
            contexts: Vec::new(),
            operations: Vec::new(),
            free: Vec::new(),
            pulls: VecDeque::new(),
            streams: VecDeque::new(),
            pushes: Pushes::new(),
            ahead: Ahead::new(),
            scratch: Vec::new(),
            completions: 0,
            flights: Vec::new(),
            hauls: VecDeque::new(),
            alarms: Alarms::new(),
        }
    }

    pub fn open(&mut self) {
        let all = 0..shm::size();
        self.me = shm::me();
        self.outboxes = all.clone().map(Outbox::new).collect();
        self.inboxes = all.clone().map(Inbox::new).collect();
        self.waiting = all.map(|_| VecDeque::new()).collect();
        self.eager = (super::eager().number() as usize).min(self.outboxes[0].most());
    }

    pub fn me(&self) -> u32 {
        self.me
    }

    /// Largest eager message.
    pub fn eager_most(&self) -> usize {
        self.eager
    }

    #[inline]
    pub fn matcher(&mut self, context: u32) -> &mut Matcher<u32, Arrived> {
        let context = context as usize;
        if context >= self.contexts.len() {
            self.contexts.resize_with(context + 1, || None);
        }
        self.contexts[context].get_or_insert_default()
    }

    /// Receives that wait for a message, and messages that wait for a receive, in all contexts.
    pub fn queued(&self) -> (u64, u64) {
        let counts = self.contexts.iter().flatten().map(|matcher| matcher.counts());
        counts.fold((0, 0), |all, (posted, unexpected)| (all.0 + posted as u64, all.1 + unexpected as u64))
    }

    pub fn is_idle(&self, context: u32) -> bool {
        self.contexts.get(context as usize).and_then(Option::as_ref).is_none_or(|matcher| matcher.is_idle())
    }

    // Sending.

    #[inline]
    pub fn send(&mut self, to: Envelope, memory: Memory, synchronous: bool) -> Result<Option<Ticket>> {
        if memory.home().is_some() {
            return self.send_away(to, memory, synchronous);
        }
        if to.process == self.me {
            return Ok(self.send_to_self(to, memory, synchronous));
        }
        let len = memory.len();
        if len > self.eager || synchronous {
            return Ok(Some(Ticket(self.offer(to, memory))));
        }
        let head = Head { context: to.context, rank: to.rank, tag: to.tag, len: len as u32 };
        if self.waiting[to.process as usize].is_empty() && self.push_message(to.process, head, &memory) {
            return Ok(None);
        }
        let number = self.sending(memory, to);
        self.wait_for_room(to.process, Waiting::Message(head, number));
        Ok(Some(Ticket(number)))
    }

    /// Puts a whole message into the ring if there is room.
    #[inline]
    fn push_message(&mut self, process: u32, head: Head, memory: &Memory) -> bool {
        let len = head.len as usize;
        let outbox = &mut self.outboxes[process as usize];
        let payload = if len > wire::SHORT { len } else { 0 };
        let Some((body, place)) = outbox.begin(payload) else { return false };
        // SAFETY: `begin` gave room for the head and the bytes; the operation's owner keeps the memory readable.
        unsafe {
            wire::put(body, head);
            let bytes = if payload == 0 { body.add(size_of::<Head>()) } else { place };
            memory.read(0, bytes, len);
        }
        outbox.commit(if payload == 0 { kind::SHORT } else { kind::EAGER }, payload);
        true
    }

    /// Sends a whole message whose memory is not the sender's, now or from a copy.
    pub fn send_copied(&mut self, to: Envelope, memory: Memory) -> Result<()> {
        if to.process == self.me {
            self.send_to_self(to, memory, false);
            return Ok(());
        }
        let head = Head { context: to.context, rank: to.rank, tag: to.tag, len: memory.len() as u32 };
        if self.waiting[to.process as usize].is_empty() && self.push_message(to.process, head, &memory) {
            return Ok(());
        }
        let number = self.sending(memory, to);
        self.keep_copy(number);
        self.wait_for_room(to.process, Waiting::Message(head, number));
        self.forget(Ticket(number));
        Ok(())
    }

    /// Offers a message that the receiver fetches.
    fn offer(&mut self, to: Envelope, memory: Memory) -> u32 {
        let number = self.sending(memory, to);
        let mut ready = self.ready(to, number);
        self.exchanged(to.process, ready.len as usize);
        ready.ahead = self.send_ahead(to.process, number);
        // Receivers share only copies of which nothing has gone ahead.
        if ready.ahead == 0 {
            ready.share = self.begin_push(number);
        }
        self.push(to.process, Waiting::Ready(ready));
        number
    }

    /// Told of a message that is offered or fetched: large ones choose the [seats](crate::progress).
    pub fn exchanged(&self, process: u32, len: usize) {
        if len > self.eager && process != self.me {
            progress::exchanged(process, len);
        }
    }

    fn ready(&mut self, to: Envelope, number: u32) -> Ready {
        let head = Head { context: to.context, rank: to.rank, tag: to.tag, len: 0 };
        let len = self.operations[number as usize].memory.len() as u64;
        Ready { head, len, at: self.exposed(number) as u64, operation: number, share: 0, ahead: 0 }
    }

    #[inline]
    fn send_to_self(&mut self, to: Envelope, memory: Memory, synchronous: bool) -> Option<Ticket> {
        if let Memory::Flat { at, len } = memory
            && len <= self.eager
            && !synchronous
        {
            let head = Head { context: to.context, rank: to.rank, tag: to.tag, len: len as u32 };
            // Readable during the call; of no bytes the address may be anything.
            self.arrive_bytes(head, if len == 0 { std::ptr::dangling() } else { at });
            return None;
        }
        self.send_to_self_slowly(to, memory, synchronous)
    }

    #[inline(never)]
    fn send_to_self_slowly(&mut self, to: Envelope, memory: Memory, synchronous: bool) -> Option<Ticket> {
        let len = memory.len();
        if !synchronous && len <= self.eager {
            let mut data = vec![0; len].into_boxed_slice();
            // SAFETY: the program keeps what it sends readable.
            unsafe { memory.read(0, data.as_mut_ptr(), len) };
            let head = Head { context: to.context, rank: to.rank, tag: to.tag, len: len as u32 };
            self.arrive_bytes(head, data.as_ptr());
            return None;
        }
        let number = self.sending(memory, to);
        let ready = self.ready(to, number);
        self.arrive_ready(self.me, ready);
        Some(Ticket(number))
    }

    /// Sends a record now, or queues it behind those that wait.
    pub fn push(&mut self, process: u32, record: Waiting) {
        if self.waiting[process as usize].is_empty() && self.try_push(process, &record) {
            return;
        }
        self.wait_for_room(process, record);
    }

    #[cold]
    fn wait_for_room(&mut self, process: u32, record: Waiting) {
        if self.waiting[process as usize].is_empty() {
            self.crowded.push(process);
        }
        self.waiting[process as usize].push_back(record);
    }

    fn try_push(&mut self, process: u32, record: &Waiting) -> bool {
        if let &Waiting::Message(head, number) = record {
            let memory = self.operations[number as usize].memory.clone();
            let sent = self.push_message(process, head, &memory);
            if sent {
                self.complete(number);
            }
            return sent;
        }
        let outbox = &mut self.outboxes[process as usize];
        if let Waiting::Offer(offer) = record {
            let Some((_, payload)) = outbox.begin(size_of::<Offer>()) else { return false };
            // SAFETY: `begin` gave so many bytes, on a cache line.
            unsafe { payload.cast::<Offer>().write(**offer) };
            outbox.commit(kind::OFFER, size_of::<Offer>());
            return true;
        }
        let Some((body, _)) = outbox.begin(0) else { return false };
        // SAFETY: `begin` gave a cell's body.
        let kind = unsafe {
            match record {
                Waiting::Ready(ready) => {
                    wire::put(body, *ready);
                    kind::READY
                }
                Waiting::Offer(_) => unreachable!("goes with a payload"),
                Waiting::Control(kind, control) => {
                    wire::put(body, *control);
                    *kind
                }
                Waiting::Alarm(alarm) => {
                    wire::put(body, *alarm);
                    kind::ALARM
                }
                Waiting::Message(..) => unreachable!("sent above"),
            }
        };
        outbox.commit(kind, 0);
        true
    }

    #[cold]
    fn push_waiting(&mut self) -> bool {
        let mut happened = false;
        let crowded = std::mem::take(&mut self.crowded);
        for process in crowded {
            while let Some(record) = self.waiting[process as usize].pop_front() {
                if !self.try_push(process, &record) {
                    self.waiting[process as usize].push_front(record);
                    self.crowded.push(process);
                    break;
                }
                happened = true;
            }
        }
        happened
    }

    // Receiving.

    #[inline]
    pub fn receive(&mut self, from: Envelope, data: Span<'_>) -> Ticket {
        self.receive_or_borrow(from, Memory::of(data), Borrows::Nothing)
    }

    /// A receive, and what it may leave at the sender.
    #[inline(always)]
    pub fn receive_or_borrow(&mut self, from: Envelope, memory: Memory, borrows: Borrows) -> Ticket {
        let pattern = Pattern { source: from.rank, tag: from.tag };
        let home = memory.home();
        let number = self.operation(memory, from.context, pattern);
        if let Some(home) = home {
            self.fence_receive(number, &home);
        }
        if borrows != Borrows::Nothing {
            self.operations[number as usize].held.borrows = borrows;
        }
        match self.matcher(from.context).claim(pattern) {
            Some((source, tag, message)) => self.accept(number, source, tag, message),
            None => {
                self.operations[number as usize].posted = true;
                self.matcher(from.context).post(pattern, number);
            }
        }
        Ticket(number)
    }

    /// A receive gets a message that had arrived before.
    pub fn accept(&mut self, number: u32, source: i32, tag: i32, message: Arrived) {
        match message {
            Arrived::Short(data, len) => self.deliver(number, source, tag, data.as_ptr(), len as usize),
            Arrived::Eager(data) => self.deliver(number, source, tag, data.as_ptr(), data.len()),
            Arrived::Ready(process, ready) => self.fetch(number, process, ready, source, tag),
            Arrived::Offer(process, offer) => self.fetch_offer(number, process, *offer, source, tag),
        }
    }

    /// Sets a matched receive's status; returns how many bytes it takes. Too long a message is an error of the receive.
    #[inline]
    pub fn matched(&mut self, number: u32, source: i32, tag: i32, len: u64) -> usize {
        let operation = &mut self.operations[number as usize];
        operation.posted = false;
        let room = operation.memory.len() as u64;
        operation.status = Status { source, tag, bytes: len.min(room) as i64, ..Status::EMPTY };
        if len > room {
            operation.error = Some(truncated(source, tag, len, room));
        } else if len < room && operation.memory.splits(len as i64) {
            operation.error = Some(torn(source, tag, len));
        }
        len.min(room) as usize
    }

    /// A matched receive gets the whole message.
    #[inline]
    fn deliver(&mut self, number: u32, source: i32, tag: i32, data: *const u8, len: usize) {
        let operation = &mut self.operations[number as usize];
        // The common case: all of the message fits into plain memory.
        if let Memory::Flat { at, len: room } = operation.memory
            && len <= room
        {
            operation.posted = false;
            operation.status = Status { source, tag, bytes: len as i64, ..Status::EMPTY };
            // SAFETY: the receive's buffer is writable until it completes; `data` holds `len` bytes.
            unsafe { os::copy::copy(data, at, len) };
            return self.complete(number);
        }
        self.deliver_elsewhere(number, source, tag, data, len)
    }

    #[inline(never)]
    fn deliver_elsewhere(&mut self, number: u32, source: i32, tag: i32, data: *const u8, len: usize) {
        let take = self.matched(number, source, tag, len as u64);
        if self.operations[number as usize].memory.home().is_some() {
            return self.deliver_away(number, data, take);
        }
        // SAFETY: the receive's buffer is writable until it completes; `data` holds `len` bytes.
        unsafe { self.operations[number as usize].memory.write(0, data, take) };
        self.complete(number);
    }

    #[inline(always)]
    fn arrive_bytes(&mut self, head: Head, data: *const u8) {
        match self.matcher(head.context).arrive(head.rank, head.tag) {
            Some(number) => self.deliver(number, head.rank, head.tag, data, head.len as usize),
            None => self.keep_bytes(head, data),
        }
    }

    #[inline(never)]
    fn keep_bytes(&mut self, head: Head, data: *const u8) {
        // SAFETY: `data` holds so many bytes.
        let bytes = unsafe { std::slice::from_raw_parts(data, head.len as usize) };
        let message = Arrived::keep(bytes);
        self.matcher(head.context).keep(head.rank, head.tag, message);
    }

    fn arrive_ready(&mut self, process: u32, ready: Ready) {
        let head = ready.head;
        match self.matcher(head.context).arrive(head.rank, head.tag) {
            Some(number) => self.fetch(number, process, ready, head.rank, head.tag),
            None => self.matcher(head.context).keep(head.rank, head.tag, Arrived::Ready(process, ready)),
        }
    }

    // The poll.

    /// Takes what arrived, and moves transfers and waiting records forward.
    #[inline]
    pub fn poll(&mut self) -> bool {
        let mut happened = false;
        shm::senders(|process| {
            for _ in 0..TURN {
                let Some(cell) = self.inboxes[process as usize].peek() else { break };
                self.take(process, cell);
                super::hear_from(process);
                self.inboxes[process as usize].pop(cell);
                happened = true;
            }
        });
        if self.busy() {
            happened |= self.move_transfers();
        }
        happened
    }

    #[inline]
    pub fn busy(&self) -> bool {
        !self.crowded.is_empty() || !self.pulls.is_empty() || !self.streams.is_empty() || !self.pushes.is_empty() || self.flying()
    }

    fn move_transfers(&mut self) -> bool {
        let mut happened = !self.crowded.is_empty() && self.push_waiting();
        happened |= self.pull();
        happened |= self.stream() | self.push_parts();
        if self.flying() {
            happened |= self.land_flights();
        }
        happened
    }

    #[inline]
    fn take(&mut self, process: u32, cell: Cell) {
        // SAFETY: each kind is sent with the body read here.
        unsafe {
            match cell.kind {
                kind::SHORT => self.arrive_bytes(wire::get(cell.body), cell.body.add(size_of::<Head>())),
                kind::EAGER => self.arrive_bytes(wire::get(cell.body), cell.payload),
                kind::READY => self.arrive_ready(process, wire::get(cell.body)),
                kind::DONE => self.sent(wire::get::<Control>(cell.body).yours),
                kind::STREAM => self.start_stream(process, wire::get(cell.body)),
                kind::PIECE => self.take_piece(wire::get(cell.body), cell),
                kind::OFFER => self.arrive_offer(process, cell.payload.cast::<Offer>().read()),
                kind::ASK => self.asked_whether_settled(process, wire::get(cell.body)),
                kind::GO => self.go(wire::get::<Control>(cell.body).yours),
                kind::LOST => self.lost(wire::get::<Control>(cell.body).yours),
                kind::WITHDRAWN => self.withdrawn(wire::get::<Control>(cell.body).yours),
                kind::PUSH => self.asked_to_push(process, wire::get(cell.body)),
                kind::ALARM => self.hear(process, wire::get(cell.body)),
                other => unreachable!("record of kind {other}"),
            }
        }
    }
}

#[cold]
fn truncated(source: i32, tag: i32, len: u64, room: u64) -> Error {
    err!(Truncate, "a message of {len} bytes from rank {source} with tag {tag} met a receive of {room} bytes")
}

#[cold]
fn torn(source: i32, tag: i32, len: u64) -> Error {
    err!(Type, "a message of {len} bytes from rank {source} with tag {tag} ends inside a basic element of the receive's type")
}
