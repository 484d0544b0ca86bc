// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collectives. [`node`] algorithms that live in the shared segment.

pub mod node;
