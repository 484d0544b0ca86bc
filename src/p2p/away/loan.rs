// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory that stays at its sender. Contents: a reduction reads them there, by a mapped address, and its end gives the sender's
//! buffer back; what has no such way (host memory, no handle) arrives in the receive's buffer as ever. Places: a reduction writes its
//! result there; who has no way hears so, and sends the result.

use super::{Offer, Then};
use crate::device::scratch::Buffer;
use crate::device::{Home, Import, Pending};
use crate::object::error::Result;
use crate::p2p::engine::Engine;
use crate::p2p::matching::Pattern;
use crate::p2p::memory::Memory;
use crate::p2p::{Envelope, Ticket};

/// What a receive may leave at the sender.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Borrows {
    /// All that is sent comes to its buffer.
    #[default]
    Nothing,
    /// The contents, to be read by a reduction.
    Operand,
    /// The same of a receive without a buffer, which takes one where they cannot stay.
    OperandAnywhere,
    /// A place to be written by a reduction: nothing comes to the buffer, which only says how many bytes.
    Place,
}

/// The contents of a message, or a place for some, at its sender. To be given back: by [`Engine::repay`] or [`Engine::repay_after`].
pub struct Loan {
    /// Where they are, in this process; a kernel on the receive's device may read them, or write the place.
    pub at: *const u8,
    /// That device.
    pub home: Home,
    /// Who waits for it: the process, and its operation.
    owner: Option<(u32, u32)>,
    _import: Option<Import>,
    /// What it lies in, if it has come here.
    _buffer: Option<Buffer>,
}

/// What the operands of a reduction have borrowed.
pub type Loans = Vec<Loan>;

// SAFETY: an address that only devices dereference.
unsafe impl Send for Loan {}

impl Engine {
    /// Lets the receiver's device write a place, where it can be mapped; else says so by a message without bytes.
    #[cold]
    pub fn expose(&mut self, to: Envelope, memory: Memory) -> Result<Option<Ticket>> {
        if let Memory::Away { at, home, .. } = memory
            && let Ok(export) = home.export(at)
        {
            let settled = home.settled()?;
            let number = self.operation(memory, to.context, Pattern { source: to.rank, tag: to.tag });
            return self.offer_or_end(to, number, settled, Some(export)).map(|()| Some(Ticket(number)));
        }
        self.send(to, Memory::NONE, false)
    }

    /// What a complete receive has borrowed, or taken a buffer for; to be asked before it is finished.
    pub fn borrowed(&mut self, number: u32) -> Option<Box<Loan>> {
        let operation = &mut self.operations[number as usize];
        if operation.held.borrows != Borrows::OperandAnywhere || operation.held.loan.is_some() {
            return operation.held.loan.take();
        }
        let (buffer, home) = (operation.held.scratch.take()?, operation.memory.home()?);
        Some(Box::new(Loan { at: buffer.at(), home, owner: None, _import: None, _buffer: Some(buffer) }))
    }

    /// Leaves what an offer says where it is, if this receive may. `false`: it may not, or there is no way.
    pub fn borrow(&mut self, number: u32, process: u32, offer: &Offer, len: usize) -> bool {
        let operation = &self.operations[number as usize];
        // What this process offers itself may lie on another of its devices, which kernels need not reach.
        if operation.held.borrows == Borrows::Nothing || operation.memory.len() != len || process == self.me() {
            return false;
        }
        let Some(home) = operation.memory.home() else { return false };
        let Ok((at, import)) = self.reach(home.memory, process, offer) else { return false };
        let operation = &mut self.operations[number as usize];
        operation.missing = 0;
        let owner = Some((process, offer.ready.operation));
        operation.held.loan = Some(Box::new(Loan { at, home, owner, _import: import, _buffer: None }));
        let reads = operation.held.borrows != Borrows::Place;
        crate::trace::chose(
            "path",
            if reads { "read by the kernel at the sender" } else { "written by the kernel at the receiver" },
            len as u64,
        );
        self.complete(number);
        true
    }

    /// Gives loans back when `pending` is complete: a ticket for that.
    pub fn repay_after(&mut self, pending: Pending, loans: Loans) -> u32 {
        let number = self.operation(Memory::NONE, 0, Pattern { source: 0, tag: 0 });
        self.fly(number, pending, Then::Repay { loans });
        number
    }

    /// Gives a loan back at once: nothing uses it.
    pub fn repay(&mut self, loan: Loan) {
        if let Some((process, theirs)) = loan.owner {
            self.acknowledge(process, theirs, 0);
        }
    }
}
