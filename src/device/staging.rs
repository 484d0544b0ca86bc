// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pinned host memory through which bytes go into a device and out of it. Bounded, so that a receive that would need more
//! waits for its turn; kept for as long as the process lives.

use parking_lot::Mutex;

use super::Memory;
use crate::knob;
use crate::object::error::Result;

/// Bytes of a small piece: an eager message, a table of blocks.
pub const SMALL: usize = 16 << 10;
/// Small pieces that are made at a time.
const SMALL_SLAB: usize = 64;
/// Large pieces in all: enough to keep copies in both directions busy.
const LARGE: usize = 8;

struct Pool {
    small: Vec<usize>,
    large: Vec<usize>,
    large_made: usize,
    /// The stretches of pinned memory, to know them again.
    slabs: Vec<(usize, usize)>,
}

static POOL: Mutex<Pool> = Mutex::new(Pool { small: Vec::new(), large: Vec::new(), large_made: 0, slabs: Vec::new() });

/// A piece of pinned memory; goes back when dropped, so the device must be done with it.
pub struct Bounce {
    at: usize,
    len: usize,
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
        if self.len == SMALL { pool.small.push(self.at) } else { pool.large.push(self.at) }
    }
}

/// A small piece; there is always one more.
pub fn take_small(memory: &dyn Memory) -> Result<Bounce> {
    let mut pool = POOL.lock();
    if pool.small.is_empty() {
        let slab = memory.allocate_pinned(SMALL * SMALL_SLAB)? as usize;
        pool.slabs.push((slab, slab + SMALL * SMALL_SLAB));
        pool.small.extend((0..SMALL_SLAB).map(|i| slab + i * SMALL));
    }
    let at = pool.small.pop().expect("just made");
    Ok(Bounce { at, len: SMALL })
}

/// Bytes of a large piece.
pub fn large_size() -> usize {
    knob::GPU_CHUNK.number() as usize
}

/// A large piece, unless all are in use.
pub fn take_large(memory: &dyn Memory) -> Result<Option<Bounce>> {
    let (mut pool, len) = (POOL.lock(), large_size());
    if pool.large.is_empty() && pool.large_made < LARGE {
        let at = memory.allocate_pinned(len)? as usize;
        pool.large_made += 1;
        pool.slabs.push((at, at + len));
        pool.large.push(at);
    }
    Ok(pool.large.pop().map(|at| Bounce { at, len }))
}

/// Whether an address lies in a piece.
pub fn holds(at: *const u8) -> bool {
    POOL.lock().slabs.iter().any(|&(low, high)| (low..high).contains(&(at as usize)))
}
