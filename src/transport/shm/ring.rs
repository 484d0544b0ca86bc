// SPDX-License-Identifier: MIT OR Apache-2.0
//! One process to another: fixed cells of one cache line, each with a sequence word that only ever is a sequence word (so
//! nothing needs to be cleared), and a payload ring beside them for what does not fit into a cell.
//! A small message costs one cache-line transfer. One writer, one reader, no lock.

use std::sync::atomic::{AtomicU64, Ordering};

use super::bell;
use super::layout::{CELL, CELLS, CELLS_AT, PAYLOAD_AT, RingControl, segment};

/// Bytes of a cell beside its sequence word, for the layers above.
pub const INLINE: usize = CELL - 8;
/// What the length in a sequence word can say.
const LONGEST: usize = 0xff_ffff;
/// Payloads start on a cache line.
const ALIGN: u64 = 64;

/// Where the next payload of `len` bytes starts, given that `at` bytes were used so far: never across the ring's end.
fn payload_start(at: u64, len: usize, ring: usize) -> u64 {
    let within = at & (ring as u64 - 1);
    if within as usize + len > ring { at + (ring as u64 - within) } else { at }
}

/// Cells between the one written and the one asked for.
const AHEAD: u64 = 6;

/// Asks for the cache line to write to it soon: the reader has a copy from the ring's last round, and taking it away in time
/// lets a burst of messages run without waiting for each line in turn.
#[inline]
fn own_soon(line: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, which reads and writes nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_ET0>(line.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

struct Places {
    control: *const RingControl,
    cells: *mut u8,
    payload: *mut u8,
    ring: usize,
}

impl Places {
    fn new(receiver: u32, sender: u32) -> Places {
        let segment = segment();
        let base = segment.ring(receiver, sender);
        // SAFETY: offsets inside the ring's own region of the mapping.
        let (cells, payload) = unsafe { (base.add(CELLS_AT), base.add(PAYLOAD_AT)) };
        Places { control: base.cast(), cells, payload, ring: segment.payload }
    }

    fn control(&self) -> &RingControl {
        // SAFETY: atomics at the ring's base, zero is valid.
        unsafe { &*self.control }
    }

    #[inline]
    fn cell(&self, number: u64) -> *mut u8 {
        // SAFETY: index taken modulo the number of cells.
        unsafe { self.cells.add((number as usize % CELLS) * CELL) }
    }

    #[inline]
    fn word(&self, number: u64) -> &AtomicU64 {
        // SAFETY: each cell starts with its word, 64-aligned.
        unsafe { &*self.cell(number).cast() }
    }

    #[inline]
    fn payload(&self, at: u64) -> *mut u8 {
        // SAFETY: taken modulo the ring; `payload_start` keeps records inside it.
        unsafe { self.payload.add((at & (self.ring as u64 - 1)) as usize) }
    }
}

/// The writer's end.
pub struct Outbox {
    places: Places,
    receiver: u32,
    announced: bool,
    cells: u64,
    bytes: u64,
    cells_done: u64,
    bytes_done: u64,
}

// SAFETY: the pointers lead into the shared mapping, which lives as long as the process; one owner writes.
unsafe impl Send for Outbox {}

impl Outbox {
    /// The end that writes to `receiver`.
    pub fn new(receiver: u32) -> Outbox {
        let places = Places::new(receiver, segment().me);
        Outbox { places, receiver, announced: false, cells: 0, bytes: 0, cells_done: 0, bytes_done: 0 }
    }

    /// Most payload bytes one record may have.
    pub fn most(&self) -> usize {
        (self.places.ring / 4).min(LONGEST)
    }

    fn fits(&self, end: u64) -> bool {
        self.cells - self.cells_done < CELLS as u64 && end - self.bytes_done <= self.places.ring as u64
    }

    /// Room for a record with `payload` bytes: where its [`INLINE`] bytes and its payload go, or `None` when the ring is
    /// full. Nothing is visible before [`Outbox::commit`].
    #[inline]
    pub fn begin(&mut self, payload: usize) -> Option<(*mut u8, *mut u8)> {
        let start = payload_start(self.bytes, payload, self.places.ring);
        let end = start + payload as u64;
        if !self.fits(end) {
            let control = self.places.control();
            self.cells_done = control.cells_done.load(Ordering::Acquire);
            self.bytes_done = control.bytes_done.load(Ordering::Acquire);
            if !self.fits(end) {
                return None;
            }
        }
        // SAFETY: the word is the first 8 bytes of the cell.
        Some((unsafe { self.places.cell(self.cells).add(8) }, self.places.payload(start)))
    }

    /// Makes the record begun last visible, with its kind, and rings the receiver.
    #[inline]
    pub fn commit(&mut self, kind: u8, payload: usize) {
        let end = payload_start(self.bytes, payload, self.places.ring) + payload as u64;
        let sequence = (self.cells + 1) & 0xffff_ffff;
        self.places.word(self.cells).store(sequence << 32 | (kind as u64) << 24 | payload as u64, Ordering::Release);
        self.cells += 1;
        self.bytes = end.next_multiple_of(ALIGN);
        own_soon(self.places.cell(self.cells + AHEAD));
        if !self.announced {
            self.announce();
        }
        bell::ring(self.receiver);
    }

    #[cold]
    fn announce(&mut self) {
        let me = segment().me;
        segment().control(self.receiver).senders[me as usize / 64].fetch_or(1 << (me % 64), Ordering::SeqCst);
        self.announced = true;
    }
}

/// A record as the reader sees it.
#[derive(Clone, Copy)]
pub struct Cell {
    /// The kind given at commit.
    pub kind: u8,
    /// Its [`INLINE`] bytes.
    pub body: *const u8,
    /// Its payload.
    pub payload: *const u8,
    /// Bytes of payload.
    pub len: usize,
}

/// The reader's end.
pub struct Inbox {
    places: Places,
    cells: u64,
    bytes: u64,
    cells_told: u64,
    bytes_told: u64,
}

// SAFETY: as for `Outbox`; one owner reads.
unsafe impl Send for Inbox {}

impl Inbox {
    /// The end that reads what `sender` writes.
    pub fn new(sender: u32) -> Inbox {
        Inbox { places: Places::new(segment().me, sender), cells: 0, bytes: 0, cells_told: 0, bytes_told: 0 }
    }

    /// The next record, if there is one. It stays valid until [`Inbox::pop`].
    #[inline]
    pub fn peek(&self) -> Option<Cell> {
        let word = self.places.word(self.cells).load(Ordering::Acquire);
        if word >> 32 != (self.cells + 1) & 0xffff_ffff {
            return None;
        }
        let len = word as usize & LONGEST;
        let start = payload_start(self.bytes, len, self.places.ring);
        // SAFETY: the body follows the word in the cell.
        let body = unsafe { self.places.cell(self.cells).add(8) };
        Some(Cell { kind: (word >> 24) as u8, body, payload: self.places.payload(start), len })
    }

    /// Gives the record back to the writer (who learns of it in batches).
    #[inline]
    pub fn pop(&mut self, cell: Cell) {
        let end = payload_start(self.bytes, cell.len, self.places.ring) + cell.len as u64;
        self.cells += 1;
        self.bytes = end.next_multiple_of(ALIGN);
        if self.cells - self.cells_told >= CELLS as u64 / 4 || self.bytes - self.bytes_told >= self.places.ring as u64 / 4 {
            self.tell();
        }
    }

    #[cold]
    fn tell(&mut self) {
        let control = self.places.control();
        control.cells_done.store(self.cells, Ordering::Release);
        control.bytes_done.store(self.bytes, Ordering::Release);
        (self.cells_told, self.bytes_told) = (self.cells, self.bytes);
    }
}

/// Calls `each` with every process that has ever written to this one.
#[inline]
pub fn senders(mut each: impl FnMut(u32)) {
    let control = segment().control(segment().me);
    for word in 0..(segment().size as usize).div_ceil(64) {
        let mut bits = control.senders[word].load(Ordering::Relaxed);
        while bits != 0 {
            each(word as u32 * 64 + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
}
