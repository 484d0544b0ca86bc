// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs kernels. There is no interpreter of PTX here yet: every launch is CUDA_ERROR_NOT_SUPPORTED.

use crate::code::{self, Result};
use crate::context::Context;
use crate::module::Function;

/// Whether a kernel can be run.
pub fn check(_kernel: &Function) -> Result {
    Err(code::NOT_SUPPORTED)
}

/// Runs `grid` times `block` threads of a kernel.
pub fn run(kernel: &Function, _grid: [u32; 3], _block: [u32; 3], _arguments: &[Vec<u8>], _context: &Context) {
    code::fatal(&format!("no interpreter for kernel {}", kernel.name));
}
