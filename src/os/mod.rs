// SPDX-License-Identifier: MIT OR Apache-2.0
//! What we ask of the operating system, one thing a file:
//! [`lock`] the lock that costs nothing in single-threaded programs.

pub mod lock;
