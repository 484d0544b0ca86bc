// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shared segment of a node: one memfd a job.
//! [`layout`] what lies where · [`join`] how processes come to share it · [`queue`] the protocol of a ring, [`ring`] its
//! cells and payload from one process to another · [`share`] a copy that two processes make together · [`bell`] sleeping and waking · [`heap`] room for the areas of communicators.

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

pub use layout::SHARES;
use layout::segment;

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
