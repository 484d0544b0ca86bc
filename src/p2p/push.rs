// SPDX-License-Identifier: MIT OR Apache-2.0
//! Large messages that both sides copy: the receiver reads from the front; the sender, while it waits, writes from the back, until
//! they meet. So a transfer has two cores where two are free, whichever of the two ranks the kernel lets run.
//!
//! The sender offers a share with its message; a receiver that has room in one run of host memory says where. The sender's share
//! is its own again when the receiver says that it has all, and not before.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use super::away::Gone;
use super::engine::{Engine, Waiting};
use super::memory::Memory;
use super::rendezvous::{Pull, READ};
use super::wire::{Control, Ready, kind};
use crate::knob;
use crate::os::lock::threaded;
use crate::transport::cma;
use crate::transport::shm::{self, Front, MOST_UNITS, SHARES, Share, Whole};

/// Bytes that one side copies at a time, at least, of a message of at most twice as much, and of a longer one.
const UNITS: (usize, usize) = (32 << 10, 64 << 10);

/// Most units taken at a time.
const TURN: u32 = 16;

/// Ranks that only wait give their core back within this time; whoever copies needs longer.
const IDLE_TURN: Duration = Duration::from_micros(6);

/// Bytes of a unit of so long a message.
fn unit(len: usize) -> usize {
    if len <= 2 * UNITS.0 { UNITS.0 } else { len.div_ceil(MOST_UNITS).next_multiple_of(UNITS.1) }
}

/// A message of so many bytes. A share serves one at a time, so they need not be told apart.
fn whole(len: usize) -> Whole {
    Whole { number: 0, units: len.div_ceil(unit(len)) as u32, turn: TURN }
}

/// The receiver's side.
pub struct Common {
    share: &'static Share,
    /// The receiver cannot read on.
    closed: bool,
}

/// The sender's side of a copy that it has been asked for.
struct Push {
    process: u32,
    number: u32,
    to: usize,
    len: usize,
}

/// What a process pushes, and its shares that are free, as bits.
pub struct Pushes {
    queue: VecDeque<Push>,
    free: u64,
}

const _: () = assert!(SHARES == u64::BITS);

impl Pushes {
    pub const fn new() -> Pushes {
        Pushes { queue: VecDeque::new(), free: u64::MAX }
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Nothing more of this message is pushed.
    pub fn drop_of(&mut self, number: u32) {
        self.queue.retain(|push| push.number != number);
    }
}

/// Whether the parts of a message are worth it while nothing else waits. With more ranks than cores another pair of ranks
/// is likely to have use for the second core.
fn is_large(len: usize) -> bool {
    if shm::oversubscribed() { len >= READ } else { whole(len).units > 1 }
}

/// With more ranks than cores: whether another rank works on this core. Then nothing is won by doing a part of its receiver's work.
fn core_is_wanted() -> bool {
    // A process with threads does not give its core away with the lock held.
    if !shm::oversubscribed() || threaded() {
        return false;
    }
    let before = Instant::now();
    shm::idle(std::thread::yield_now);
    before.elapsed() > IDLE_TURN
}

/// The sender.
impl Engine {
    /// A share for a send, counted from 1; 0 if there is none.
    pub fn begin_push(&mut self, number: u32) -> u32 {
        let operation = &mut self.operations[number as usize];
        let wanted = operation.memory.len() as u64 >= knob::PUSH.number();
        if !wanted || operation.destination.is_none_or(|process| !cma::writes(process)) {
            return 0;
        }
        self.take_share(number)
    }

    /// A share that is free.
    pub fn take_share(&mut self, number: u32) -> u32 {
        if self.pushes.free == 0 {
            return 0;
        }
        let share = self.pushes.free.trailing_zeros();
        self.pushes.free &= !(1 << share);
        shm::share(shm::me(), share).begin(0);
        self.operations[number as usize].share = share + 1;
        share + 1
    }

    /// A send is complete: its share is free, if it had one.
    #[inline]
    pub fn end_push(&mut self, number: u32) {
        let share = std::mem::take(&mut self.operations[number as usize].share);
        if share != 0 {
            self.pushes.free |= 1 << (share - 1);
            self.pushes.drop_of(number);
        }
    }

    /// A receiver says where a message goes.
    pub fn asked_to_push(&mut self, process: u32, asked: Control) {
        if self.operations[asked.yours as usize].held.gone == Gone::Withdrawn {
            return;
        }
        let push = Push { process, number: asked.yours, to: asked.from as usize, len: asked.to as usize };
        self.pushes.queue.push_back(push);
    }

    /// Writes one stretch.
    pub fn push_parts(&mut self) -> bool {
        if self.pushes.is_empty() || core_is_wanted() {
            return false;
        }
        while let Some(push) = self.pushes.queue.pop_front() {
            let operation = &self.operations[push.number as usize];
            let share = shm::share(shm::me(), operation.share - 1);
            let Some((from, to)) = share.back(whole(push.len)) else { continue };
            let Memory::Flat { at, .. } = operation.memory else { unreachable!("an offered message is flat") };
            let (start, end) = (from as usize * unit(push.len), (to as usize * unit(push.len)).min(push.len));
            // SAFETY: the send's buffer is readable until it completes; the receiver has asked for these bytes.
            let outcome = unsafe { cma::write(push.process, push.to + start, at.add(start), end - start) };
            let process = push.process;
            if outcome.is_ok() {
                share.wrote(to - from);
                self.pushes.queue.push_back(push);
            } else {
                share.give_back(to - from);
            }
            shm::ring(process);
            return true;
        }
        false
    }
}

/// The receiver.
impl Engine {
    /// Asks the sender of a message for its part, if it offers that and there is something to share.
    pub fn ask_to_push(&mut self, ready: Ready, pull: &mut Pull) {
        let Memory::Flat { at, .. } = self.operations[pull.mine as usize].memory else { return };
        // Two that share a core copy no faster than one.
        let behind = !self.pulls.is_empty() && !shm::shares_core(pull.process);
        if ready.share == 0 || pull.process == self.me() || !(behind || is_large(pull.len)) {
            return;
        }
        pull.common = Some(Common { share: shm::share(pull.process, ready.share - 1), closed: false });
        let control = Control { yours: pull.theirs, mine: pull.mine, from: at as u64, to: pull.len as u64 };
        self.push(pull.process, Waiting::Control(kind::PUSH, control));
    }

    /// Reads one stretch. An error: what lies between `done` and `end` must come in another way.
    pub fn read_common(&mut self, pull: &mut Pull) -> io::Result<()> {
        let Memory::Flat { at, .. } = self.operations[pull.mine as usize].memory else { unreachable!("asked before") };
        let Some(Common { share, closed }) = &mut pull.common else { unreachable!("asked before") };
        let (len, all, until) = (pull.len, whole(pull.len), pull.done + READ);
        let end = |written: u32| len.min((all.units - written) as usize * unit(len));
        while pull.done < until && !*closed {
            match share.front(all) {
                Front::Took(from, to) => {
                    let (start, stop) = (from as usize * unit(len), len.min(to as usize * unit(len)));
                    // SAFETY: the receive's buffer is writable until it completes; the sender writes to other units.
                    match unsafe { cma::read(pull.process, pull.at as usize + start, at.add(start), stop - start) } {
                        Ok(()) => pull.done = stop,
                        Err(_) => {
                            *closed = true;
                            share.close(all);
                        }
                    }
                }
                Front::Wait => return Ok(()),
                Front::Met(written) => {
                    pull.end = end(written);
                    return Ok(());
                }
            }
        }
        match share.settled() {
            Some(written) if *closed => {
                pull.end = end(written);
                Err(io::ErrorKind::PermissionDenied.into())
            }
            _ => Ok(()),
        }
    }
}
