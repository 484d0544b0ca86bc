// SPDX-License-Identifier: MIT OR Apache-2.0
//! Large messages. The sender says where the bytes lie; the receiver reads them straight out of the sender's memory (the sender may
//! [help](super::push)). When it cannot (forbidden, or refused in the middle), it asks the sender to stream the rest through the ring.

use super::away::Reader;
use super::engine::{Engine, Waiting};
use super::memory::Memory;
use super::operation::State;
use super::push::Common;
use super::wire::{self, Control, Ready, kind};
use crate::object::error::Result;
use crate::os;
use crate::trace;
use crate::transport::cma;
use crate::transport::shm::Cell;

/// Bytes read in one go, so that other messages have their turn.
pub const READ: usize = 4 << 20;
/// Bytes read before they are unpacked: they should still be in the cache.
const UNPACK: usize = 128 << 10;
/// Most bytes of one piece of a stream.
const PIECE: usize = 32 << 10;

/// A transfer that the receiver reads.
pub struct Pull {
    pub process: u32,
    /// The sender's operation.
    pub theirs: u32,
    pub mine: u32,
    pub at: u64,
    pub done: usize,
    /// Bytes that came [ahead](super::ahead).
    pub ahead: usize,
    /// Where what the receiver has to read ends: earlier than the message when the sender has written the rest.
    pub end: usize,
    pub len: usize,
    /// What the sender helps with.
    pub common: Option<Common>,
}

/// A transfer that the sender streams.
pub struct Stream {
    process: u32,
    theirs: u32,
    mine: u32,
    next: u64,
    end: u64,
    /// Brings bytes of device memory within reach.
    reader: Reader,
}

impl Stream {
    /// Whether it brings the message of this operation.
    pub fn is_of(&self, number: u32) -> bool {
        self.mine == number
    }
}

impl Engine {
    /// Address of a send's packed bytes, packing them if they are not flat.
    pub fn exposed(&mut self, number: u32) -> *const u8 {
        let operation = &mut self.operations[number as usize];
        let len = operation.memory.len();
        match &operation.memory {
            Memory::Flat { at, .. } | Memory::Away { at, .. } => *at,
            typed => {
                let mut packed = Box::<[u8]>::new_uninit_slice(len);
                // SAFETY: the sender's buffer is readable until it completes; all `len` bytes are written.
                let packed = unsafe {
                    typed.read(0, packed.as_mut_ptr().cast(), len);
                    packed.assume_init()
                };
                operation.memory = Memory::Flat { at: packed.as_ptr().cast_mut(), len };
                operation.packed.insert(packed).as_ptr()
            }
        }
    }

    /// A send's bytes move to memory of its own: the sender's may go.
    pub fn keep_copy(&mut self, number: u32) {
        let operation = &mut self.operations[number as usize];
        let mut packed = vec![0; operation.memory.len()].into_boxed_slice();
        // SAFETY: the sender's buffer is readable during the call; the copy has room.
        unsafe { operation.memory.read(0, packed.as_mut_ptr(), packed.len()) };
        operation.memory = Memory::Flat { at: packed.as_mut_ptr(), len: packed.len() };
        operation.packed = Some(packed);
    }

    /// A receive has matched a message that must be fetched.
    pub fn fetch(&mut self, number: u32, process: u32, ready: Ready, source: i32, tag: i32) {
        let len = self.matched(number, source, tag, ready.len);
        self.exchanged(process, len);
        let mut pull =
            Pull { process, theirs: ready.operation, mine: number, at: ready.at, done: 0, ahead: 0, end: len, len, common: None };
        if len == 0 {
            return self.pulled(pull);
        }
        let away = self.operations[number as usize].memory.home().is_some();
        if process == self.me() && !away && ready.at != 0 && self.read_all(&mut pull).is_ok() {
            return self.pulled(pull);
        }
        if away {
            if let Err(error) = self.landing(number, len) {
                self.acknowledge(process, ready.operation, number);
                return self.fail(number, error);
            }
            self.operations[number as usize].missing = len as u64;
        }
        if ready.ahead != 0 && !away && self.take_ahead(&mut pull, ready) {
            return self.pulled(pull);
        }
        if ready.at == 0 || !cma::works(process) {
            return self.ask_for_stream(pull);
        }
        self.ask_to_push(ready, &mut pull);
        self.pulls.push_back(pull);
    }

    /// Within a process there is nobody to wait for: programs count on a receive from themselves being done when it has matched.
    fn read_all(&mut self, pull: &mut Pull) -> std::io::Result<()> {
        while pull.done < pull.end {
            self.read(pull)?;
        }
        Ok(())
    }

    /// Reads one stretch of the transfer whose turn it is.
    pub fn pull(&mut self) -> bool {
        for _ in 0..self.pulls.len() {
            let Some(mut pull) = self.pulls.pop_front() else { break };
            let before = pull.done;
            let outcome = if pull.common.is_some() { self.read_common(&mut pull) } else { self.read(&mut pull) };
            let moved = pull.done != before;
            if outcome.is_err() && pull.done < pull.end {
                self.ask_for_stream(pull);
            } else if pull.done == pull.end {
                self.pulled(pull);
            } else {
                self.pulls.push_back(pull);
                if !moved {
                    continue;
                }
            }
            return true;
        }
        false
    }

    fn read(&mut self, pull: &mut Pull) -> std::io::Result<()> {
        let memory = &self.operations[pull.mine as usize].memory;
        let end = pull.len.min(pull.done + READ);
        if memory.home().is_some() {
            let (process, from) = (pull.process, pull.at as usize + pull.done);
            // SAFETY: a piece of pinned memory has room for what is asked.
            let read = |to: *mut u8, len: usize| unsafe { cma::read(process, from, to, len) };
            pull.done += self.put_read(pull.mine, pull.done, end - pull.done, read)?;
            return Ok(());
        }
        if let Memory::Flat { at, .. } = memory {
            // SAFETY: the receive's buffer is writable until it completes.
            unsafe { cma::read(pull.process, pull.at as usize + pull.done, at.add(pull.done), end - pull.done)? };
            pull.done = end;
            return Ok(());
        }
        self.scratch.resize(UNPACK, 0);
        while pull.done < end {
            let len = UNPACK.min(end - pull.done);
            // SAFETY: the scratch has room; the receive's buffer is writable until it completes.
            unsafe {
                cma::read(pull.process, pull.at as usize + pull.done, self.scratch.as_mut_ptr(), len)?;
                memory.write(pull.done, self.scratch.as_ptr(), len);
            }
            pull.done += len;
        }
        Ok(())
    }

    /// All is here: the sender gets its buffer back.
    fn pulled(&mut self, pull: Pull) {
        let path = if pull.end < pull.len { "cross-memory, read and written" } else { "cross-memory read" };
        if pull.ahead < pull.len {
            trace::chose("path", path, (pull.len - pull.ahead) as u64);
        }
        if pull.process == self.me() {
            self.complete(pull.theirs);
        } else {
            let control = Control { yours: pull.theirs, mine: pull.mine, ..Control::default() };
            self.push(pull.process, Waiting::Control(kind::DONE, control));
        }
        if self.operations[pull.mine as usize].memory.home().is_some() {
            return self.landed(pull.mine);
        }
        self.complete(pull.mine);
    }

    fn ask_for_stream(&mut self, pull: Pull) {
        let left = (pull.end - pull.done) as u64;
        trace::chose("path", "streamed", left);
        self.operations[pull.mine as usize].missing = left;
        let control = Control { yours: pull.theirs, mine: pull.mine, from: pull.done as u64, to: pull.end as u64 };
        self.push(pull.process, Waiting::Control(kind::STREAM, control));
    }

    /// The receiver asks for a stream.
    pub fn start_stream(&mut self, process: u32, asked: Control) {
        if self.refuse(process, asked) {
            return;
        }
        self.streams.push_back(Stream {
            process,
            theirs: asked.mine,
            mine: asked.yours,
            next: asked.from,
            end: asked.to,
            reader: Reader::default(),
        });
        self.stream();
    }

    /// Moves each stream forward while its ring has room.
    pub fn stream(&mut self) -> bool {
        let mut happened = false;
        for _ in 0..self.streams.len() {
            let Some(mut stream) = self.streams.pop_front() else { break };
            match self.send_pieces(&mut stream) {
                Ok(moved) => happened |= moved,
                Err(error) => {
                    self.operations[stream.mine as usize].error.get_or_insert(error);
                    self.give_up(stream.process, stream.theirs, stream.mine);
                    continue;
                }
            }
            if stream.next == stream.end {
                self.sent(stream.mine);
            } else {
                self.streams.push_back(stream);
            }
        }
        happened
    }

    /// An error: its device has failed.
    fn send_pieces(&mut self, stream: &mut Stream) -> Result<bool> {
        let before = stream.next;
        while stream.next < stream.end {
            let left = (stream.end - stream.next) as usize;
            let most = self.outboxes[stream.process as usize].most();
            let Some((from, len)) = self.within_reach(stream, left.min(most))? else { break };
            let outbox = &mut self.outboxes[stream.process as usize];
            let Some((body, payload)) = outbox.begin(len) else { break };
            let control = Control { yours: stream.theirs, mine: stream.mine, from: stream.next, to: stream.next + len as u64 };
            // SAFETY: `begin` gave room; the send's buffer is readable until it completes.
            unsafe {
                wire::put(body, control);
                match from {
                    Some(from) => os::copy::copy(from, payload, len),
                    None => self.operations[stream.mine as usize].memory.read(stream.next as usize, payload, len),
                }
            }
            outbox.commit(kind::PIECE, len);
            stream.next += len as u64;
        }
        Ok(stream.next != before)
    }

    /// The next piece of a stream: where it lies, if not simply in the sender's memory, and its length. `None`: not there yet.
    fn within_reach(&mut self, stream: &mut Stream, most: usize) -> Result<Option<(Option<*const u8>, usize)>> {
        let operation = &mut self.operations[stream.mine as usize];
        let Memory::Away { at, home, .. } = operation.memory else { return Ok(Some((None, PIECE.min(most)))) };
        if let Some(unsettled) = &mut operation.held.unsettled {
            if !unsettled.done()? {
                return Ok(None);
            }
            operation.held.unsettled = None;
        }
        let next = stream.next as usize;
        let found = stream.reader.read(&home, at, next, stream.end as usize)?;
        Ok(found.map(|(from, len)| (Some(from), PIECE.min(len).min(most))))
    }

    /// A piece of a stream arrives.
    pub fn take_piece(&mut self, piece: Control, cell: Cell) {
        let operation = &mut self.operations[piece.yours as usize];
        debug_assert!(matches!(operation.state, State::Active | State::Forgotten));
        if operation.memory.home().is_some() {
            return self.take_piece_away(piece.yours, piece.from as usize, cell.payload, cell.len);
        }
        // SAFETY: the receive's buffer is writable until it completes; the cell's payload has `len` bytes.
        unsafe { operation.memory.write(piece.from as usize, cell.payload, cell.len) };
        operation.missing -= cell.len as u64;
        if operation.missing == 0 {
            self.complete(piece.yours);
        }
    }
}
