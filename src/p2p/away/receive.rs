// SPDX-License-Identifier: MIT OR Apache-2.0
//! Receives into device memory, and out of it: bytes that arrive go through pinned memory; an offer is fetched by one copy from
//! device to device, or piece by piece when the receive is in host memory.

use super::{Borrows, Offer, Then};
use crate::device::scratch::Buffer;
use crate::device::{self, Home, Import, Pending, staging};
use crate::object::error::Result;
use crate::os;
use crate::p2p::arrived::Arrived;
use crate::p2p::engine::{Engine, Waiting};
use crate::p2p::memory::Memory;
use crate::p2p::wire::{Control, kind};
use crate::trace;

/// Pieces of one transfer under way at a time.
const DEPTH: usize = 4;

/// A transfer out of device memory into host memory.
pub struct Haul {
    number: u32,
    process: u32,
    theirs: u32,
    /// Where the bytes are, in this process.
    at: *const u8,
    memory: &'static dyn device::Memory,
    _import: Option<Import>,
    next: usize,
    len: usize,
    pieces: std::collections::VecDeque<(usize, usize, staging::Bounce, Pending)>,
}

// SAFETY: addresses that only the device dereferences; used under the engine's lock.
unsafe impl Send for Haul {}

impl Engine {
    /// A matched receive into device memory gets its place: one run of `len` bytes.
    pub fn landing(&mut self, number: u32, len: usize) -> Result<(*mut u8, Home)> {
        let operation = &mut self.operations[number as usize];
        let home = operation.memory.home().expect("device memory");
        if let Memory::Away { at, .. } = operation.memory
            && !at.is_null()
        {
            return Ok((at, home));
        }
        let scratch = match operation.held.borrows {
            // A reduction needs it wherever it is.
            Borrows::OperandAnywhere => Buffer::take_anywhere(home.memory, len)?,
            _ => Buffer::take(home.memory, len)?,
        };
        let at = scratch.at();
        operation.held.scratch = Some(scratch);
        let typed = std::mem::replace(&mut operation.memory, Memory::Away { at, len, home });
        // A receive without a buffer keeps the scratch as such.
        operation.held.unpack = (operation.held.borrows != Borrows::OperandAnywhere).then_some(typed);
        Ok((at, home))
    }

    /// A small message arrives for device memory.
    #[cold]
    pub fn deliver_away(&mut self, number: u32, data: *const u8, len: usize) {
        if len == 0 {
            return self.complete(number);
        }
        let outcome = self.landing(number, len).and_then(|_| self.put(number, 0, data, len));
        match outcome {
            Ok(()) => {}
            Err(error) => self.fail(number, error),
        }
    }

    /// Starts to copy host bytes to the place of a receive, through pinned memory.
    pub fn put(&mut self, number: u32, offset: usize, data: *const u8, len: usize) -> Result<()> {
        let Memory::Away { at, home, .. } = self.operations[number as usize].memory else { unreachable!("`landing` was called") };
        let mut done = 0;
        while done < len {
            let bounce = staging::take_small(home.memory)?;
            let piece = bounce.len().min(len - done);
            // SAFETY: the caller's bytes are readable now; bounce and receive buffer live until the copy is complete.
            let copy = unsafe {
                os::copy::copy(data.add(done), bounce.at(), piece);
                home.memory.copy(bounce.at(), at.wrapping_add(offset + done), piece)?
            };
            self.fly(number, copy, Then::Land { _bounce: Some(bounce) });
            done += piece;
        }
        Ok(())
    }

    /// A stretch of another process's host memory goes into device memory: `read` fills a piece. `false`: no piece is free now.
    pub fn put_read(
        &mut self,
        number: u32,
        offset: usize,
        most: usize,
        read: impl FnOnce(*mut u8, usize) -> std::io::Result<()>,
    ) -> std::io::Result<usize> {
        let Memory::Away { at, home, .. } = self.operations[number as usize].memory else { unreachable!("`landing` was called") };
        let other = |error: crate::object::error::Error| std::io::Error::other(error.text().to_owned());
        let Some(bounce) = staging::take_large(home.memory).map_err(other)? else { return Ok(0) };
        let piece = bounce.len().min(most);
        read(bounce.at(), piece)?;
        // SAFETY: bounce and receive buffer live until the copy is complete.
        let copy = unsafe { home.memory.copy(bounce.at(), at.wrapping_add(offset), piece) }.map_err(other)?;
        self.operations[number as usize].missing -= piece as u64;
        self.fly(number, copy, Then::Land { _bounce: Some(bounce) });
        Ok(piece)
    }

    /// An offer arrives.
    pub fn arrive_offer(&mut self, process: u32, offer: Offer) {
        let head = offer.ready.head;
        match self.matcher(head.context).arrive(head.rank, head.tag) {
            Some(number) => self.fetch_offer(number, process, offer, head.rank, head.tag),
            None => self.matcher(head.context).keep(head.rank, head.tag, Arrived::Offer(process, Box::new(offer))),
        }
    }

    /// A receive has matched an offer.
    pub fn fetch_offer(&mut self, number: u32, process: u32, offer: Offer, source: i32, tag: i32) {
        let len = self.matched(number, source, tag, offer.ready.len);
        self.operations[number as usize].missing = len as u64;
        if len > 0 && offer.settled == 0 {
            self.operations[number as usize].held.offer = Some(Box::new((process, offer)));
            let control = Control { yours: offer.ready.operation, mine: number, ..Control::default() };
            return match process == self.me() {
                true => self.asked_whether_settled(process, Control { yours: control.yours, mine: number, ..control }),
                false => self.push(process, Waiting::Control(kind::ASK, control)),
            };
        }
        self.take_up(number, process, offer);
    }

    /// The sender says that its writes are complete.
    pub fn go(&mut self, number: u32) {
        if let Some(waiting) = self.operations[number as usize].held.offer.take() {
            self.take_up(number, waiting.0, waiting.1);
        }
    }

    /// Begins the transfer of an offer.
    fn take_up(&mut self, number: u32, process: u32, offer: Offer) {
        let (len, theirs) = (self.operations[number as usize].missing as usize, offer.ready.operation);
        if len == 0 {
            self.acknowledge(process, theirs, number);
            return self.complete(number);
        }
        if !self.claim(process, offer.ready.share) {
            self.acknowledge(process, theirs, number);
            return self.withdrawn(number);
        }
        if self.borrow(number, process, &offer, len) {
            return;
        }
        if self.operations[number as usize].held.borrows == Borrows::Place {
            self.operations[number as usize].missing = 0;
            self.acknowledge(process, theirs, number);
            return self.complete(number);
        }
        let outcome = match self.operations[number as usize].memory.home() {
            Some(_) => self.take_to_device(number, process, &offer, len),
            None => self.take_to_host(number, process, &offer, len),
        };
        match outcome {
            Ok(None) => {}
            Ok(Some(reason)) => {
                trace::note(format!("device messages from rank {process} are staged through the host: {reason}"));
                self.ask_for_all(number, process, theirs, len);
            }
            Err(error) => {
                self.acknowledge(process, theirs, number);
                self.fail(number, error);
            }
        }
    }

    /// One copy from device to device. `Some`: the reason why there is no such way.
    fn take_to_device(&mut self, number: u32, process: u32, offer: &Offer, len: usize) -> Result<Option<String>> {
        let (to, home) = self.landing(number, len)?;
        let (from, import) = match self.reach(home.memory, process, offer) {
            Ok(reached) => reached,
            Err(reason) => return Ok(Some(reason)),
        };
        // SAFETY: the sender keeps its buffer until it hears that it was read, the receive's buffer is writable until it completes.
        let copy = unsafe { home.memory.copy(from, to, len)? };
        self.operations[number as usize].missing = 0;
        trace::chose("path", "device to device", len as u64);
        self.fly(number, copy, Then::Acknowledge { process, theirs: offer.ready.operation, _import: import });
        Ok(None)
    }

    /// Pieces from the device into host memory. `Some`: the reason why there is no such way.
    fn take_to_host(&mut self, number: u32, process: u32, offer: &Offer, len: usize) -> Result<Option<String>> {
        let memory = match process == self.me() {
            true => device::home(offer.ready.at as *const u8).map(|home| home.memory),
            false => device::importer(&offer.export.device),
        };
        let Some(memory) = memory else {
            return Ok(Some("this rank has not used a device yet".into()));
        };
        let (at, import) = match self.reach(memory, process, offer) {
            Ok(reached) => reached,
            Err(reason) => return Ok(Some(reason)),
        };
        trace::chose("path", "device to host", len as u64);
        let theirs = offer.ready.operation;
        let pieces = std::collections::VecDeque::new();
        self.hauls.push_back(Haul { number, process, theirs, at, memory, _import: import, next: 0, len, pieces });
        self.haul();
        Ok(None)
    }

    /// Where the offered bytes are in this process.
    pub(super) fn reach(
        &self,
        memory: &'static dyn device::Memory,
        process: u32,
        offer: &Offer,
    ) -> std::result::Result<(*const u8, Option<Import>), String> {
        if process == self.me() {
            return Ok((offer.ready.at as *const u8, None));
        }
        let import = memory.import(process, &offer.export)?;
        Ok((import.at, Some(import)))
    }

    /// Moves transfers into host memory forward.
    pub fn haul(&mut self) -> bool {
        let mut happened = false;
        for _ in 0..self.hauls.len() {
            let Some(mut haul) = self.hauls.pop_front() else { break };
            match self.haul_pieces(&mut haul) {
                Ok(moved) => {
                    happened |= moved;
                    if self.operations[haul.number as usize].missing > 0 {
                        self.hauls.push_back(haul);
                        continue;
                    }
                    self.acknowledge(haul.process, haul.theirs, haul.number);
                    self.landed(haul.number);
                }
                Err(error) => {
                    self.acknowledge(haul.process, haul.theirs, haul.number);
                    self.fail(haul.number, error);
                }
            }
        }
        happened
    }

    fn haul_pieces(&mut self, haul: &mut Haul) -> Result<bool> {
        let mut happened = false;
        while haul.next < haul.len && haul.pieces.len() < DEPTH {
            let Some(bounce) = staging::take_large(haul.memory)? else { break };
            let piece = bounce.len().min(haul.len - haul.next);
            // SAFETY: the sender keeps its buffer until it hears that it was read; the bounce waits in the queue.
            let copy = unsafe { haul.memory.copy(haul.at.wrapping_add(haul.next), bounce.at(), piece)? };
            haul.pieces.push_back((haul.next, piece, bounce, copy));
            haul.next += piece;
        }
        while let Some((_, _, _, copy)) = haul.pieces.front_mut() {
            if !copy.done()? {
                break;
            }
            let Some((offset, len, bounce, _)) = haul.pieces.pop_front() else { break };
            let operation = &mut self.operations[haul.number as usize];
            // SAFETY: the receive's buffer is writable until it completes; the copy into the bounce is complete.
            unsafe { operation.memory.write(offset, bounce.at(), len) };
            operation.missing -= len as u64;
            happened = true;
        }
        Ok(happened)
    }

    /// The sender gets its buffer back.
    pub fn acknowledge(&mut self, process: u32, theirs: u32, mine: u32) {
        if process == self.me() {
            return self.sent(theirs);
        }
        self.push(process, Waiting::Control(kind::DONE, Control { yours: theirs, mine, ..Control::default() }));
    }

    fn ask_for_all(&mut self, number: u32, process: u32, theirs: u32, len: usize) {
        trace::chose("path", "device, staged", len as u64);
        if self.operations[number as usize].memory.home().is_some()
            && let Err(error) = self.landing(number, len)
        {
            self.acknowledge(process, theirs, number);
            return self.fail(number, error);
        }
        let control = Control { yours: theirs, mine: number, from: 0, to: len as u64 };
        self.push(process, Waiting::Control(kind::STREAM, control));
    }
}
