// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sends out of device memory that are taken back, by a collective that has failed: its call returns, and the program may free the
//! buffer or write to it. Who reads an offer claims it before, in a word that both processes change: so either it is read, and the
//! sender waits for that, or it is withdrawn, and will not be read. A receive whose message was withdrawn stays until its own
//! collective hears of the failure.

use super::Held;
use crate::p2p::Ticket;
use crate::p2p::engine::{Engine, Waiting};
use crate::p2p::operation::State;
use crate::p2p::wire::{Control, kind};
use crate::transport::shm::{self, Front, Whole};

/// How an offer can be taken back.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Hold {
    /// Nothing to take back: host memory, a receive of this process.
    #[default]
    None,
    /// By the claim word in the operation's share.
    Claim,
    /// The receiver asks for each byte, so the sender can say no.
    Asks,
    /// As long as the receiver, which asks before it reads, was not told to go: no share was free.
    UntilGo,
    /// Not any more.
    Fixed,
}

/// How a message ends before its bytes are there.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Gone {
    /// It does not.
    #[default]
    No,
    /// The sender has taken it back.
    Withdrawn,
    /// The receiver would be rid of it, if the sender takes it back.
    Unwanted,
}

/// A message that is claimed as a whole.
const WHOLE: Whole = Whole { number: 0, units: 1, turn: 1 };

impl Engine {
    /// A word by which a send can be taken back, counted from 1; 0: none is free, and the receiver must ask.
    pub fn begin_claim(&mut self, number: u32) -> u32 {
        let share = self.take_share(number);
        self.operations[number as usize].held.hold = if share == 0 { Hold::UntilGo } else { Hold::Claim };
        share
    }

    /// Takes a send back that nobody will ask for again. `false`: it is being read, and ends soon.
    pub fn withdraw(&mut self, ticket: Ticket) -> bool {
        let operation = &mut self.operations[ticket.0 as usize];
        let gone = operation.state == State::Complete
            || match operation.held.hold {
                Hold::None | Hold::UntilGo => true,
                Hold::Claim => shm::share(shm::me(), operation.share - 1).back(WHOLE).is_some(),
                Hold::Asks => !self.streams.iter().any(|stream| stream.is_of(ticket.0)),
                Hold::Fixed => false,
            };
        if gone {
            self.pushes.drop_of(ticket.0);
            self.operations[ticket.0 as usize].held.gone = Gone::Withdrawn;
            self.forget(ticket);
        }
        gone
    }

    /// A receiver begins to read an offer, unless it was withdrawn.
    pub(super) fn claim(&mut self, process: u32, share: u32) -> bool {
        share == 0 || process == self.me() || shm::share(process, share - 1).front(WHOLE) == Front::Took(0, 1)
    }

    /// A receiver asks for what was withdrawn: it is told.
    pub fn refuse(&mut self, process: u32, asked: Control) -> bool {
        let number = asked.yours;
        if self.operations[number as usize].held.gone != Gone::Withdrawn {
            return false;
        }
        if process == self.me() {
            self.withdrawn(asked.mine);
        } else {
            let control = Control { yours: asked.mine, mine: number, ..Control::default() };
            self.push(process, Waiting::Control(kind::WITHDRAWN, control));
        }
        self.sent(number);
        true
    }

    /// The message of a receive does not come.
    pub fn withdrawn(&mut self, number: u32) {
        let held = &mut self.operations[number as usize].held;
        let unwanted = held.gone == Gone::Unwanted;
        *held = Held { scratch: held.scratch.take(), flying: held.flying, gone: Gone::Withdrawn, ..Held::default() };
        if unwanted {
            self.be_rid(number);
        }
    }

    /// Ends a receive that has matched, if its message is withdrawn, now or later; whether it has.
    pub fn be_rid(&mut self, number: u32) -> bool {
        let operation = &mut self.operations[number as usize];
        if operation.held.gone != Gone::Withdrawn {
            operation.held.gone = Gone::Unwanted;
            return false;
        }
        operation.status.cancelled = true;
        operation.missing = 0;
        self.landed(number);
        true
    }
}
