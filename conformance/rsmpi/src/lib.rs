// SPDX-License-Identifier: MIT OR Apache-2.0
//! Empty: see `Cargo.toml`.
