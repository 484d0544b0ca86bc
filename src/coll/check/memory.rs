// SPDX-License-Identifier: MIT OR Apache-2.0
//! One rank's memory: its buffers and scratch as symbols, and which units a message under way reads or writes.

use std::ops::Range;

use super::model::Model;
use super::symbol::{Blocks, Sums, Symbol};
use crate::coll::schedule::{Call, Place, Region};
use crate::device::MOST_INPUTS;

type Verdict = Result<(), String>;

/// A message writes this unit.
const WRITTEN: u16 = u16::MAX;

/// A region: units, and for each how many messages read it, or [`WRITTEN`].
struct Store {
    blocks: Blocks,
    users: Vec<u16>,
}

impl Store {
    fn new(blocks: Blocks) -> Store {
        let users = vec![0; blocks.units.len()];
        Store { blocks, users }
    }
}

/// All regions of a rank.
pub struct Memory {
    send: Store,
    recv: Store,
    scratch: Store,
    alias: Option<fn(&Call, usize) -> usize>,
    /// What the receive buffer must be in the end.
    pub want: Blocks,
}

impl Memory {
    /// The buffers of a model, and scratch areas of so many units.
    pub fn new(model: Model, areas: &[usize]) -> Memory {
        let scratch = Store::new(Blocks::blank(areas.iter().copied()));
        let (send, recv) = (Store::new(model.send), Store::new(model.recv));
        Memory { send, recv, scratch, alias: model.alias, want: model.want }
    }

    fn store(&mut self, region: Region) -> &mut Store {
        match region {
            Region::Send => &mut self.send,
            Region::Recv => &mut self.recv,
            Region::Scratch => &mut self.scratch,
        }
    }

    /// The region and the units of a place: in place, the send buffer is the receive buffer.
    fn real(&mut self, call: &Call, place: Place) -> (Region, Range<usize>) {
        let (region, block) = match (place.region, self.alias) {
            (Region::Send, Some(alias)) => (Region::Recv, alias(call, place.block)),
            (region, _) => (region, place.block),
        };
        let range = if place.is_empty() { 0..0 } else { self.store(region).blocks.range(block, place.from..place.to) };
        (region, range)
    }

    /// The contents of a place.
    pub fn read(&mut self, call: &Call, place: Place) -> &mut [Symbol] {
        let (region, range) = self.real(call, place);
        &mut self.store(region).blocks.units[range]
    }

    /// An error when a message uses the place in a way that does not allow this use.
    fn check_free(&mut self, call: &Call, place: Place, write: bool) -> Verdict {
        let (region, range) = self.real(call, place);
        let taken = |users: &u16| *users == WRITTEN || write && *users > 0;
        match self.store(region).users[range].iter().any(taken) {
            true => Err(format!("rank {}: {place:?} is used while a message uses it", call.rank)),
            false => Ok(()),
        }
    }

    /// A message begins to read or write a place.
    pub fn occupy(&mut self, call: &Call, place: Place, write: bool) -> Verdict {
        self.check_free(call, place, write)?;
        let (region, range) = self.real(call, place);
        self.store(region).users[range].iter_mut().for_each(|users| *users = if write { WRITTEN } else { *users + 1 });
        Ok(())
    }

    /// A message no longer uses a place.
    pub fn release(&mut self, call: &Call, place: Place) {
        let (region, range) = self.real(call, place);
        let less = |users: &mut u16| *users = if *users == WRITTEN { 0 } else { *users - 1 };
        self.store(region).users[range].iter_mut().for_each(less);
    }

    /// `into = from`, or `into = from op into`.
    pub fn compute(&mut self, call: &Call, from: Place, into: Place, sums: Option<&mut Sums>) -> Verdict {
        self.check_free(call, from, false)?;
        self.check_free(call, into, true)?;
        let left = self.read(call, from).to_vec();
        let right = self.read(call, into);
        let Some(sums) = sums else {
            right.copy_from_slice(&left);
            return Ok(());
        };
        for (l, r) in left.into_iter().zip(right) {
            *r = sums.add(l, *r).map_err(|why| format!("rank {} reduces {from:?} into {into:?}, {why}", call.rank))?;
        }
        Ok(())
    }

    /// `into = operands[0] op operands[1] op …`
    pub fn fold(&mut self, call: &Call, operands: &[Place], into: Place, sums: &mut Sums) -> Verdict {
        operands.iter().try_for_each(|operand| self.check_free(call, *operand, false))?;
        self.check_free(call, into, true)?;
        // Who combines some at a time needs a place for the sum so far.
        let (first, later) = operands.split_at(operands.len().min(MOST_INPUTS));
        let target = self.real(call, into);
        if later.iter().any(|operand| self.real(call, *operand) == target)
            && first.iter().all(|place| place.region != Region::Scratch)
        {
            return Err(format!("rank {}: {into:?} is a later operand of a fold without scratch", call.rank));
        }
        let mut all = self.read(call, operands[0]).to_vec();
        for operand in &operands[1..] {
            for (sum, next) in all.iter_mut().zip(self.read(call, *operand)) {
                *sum = sums.add(*sum, *next).map_err(|why| format!("rank {} folds {operand:?}, {why}", call.rank))?;
            }
        }
        self.read(call, into).copy_from_slice(&all);
        Ok(())
    }

    /// Whether the receive buffer is what it must be.
    pub fn check(&mut self, call: &Call, commutative: bool, sums: &mut Sums) -> Verdict {
        for b in 0..self.want.count() {
            let pairs = self.want.block(b).iter().zip(self.recv.blocks.block(b)).enumerate();
            for (i, (want, holds)) in pairs.filter(|(_, (want, _))| want.sum != 0) {
                let sum = if commutative { sums.sorted(holds.sum) } else { holds.sum };
                if (holds.unit, sum) != (want.unit, want.sum) {
                    let (holds, want) = (sums.describe(*holds), sums.describe(*want));
                    return Err(format!("rank {}: unit {i} of block {b} holds {holds}, not {want}", call.rank));
                }
            }
        }
        Ok(())
    }
}
