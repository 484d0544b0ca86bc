// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two work on one large message: the receiver reads chunks from its front, the sender, who would only wait, writes chunks
//! from its back, until they meet. Each takes a chunk before it moves it ([`Share`](crate::transport::shm::Share)).

use std::ops::Range;

use super::area::Area;
use super::mates::Mates;
use crate::transport::shm::{Front, MOST_UNITS, Whole};

/// Least and most bytes of a chunk (unless that makes too many to count): a chunk costs a system call.
const CHUNK: (usize, usize) = (32 << 10, 128 << 10);

/// How a message is cut.
#[derive(Clone, Copy)]
pub struct Cut {
    len: usize,
    chunk: usize,
    sequence: u64,
}

impl Cut {
    /// Of `len` bytes, in operation `sequence`.
    pub fn new(len: usize, sequence: u64) -> Cut {
        Cut { len, chunk: (len / 4).clamp(CHUNK.0, CHUNK.1).max(len.div_ceil(MOST_UNITS)), sequence }
    }

    /// The operation's number.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Bytes of the message.
    pub fn len(&self) -> usize {
        self.len
    }

    fn whole(&self) -> Whole {
        Whole { number: self.sequence, units: self.len.div_ceil(self.chunk) as u32, turn: 1 }
    }

    fn range(&self, from: u32, to: u32) -> Range<usize> {
        from as usize * self.chunk..self.len.min(to as usize * self.chunk)
    }

    /// Receiver: nothing is taken yet. To be called before the receiver posts.
    pub fn open<M: Mates>(&self, area: &Area<M>) {
        area.share(area.rank).begin(self.sequence);
    }

    /// Receiver: the next chunk from the front, as a range of bytes. `None`: the sender has written the rest.
    pub fn front<M: Mates>(&self, area: &Area<M>) -> Option<Range<usize>> {
        let mut front = Front::Wait;
        area.wait("the rest of a large message", || {
            front = area.share(area.rank).front(self.whole());
            front != Front::Wait
        });
        match front {
            Front::Took(from, to) => Some(self.range(from, to)),
            Front::Wait | Front::Met(_) => None,
        }
    }

    /// Sender: the next chunk from the back of the message to `rank`.
    pub fn back<M: Mates>(&self, area: &Area<M>, rank: usize) -> Option<Range<usize>> {
        let (from, to) = area.share(rank).back(self.whole())?;
        Some(self.range(from, to))
    }

    /// Sender: the chunk taken last is written, or cannot be.
    pub fn wrote<M: Mates>(&self, area: &Area<M>, rank: usize, ok: bool) {
        if ok {
            area.share(rank).wrote(1);
        } else {
            area.share(rank).give_back(1);
        }
        area.mates.ring(rank);
    }

    /// Receiver: the sender takes no more, and has written what it took.
    pub fn close<M: Mates>(&self, area: &Area<M>) {
        area.share(area.rank).close(self.whole());
        area.wait("the rest of a large message", || area.share(area.rank).settled().is_some());
    }
}
