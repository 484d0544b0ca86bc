// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two work on one large message: the receiver reads chunks from its front, the sender, who would only wait, writes chunks
//! from its back, until they meet. Each claims a chunk before it moves it.

use std::sync::atomic::Ordering::*;

use super::area::Area;
use super::mates::Mates;

/// Least and most bytes of a chunk (unless that makes too many to count): a chunk costs a system call.
const CHUNK: (usize, usize) = (32 << 10, 128 << 10);
const MOST: usize = 0x7fff;
/// In place of the number of chunks written: the sender could not write.
const FAILED: u64 = 0xffff;

/// How a message is cut.
#[derive(Clone, Copy)]
pub struct Cut {
    len: usize,
    chunk: usize,
    sequence: u64,
}

/// Chunks claimed from the front and from the back, beside the operation's number.
fn pack(sequence: u64, front: usize, back: usize) -> u64 {
    (sequence & 0xffff_ffff) << 32 | (front as u64) << 16 | back as u64
}

impl Cut {
    /// Of `len` bytes, in operation `sequence`.
    pub fn new(len: usize, sequence: u64) -> Cut {
        Cut { len, chunk: (len / 4).clamp(CHUNK.0, CHUNK.1).max(len.div_ceil(MOST)), sequence }
    }

    /// The operation's number.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Bytes of the message.
    pub fn len(&self) -> usize {
        self.len
    }

    fn chunks(&self) -> usize {
        self.len.div_ceil(self.chunk)
    }

    fn range(&self, chunk: usize) -> std::ops::Range<usize> {
        let start = chunk * self.chunk;
        start..self.len.min(start + self.chunk)
    }

    /// Receiver: nothing is claimed yet. To be called before the receiver posts.
    pub fn open<M: Mates>(&self, area: &Area<M>) {
        let (claims, written) = area.claims(area.rank);
        written.store(pack(self.sequence, 0, 0), Relaxed);
        claims.store(pack(self.sequence, 0, 0), Release);
    }

    /// Receiver: the next chunk from the front, as a range of bytes.
    pub fn front<M: Mates>(&self, area: &Area<M>) -> Option<std::ops::Range<usize>> {
        let (front, _) = self.claim(area, area.rank, |front, back| (front + 1, back))?;
        Some(self.range(front - 1))
    }

    /// Sender: the next chunk from the back of the message to `rank`.
    pub fn back<M: Mates>(&self, area: &Area<M>, rank: usize) -> Option<std::ops::Range<usize>> {
        let (_, back) = self.claim(area, rank, |front, back| (front, back + 1))?;
        Some(self.range(self.chunks() - back))
    }

    /// Receiver: takes all that is left, so that the sender claims no more.
    pub fn close<M: Mates>(&self, area: &Area<M>) {
        self.claim(area, area.rank, |_, back| (self.chunks() - back, back));
    }

    fn claim<M: Mates>(
        &self,
        area: &Area<M>,
        rank: usize,
        more: impl Fn(usize, usize) -> (usize, usize),
    ) -> Option<(usize, usize)> {
        let (claims, _) = area.claims(rank);
        let mut old = claims.load(Acquire);
        loop {
            let (front, back) = ((old >> 16 & 0xffff) as usize, (old & 0xffff) as usize);
            if old >> 32 != self.sequence & 0xffff_ffff || front + back >= self.chunks() {
                return None;
            }
            let (front, back) = more(front, back);
            match claims.compare_exchange_weak(old, pack(self.sequence, front, back), AcqRel, Acquire) {
                Ok(_) => return Some((front, back)),
                Err(now) => old = now,
            }
        }
    }

    /// Sender: one more chunk is written, or none can be.
    pub fn wrote<M: Mates>(&self, area: &Area<M>, rank: usize, ok: bool) {
        let (_, written) = area.claims(rank);
        let count = if ok { (written.load(Relaxed) & 0xffff) + 1 } else { FAILED };
        debug_assert_eq!(written.load(Relaxed) >> 32, self.sequence & 0xffff_ffff, "the receiver waits for what was claimed");
        written.store(pack(self.sequence, 0, 0) | count, Release);
        area.mates.ring(rank);
    }

    /// Receiver: waits until the sender has written what it claimed. What it could not write: a range of bytes.
    pub fn settle<M: Mates>(&self, area: &Area<M>) -> Option<std::ops::Range<usize>> {
        let (claims, written) = area.claims(area.rank);
        let claimed = claims.load(Acquire) & 0xffff;
        let mut count = 0;
        area.wait("the rest of a large message", || {
            count = written.load(Acquire) & 0xffff;
            count == claimed || count == FAILED
        });
        (count == FAILED).then(|| self.range(self.chunks() - claimed as usize).start..self.len)
    }
}
