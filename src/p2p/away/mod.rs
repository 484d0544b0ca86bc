// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages in memory that the CPU may not touch.
//!
//! | file | what |
//! |---|---|
//! | this one | copies under way, and what follows each; reads and writes that wait |
//! | [`send`] | small: through pinned memory into the ring; large: offered with a handle of the allocation |
//! | [`receive`] | what arrives into such memory, and what is fetched out of it |
//! | [`loan`] | contents that stay at the sender until a reduction has read them there, and places there that it writes |
//! | [`local`] | copies within the process |
//! | [`withdraw`] | sends that are taken back before they are read |
//! | [`stream`] | where no handle serves: through pinned memory into the ring, piece by piece, and out of it |
//!
//! Everything that the device does is asked for in the poll, never waited for there.

pub mod loan;
mod local;
mod receive;
mod send;
mod stream;
mod withdraw;

use crate::device::scratch::Buffer;
use crate::device::staging::{self, Bounce};
use crate::device::strided::{Blocks, Rows};
use crate::device::{Home, Import, Pending};
use crate::err;
use crate::object::datatype::Datatype;
use crate::object::error::{Error, Result};
use crate::os;

use super::engine::{Engine, Waiting};
use super::memory::Memory;
use super::wire::{Control, Export, kind};
pub use loan::{Borrows, Loan, Loans};
pub use local::copy;
pub use receive::Haul;
pub use stream::{Filling, Reader};
pub use withdraw::{Gone, Hold};

/// What an offer says beyond an ordinary one: where another process finds the bytes.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Offer {
    /// The ordinary part; its address is the sender's own.
    pub ready: super::wire::Ready,
    /// Whether the program's writes before the call are complete; else the receiver asks before it reads.
    pub settled: u32,
    /// How to map the allocation.
    pub export: Export,
}

/// What an operation on such memory holds while it lasts.
#[derive(Default)]
pub struct Held {
    /// Copies under way for it.
    pub flying: u32,
    /// A send whose receiver has all: it is complete when no copy reads its buffer any more.
    pub delivered: bool,
    /// Packed form of memory that is not one run.
    pub scratch: Option<Buffer>,
    /// Where the packed form goes in the end.
    pub unpack: Option<Memory>,
    /// The program's writes before the call, while they are not complete.
    pub unsettled: Option<Pending>,
    /// The device has failed: what still arrives is dropped.
    pub broken: bool,
    /// An offer that waits for its sender's writes.
    pub offer: Option<Box<(u32, Offer)>>,
    /// Where the pieces of a stream gather.
    pub filling: Option<Box<Filling>>,
    /// What a receive may leave at the sender.
    pub borrows: Borrows,
    /// It has stayed there.
    pub loan: Option<Box<Loan>>,
    /// How a send can be taken back.
    pub hold: Hold,
    /// Whether it was, or a receive's message.
    pub gone: Gone,
}

/// A copy under way and what follows it.
pub struct Flight {
    pending: Pending,
    number: u32,
    then: Then,
}

/// What follows a copy.
enum Then {
    /// The operation has one less under way; the pinned memory is free again.
    Land { _bounce: Option<Bounce> },
    /// The sender's buffer was read: it gets it back, and the receive lands.
    Acknowledge { process: u32, theirs: u32, _import: Option<Import> },
    /// A reduction has read, or written, what was lent.
    Repay { loans: Loans },
    /// A copy of a small send came too late to be of use; its send may be complete now.
    Late { _bounce: Bounce },
    /// The program's writes are complete: the receiver may read.
    Go { process: u32, theirs: u32 },
}

impl Engine {
    /// A ticket for work that a device does by itself; `keep` lives until then.
    pub fn watch(&mut self, pending: Pending, keep: Option<Buffer>) -> u32 {
        let number = self.operation(Memory::NONE, super::waiting::NO_CONTEXT, super::matching::Pattern { source: 0, tag: 0 });
        self.operations[number as usize].held.scratch = keep;
        self.fly(number, pending, Then::Land { _bounce: None });
        number
    }

    fn fly(&mut self, number: u32, pending: Pending, then: Then) {
        self.operations[number as usize].held.flying += 1;
        self.flights.push(Flight { pending, number, then });
    }

    /// Whether a device works for us.
    #[inline]
    pub fn flying(&self) -> bool {
        !self.flights.is_empty() || !self.hauls.is_empty()
    }

    /// What will be written to a receive's buffer comes after what the program does there now.
    #[cold]
    pub fn fence_receive(&mut self, number: u32, home: &Home) {
        if let Err(error) = home.fence() {
            self.operations[number as usize].error = Some(error);
        }
    }

    /// Looks which copies are complete.
    pub fn land_flights(&mut self) -> bool {
        let mut happened = self.haul();
        let mut i = 0;
        while i < self.flights.len() {
            match self.flights[i].pending.done() {
                Ok(false) => i += 1,
                Ok(true) => {
                    let flight = self.flights.swap_remove(i);
                    self.follow(flight, None);
                    happened = true;
                }
                Err(error) => {
                    let flight = self.flights.swap_remove(i);
                    self.follow(flight, Some(error));
                    happened = true;
                }
            }
        }
        happened
    }

    fn follow(&mut self, flight: Flight, error: Option<Error>) {
        let operation = &mut self.operations[flight.number as usize];
        operation.held.flying -= 1;
        let failed = error.is_some();
        if failed && operation.error.is_none() {
            operation.error = error;
        }
        match flight.then {
            Then::Go { process, theirs } if failed => self.give_up(process, theirs, flight.number),
            Then::Land { .. } => self.landed(flight.number),
            Then::Late { .. } => {
                if self.operations[flight.number as usize].held.delivered {
                    self.sent(flight.number);
                }
            }
            Then::Acknowledge { process, theirs, .. } => {
                self.acknowledge(process, theirs, flight.number);
                self.landed(flight.number);
            }
            Then::Repay { loans } => {
                loans.into_iter().for_each(|loan| self.repay(loan));
                self.landed(flight.number);
            }
            Then::Go { process, theirs } => self.say_go(process, theirs, flight.number),
        }
    }

    /// The receiver of a message has all of it.
    #[inline]
    pub fn sent(&mut self, number: u32) {
        let held = &mut self.operations[number as usize].held;
        held.delivered = held.flying > 0;
        if !held.delivered {
            self.end_push(number);
            self.end_ahead(number);
            self.complete(number);
        }
    }

    /// Perhaps all of an operation is there.
    pub fn landed(&mut self, number: u32) {
        let operation = &mut self.operations[number as usize];
        if operation.held.flying > 0 || operation.missing > 0 {
            return;
        }
        operation.held.broken = false;
        let Some(target) = operation.held.unpack.take() else { return self.complete(number) };
        let packed = operation.held.scratch.as_ref().map_or(std::ptr::null_mut(), Buffer::at);
        let len = operation.status.bytes.max(0) as usize;
        // SAFETY: the receive's buffer is writable until it completes, and the packed form is in the scratch.
        match unsafe { scatter(&target, 0, packed, len) } {
            Ok(pending) => self.fly(number, pending, Then::Land { _bounce: None }),
            Err(error) => self.fail(number, error),
        }
    }

    /// An operation fails; what is under way for it goes on.
    pub fn fail(&mut self, number: u32, error: Error) {
        let operation = &mut self.operations[number as usize];
        operation.error.get_or_insert(error);
        operation.missing = 0;
        (operation.held.unpack, operation.held.filling, operation.held.broken) = (None, None, false);
        if operation.held.flying == 0 {
            self.complete(number);
        }
    }
}

/// What follows when a device fails within a message that the other process goes on with.
impl Engine {
    /// A receive cannot take the pieces that are still to come: it fails when the last one has arrived.
    pub fn break_off(&mut self, number: u32, error: Error) {
        let operation = &mut self.operations[number as usize];
        operation.error.get_or_insert(error);
        (operation.held.unpack, operation.held.filling, operation.held.broken) = (None, None, true);
        self.landed(number);
    }

    /// A send that has failed, and is to bring no more: its receiver hears of it.
    pub fn give_up(&mut self, process: u32, theirs: u32, number: u32) {
        if process == self.me() {
            self.lost(theirs);
        } else {
            let control = Control { yours: theirs, mine: number, ..Control::default() };
            self.push(process, Waiting::Control(kind::LOST, control));
        }
        self.sent(number);
    }

    /// The sender cannot bring the rest of a message.
    pub fn lost(&mut self, number: u32) {
        self.operations[number as usize].held.offer = None;
        let source = self.operations[number as usize].status.source;
        let error = err!(Other, "the device of rank {source} failed while its message was read");
        self.fail(number, error.of_device_at(source));
    }
}

/// The blocks of packed bytes `[from, to)`.
fn blocks(datatype: &Datatype, from: i64, to: i64) -> Blocks {
    let mut blocks = Blocks::default();
    datatype.rows(from, to, &mut |offset, stride, block, count| blocks.push_rows(Rows { offset, stride, block, count }));
    blocks
}

/// Packs bytes `[offset, offset + len)` of typed memory to consecutive device memory.
unsafe fn gather(memory: &Memory, offset: usize, to: *mut u8, len: usize) -> Result<Pending> {
    let Memory::AwayTyped { base, datatype, from, home, .. } = memory else { return Ok(Pending::DONE) };
    let from = from + offset as i64;
    // SAFETY: the caller's promise.
    unsafe { home.memory.gather(*base, &blocks(datatype, from, from + len as i64), to) }
}

/// The other way.
unsafe fn scatter(memory: &Memory, offset: usize, packed: *const u8, len: usize) -> Result<Pending> {
    let Memory::AwayTyped { base, datatype, from, home, .. } = memory else { return Ok(Pending::DONE) };
    let from = from + offset as i64;
    // SAFETY: the caller's promise.
    unsafe { home.memory.scatter(packed, &blocks(datatype, from, from + len as i64), *base) }
}

/// [`Memory::read`] of device memory: waits.
///
/// # Safety
/// As for [`Memory::read`].
#[cold]
pub unsafe fn read(memory: &Memory, offset: usize, out: *mut u8, len: usize) -> Result<()> {
    let home = memory.home().expect("device memory");
    home.memory.fence()?;
    if let Memory::Away { at, .. } = memory {
        // SAFETY: the caller's promise.
        return unsafe { read_run(&home, at.wrapping_add(offset), out, len) };
    }
    let scratch = Buffer::take(home.memory, len)?;
    // SAFETY: the scratch has room; both waits end before it is given back.
    unsafe {
        gather(memory, offset, scratch.at(), len)?.wait()?;
        read_run(&home, scratch.at(), out, len)
    }
}

/// [`Memory::write`] to device memory: waits.
///
/// # Safety
/// As for [`Memory::write`].
#[cold]
pub unsafe fn write(memory: &Memory, offset: usize, data: *const u8, len: usize) -> Result<()> {
    let home = memory.home().expect("device memory");
    home.memory.fence()?;
    if let Memory::Away { at, .. } = memory {
        // SAFETY: the caller's promise.
        return unsafe { write_run(&home, at.wrapping_add(offset), data, len) };
    }
    let scratch = Buffer::take(home.memory, len)?;
    // SAFETY: the scratch has room; both waits end before it is given back.
    unsafe {
        write_run(&home, scratch.at(), data, len)?;
        scatter(memory, offset, scratch.at(), len)?.wait()
    }
}

/// A large piece for much, a small one for little or when there is no other.
fn bounce(home: &Home, len: usize) -> Result<Bounce> {
    let large = if len > staging::SMALL { staging::take_large(home.memory)? } else { None };
    large.map_or_else(|| staging::take_small(home.memory), Ok)
}

unsafe fn read_run(home: &Home, at: *const u8, out: *mut u8, len: usize) -> Result<()> {
    let bounce = bounce(home, len)?;
    let mut done = 0;
    while done < len {
        let piece = bounce.len().min(len - done);
        // SAFETY: the caller's promise; the bounce has room, and its copy is waited for.
        unsafe {
            home.memory.copy(at.wrapping_add(done), bounce.at(), piece)?.wait()?;
            os::copy::copy(bounce.at(), out.add(done), piece);
        }
        done += piece;
    }
    Ok(())
}

unsafe fn write_run(home: &Home, at: *mut u8, data: *const u8, len: usize) -> Result<()> {
    let bounce = bounce(home, len)?;
    let mut done = 0;
    while done < len {
        let piece = bounce.len().min(len - done);
        // SAFETY: as in `read_run`.
        unsafe {
            os::copy::copy(data.add(done), bounce.at(), piece);
            home.memory.copy(bounce.at(), at.wrapping_add(done), piece)?.wait()?;
        }
        done += piece;
    }
    Ok(())
}
