// SPDX-License-Identifier: MIT OR Apache-2.0
//! Irregular types of one element type: indexed, hindexed, and their equal-block forms.

use std::sync::Arc;

use super::super::shape::Block;
use super::super::{Datatype, get};
use super::{count as check_count, finish, lengths, not_negative};
use crate::object::constant::{COMBINER_HINDEXED, COMBINER_HINDEXED_BLOCK, COMBINER_INDEXED, COMBINER_INDEXED_BLOCK, Handle};
use crate::object::error::Result;

/// `MPI_Type_indexed`: displacements in elements.
pub fn indexed(count: i64, blocklengths: &[i64], displacements: &[i64], oldtype: Handle, newtype: &mut Handle) -> Result<()> {
    check_count(count)?;
    lengths(blocklengths)?;
    let old = get(oldtype)?;
    let integers = [&[count], blocklengths, displacements].concat();
    let blocks = blocks(blocklengths, displacements, old.extent);
    *newtype = make(old, &blocks, COMBINER_INDEXED, integers, vec![])?;
    Ok(())
}

/// `MPI_Type_create_hindexed`: displacements in bytes.
pub fn hindexed(count: i64, blocklengths: &[i64], displacements: &[i64], oldtype: Handle, newtype: &mut Handle) -> Result<()> {
    check_count(count)?;
    lengths(blocklengths)?;
    let old = get(oldtype)?;
    let integers = [&[count], blocklengths].concat();
    let blocks = blocks(blocklengths, displacements, 1);
    *newtype = make(old, &blocks, COMBINER_HINDEXED, integers, displacements.to_vec())?;
    Ok(())
}

/// `MPI_Type_create_indexed_block`: displacements in elements.
pub fn indexed_block(count: i64, blocklength: i64, displacements: &[i64], oldtype: Handle, newtype: &mut Handle) -> Result<()> {
    check_count(count)?;
    not_negative("blocklength", blocklength)?;
    let old = get(oldtype)?;
    let integers = [&[count, blocklength], displacements].concat();
    let blocks = equal_blocks(blocklength, displacements, old.extent);
    *newtype = make(old, &blocks, COMBINER_INDEXED_BLOCK, integers, vec![])?;
    Ok(())
}

/// `MPI_Type_create_hindexed_block`: displacements in bytes.
pub fn hindexed_block(count: i64, blocklength: i64, displacements: &[i64], oldtype: Handle, newtype: &mut Handle) -> Result<()> {
    check_count(count)?;
    not_negative("blocklength", blocklength)?;
    let old = get(oldtype)?;
    let blocks = equal_blocks(blocklength, displacements, 1);
    *newtype = make(old, &blocks, COMBINER_HINDEXED_BLOCK, vec![count, blocklength], displacements.to_vec())?;
    Ok(())
}

fn blocks(lengths: &[i64], displacements: &[i64], unit: i64) -> Vec<Block> {
    lengths.iter().zip(displacements).map(|(&length, &at)| Block { length, at: at.saturating_mul(unit) }).collect()
}

fn equal_blocks(length: i64, displacements: &[i64], unit: i64) -> Vec<Block> {
    displacements.iter().map(|&at| Block { length, at: at.saturating_mul(unit) }).collect()
}

fn make(old: &Arc<Datatype>, blocks: &[Block], combiner: i32, ints: Vec<i64>, addresses: Vec<i64>) -> Result<Handle> {
    let shape = old.shape.blocks(blocks)?;
    Ok(finish(shape, combiner, ints, addresses, vec![old.clone()]))
}
