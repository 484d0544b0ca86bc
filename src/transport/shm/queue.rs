// SPDX-License-Identifier: MIT OR Apache-2.0
//! The protocol of a ring, free of memory: which cell and which payload bytes come next, and when they may be used.
//!
//! Fixed cells, each with a sequence word that only ever is a sequence word (so nothing needs to be cleared), and a ring of
//! payload beside them. A word holds the number of its record (32 bits), its kind (8) and its payload's length (24). One
//! writer, one reader, no lock; the reader tells in batches what it is done with.

/// What a length in a word can say.
pub const LONGEST: usize = 0xff_ffff;
/// Payloads start on a cache line.
const ALIGN: u64 = 64;

/// The words that the two ends share.
pub trait Board {
    /// How many cells there are (a power of two).
    fn cells(&self) -> u64;
    /// Bytes of the payload ring (a power of two).
    fn ring(&self) -> usize;
    /// The word of a cell; what was written before it was set is seen after (acquire).
    fn word(&self, cell: u64) -> u64;
    /// Sets the word of a cell (release).
    fn set_word(&self, cell: u64, word: u64);
    /// Cells and payload bytes that the reader is done with (acquire).
    fn done(&self) -> (u64, u64);
    /// Tells them (release).
    fn tell(&self, cells: u64, bytes: u64);
}

/// Where the next payload of `len` bytes starts, given that `at` bytes were used so far: never across the ring's end.
fn payload_start(at: u64, len: usize, ring: usize) -> u64 {
    let within = at & (ring as u64 - 1);
    if within as usize + len > ring { at + (ring as u64 - within) } else { at }
}

/// What a word says of the record with this number (counted from 0), without kind and length.
#[inline]
fn sequence(number: u64) -> u64 {
    (number + 1) & 0xffff_ffff
}

/// A record's places: the number of its cell and where its payload starts, both counted without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub cell: u64,
    pub at: u64,
}

/// The writer's end.
pub struct Writer<B> {
    pub board: B,
    cells: u64,
    bytes: u64,
    cells_done: u64,
    bytes_done: u64,
}

impl<B: Board> Writer<B> {
    pub fn new(board: B) -> Writer<B> {
        Writer { board, cells: 0, bytes: 0, cells_done: 0, bytes_done: 0 }
    }

    /// The cell of the next record.
    #[inline]
    pub fn next(&self) -> u64 {
        self.cells
    }

    /// Where the next payload starts, unless it is too long for the rest of the ring.
    #[inline]
    pub fn next_payload(&self) -> u64 {
        self.bytes
    }

    fn fits(&self, end: u64) -> bool {
        self.cells - self.cells_done < self.board.cells() && end - self.bytes_done <= self.board.ring() as u64
    }

    /// Room for a record with `payload` bytes, or `None` when the ring is full. Nothing is visible before [`Writer::commit`].
    #[inline]
    pub fn begin(&mut self, payload: usize) -> Option<Place> {
        // The reader may keep a quarter of the ring to itself, and the ring's end may cost as much as a payload.
        debug_assert!(payload <= self.board.ring() / 4 || self.board.ring() < 1024, "{payload} bytes can wait for ever");
        let at = payload_start(self.bytes, payload, self.board.ring());
        let end = at + payload as u64;
        if !self.fits(end) {
            (self.cells_done, self.bytes_done) = self.board.done();
            if !self.fits(end) {
                return None;
            }
        }
        Some(Place { cell: self.cells, at })
    }

    /// Makes the record begun last visible, with its kind.
    #[inline]
    pub fn commit(&mut self, kind: u8, payload: usize) {
        let end = payload_start(self.bytes, payload, self.board.ring()) + payload as u64;
        self.board.set_word(self.cells, sequence(self.cells) << 32 | (kind as u64) << 24 | payload as u64);
        self.cells += 1;
        self.bytes = end.next_multiple_of(ALIGN);
    }
}

/// A record as the reader finds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    pub place: Place,
    pub kind: u8,
    /// Bytes of payload.
    pub len: usize,
}

/// The reader's end.
pub struct Reader<B> {
    pub board: B,
    cells: u64,
    bytes: u64,
    cells_told: u64,
    bytes_told: u64,
}

impl<B: Board> Reader<B> {
    pub fn new(board: B) -> Reader<B> {
        Reader { board, cells: 0, bytes: 0, cells_told: 0, bytes_told: 0 }
    }

    /// The next record, if there is one. It stays valid until [`Reader::pop`].
    #[inline]
    pub fn peek(&self) -> Option<Record> {
        let word = self.board.word(self.cells);
        if word >> 32 != sequence(self.cells) {
            return None;
        }
        let len = word as usize & LONGEST;
        let at = payload_start(self.bytes, len, self.board.ring());
        Some(Record { place: Place { cell: self.cells, at }, kind: (word >> 24) as u8, len })
    }

    /// Gives a record's room back to the writer (who learns of it in batches).
    #[inline]
    pub fn pop(&mut self, len: usize) {
        let end = payload_start(self.bytes, len, self.board.ring()) + len as u64;
        self.cells += 1;
        self.bytes = end.next_multiple_of(ALIGN);
        let (cells, bytes) = (self.cells - self.cells_told, self.bytes - self.bytes_told);
        if cells >= self.board.cells() / 4 || bytes >= self.board.ring() as u64 / 4 {
            self.tell();
        }
    }

    #[cold]
    fn tell(&mut self) {
        self.board.tell(self.cells, self.bytes);
        (self.cells_told, self.bytes_told) = (self.cells, self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::sync::atomic::{AtomicU64, Ordering};
    use loom::thread;

    const LINES: usize = 4;
    const CELLS: usize = 2;

    /// A ring of two cells and four lines of payload whose every access the model follows.
    struct Model {
        words: [AtomicU64; CELLS],
        bodies: [UnsafeCell<u64>; CELLS],
        lines: [UnsafeCell<u64>; LINES],
        cells_done: AtomicU64,
        bytes_done: AtomicU64,
        publish: Ordering,
    }

    impl Model {
        fn new(publish: Ordering) -> Arc<Model> {
            Arc::new(Model {
                words: std::array::from_fn(|_| AtomicU64::new(0)),
                bodies: std::array::from_fn(|_| UnsafeCell::new(0)),
                lines: std::array::from_fn(|_| UnsafeCell::new(0)),
                cells_done: AtomicU64::new(0),
                bytes_done: AtomicU64::new(0),
                publish,
            })
        }

        /// The cells of memory that belong to a record: its body and its lines.
        fn parts(&self, place: Place, len: usize) -> impl Iterator<Item = &UnsafeCell<u64>> {
            let first = place.at as usize / 64;
            let lines = (first..first + len.div_ceil(64)).map(|line| &self.lines[line % LINES]);
            lines.chain(std::iter::once(&self.bodies[place.cell as usize % CELLS]))
        }
    }

    impl Board for Arc<Model> {
        fn cells(&self) -> u64 {
            CELLS as u64
        }
        fn ring(&self) -> usize {
            LINES * 64
        }
        fn word(&self, cell: u64) -> u64 {
            self.words[cell as usize % CELLS].load(Ordering::Acquire)
        }
        fn set_word(&self, cell: u64, word: u64) {
            self.words[cell as usize % CELLS].store(word, self.publish)
        }
        fn done(&self) -> (u64, u64) {
            (self.cells_done.load(Ordering::Acquire), self.bytes_done.load(Ordering::Acquire))
        }
        fn tell(&self, cells: u64, bytes: u64) {
            self.cells_done.store(cells, Ordering::Release);
            self.bytes_done.store(bytes, Ordering::Release);
        }
    }

    /// Sends records of these payload lengths from one thread to another; every interleaving with up to two preemptions is tried.
    fn every_interleaving(lengths: &'static [usize], publish: Ordering) {
        let mut limits = loom::model::Builder::new();
        limits.preemption_bound = Some(2);
        limits.check(move || {
            let shared = Model::new(publish);
            let theirs = shared.clone();
            let reader = thread::spawn(move || {
                let mut reader = Reader::new(theirs.clone());
                for (number, &len) in lengths.iter().enumerate() {
                    let record = loop {
                        match reader.peek() {
                            Some(record) => break record,
                            None => thread::yield_now(),
                        }
                    };
                    assert_eq!((record.kind, record.len), (number as u8, len));
                    // SAFETY: the model itself checks that nobody writes meanwhile.
                    theirs.parts(record.place, len).for_each(|part| part.with(|p| assert_eq!(unsafe { *p }, number as u64)));
                    reader.pop(len);
                }
            });
            let mut writer = Writer::new(shared.clone());
            for (number, &len) in lengths.iter().enumerate() {
                let place = loop {
                    match writer.begin(len) {
                        Some(place) => break place,
                        None => thread::yield_now(),
                    }
                };
                // SAFETY: as above.
                shared.parts(place, len).for_each(|part| part.with_mut(|p| unsafe { *p = number as u64 }));
                writer.commit(number as u8, len);
            }
            reader.join().unwrap();
        });
    }

    #[test]
    fn a_record_is_read_whole_and_its_room_is_not_reused_before() {
        every_interleaving(&[0, 64, 0], Ordering::Release);
        every_interleaving(&[64, 64, 64], Ordering::Release);
    }

    #[test]
    fn payload_never_crosses_the_end() {
        every_interleaving(&[60, 64, 1, 128], Ordering::Release);
    }

    #[test]
    #[should_panic(expected = "Causality violation")]
    fn the_model_notices_a_word_without_release() {
        every_interleaving(&[64], Ordering::Relaxed);
    }

    #[test]
    fn numbers_wrap_after_2_to_32_records() {
        loom::model(|| {
            let shared = Model::new(Ordering::Release);
            let before = (1u64 << 32) - 3;
            let mut writer = Writer { cells: before, cells_done: before, ..Writer::new(shared.clone()) };
            let mut reader = Reader { cells: before, cells_told: before, ..Reader::new(shared.clone()) };
            for number in 0..6 {
                assert_eq!(reader.peek(), None);
                writer.begin(0).expect("there is room");
                writer.commit(number, 0);
                assert_eq!(reader.peek().map(|record| record.kind), Some(number));
                reader.pop(0);
            }
        });
    }
}
