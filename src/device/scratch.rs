// SPDX-License-Identifier: MIT OR Apache-2.0
//! Device memory of our own: packed copies, and the scratch of collectives. Allocating is slow and giving back waits for the
//! whole device, so pieces are kept, by powers of two.

use parking_lot::Mutex;

use super::{Home, Memory};
use crate::knob;
use crate::object::error::Result;
use crate::trace;

/// The smallest piece.
const LEAST: usize = 64 << 10;
/// In the place of a piece's size: nothing to keep.
const PINNED: usize = 0;

struct Piece {
    memory: &'static dyn Memory,
    at: usize,
    bytes: usize,
}

impl Piece {
    fn free(self) {
        // SAFETY: allocated by `take`, and given up here.
        unsafe { self.memory.free(self.at as *mut u8) };
    }
}

/// The one given back last is the last.
static KEPT: Mutex<Vec<Piece>> = Mutex::new(Vec::new());

/// A piece of a device's memory; goes back for the next call when dropped, so the device must be done with it.
pub struct Buffer {
    memory: &'static dyn Memory,
    at: usize,
    /// [`PINNED`]: page-locked memory of the host, which the device reaches.
    bytes: usize,
}

impl Buffer {
    /// At least `bytes` bytes.
    pub fn take(memory: &'static dyn Memory, bytes: usize) -> Result<Buffer> {
        let bytes = bytes.next_power_of_two().max(LEAST);
        let number = memory.number();
        let mut kept = KEPT.lock();
        if let Some(i) = kept.iter().rposition(|piece| piece.memory.number() == number && piece.bytes == bytes) {
            return Ok(Buffer { memory, at: kept.remove(i).at, bytes });
        }
        drop(kept);
        Ok(Buffer { memory, at: memory.allocate(bytes)? as usize, bytes })
    }

    /// The same; where the device has no room, of the host's memory that it reaches.
    pub fn take_anywhere(memory: &'static dyn Memory, bytes: usize) -> Result<Buffer> {
        Buffer::take(memory, bytes).or_else(|error| Buffer::take_pinned(memory, bytes).map_err(|_| error))
    }

    #[cold]
    fn take_pinned(memory: &'static dyn Memory, bytes: usize) -> Result<Buffer> {
        let at = memory.allocate_pinned(bytes)? as usize;
        trace::note("CUDA: the device has no room for operands of reductions, which are read in host memory");
        Ok(Buffer { memory, at, bytes: PINNED })
    }

    /// Its address.
    pub fn at(&self) -> *mut u8 {
        self.at as *mut u8
    }

    /// What it is for messages: an allocation of its own, which the program has nothing to do with. The driver is asked.
    pub fn home(&self) -> Option<Home> {
        super::home(self.at())
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let Buffer { memory, at, bytes } = *self;
        if bytes == PINNED {
            // SAFETY: allocated by `take_pinned`, and given up here.
            return unsafe { memory.free_pinned(at as *mut u8) };
        }
        let most = knob::GPU_SCRATCH.number() as usize;
        let too_much = given_back(&mut KEPT.lock(), Piece { memory, at, bytes }, most);
        // Without the lock: the driver may wait for the device.
        too_much.into_iter().for_each(Piece::free);
    }
}

/// Keeps a piece, for which those of the same memory go that were not used for longest: what is to be freed. What was kept of a context
/// that has ended is gone with it.
fn given_back(kept: &mut Vec<Piece>, piece: Piece, most: usize) -> Vec<Piece> {
    if piece.bytes > most {
        return vec![piece];
    }
    let number = piece.memory.number();
    kept.push(piece);
    let mut total: usize = kept.iter().filter(|piece| piece.memory.number() == number).map(|piece| piece.bytes).sum();
    let mut too_much = |piece: &mut Piece| {
        let goes = total > most && piece.memory.number() == number;
        total -= if goes { piece.bytes } else { 0 };
        goes
    };
    kept.extract_if(.., |piece| too_much(piece)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::host::HOST;
    use super::*;

    #[test]
    fn a_piece_is_used_again() {
        let first = Buffer::take(HOST.memory, 70_000).unwrap();
        let at = first.at();
        drop(first);
        assert_eq!(Buffer::take(HOST.memory, 100_000).unwrap().at(), at);
    }

    #[test]
    fn the_pieces_used_last_are_kept() {
        let (mut kept, most) = (Vec::new(), 100);
        let mut give = |bytes| {
            let freed = given_back(&mut kept, Piece { memory: HOST.memory, at: 0, bytes }, most);
            (freed.iter().map(|piece| piece.bytes).collect::<Vec<_>>(), kept.iter().map(|piece| piece.bytes).collect::<Vec<_>>())
        };
        assert_eq!(give(60), (vec![], vec![60]));
        assert_eq!(give(40), (vec![], vec![60, 40]));
        assert_eq!(give(101), (vec![101], vec![60, 40]));
        assert_eq!(give(20), (vec![60], vec![40, 20]));
        assert_eq!(give(100), (vec![40, 20], vec![100]));
    }
}
