// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two sides of a collective that moves data, as the user gave them: checked, and as buffers of a schedule.

use std::sync::Arc;

use super::bind::{Block, Buffer};
use super::call;
use crate::err;
use crate::object::constant::Handle;
use crate::object::datatype::{self, Datatype};
use crate::object::error::Result;

/// One count for every rank.
#[derive(Clone, Copy)]
pub struct Side {
    /// Address.
    pub base: *mut u8,
    /// Elements a rank.
    pub count: i64,
    /// Their type.
    pub datatype: &'static Arc<Datatype>,
}

impl Side {
    /// Checks one side's arguments; `name` is "send" or "recv".
    pub fn check(name: &str, base: *mut u8, count: i64, datatype: Handle) -> Result<Side> {
        let datatype = datatype::committed(datatype)?;
        if count < 0 {
            return Err(err!(Count, "{name}count {count} is negative"));
        }
        call::check_buffer(&buffer_name(name), base, count, datatype)?;
        Ok(Side { base, count, datatype })
    }

    /// Packed bytes a rank.
    pub fn bytes(&self) -> usize {
        (self.count * self.datatype.size) as usize
    }

    /// As the buffer of one rank.
    pub fn one(&self) -> Buffer {
        Buffer::one(self.base, self.count, self.datatype)
    }

    /// As a block for every rank, one after the other.
    pub fn blocks(&self) -> Buffer {
        Buffer::blocks(self.base, self.count, self.datatype)
    }

    /// The block of one rank.
    pub fn block(&self, rank: i32) -> Side {
        let offset = rank as i64 * self.count * self.datatype.extent;
        Side { base: self.base.wrapping_offset(offset as isize), ..*self }
    }
}

/// A count and a place for each rank.
#[derive(Clone)]
pub struct Sides {
    blocks: Vec<Block>,
}

impl Sides {
    /// Checks one side's arguments: displacements in extents of the type.
    pub fn check(name: &str, base: *mut u8, counts: &[i64], displs: &[i64], datatype: Handle) -> Result<Sides> {
        let datatype = datatype::committed(datatype)?;
        check_counts(name, counts)?;
        let block =
            |(&count, &at): (&i64, &i64)| Block::new(base.wrapping_offset((at * datatype.extent) as isize), count, datatype);
        call::check_buffer(&buffer_name(name), base, counts.iter().sum(), datatype)?;
        Ok(Sides { blocks: counts.iter().zip(displs).map(block).collect() })
    }

    /// Checks one side's arguments: a type for each rank, displacements in bytes.
    pub fn check_typed(name: &str, base: *mut u8, counts: &[i64], displs: &[i64], types: &[Handle]) -> Result<Sides> {
        check_counts(name, counts)?;
        let block = |((&count, &at), &handle): ((&i64, &i64), &Handle)| {
            Ok(Block::new(base.wrapping_offset(at as isize), count, datatype::committed(handle)?))
        };
        Ok(Sides { blocks: counts.iter().zip(displs).zip(types).map(block).collect::<Result<_>>()? })
    }

    /// Packed bytes of each rank's block.
    pub fn lens(&self) -> Vec<usize> {
        self.blocks.iter().map(|b| (b.count * b.datatype.size) as usize).collect()
    }

    /// As the blocks of a schedule.
    pub fn list(&self) -> Buffer {
        Buffer::List(self.blocks.clone())
    }

    /// The block of one rank, as the only one.
    pub fn one(&self, rank: i32) -> Buffer {
        Buffer::One(self.blocks[rank as usize].clone())
    }

    /// The block of one rank.
    pub fn block(&self, rank: usize) -> &Block {
        &self.blocks[rank]
    }
}

fn check_counts(name: &str, counts: &[i64]) -> Result<()> {
    match counts.iter().position(|&count| count < 0) {
        Some(rank) => Err(err!(Count, "{name}counts[{rank}] is {}, which is negative", counts[rank])),
        None => Ok(()),
    }
}

fn buffer_name(name: &str) -> String {
    format!("{name}buf")
}

/// An error when `MPI_IN_PLACE` stands where only an address may.
pub fn no_in_place(name: &str, buffer: *const u8) -> Result<()> {
    if call::in_place(buffer) { Err(err!(Arg, "{name} must not be MPI_IN_PLACE here")) } else { Ok(()) }
}

/// An error when a rank's block to itself has two sizes.
pub fn check_own(send: usize, recv: usize) -> Result<()> {
    if send == recv {
        return Ok(());
    }
    Err(err!(Truncate, "this rank sends {send} bytes to itself but expects {recv}"))
}
