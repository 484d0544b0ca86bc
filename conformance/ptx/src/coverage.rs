// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which instructions of a kernel have run.

use crate::parse::Kernel;

/// How often each instruction has run.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// In the order of the text.
    pub counts: Vec<u64>,
}

impl Coverage {
    /// Nothing has run.
    pub fn of(kernel: &Kernel) -> Coverage {
        Coverage { counts: vec![0; kernel.instructions.len()] }
    }

    /// The statements that have not run.
    pub fn missing<'k>(&self, kernel: &'k Kernel) -> Vec<&'k str> {
        let idle = self.counts.iter().zip(&kernel.texts).filter(|(count, _)| **count == 0);
        idle.map(|(_, text)| text.as_str()).collect()
    }

    /// How many instructions have run.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}
