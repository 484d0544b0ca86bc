// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two sides of a collective that moves data, as the user gave them: checked, and as buffers of a schedule.

use super::bind::{Block, Buffer};
use super::call;
use crate::err;
use crate::object::constant::Handle;
use crate::object::datatype;
use crate::object::error::Result;

/// Address, count (of each block) and type.
pub type Uniform = (*mut u8, i64, Handle);
/// Address, counts, displacements in extents of the type, and the type.
pub type Vector<'a> = (*mut u8, &'a [i64], &'a [i64], Handle);
/// Address, counts, displacements in bytes, and types.
pub type Typed<'a> = (*mut u8, &'a [i64], &'a [i64], &'a [Handle]);

/// What the user gave for a side of several blocks.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub enum Given<'a> {
    Uniform(Uniform),
    Vector(Vector<'a>),
    Typed(Typed<'a>),
}

impl Given<'_> {
    /// The address.
    pub fn base(&self) -> *mut u8 {
        match self {
            Given::Uniform(uniform) => uniform.0,
            Given::Vector(vector) => vector.0,
            Given::Typed(typed) => typed.0,
        }
    }
}

/// Packed bytes of blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Bytes {
    /// So many blocks of so many bytes each.
    Same(usize, usize),
    /// Each its own.
    Own(Vec<usize>),
}

/// One side: blocks and their sizes.
#[derive(Clone)]
pub struct Side {
    /// The blocks.
    pub buffer: Buffer,
    bytes: Bytes,
}

impl Side {
    /// Checks a side of one block; `name` is "send" or "recv".
    pub fn one(name: &str, (base, count, datatype): Uniform) -> Result<Side> {
        Side::uniform(name, 1, (base, count, datatype))
    }

    /// Checks a side of `n` blocks.
    pub fn many(name: &str, n: usize, given: Given) -> Result<Side> {
        match given {
            Given::Uniform(uniform) => Side::uniform(name, n, uniform),
            Given::Vector(vector) => Side::vector(name, vector),
            Given::Typed(typed) => Side::typed(name, typed),
        }
    }

    fn uniform(name: &str, n: usize, (base, count, datatype): Uniform) -> Result<Side> {
        let datatype = datatype::committed(datatype)?;
        if count < 0 {
            return Err(err!(Count, "{name}count {count} is negative"));
        }
        call::check_buffer(&format!("{name}buf"), base, count, datatype)?;
        let bytes = Bytes::Same(n, (count * datatype.size) as usize);
        Ok(Side { buffer: Buffer::blocks(base, count, datatype), bytes })
    }

    fn vector(name: &str, (base, counts, displs, datatype): Vector) -> Result<Side> {
        let datatype = datatype::committed(datatype)?;
        check_counts(name, counts)?;
        call::check_buffer(&format!("{name}buf"), base, counts.iter().sum(), datatype)?;
        let at = |displacement: i64| base.wrapping_offset((displacement * datatype.extent) as isize);
        Ok(Side::list(counts.iter().zip(displs).map(|(&count, &d)| Block::new(at(d), count, datatype)).collect()))
    }

    fn typed(name: &str, (base, counts, displs, types): Typed) -> Result<Side> {
        check_counts(name, counts)?;
        let block = |((&count, &at), &handle): ((&i64, &i64), &Handle)| {
            Ok(Block::new(base.wrapping_offset(at as isize), count, datatype::committed(handle)?))
        };
        Ok(Side::list(counts.iter().zip(displs).zip(types).map(block).collect::<Result<_>>()?))
    }

    fn list(blocks: Vec<Block>) -> Side {
        let bytes = Bytes::Own(blocks.iter().map(|b| (b.count * b.datatype.size) as usize).collect());
        Side { buffer: Buffer::List(blocks), bytes }
    }

    /// Packed bytes of a block.
    pub fn len(&self, block: usize) -> usize {
        match &self.bytes {
            Bytes::Same(_, bytes) => *bytes,
            Bytes::Own(all) => all[block],
        }
    }

    /// Packed bytes of each block.
    pub fn lens(&self) -> Vec<usize> {
        match &self.bytes {
            Bytes::Same(n, bytes) => vec![*bytes; *n],
            Bytes::Own(all) => all.clone(),
        }
    }

    /// Which block is that of `rank` to itself: its own, or the only one.
    fn own_block(&self, rank: usize) -> usize {
        let n = match &self.bytes {
            Bytes::Same(n, _) => *n,
            Bytes::Own(all) => all.len(),
        };
        if n == 1 { 0 } else { rank }
    }

    /// The address of the block of `rank` to itself, where it has contents.
    pub fn own(&self, rank: usize) -> Option<*mut u8> {
        let block = self.own_block(rank);
        let base = self.buffer.address(block);
        (self.len(block) > 0 && !base.is_null()).then_some(base)
    }

    /// One of the blocks, as the only one: the input in place.
    pub fn cut(&self, block: usize) -> Side {
        let bytes = match &self.bytes {
            Bytes::Same(_, bytes) => Bytes::Same(1, *bytes),
            Bytes::Own(all) => Bytes::Own(vec![all[block]]),
        };
        Side { buffer: Buffer::One(self.buffer.cut(block)), bytes }
    }
}

/// The length of all blocks of both sides, if it is one.
pub fn common(send: Option<&Side>, recv: Option<&Side>) -> Option<usize> {
    let len = |side: &Side| match side.bytes {
        Bytes::Same(_, bytes) => Some(bytes),
        Bytes::Own(_) => None,
    };
    match (send, recv) {
        (Some(send), Some(recv)) => len(send).filter(|bytes| len(recv) == Some(*bytes)),
        (Some(side), None) | (None, Some(side)) => len(side),
        (None, None) => Some(0),
    }
}

fn check_counts(name: &str, counts: &[i64]) -> Result<()> {
    match counts.iter().position(|&count| count < 0) {
        Some(rank) => Err(err!(Count, "{name}counts[{rank}] is {}, which is negative", counts[rank])),
        None => Ok(()),
    }
}

/// An error when `MPI_IN_PLACE` stands where only an address may.
pub fn no_in_place(name: &str, buffer: *const u8) -> Result<()> {
    if call::in_place(buffer) { Err(err!(Arg, "{name} must not be MPI_IN_PLACE here")) } else { Ok(()) }
}

/// An error when the block of `rank` to itself has two sizes.
pub fn check_own(rank: usize, send: &Side, recv: &Side) -> Result<()> {
    let len = |side: &Side| side.len(side.own_block(rank));
    if len(send) == len(recv) {
        return Ok(());
    }
    Err(err!(Truncate, "this rank sends {} bytes to itself but expects {}", len(send), len(recv)))
}
