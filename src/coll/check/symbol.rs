// SPDX-License-Identifier: MIT OR Apache-2.0
//! Symbolic contents. A unit holds the sum of some ranks' contributions, all of the same place in their buffers: the place
//! is a number, and so is the sum, a row in a table of sequences of ranks ([`Sums`]). Copying a unit copies two numbers, and
//! adding two units of a long buffer looks the same pair up again and again.

use std::collections::HashMap;
use std::ops::Range;

/// What a unit holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symbol {
    /// Which unit of the contributions.
    pub unit: u32,
    /// Whose contributions, left to right: a row of [`Sums`]. 0: nothing was written (or, where it is wanted: anything).
    pub sum: u32,
}

impl Symbol {
    /// Nothing, or anything.
    pub const NONE: Symbol = Symbol { unit: 0, sum: 0 };

    /// Unit `unit` of what one rank contributes.
    pub fn of(rank: usize, unit: usize) -> Symbol {
        Symbol { unit: unit as u32, sum: rank as u32 + 1 }
    }
}

/// The sums that have come up in a run: sequences of ranks.
pub struct Sums {
    rows: Vec<Vec<u8>>,
    known: HashMap<Vec<u8>, u32>,
    added: HashMap<(u32, u32), u32>,
    last: (u32, u32, u32),
}

impl Sums {
    /// Nothing, and each rank's contribution alone.
    pub fn new(ranks: usize) -> Sums {
        let mut sums = Sums { rows: Vec::new(), known: HashMap::new(), added: HashMap::new(), last: (0, 0, 0) };
        sums.row(Vec::new());
        for r in 0..ranks {
            sums.row(vec![r as u8]);
        }
        sums
    }

    fn row(&mut self, ranks: Vec<u8>) -> u32 {
        *self.known.entry(ranks).or_insert_with_key(|ranks| {
            self.rows.push(ranks.clone());
            self.rows.len() as u32 - 1
        })
    }

    /// The contributions of these ranks, in their order.
    pub fn range(&mut self, ranks: Range<usize>) -> u32 {
        self.row(ranks.map(|r| r as u8).collect())
    }

    /// The same contributions, in the order of ranks.
    pub fn sorted(&mut self, sum: u32) -> u32 {
        let mut ranks = self.rows[sum as usize].clone();
        ranks.sort_unstable();
        self.row(ranks)
    }

    /// `left op right`; an error says why that is wrong.
    pub fn add(&mut self, left: Symbol, right: Symbol) -> Result<Symbol, String> {
        if left.sum == 0 || right.sum == 0 {
            return Err("where nothing has been written".into());
        }
        if left.unit != right.unit {
            return Err(format!("which adds unit {} to unit {}", left.unit, right.unit));
        }
        if (left.sum, right.sum) != (self.last.0, self.last.1) {
            let sum = self.sum_of(left.sum, right.sum);
            self.last = (left.sum, right.sum, sum);
        }
        Ok(Symbol { unit: left.unit, sum: self.last.2 })
    }

    fn sum_of(&mut self, left: u32, right: u32) -> u32 {
        if let Some(&sum) = self.added.get(&(left, right)) {
            return sum;
        }
        let sum = self.row([self.rows[left as usize].as_slice(), &self.rows[right as usize]].concat());
        self.added.insert((left, right), sum);
        sum
    }

    /// For messages.
    pub fn describe(&self, symbol: Symbol) -> String {
        format!("unit {:#x} of ranks {:?}", symbol.unit, self.rows[symbol.sum as usize])
    }
}

/// A buffer: a list of blocks of units.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// All units.
    pub units: Vec<Symbol>,
    starts: Vec<usize>,
}

impl Blocks {
    /// No block.
    pub fn none() -> Blocks {
        Blocks { units: Vec::new(), starts: vec![0] }
    }

    /// One block.
    pub fn one(units: impl IntoIterator<Item = Symbol>) -> Blocks {
        let mut blocks = Blocks::none();
        blocks.push(units);
        blocks
    }

    /// Blocks of these lengths, with nothing in them.
    pub fn blank(lens: impl IntoIterator<Item = usize>) -> Blocks {
        let mut blocks = Blocks::none();
        lens.into_iter().for_each(|len| blocks.push(std::iter::repeat_n(Symbol::NONE, len)));
        blocks
    }

    /// One block more.
    pub fn push(&mut self, units: impl IntoIterator<Item = Symbol>) {
        self.units.extend(units);
        self.starts.push(self.units.len());
    }

    /// How many blocks.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where units of a block lie among all.
    pub fn range(&self, block: usize, units: Range<usize>) -> Range<usize> {
        let start = self.starts[block];
        assert!(start + units.end <= self.starts[block + 1], "units {units:?} of block {block} reach past its end");
        start + units.start..start + units.end
    }

    /// Units of a block.
    pub fn len(&self, block: usize) -> usize {
        self.starts[block + 1] - self.starts[block]
    }

    /// Units of each block.
    pub fn lens(&self) -> Vec<usize> {
        (0..self.count()).map(|b| self.len(b)).collect()
    }

    /// The units of a block.
    pub fn block(&self, block: usize) -> &[Symbol] {
        &self.units[self.starts[block]..self.starts[block + 1]]
    }
}
