// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a rank says it is doing: one word beside the sequence number, compared by every reader.

use crate::err;
use crate::object::error::Error;

/// A collective, as named in errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    Barrier = 1,
    Bcast = 2,
    Reduce = 3,
    Allreduce = 4,
    Agree = 5,
}

const NAMES: [&str; 6] = ["nothing", "MPI_Barrier", "MPI_Bcast", "MPI_Reduce", "MPI_Allreduce", "an agreement of the library"];

/// One rank's arguments, as far as all ranks must give the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Which collective.
    pub kind: Kind,
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
    pub fn new(kind: Kind, bytes: u64) -> Call {
        Call { kind, root: 0, op: 0, bytes, element: 1 }
    }

    /// The header word of this call at a sequence number: the number below, who and what above.
    #[inline]
    pub fn word(&self, sequence: u64) -> u64 {
        let what = self.kind as u64 | (self.root as u64) << 8 | (self.op as u64) << 24;
        what << 32 | sequence & 0xffff_ffff
    }

    /// The error for a rank that finds another call at the same point of the sequence.
    #[cold]
    pub fn mismatch(&self, rank: usize, word: u64, bytes: u64) -> Error {
        let theirs = Call { kind: self.kind, root: (word >> 40) as u16, op: (word >> 56) as u8, bytes, element: self.element };
        let name = NAMES.get((word >> 32) as u8 as usize).copied().unwrap_or("an unknown call");
        let (mine, theirs) = (self.describe(NAMES[self.kind as usize]), theirs.describe(name));
        if name == NAMES[self.kind as usize] && bytes > self.bytes {
            return err!(Truncate, "this rank calls {mine}, but rank {rank} calls {theirs}: their arguments must agree");
        }
        err!(
            Other,
            "this rank calls {mine}, but rank {rank} calls {theirs}: all ranks must make the same calls in the same order"
        )
    }

    fn describe(&self, name: &str) -> String {
        let op = if self.op == 0 { String::new() } else { format!(", operation {:#x}", self.op) };
        let (bytes, element) = (self.bytes, self.element.max(1));
        format!("{name}(root {}, count {} of {element} bytes{op})", self.root, bytes / element)
    }
}
