// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a rank says it is doing: one word beside the sequence number, compared by every reader.

use crate::coll::registry::Collective;
use crate::err;
use crate::object::error::Error;
use crate::object::op;

/// In the word of a rank whose device has failed in the call.
pub const FAILED: u64 = 0x80 << 32;
/// In the word of a rank whose call was refused for its arguments (see [`super::note`]); the error's code stands for the bytes.
pub const REFUSED: u64 = 0x40 << 32;
/// The same, when another rank has got an error for it.
pub const CLOSED: u64 = 0x20 << 32;
const _: () = assert!(Collective::ALL.len() < 0x20, "kinds leave the marks alone");

/// One rank's arguments, as far as all ranks must give the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Which collective.
    pub kind: Collective,
    /// The root; 0 where there is none.
    pub root: u16,
    /// A predefined operation's handle (they fit a byte), or 0.
    pub op: u8,
    /// Packed bytes; 0 where ranks may differ.
    pub bytes: u64,
    /// Bytes of an element, to speak of counts in errors.
    pub element: u64,
}

impl Call {
    /// A call with neither root nor operation.
    pub fn new(kind: Collective, bytes: u64) -> Call {
        Call { kind, root: 0, op: 0, bytes, element: 1 }
    }

    /// The header word of this call at a sequence number: the number below, who and what above.
    #[inline]
    pub fn word(&self, sequence: u64) -> u64 {
        let what = (self.kind as u64 + 1) | (self.root as u64) << 8 | (self.op as u64) << 24;
        what << 32 | sequence & 0xffff_ffff
    }

    /// The error for a rank that finds another call at the same point of the sequence.
    #[cold]
    pub fn mismatch(&self, rank: usize, word: u64, bytes: u64) -> Error {
        if word & FAILED != 0 {
            return err!(Other, "the device of rank {rank} failed in {}", self.describe());
        }
        let other = (word >> 32) as u8 as usize;
        let Some(&kind) = Collective::ALL.get(other.wrapping_sub(1)) else {
            return err!(Intern, "rank {rank} posted an unknown collective ({other})");
        };
        let theirs = Call { kind, root: (word >> 40) as u16, op: (word >> 56) as u8, bytes, element: self.element };
        let (mine, theirs) = (self.describe(), theirs.describe());
        if kind == self.kind && bytes > self.bytes {
            return err!(Truncate, "this rank calls {mine}, but rank {rank} calls {theirs}: their arguments must agree");
        }
        err!(
            Other,
            "this rank calls {mine}, but rank {rank} calls {theirs}: all ranks must make the same calls in the same order"
        )
    }

    /// The error for a rank that waits in this call for one that is in a nonblocking collective.
    #[cold]
    pub fn elsewhere(&self, rank: usize) -> Error {
        err!(
            Other,
            "this rank calls {}, but rank {rank} waits for a nonblocking collective that this rank has not begun: all ranks \
             must make the same calls in the same order, and a blocking call does not match a nonblocking one",
            self.describe()
        )
    }

    /// The call in words.
    pub fn describe(&self) -> String {
        let mut name = self.kind.name().to_owned();
        name[..1].make_ascii_uppercase();
        let mut said = vec![match (self.kind, self.element) {
            (Collective::Barrier, _) => return format!("MPI_{name}"),
            (_, 0 | 1) => format!("{} bytes", self.bytes),
            (_, element) => format!("count {} of {element} bytes", self.bytes / element),
        }];
        if matches!(self.kind, Collective::Bcast | Collective::Reduce) {
            said.push(format!("root {}", self.root));
        }
        if let Some(op) = op::get(self.op.into()).ok().filter(|_| self.op != 0) {
            said.push(op.name());
        }
        format!("MPI_{name}({})", said.join(", "))
    }
}
