// SPDX-License-Identifier: MIT OR Apache-2.0
//! Receives whose contents stay at the sender: a reduction reads them there, by a mapped address, and its end gives the sender's
//! buffer back. What has no such way (host memory, no handle) arrives in the receive's buffer as ever.

use smallvec::SmallVec;

use super::{Offer, Then};
use crate::device::{Import, Pending};
use crate::p2p::engine::Engine;
use crate::p2p::matching::Pattern;
use crate::p2p::memory::Memory;

/// The contents of a message, at its sender. To be given back: by [`Engine::repay`] or [`Engine::repay_after`].
pub struct Loan {
    /// Where they are, in this process; a kernel on the receive's device may read them.
    pub at: *const u8,
    process: u32,
    theirs: u32,
    _import: Option<Import>,
}

/// What the operands of a reduction have borrowed.
pub type Loans = SmallVec<[Loan; 2]>;

// SAFETY: an address that only devices dereference.
unsafe impl Send for Loan {}

impl Engine {
    /// The contents of this receive may stay where they are.
    pub fn may_borrow(&mut self, number: u32) {
        self.operations[number as usize].held.borrows = true;
    }

    /// What a complete receive has borrowed; to be asked before it is finished.
    pub fn borrowed(&mut self, number: u32) -> Option<Box<Loan>> {
        self.operations[number as usize].held.loan.take()
    }

    /// Leaves the contents of an offer where they are, if this receive may. `false`: it may not, or there is no way.
    pub fn borrow(&mut self, number: u32, process: u32, offer: &Offer, len: usize) -> bool {
        let operation = &self.operations[number as usize];
        // What this process offers itself may lie on another of its devices, which kernels need not reach.
        if !operation.held.borrows || operation.memory.len() != len || process == self.me() {
            return false;
        }
        let Some(home) = operation.memory.home() else { return false };
        let Ok((at, import)) = self.reach(home.memory, process, offer) else { return false };
        let operation = &mut self.operations[number as usize];
        operation.missing = 0;
        operation.held.loan = Some(Box::new(Loan { at, process, theirs: offer.ready.operation, _import: import }));
        crate::trace::chose("path", "read by the kernel at the sender", len as u64);
        self.complete(number);
        true
    }

    /// Gives loans back when `pending` is complete: a ticket for that.
    pub fn repay_after(&mut self, pending: Pending, loans: Loans) -> u32 {
        let number = self.operation(Memory::NONE, 0, Pattern { source: 0, tag: 0 });
        self.fly(number, pending, Then::Repay { loans });
        number
    }

    /// Gives a loan back at once: nothing reads it.
    pub fn repay(&mut self, loan: Loan) {
        self.acknowledge(loan.process, loan.theirs, 0);
    }
}
