// SPDX-License-Identifier: MIT OR Apache-2.0
//! One process to another: the [`queue`](super::queue) laid out in the segment, with cells of one cache line.
//! A small message costs one cache-line transfer.

use std::sync::atomic::{AtomicU64, Ordering};

use super::bell;
use super::layout::{CELL, CELLS, CELLS_AT, PAYLOAD_AT, RingControl, segment};
use super::queue::{Board, LONGEST, Reader, Writer};

/// Bytes of a cell beside its sequence word, for the layers above.
pub const INLINE: usize = CELL - 8;

/// Cells between the one written and the one asked for.
const AHEAD: u64 = 6;
/// Bytes of payload that are asked for ahead, by the writer to write them and by the reader to read them.
const NEAR: usize = 256;
/// Bytes of a cache line.
const LINE: usize = 64;

/// Asks for a cache line to read it soon, or to write to it: the reader has a copy from the ring's last round, and taking it away
/// in time lets a burst of messages run without waiting for each line in turn.
#[inline]
fn soon<const WRITE: bool>(line: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, which reads and writes nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_ET0, _MM_HINT_T0, _mm_prefetch};
        if WRITE { _mm_prefetch::<_MM_HINT_ET0>(line.cast()) } else { _mm_prefetch::<_MM_HINT_T0>(line.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

/// Calls `each` with the first lines of a payload.
#[inline]
fn lines(payload: *const u8, len: usize, each: impl Fn(*const u8)) {
    (0..len.min(NEAR)).step_by(LINE).for_each(|at| each(payload.wrapping_add(at)));
}

/// Where a ring lies in this process.
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

    /// The part of a cell behind its word.
    #[inline]
    fn body(&self, number: u64) -> *mut u8 {
        // SAFETY: the word is the first 8 bytes of the cell.
        unsafe { self.cell(number).add(8) }
    }

    #[inline]
    fn word(&self, number: u64) -> &AtomicU64 {
        // SAFETY: each cell starts with its word, 64-aligned.
        unsafe { &*self.cell(number).cast() }
    }

    #[inline]
    fn payload(&self, at: u64) -> *mut u8 {
        // SAFETY: taken modulo the ring; payloads never cross its end.
        unsafe { self.payload.add((at & (self.ring as u64 - 1)) as usize) }
    }
}

impl Board for Places {
    #[inline]
    fn cells(&self) -> u64 {
        CELLS as u64
    }

    #[inline]
    fn ring(&self) -> usize {
        self.ring
    }

    #[inline]
    fn word(&self, cell: u64) -> u64 {
        Places::word(self, cell).load(Ordering::Acquire)
    }

    #[inline]
    fn set_word(&self, cell: u64, word: u64) {
        Places::word(self, cell).store(word, Ordering::Release);
    }

    fn done(&self) -> (u64, u64) {
        let control = self.control();
        (control.cells_done.load(Ordering::Acquire), control.bytes_done.load(Ordering::Acquire))
    }

    fn tell(&self, cells: u64, bytes: u64) {
        let control = self.control();
        control.cells_done.store(cells, Ordering::Release);
        control.bytes_done.store(bytes, Ordering::Release);
    }
}

/// The writer's end.
pub struct Outbox {
    writer: Writer<Places>,
    receiver: u32,
    announced: bool,
}

// SAFETY: the pointers lead into the shared mapping, which lives as long as the process; one owner writes.
unsafe impl Send for Outbox {}

impl Outbox {
    /// The end that writes to `receiver`.
    pub fn new(receiver: u32) -> Outbox {
        Outbox { writer: Writer::new(Places::new(receiver, segment().me)), receiver, announced: false }
    }

    /// Most payload bytes one record may have.
    pub fn most(&self) -> usize {
        (self.writer.board.ring / 4).min(LONGEST)
    }

    /// Room for a record with `payload` bytes: where its [`INLINE`] bytes and its payload go, or `None` when the ring is
    /// full. Nothing is visible before [`Outbox::commit`].
    #[inline]
    pub fn begin(&mut self, payload: usize) -> Option<(*mut u8, *mut u8)> {
        let place = self.writer.begin(payload)?;
        Some((self.writer.board.body(place.cell), self.writer.board.payload(place.at)))
    }

    /// Makes the record begun last visible, with its kind, and rings the receiver.
    #[inline]
    pub fn commit(&mut self, kind: u8, payload: usize) {
        self.writer.commit(kind, payload);
        soon::<true>(self.writer.board.cell(self.writer.next() + AHEAD));
        // The next payload is likely as long.
        lines(self.writer.board.payload(self.writer.next_payload()), payload, soon::<true>);
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
pub struct Inbox(Reader<Places>);

// SAFETY: as for `Outbox`; one owner reads.
unsafe impl Send for Inbox {}

impl Inbox {
    /// The end that reads what `sender` writes.
    pub fn new(sender: u32) -> Inbox {
        Inbox(Reader::new(Places::new(segment().me, sender)))
    }

    /// The next record, if there is one. It stays valid until [`Inbox::pop`].
    #[inline]
    pub fn peek(&self) -> Option<Cell> {
        let record = self.0.peek()?;
        let board = &self.0.board;
        let (body, payload) = (board.body(record.place.cell), board.payload(record.place.at));
        // They come while the receive is looked for.
        lines(payload, record.len, soon::<false>);
        Some(Cell { kind: record.kind, body, payload, len: record.len })
    }

    /// Gives the record back to the writer.
    #[inline]
    pub fn pop(&mut self, cell: Cell) {
        self.0.pop(cell.len);
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
