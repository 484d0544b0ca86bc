// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shared segment of a node: one memfd a job.
//! [`layout`] what lies where, the processes' rooms too · [`join`] how processes come to share it · [`queue`] the protocol of a ring,
//! [`ring`] its cells and payload from one process to another · [`share`] a copy that two processes make together · [`bell`] sleeping
//! and waking · [`heap`] room for the areas of communicators.

mod bell;
mod heap;
mod join;
mod layout;
mod queue;
mod ring;
mod share;

pub use bell::{ring, sleep, wake_self};
pub use heap::{release, reserve};
pub use join::join;
pub use ring::{Cell, INLINE, Inbox, Outbox, senders};
pub use share::{Front, MOST as MOST_UNITS, Share, Whole};

use std::sync::atomic::Ordering;

use crate::device::board::{Board, Boards};
use crate::os::cpuset;

use layout::segment;
pub use layout::{ROOM, SHARES};

/// The number of this process in the job.
#[inline]
pub fn me() -> u32 {
    segment().me
}

/// How many processes share the segment.
#[inline]
pub fn size() -> u32 {
    segment().size
}

/// A copy of which a process makes a part for others; it has [`SHARES`].
#[inline]
pub fn share(process: u32, number: u32) -> &'static Share {
    segment().share(process, number)
}

/// Where each process says what device memory it has freed.
pub fn boards() -> Boards {
    fn board(process: u32) -> &'static Board {
        segment().board(process)
    }
    Boards { me: me(), of: board }
}

/// The [`ROOM`] bytes of a process's room.
pub fn room(process: u32) -> *mut u8 {
    segment().room(process)
}

/// Calls `rest`, which gives this process's core away; the others may see that, and on which core it is afterwards.
#[inline]
pub fn idle<T>(rest: impl FnOnce() -> T) -> T {
    let segment = segment();
    if !segment.oversubscribed {
        return rest();
    }
    let control = segment.control(segment.me);
    control.idle.store(1, Ordering::Relaxed);
    let result = rest();
    let cpu = cpuset::current().map_or(0, |cpu| cpu as u32 + 1);
    if control.cpu.load(Ordering::Relaxed) != cpu {
        control.cpu.store(cpu, Ordering::Relaxed);
    }
    control.idle.store(0, Ordering::Relaxed);
    result
}

/// Whether `process` has not given its core away (unless the kernel took it), and that is not this one.
#[inline]
pub fn runs_elsewhere(process: u32) -> bool {
    let control = segment().control(process);
    control.idle.load(Ordering::Relaxed) == 0 && !shares_core(process)
}

/// Whether `process` was last seen on the processor that this thread is on.
#[inline]
pub fn shares_core(process: u32) -> bool {
    let segment = segment();
    let shown = || segment.control(process).cpu.load(Ordering::Relaxed) as usize;
    segment.oversubscribed && cpuset::current().is_some_and(|cpu| shown() == cpu + 1)
}

/// Tells the others with whom this process exchanges large messages most, counted from 1 (0: nobody).
pub fn choose_mate(mate: u32) {
    let segment = segment();
    if segment.control(segment.me).mate.swap(mate, Ordering::Relaxed) != mate {
        segment.header().mates.fetch_add(1, Ordering::Release);
    }
}

/// What a process told.
pub fn mate(process: u32) -> u32 {
    segment().control(process).mate.load(Ordering::Relaxed)
}

/// A number that changes whenever a process tells another mate.
pub fn mates_state() -> u32 {
    segment().header().mates.load(Ordering::Acquire)
}

/// The address of an offset in this process.
pub fn at(offset: usize) -> *mut u8 {
    // SAFETY: offsets come from `reserve` and lie inside the mapping.
    unsafe { segment().base.add(offset) }
}

/// More ranks than cores on this node: waiting must yield at once.
#[inline]
pub fn oversubscribed() -> bool {
    segment().oversubscribed
}

/// Whether every process may use the same processors.
pub fn bound_alike() -> bool {
    segment().header().bound_otherwise.load(Ordering::Relaxed) == 0
}
