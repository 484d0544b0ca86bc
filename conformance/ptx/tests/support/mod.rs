// SPDX-License-Identifier: MIT OR Apache-2.0
//! Launching with named arguments, random bytes, and the coverage of a module.

use std::collections::HashMap;

use ptx::{Coverage, Flat, Kernel, Module};

/// Numbers that look random (xorshift64*).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.next() >> 32) as u8).collect()
    }
}

/// The block of parameters of a kernel.
pub fn parameters(kernel: &Kernel, values: &[u64]) -> Vec<u8> {
    assert_eq!(kernel.parameters.len(), values.len(), "{}", kernel.name);
    let mut block = vec![0; kernel.parameter_bytes()];
    for (place, value) in kernel.parameters.iter().zip(values) {
        block[place.offset..][..place.size].copy_from_slice(&value.to_le_bytes()[..place.size]);
    }
    block
}

/// A module, and what of it has run.
pub struct Bench {
    module: Module,
    coverage: HashMap<String, Coverage>,
}

impl Bench {
    pub fn new(text: &str) -> Bench {
        Bench { module: Module::parse(text).unwrap(), coverage: HashMap::new() }
    }

    /// Launches a kernel; each slice begins at its address, and nothing else may be touched.
    pub fn launch(&mut self, name: &str, shape: (u32, u32), values: &[u64], slices: Vec<(u64, &mut [u8])>) {
        let kernel = self.module.kernel(name).unwrap_or_else(|| panic!("no kernel {name}"));
        let coverage = self.coverage.entry(name.to_owned()).or_default();
        let (grid, block) = ([shape.0, 1, 1], [shape.1, 1, 1]);
        let done = kernel.launch_counted(grid, block, &parameters(kernel, values), &mut Flat::new(slices), coverage);
        done.unwrap_or_else(|fault| panic!("{fault}, with {values:x?}"));
    }

    /// Fails unless every instruction of every kernel has run; returns how many have.
    pub fn everything_has_run(&self) -> u64 {
        for kernel in &self.module.kernels {
            let coverage = self.coverage.get(&kernel.name).unwrap_or_else(|| panic!("{} was never launched", kernel.name));
            let missing = coverage.missing(kernel);
            assert!(missing.is_empty(), "{}: these have not run: {missing:#?}", kernel.name);
        }
        self.coverage.values().map(Coverage::total).sum()
    }
}
