// SPDX-License-Identifier: MIT OR Apache-2.0
//! Device memory of our own: packed copies, and the scratch of collectives. Allocating is slow and giving back waits for the
//! whole device, so pieces are kept, by powers of two.

use parking_lot::Mutex;

use super::Memory;
use crate::knob;
use crate::object::error::Result;

/// The smallest piece.
const LEAST: usize = 64 << 10;

struct Piece {
    memory: usize,
    at: usize,
    bytes: usize,
}

static KEPT: Mutex<Vec<Piece>> = Mutex::new(Vec::new());

/// A piece of a device's memory; goes back for the next call when dropped, so the device must be done with it.
pub struct Buffer {
    memory: &'static dyn Memory,
    at: usize,
    bytes: usize,
}

impl Buffer {
    /// At least `bytes` bytes.
    pub fn take(memory: &'static dyn Memory, bytes: usize) -> Result<Buffer> {
        let bytes = bytes.next_power_of_two().max(LEAST);
        let number = memory.number();
        let mut kept = KEPT.lock();
        if let Some(i) = kept.iter().position(|piece| piece.memory == number && piece.bytes == bytes) {
            return Ok(Buffer { memory, at: kept.swap_remove(i).at, bytes });
        }
        drop(kept);
        Ok(Buffer { memory, at: memory.allocate(bytes)? as usize, bytes })
    }

    /// Its address.
    pub fn at(&self) -> *mut u8 {
        self.at as *mut u8
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let mut kept = KEPT.lock();
        let total: usize = kept.iter().map(|piece| piece.bytes).sum();
        if (total + self.bytes) as u64 <= knob::GPU_SCRATCH.number() {
            kept.push(Piece { memory: self.memory.number(), at: self.at, bytes: self.bytes });
            return;
        }
        drop(kept);
        // SAFETY: allocated by `take`, and given up here.
        unsafe { self.memory.free(self.at as *mut u8) };
    }
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
}
