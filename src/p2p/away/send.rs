// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sends out of device memory.

use std::time::Duration;

use super::{Hold, Offer, Then, gather};
use crate::device::scratch::Buffer;
use crate::device::staging::Bounce;
use crate::device::{Export, Home, Pending, staging};
use crate::object::error::Result;
use crate::p2p::engine::{Engine, Waiting};
use crate::p2p::matching::Pattern;
use crate::p2p::memory::Memory;
use crate::p2p::wire::{Control, Head, Ready, kind};
use crate::p2p::{Envelope, Ticket};
use crate::{knob, trace};

/// How long a send looks whether the device has copied a small message out; then the receiver fetches it.
const SMALL_LIMIT: Duration = Duration::from_micros(200);
/// How long a send looks whether what the program has given the device before is complete.
const SETTLE_LIMIT: Duration = Duration::from_micros(30);

impl Engine {
    /// Sends from device memory.
    #[cold]
    pub fn send_away(&mut self, to: Envelope, memory: Memory, synchronous: bool) -> Result<Option<Ticket>> {
        let home = memory.home().expect("device memory");
        let len = memory.len();
        home.fence()?;
        let (memory, scratch, mut packed) = pack(memory, &home)?;
        let small = self.eager_most().min(knob::GPU_EAGER.number() as usize).min(staging::SMALL);
        let mut late = None;
        if !synchronous && len <= small && packed.done_within(SMALL_LIMIT)? {
            late = self.send_small(to, &memory, &home)?;
            if late.is_none() {
                return Ok(None);
            }
        }
        let settled = if scratch.is_some() { packed } else { home.settled()? };
        let number = self.operation(memory, to.context, Pattern { source: to.rank, tag: to.tag });
        self.operations[number as usize].held.scratch = scratch;
        if let Some((copy, bounce)) = late {
            self.fly(number, copy, Then::Late { _bounce: bounce });
        }
        let export = if to.process == self.me() { None } else { self.export(number, &home) };
        self.offer_or_end(to, number, settled, export).map(|()| Some(Ticket(number)))
    }

    fn export(&self, number: u32, home: &Home) -> Option<Export> {
        let operation = &self.operations[number as usize];
        let Memory::Away { at, .. } = operation.memory else { unreachable!("packed before") };
        // The packed form lies in another allocation than what was packed.
        let packed = operation.held.scratch.as_ref().and_then(Buffer::home);
        let home = packed.as_ref().unwrap_or(home);
        let said = |reason| {
            trace::note(format!("device messages from {} memory are staged through the host: {reason}", home.kind.name()))
        };
        home.export(at).map_err(said).ok()
    }

    /// Offers what an operation holds; on an error the operation ends.
    pub(super) fn offer_or_end(&mut self, to: Envelope, number: u32, settled: Pending, export: Option<Export>) -> Result<()> {
        let offered = self.offer_away(to, number, settled, export);
        if offered.is_err() {
            // Nothing was offered; a late copy, if there is one, is the last that happens to it.
            self.operations[number as usize].held.delivered = true;
            self.forget(Ticket(number));
            if self.operations[number as usize].held.flying == 0 {
                self.sent(number);
            }
        }
        offered
    }

    /// A small message goes through pinned memory. When the device is too busy for it: the copy, which still reads the buffer.
    fn send_small(&mut self, to: Envelope, memory: &Memory, home: &Home) -> Result<Option<(Pending, Bounce)>> {
        let &Memory::Away { at, len, .. } = memory else { unreachable!("packed before") };
        let bounce = staging::take_small(home.memory)?;
        // SAFETY: the bounce has room; both live until the copy is complete, or the bounce is given up.
        let mut copy = unsafe { home.memory.copy(at, bounce.at(), len)? };
        if !copy.done_within(SMALL_LIMIT)? {
            return Ok(Some((copy, bounce)));
        }
        trace::chose("path", "device, eager", len as u64);
        let host = Memory::Flat { at: bounce.at(), len };
        self.send_copied(to, host)?;
        Ok(None)
    }

    /// Offers a large message, with a handle where there is one.
    fn offer_away(&mut self, to: Envelope, number: u32, mut settled: Pending, export: Option<Export>) -> Result<()> {
        let Memory::Away { at, len, .. } = self.operations[number as usize].memory else { unreachable!("packed before") };
        let head = Head { context: to.context, rank: to.rank, tag: to.tag, len: 0 };
        let mut ready = Ready { head, len: len as u64, at: 0, operation: number, share: 0, ahead: 0 };
        let is_settled = settled.done_within(SETTLE_LIMIT)?;
        self.operations[number as usize].held.unsettled = (!is_settled).then_some(settled);
        if to.process == self.me() {
            ready.at = at as u64;
            self.arrive_offer(to.process, Offer { ready, settled: u32::from(is_settled), export: Export::NONE });
        } else if let Some(export) = export {
            ready.share = self.begin_claim(number);
            if ready.share == 0 {
                trace::chose("path", "device, asked first", len as u64);
            }
            let offer = Offer { ready, settled: u32::from(is_settled && ready.share != 0), export };
            self.push(to.process, Waiting::Offer(Box::new(offer)));
        } else {
            self.operations[number as usize].held.hold = Hold::Asks;
            self.push(to.process, Waiting::Ready(ready));
        }
        Ok(())
    }

    /// A receiver asks whether it may read.
    pub fn asked_whether_settled(&mut self, process: u32, asked: Control) {
        if self.refuse(process, asked) {
            return;
        }
        let number = asked.yours;
        match self.operations[number as usize].held.unsettled.take() {
            None => self.say_go(process, asked.mine, number),
            Some(pending) => self.fly(number, pending, Then::Go { process, theirs: asked.mine }),
        }
    }

    /// Tells a receiver that it may read.
    pub fn say_go(&mut self, process: u32, theirs: u32, number: u32) {
        let held = &mut self.operations[number as usize].held;
        if held.hold == Hold::UntilGo {
            if self.refuse(process, Control { yours: number, mine: theirs, ..Control::default() }) {
                return;
            }
            self.operations[number as usize].held.hold = Hold::Fixed;
        }
        if process == self.me() {
            return self.go(theirs);
        }
        let control = Control { yours: theirs, mine: number, ..Control::default() };
        self.push(process, Waiting::Control(kind::GO, control));
    }
}

/// Makes typed memory one run of bytes on its device.
fn pack(memory: Memory, home: &Home) -> Result<(Memory, Option<Buffer>, Pending)> {
    if matches!(memory, Memory::Away { .. }) {
        return Ok((memory, None, Pending::DONE));
    }
    let len = memory.len();
    let scratch = Buffer::take(home.memory, len)?;
    // SAFETY: the sender's buffer is readable until the send completes; the scratch has room and lives as long.
    let packed = unsafe { gather(&memory, 0, scratch.at(), len)? };
    Ok((Memory::Away { at: scratch.at(), len, home: *home }, Some(scratch), packed))
}
