// SPDX-License-Identifier: MIT OR Apache-2.0
//! The records that travel in cells. Both ends are the same library on the same machine: plain structs in memory order.

pub use crate::device::Export;
use crate::transport::shm::INLINE;

/// What a record is.
pub mod kind {
    /// A message whose bytes follow the head inside the cell.
    pub const SHORT: u8 = 1;
    /// A message whose bytes are the payload.
    pub const EAGER: u8 = 2;
    /// A message that the receiver must fetch.
    pub const READY: u8 = 3;
    /// Receiver to sender: fetched, the buffer is yours again.
    pub const DONE: u8 = 4;
    /// Receiver to sender: cannot fetch, stream it to me.
    pub const STREAM: u8 = 5;
    /// A piece of a stream.
    pub const PIECE: u8 = 6;
    /// A message in device memory that the receiver may fetch by a handle, which is the payload.
    pub const OFFER: u8 = 7;
    /// Receiver to sender: may I read what you offered?
    pub const ASK: u8 = 8;
    /// Sender to receiver: you may.
    pub const GO: u8 = 9;
    /// Sender to receiver: my device has failed, the rest of the message does not come.
    pub const LOST: u8 = 10;
    /// An operation of many ranks failed at the sender.
    pub const ALARM: u8 = 11;
    /// Receiver to sender: here is where your message goes, write a part of it.
    pub const PUSH: u8 = 12;
    /// Sender to receiver: what you ask for was withdrawn.
    pub const WITHDRAWN: u8 = 13;
}

/// Head of every message.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Head {
    pub context: u32,
    pub rank: i32,
    pub tag: i32,
    pub len: u32,
}

/// Most bytes of a message that fit behind its head in a cell.
pub const SHORT: usize = INLINE - size_of::<Head>();

/// Body of `READY`: the message's length, where its packed bytes lie, the sender's operation, which of the sender's shares serves it,
/// counted from 1 (0: none), and how many of its bytes lie in the sender's room.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    pub head: Head,
    pub len: u64,
    pub at: u64,
    pub operation: u32,
    pub share: u32,
    pub ahead: u32,
}

/// Body of `DONE`, `STREAM`, `PIECE`, `ASK`, `GO`, `LOST`, `WITHDRAWN` and `PUSH` (whose `from` is an address and `to` a length).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Control {
    /// Operation of the record's receiver.
    pub yours: u32,
    /// Operation of the record's sender.
    pub mine: u32,
    /// First packed byte meant.
    pub from: u64,
    /// One past the last.
    pub to: u64,
}

const _: () = assert!(size_of::<Ready>() <= INLINE && size_of::<Control>() <= INLINE);

/// Writes a body into a cell.
///
/// # Safety
/// `cell` must be the body of a cell that was begun.
#[inline]
pub unsafe fn put<T: Copy>(cell: *mut u8, body: T) {
    const { assert!(size_of::<T>() <= INLINE) };
    // SAFETY: fits by the assertion; cells' bodies are 8-aligned.
    unsafe { cell.cast::<T>().write(body) }
}

/// Reads a body from a cell.
///
/// # Safety
/// The cell must hold a body of this type: its kind says so.
#[inline]
pub unsafe fn get<T: Copy>(cell: *const u8) -> T {
    // SAFETY: as in `put`.
    unsafe { cell.cast::<T>().read() }
}
