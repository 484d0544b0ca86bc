// SPDX-License-Identifier: MIT OR Apache-2.0
//! Notes of refused calls. A rank whose call was refused for its arguments leaves a note in the slot that the call would have had. Whoever
//! waits for it in that call closes the note and gets an error: the number is used up then, on all ranks. If nobody has when the rank
//! makes its next call, that one decides: it takes the number, as if the refused call had not been made (nobody else made it, or a
//! right one makes up for it, as programs do that know other libraries), unless others are seen to have made the refused one.
//!
//! Calls that were refused since the last that was not are counted: a rank whose own were ignores notes of as many of others, since all
//! made the same wrong ones, and a right call is the refused one if as many were refused before it.

use super::area::{Area, BROADS};
use super::call::{CLOSED, Call, REFUSED};
use super::mates::Mates;
use crate::coll::registry::Collective;

/// Where the count of refused calls stands in a note.
const COUNT: u32 = 40;

/// The kind of a word, as words have it.
fn kind_in(word: u64) -> u64 {
    word >> 32 & 0x1f
}

impl<M: Mates> Area<'_, M> {
    /// Leaves a note. Its number.
    pub fn refuse(&self, kind: Collective, code: i32) -> u64 {
        let sequence = self.next();
        let count = self.count_refusal(sequence);
        // This rank goes away: the others may need to know how far it is.
        self.tell(sequence - 1);
        let call = Call { root: count as u16, ..Call::new(kind, code as u32 as u64) };
        self.refusing().post(sequence, &call, 0, |_| ());
        self.ring_all();
        sequence
    }

    /// The code of the error that a rank's refused call means for this rank's call of `kind`, if it is that call.
    pub fn closes(&self, rank: usize, sequence: u64, kind: Collective) -> Option<i32> {
        loop {
            let (word, code) = self.posted(rank, sequence);
            let concerns = kind_in(word) == kind as u64 + 1 && word >> COUNT & 0xffff > self.refusals(self.rank, sequence);
            match (word & REFUSED != 0, word & CLOSED != 0) {
                (true, true) => return Some(code as i32),
                (true, false) if concerns => {
                    if self.repost(rank, sequence, word, word | CLOSED) {
                        return Some(code as i32);
                    }
                }
                _ => return None,
            }
        }
    }

    /// A rank whose refused call ends this rank's of `kind`, and the code.
    pub fn closed(&self, sequence: u64, kind: Collective) -> Option<(usize, i32)> {
        self.others().find_map(|rank| self.closes(rank, sequence, kind).map(|code| (rank, code)))
    }

    /// Whether the number of this rank's note is used up, as far as can be said: `next` is its next call, which was refused, `too`, or is right.
    pub fn used_up(&self, next: Collective, too: bool) -> Option<bool> {
        let sequence = self.next();
        let (mine, _) = self.posted(self.rank, sequence);
        let count = self.refusals(self.rank, sequence);
        let makes_up = kind_in(mine) == next as u64 + 1 && !too;
        let (mut refused, mut made, mut moved) = (0, false, false);
        for rank in self.others() {
            let word = self.posted(rank, sequence).0;
            let refusals = word >> COUNT & 0xffff;
            match word {
                0 => {}
                word if word & REFUSED != 0 && word & CLOSED != 0 && refusals <= count => return Some(true),
                // Closed for a call that comes after mine.
                word if word & REFUSED != 0 && word & CLOSED != 0 => moved = true,
                word if word & REFUSED != 0 => refused += (refusals >= count) as usize,
                word if kind_in(word) == kind_in(mine) && self.refusals(rank, sequence) + 1 == count => made = true,
                _ => moved = true,
            }
        }
        let used_up = mine & CLOSED != 0 || made && !makes_up;
        let free = makes_up || moved || refused + 1 == self.size;
        if used_up || free { Some(used_up) } else { None }
    }

    /// Takes this rank's note back, or closes it: then its number counts. Others may have closed it meanwhile.
    pub fn settle(&self, used_up: bool) {
        let sequence = self.next();
        let (mine, _) = self.posted(self.rank, sequence);
        let open = mine & REFUSED != 0 && mine & CLOSED == 0;
        let new = if used_up { mine | CLOSED } else { 0 };
        let settled = open && self.repost(self.rank, sequence, mine, new);
        if used_up || !settled {
            self.begin(BROADS);
            self.end(sequence, BROADS);
        }
    }
}
