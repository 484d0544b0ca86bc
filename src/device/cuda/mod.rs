// SPDX-License-Identifier: MIT OR Apache-2.0
//! NVIDIA GPUs.

pub mod kernels;
