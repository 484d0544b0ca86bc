// SPDX-License-Identifier: MIT OR Apache-2.0
//! What lies where in the segment: a header, a control block a process, its shares, its board, its room, a ring for each ordered pair, then the heap.
//! Everything is made of zeros at first, and pages exist only once touched, so the n² rings cost nothing until used.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

use super::share::Share;
use crate::device::board::{self, Board};
use crate::knob;
use crate::os::PAGE;

/// Bytes of one cell: a cache line.
pub const CELL: usize = 64;
/// Cells in a ring.
pub const CELLS: usize = 1024;
/// Room for the areas of communicators: address space only, until used. The smaller ones are for processes whose address
/// space is limited.
pub const HEAPS: [usize; 3] = [1 << 34, 1 << 28, 1 << 25];

/// The first page.
#[repr(C, align(64))]
pub struct Header {
    /// How many processes sleep: senders look here first. Alone on its line: read by all, written rarely.
    pub sleepers: AtomicU32,
    _line: [u8; 60],
    /// How many processes have mapped the segment.
    pub attached: AtomicU32,
    /// How many of them may use `membarrier`.
    pub fenced: AtomicU32,
    /// How many have read from a neighbour with success, and how many have tried.
    pub cma_good: AtomicU32,
    pub cma_tried: AtomicU32,
    /// A hash of the processors that process 0 may use, and how many processes may use others.
    pub cpus: AtomicU64,
    pub bound_otherwise: AtomicU32,
    /// Counts the changes of [`Control::mate`].
    pub mates: AtomicU32,
    /// Bump mark of the heap, and its lock with the free list inside [`super::heap`].
    pub heap_mark: AtomicUsize,
    pub heap_lock: AtomicU32,
    pub free_count: AtomicU32,
    pub free: [[AtomicUsize; 2]; 200],
}

/// What others see of a process.
#[repr(C, align(64))]
pub struct Control {
    /// 1 while it sleeps: the futex word.
    pub sleeping: AtomicU32,
    pub pid: AtomicU32,
    /// Address of a word that a neighbour reads to try cross-memory attach, and what the word holds.
    pub probe_at: AtomicUsize,
    pub probe_value: AtomicU64,
    /// The processor that it was last seen on, counted from 1.
    pub cpu: AtomicU32,
    /// The process that it exchanges large messages with most, counted from 1 (0: there is none).
    pub mate: AtomicU32,
    /// 1 while it has given its core away.
    pub idle: AtomicU32,
    _line: [u8; 28],
    /// Bit s of word s/64: process s has written to this one at least once. Only those rings are polled.
    pub senders: [AtomicU64; 8],
}

// Read at each poll: apart from what changes with each yield.
const _: () = assert!(std::mem::offset_of!(Control, senders) == 64);

/// Most processes on a node.
pub const MOST: u32 = 512;
const _: () = assert!(MOST as usize <= board::MOST);

/// Bytes of a process's room, where the first bytes of a message wait for a receiver on the same core.
pub const ROOM: usize = (256 << 10) + PAGE;

/// Copies that a process can make together with others at a time.
pub const SHARES: u32 = 64;

/// The control words of one ring. Each side writes only its own line.
#[repr(C, align(64))]
pub struct RingControl {
    /// Written by the receiver: cells and payload bytes it is done with.
    pub cells_done: AtomicU64,
    pub bytes_done: AtomicU64,
    _line: [u8; 48],
}

/// The segment as this process sees it.
pub struct Segment {
    pub base: *mut u8,
    pub bytes: usize,
    pub me: u32,
    pub size: u32,
    pub oversubscribed: bool,
    /// Payload bytes of a ring (a power of two).
    pub payload: usize,
}

// SAFETY: the mapping is shared between processes by design; all access goes through atomics or the ring protocol.
unsafe impl Send for Segment {}
// SAFETY: as above.
unsafe impl Sync for Segment {}

static SEGMENT: OnceLock<Segment> = OnceLock::new();

/// The segment; the process must have joined.
#[inline]
pub fn segment() -> &'static Segment {
    SEGMENT.get().expect("the shared segment exists between MPI_Init and MPI_Finalize")
}

/// Makes the segment known; once.
pub fn publish(segment: Segment) {
    let _ = SEGMENT.set(segment);
}

/// Payload bytes of a ring, from the knob, as a power of two.
pub fn payload_bytes() -> usize {
    (knob::RING.number() as usize).next_power_of_two()
}

fn controls_at() -> usize {
    size_of::<Header>().next_multiple_of(PAGE)
}

fn shares_at(size: u32) -> usize {
    (controls_at() + size as usize * size_of::<Control>()).next_multiple_of(PAGE)
}

fn boards_at(size: u32) -> usize {
    (shares_at(size) + size as usize * SHARES as usize * size_of::<Share>()).next_multiple_of(PAGE)
}

fn rooms_at(size: u32) -> usize {
    (boards_at(size) + size as usize * size_of::<Board>()).next_multiple_of(PAGE)
}

fn rings_at(size: u32) -> usize {
    rooms_at(size) + size as usize * ROOM
}

fn ring_bytes(payload: usize) -> usize {
    PAGE + CELLS * CELL + payload
}

fn heap_at(size: u32, payload: usize) -> usize {
    rings_at(size) + (size as usize).pow(2) * ring_bytes(payload)
}

/// Bytes of the whole segment for `size` processes, with so large a heap.
pub fn total(size: u32, payload: usize, heap: usize) -> usize {
    heap_at(size, payload) + heap
}

impl Segment {
    /// The header.
    #[inline]
    pub fn header(&self) -> &Header {
        // SAFETY: the segment starts with a header made of atomics; zero is a valid value of each.
        unsafe { &*self.base.cast() }
    }

    /// The control block of a process.
    #[inline]
    pub fn control(&self, process: u32) -> &Control {
        debug_assert!(process < self.size);
        // SAFETY: inside the mapping; made of atomics, zero is valid.
        unsafe { &*self.base.add(controls_at()).cast::<Control>().add(process as usize) }
    }

    /// One of a process's shares.
    #[inline]
    pub fn share(&self, process: u32, number: u32) -> &Share {
        debug_assert!(process < self.size && number < SHARES);
        let index = process as usize * SHARES as usize + number as usize;
        // SAFETY: inside the mapping; an atomic, zero is valid.
        unsafe { &*self.base.add(shares_at(self.size)).cast::<Share>().add(index) }
    }

    /// Where a process says what it has freed.
    pub fn board(&self, process: u32) -> &Board {
        debug_assert!(process < self.size);
        // SAFETY: inside the mapping by the arithmetic of `rooms_at`; made of atomics, zero is valid.
        unsafe { &*self.base.add(boards_at(self.size)).cast::<Board>().add(process as usize) }
    }

    /// Where a process's room lies.
    pub fn room(&self, process: u32) -> *mut u8 {
        debug_assert!(process < self.size);
        // SAFETY: inside the mapping by the arithmetic of `rings_at`.
        unsafe { self.base.add(rooms_at(self.size) + process as usize * ROOM) }
    }

    /// Where the ring from `sender` to `receiver` lies: control page, cells, payload.
    pub fn ring(&self, receiver: u32, sender: u32) -> *mut u8 {
        let number = receiver as usize * self.size as usize + sender as usize;
        // SAFETY: inside the mapping by the arithmetic of `total`.
        unsafe { self.base.add(rings_at(self.size) + number * ring_bytes(self.payload)) }
    }

    /// Where the heap starts and how long it is.
    pub fn heap(&self) -> (usize, usize) {
        let start = heap_at(self.size, self.payload);
        (start, self.bytes - start)
    }
}

/// Offset of the cells in a ring.
pub const CELLS_AT: usize = PAGE;
/// Offset of the payload in a ring.
pub const PAYLOAD_AT: usize = PAGE + CELLS * CELL;
