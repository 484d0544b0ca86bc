// SPDX-License-Identifier: MIT OR Apache-2.0
//! device.

pub mod cuda;
