// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pinned host memory through which bytes go into a device and out of it. Bounded, so that a receive that would need more
//! waits for its turn; kept for as long as its context lives: a program that resets its device gets a new context, with new pinned
//! memory.

use parking_lot::Mutex;

use super::Memory;
use crate::knob;
use crate::object::error::Result;

/// Bytes of a small piece: an eager message, a table of blocks.
pub const SMALL: usize = 16 << 10;
/// Small pieces that are made at a time.
const SMALL_SLAB: usize = 64;
/// Large pieces of a context: enough to keep copies in both directions busy.
const LARGE: usize = 8;

/// The free pieces of one context.
#[derive(Default)]
struct Pieces {
    /// Its number.
    memory: usize,
    small: Vec<usize>,
    large: Vec<usize>,
    large_made: usize,
}

struct Pool {
    pieces: Vec<Pieces>,
    /// The stretches of pinned memory, to know them again.
    slabs: Vec<(usize, usize)>,
}

static POOL: Mutex<Pool> = Mutex::new(Pool { pieces: Vec::new(), slabs: Vec::new() });

impl Pool {
    fn of(&mut self, memory: usize) -> &mut Pieces {
        let place = self.pieces.iter().position(|pieces| pieces.memory == memory).unwrap_or(self.pieces.len());
        if place == self.pieces.len() {
            self.pieces.push(Pieces { memory, ..Pieces::default() });
        }
        &mut self.pieces[place]
    }

    /// New pinned memory.
    fn slab(&mut self, memory: &dyn Memory, bytes: usize) -> Result<usize> {
        let slab = memory.allocate_pinned(bytes)? as usize;
        self.slabs.push((slab, slab + bytes));
        Ok(slab)
    }
}

/// A piece of pinned memory; goes back when dropped, so the device must be done with it.
pub struct Bounce {
    at: usize,
    len: usize,
    memory: usize,
}

impl Bounce {
    /// Its address.
    pub fn at(&self) -> *mut u8 {
        self.at as *mut u8
    }

    /// Its size.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no room.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Its contents. No copy into it may be under way.
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the piece is owned by this value and as long as it says; `&mut` excludes other uses.
        unsafe { std::slice::from_raw_parts_mut(self.at as *mut u8, self.len) }
    }
}

impl Drop for Bounce {
    fn drop(&mut self) {
        let mut pool = POOL.lock();
        let pieces = pool.of(self.memory);
        if self.len == SMALL { pieces.small.push(self.at) } else { pieces.large.push(self.at) }
    }
}

/// A small piece; there is always one more.
pub fn take_small(memory: &dyn Memory) -> Result<Bounce> {
    let (mut pool, number) = (POOL.lock(), memory.number());
    if pool.of(number).small.is_empty() {
        let slab = pool.slab(memory, SMALL * SMALL_SLAB)?;
        pool.of(number).small.extend((0..SMALL_SLAB).map(|i| slab + i * SMALL));
    }
    let at = pool.of(number).small.pop().expect("just made");
    Ok(Bounce { at, len: SMALL, memory: number })
}

/// Bytes of a large piece.
pub fn large_size() -> usize {
    knob::GPU_CHUNK.number() as usize
}

/// A large piece, unless all are in use.
pub fn take_large(memory: &dyn Memory) -> Result<Option<Bounce>> {
    let (mut pool, len, number) = (POOL.lock(), large_size(), memory.number());
    let pieces = pool.of(number);
    if pieces.large.is_empty() && pieces.large_made < LARGE {
        let at = pool.slab(memory, len)?;
        let pieces = pool.of(number);
        pieces.large_made += 1;
        pieces.large.push(at);
    }
    Ok(pool.of(number).large.pop().map(|at| Bounce { at, len, memory: number }))
}

/// Whether an address lies in a piece.
pub fn holds(at: *const u8) -> bool {
    POOL.lock().slabs.iter().any(|&(low, high)| (low..high).contains(&(at as usize)))
}
