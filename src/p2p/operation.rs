// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operations of two-sided communication, from their start until what became of them is taken.

use super::away::{Borrows, Gone, Held, Hold};
use super::engine::Engine;
use super::matching::Pattern;
use super::memory::Memory;
use super::{Envelope, Ticket};
use crate::object::error::{Error, Result};
use crate::object::status::Status;
use crate::os;
use crate::transport::shm;

/// Where an operation is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Free,
    Active,
    /// Nobody will ask: freed when complete.
    Forgotten,
    Complete,
}

/// An operation under way.
pub struct Operation {
    pub state: State,
    /// A request of the program stands for it.
    pub requested: bool,
    pub memory: Memory,
    /// Packed copy of a send whose memory is not flat.
    pub packed: Option<Box<[u8]>>,
    pub context: u32,
    pub pattern: Pattern,
    pub status: Status,
    pub error: Option<Error>,
    /// Streamed bytes still to come.
    pub missing: u64,
    /// A posted receive that has not matched.
    pub posted: bool,
    /// The process that a send goes to.
    pub destination: Option<u32>,
    /// The share of a send that its receiver and this process copy, counted from 1.
    pub share: u32,
    /// What only operations on device memory hold.
    pub held: Held,
}

impl Operation {
    const FREE: Operation = Operation {
        state: State::Free,
        requested: false,
        memory: Memory::NONE,
        packed: None,
        context: 0,
        pattern: Pattern { source: 0, tag: 0 },
        status: Status::EMPTY,
        error: None,
        missing: 0,
        posted: false,
        destination: None,
        share: 0,
        held: Held {
            flying: 0,
            delivered: false,
            scratch: None,
            unpack: None,
            unsettled: None,
            broken: false,
            offer: None,
            filling: None,
            borrows: Borrows::Nothing,
            loan: None,
            hold: Hold::None,
            gone: Gone::No,
        },
    };

    /// Whether it holds what must be given back at its end: rare.
    #[inline]
    fn holds(&self) -> bool {
        let plain = matches!(self.memory, Memory::Flat { .. }) & self.packed.is_none() & self.error.is_none();
        let borrows = self.held.borrows != Borrows::Nothing;
        !plain | self.held.scratch.is_some() | self.held.unsettled.is_some() | borrows | (self.held.gone != Gone::No)
    }

    #[cold]
    fn give_back(&mut self) {
        self.memory = Memory::NONE;
        self.packed = None;
        // A truncated receive that nobody asked for must not pass its error on to the next operation in this place.
        self.error = None;
        let Held { borrows, gone, hold, .. } = self.held;
        let borrows = borrows != Borrows::Nothing;
        if self.held.scratch.is_some() || self.held.unsettled.is_some() || borrows || gone != Gone::No || hold != Hold::None {
            self.held = Held::default();
        }
    }
}

impl Engine {
    #[inline]
    pub fn operation(&mut self, memory: Memory, context: u32, pattern: Pattern) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.operations.push(Operation::FREE);
            self.operations.len() as u32 - 1
        });
        let operation = &mut self.operations[number as usize];
        debug_assert_eq!(operation.state, State::Free);
        operation.state = State::Active;
        // SAFETY: the memory of a free operation is flat: it holds nothing that would have to be dropped.
        unsafe { std::ptr::write(&mut operation.memory, memory) };
        operation.context = context;
        operation.pattern = pattern;
        operation.status = Status::EMPTY;
        operation.destination = None;
        number
    }

    /// The operation of a send.
    pub fn sending(&mut self, memory: Memory, to: Envelope) -> u32 {
        let number = self.operation(memory, to.context, Pattern { source: to.rank, tag: to.tag });
        self.operations[number as usize].destination = Some(to.process);
        number
    }

    #[inline]
    fn release(&mut self, number: u32) {
        let operation = &mut self.operations[number as usize];
        operation.state = State::Free;
        operation.requested = false;
        if operation.holds() {
            operation.give_back();
        }
        self.free.push(number);
    }

    #[inline]
    pub fn complete(&mut self, number: u32) {
        self.completions += 1;
        let operation = &mut self.operations[number as usize];
        if operation.state == State::Forgotten {
            self.release(number);
            return;
        }
        operation.state = State::Complete;
        if os::lock::threaded() {
            shm::wake_self();
        }
    }

    #[inline]
    pub fn is_complete(&self, ticket: Ticket) -> bool {
        self.operations[ticket.0 as usize].state == State::Complete
    }

    #[inline]
    pub fn finish(&mut self, ticket: Ticket) -> Option<Result<Status>> {
        let operation = &mut self.operations[ticket.0 as usize];
        if operation.state != State::Complete {
            return None;
        }
        let result = match operation.error.take() {
            None => Ok(operation.status),
            Some(error) => Err(error.with_status(operation.status).in_context(operation.context)),
        };
        self.release(ticket.0);
        Some(result)
    }

    /// The common case of [`Engine::finish`]: complete, without an error.
    #[inline]
    pub fn finish_well(&mut self, ticket: Ticket, status: &mut Status) -> bool {
        let operation = &self.operations[ticket.0 as usize];
        if operation.state != State::Complete || operation.error.is_some() {
            return false;
        }
        *status = operation.status;
        self.release(ticket.0);
        true
    }

    /// The same for an operation that a request may stand for.
    #[inline]
    pub fn finish_requested(&mut self, ticket: Ticket, status: &mut Status) -> bool {
        self.is_requested(ticket) && self.finish_well(ticket, status)
    }

    /// A request stands for the operation from now on.
    #[inline]
    pub fn request(&mut self, ticket: Ticket) {
        self.operations[ticket.0 as usize].requested = true;
    }

    /// Whether a request stands for the operation of this number.
    #[inline]
    pub fn is_requested(&self, ticket: Ticket) -> bool {
        self.operations.get(ticket.0 as usize).is_some_and(|operation| operation.requested)
    }

    /// How many operations requests stand for.
    pub fn requested(&self) -> usize {
        self.operations.iter().filter(|operation| operation.requested).count()
    }

    /// The status of a complete operation, also when it failed.
    pub fn status(&self, ticket: Ticket) -> Status {
        self.operations[ticket.0 as usize].status
    }

    pub fn forget(&mut self, ticket: Ticket) {
        let operation = &mut self.operations[ticket.0 as usize];
        operation.requested = false;
        match operation.state {
            State::Complete => self.release(ticket.0),
            _ => operation.state = State::Forgotten,
        }
    }

    pub fn cancel(&mut self, ticket: Ticket) -> bool {
        let operation = &mut self.operations[ticket.0 as usize];
        if operation.state != State::Active {
            return false;
        }
        if !operation.posted {
            return self.be_rid(ticket.0);
        }
        let (context, pattern) = (operation.context, operation.pattern);
        if !self.matcher(context).withdraw(pattern, ticket.0) {
            return false;
        }
        let operation = &mut self.operations[ticket.0 as usize];
        operation.posted = false;
        operation.status.cancelled = true;
        self.complete(ticket.0);
        true
    }
}
