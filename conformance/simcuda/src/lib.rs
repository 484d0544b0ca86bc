// SPDX-License-Identifier: MIT OR Apache-2.0
//! A simulated CUDA driver for tests: put on the library path as `libcuda.so.1`, it gives a program devices that live in
//! host memory and that behave as badly as CUDA's documentation allows.
//!
//! - Device memory faults when the host touches it; the simulator works through a second mapping (`address`, `backing`).
//! - Streams are threads that run each operation late (`stream`); a copy is as asynchronous as the section "API
//!   synchronization behavior" of the CUDA driver API lets it be, and a destination on the host holds rubbish until it has
//!   been done (`copy`).
//! - Memory and events go across processes (`ipc`, `event`); opening costs time.
//! - An access past an allocation, after a free, or to what another process has freed ends the process with a message.
//! - A program may break its devices (`simcudaBreak`, `simcudaBreakAfter`): every call fails from then on (`call`).
//! - Threads without a current context get CUDA_ERROR_INVALID_CONTEXT (`context`).
//!
//! | file | what it holds |
//! |---|---|
//! | `setting` | what the environment decides |
//! | `call`, `code`, `symbol` | how every exported function is entered and counted; error codes; `cuGetProcAddress` |
//! | `device`, `context` | devices, contexts and each thread's stack of them |
//! | `address`, `backing`, `memory` | device addresses, what is behind them, allocations |
//! | `host`, `managed`, `pool`, `vmm` | the other kinds of memory |
//! | `pointer` | pointer attributes |
//! | `stream`, `event` | the order of operations |
//! | `copy`, `fill`, `sparse` | operations on memory; copies of nothing |
//! | `ipc`, `board` | memory and events across processes; who has freed what |
//! | `beside` | what copies and kernels overlap, for tests to ask |
//! | `module`, `launch` | kernels, whose PTX runs on the processor |
//!
//! Every exported function has the name, the arguments and the meaning of the CUDA driver API's function; the safety rule of
//! all of them is that its pointers are what the API asks for.

#![allow(non_snake_case, reason = "the exported functions have the names of the CUDA driver API")]

mod address;
mod backing;
mod board;
mod call;
mod code;
mod random;
mod setting;
mod sparse;

pub mod beside;
pub mod context;
pub mod copy;
pub mod device;
pub mod event;
pub mod fill;
pub mod host;
pub mod ipc;
pub mod launch;
pub mod managed;
pub mod memory;
pub mod module;
pub mod pointer;
pub mod pool;
pub mod stream;
pub mod symbol;
pub mod vmm;

pub use call::{In, Out};
pub use code::Code;
