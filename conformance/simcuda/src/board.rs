// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who has freed what, and who still maps it: each process has a board of words, one for each allocation that it has exported. Importers
//! read the owner's board, so that an access to memory that its owner has freed is noticed, and count their mappings there, so that the
//! owner knows how long the memory stays allocated.

use crate::backing::Backing;
use crate::code::Result;
use std::collections::HashMap;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Mutex, OnceLock};

/// Words of a board: more exports than any test makes.
const WORDS: usize = 1 << 22;

/// A board: the words and the file behind them, which stays open for importers.
struct Board {
    words: *mut AtomicU32,
    file: Arc<Backing>,
}

// SAFETY: the words are atomic and stay mapped for ever.
unsafe impl Send for Board {}
// SAFETY: as above.
unsafe impl Sync for Board {}

/// One word: how many processes map the allocation, and whether it was freed.
#[derive(Clone, Copy)]
pub struct Slot {
    word: &'static AtomicU32,
    /// Its place on its board.
    pub index: u32,
}

/// The bit of a freed allocation.
const FREED: u32 = 1 << 31;

impl Slot {
    /// Marks the allocation as freed.
    pub fn free(&self) {
        self.word.fetch_or(FREED, SeqCst);
    }

    /// Whether it has been.
    pub fn freed(&self) -> bool {
        self.word.load(SeqCst) & FREED != 0
    }

    /// One process more maps it.
    pub fn map(&self) {
        self.word.fetch_add(1, SeqCst);
    }

    /// One less.
    pub fn unmap(&self) {
        self.word.fetch_sub(1, SeqCst);
    }

    /// Whether any does.
    pub fn is_mapped(&self) -> bool {
        self.word.load(SeqCst) & !FREED != 0
    }
}

impl Board {
    fn new(file: Arc<Backing>) -> Result<Board> {
        let words = file.view(0, WORDS * size_of::<AtomicU32>())?.cast();
        Ok(Board { words, file })
    }

    fn slot(&self, index: u32) -> Slot {
        assert!((index as usize) < WORDS, "too many exports");
        // SAFETY: the mapping has WORDS words and is never unmapped.
        Slot { word: unsafe { &*self.words.add(index as usize) }, index }
    }
}

fn own() -> &'static Board {
    static OWN: OnceLock<Board> = OnceLock::new();
    let make = || Backing::new(WORDS * size_of::<AtomicU32>()).and_then(Board::new);
    OWN.get_or_init(|| make().unwrap_or_else(|_| crate::code::fatal("no memory for the board of exports")))
}

/// The descriptor of this process' board.
pub fn descriptor() -> i32 {
    own().file.file.as_raw_fd()
}

/// A fresh word on this process' board.
pub fn fresh() -> Slot {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    own().slot(NEXT.fetch_add(1, SeqCst))
}

/// Word `index` of the board that is descriptor `fd` of process `pid`.
pub fn of(pid: u32, fd: i32, index: u32) -> Result<Slot> {
    static OTHERS: Mutex<Option<HashMap<(u32, i32), &'static Board>>> = Mutex::new(None);
    let mut others = OTHERS.lock().unwrap();
    let others = others.get_or_insert_default();
    if let Some(board) = others.get(&(pid, fd)) {
        return Ok(board.slot(index));
    }
    let board: &'static Board = Box::leak(Box::new(Board::new(Backing::of(pid, fd)?)?));
    others.insert((pid, fd), board);
    Ok(board.slot(index))
}
