// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs PTX on the processor: as much of the language as the GPU kernels of this project use. It exists so that the very
//! text that a driver would compile can be tested where there is no GPU, and is what the simulated driver launches.
//!
//! | file | what |
//! |---|---|
//! | [`parse`] | the text: kernels, parameters, registers, labels |
//! | [`decode`] | one statement to one instruction |
//! | [`arithmetic`] | the table of instructions that only compute |
//! | [`execute`] | running a kernel, thread after thread |
//! | [`memory`] | the caller's memory, bounds and alignment |
//! | [`coverage`] | which instructions have run |
//!
//! Threads run one after the other, each to its end: a kernel that waits for another thread (barriers, atomics, shared
//! memory) is refused when it is parsed.
//!
//! ```
//! # use ptx::{Flat, Module};
//! let module = Module::parse(
//!     ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry three(\n .param .u64 three_param_0\n)\n{\n\
//!      .reg .b64 %rd<2>;\n ld.param.u64 %rd1, [three_param_0];\n st.global.u32 [%rd1+4], 3;\n ret;\n}\n",
//! )?;
//! let mut bytes = vec![0u8; 8];
//! let mut memory = Flat::new([(0x1000, &mut bytes[..])]);
//! module.kernel("three").unwrap().launch([1, 1, 1], [1, 1, 1], &0x1000u64.to_le_bytes(), &mut memory)?;
//! assert_eq!(bytes, [0, 0, 0, 0, 3, 0, 0, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod arithmetic;
pub mod coverage;
pub mod decode;
pub mod execute;
pub mod memory;
pub mod parse;

pub use coverage::Coverage;
pub use execute::Fault;
pub use memory::{Flat, Memory, Region};
pub use parse::{Kernel, Module, Parameter, Refusal};
