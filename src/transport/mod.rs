// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes between two processes; knows no tag and no communicator.
//! [`shm`] the shared segment of a node · [`cma`] reading another process's memory.

pub mod cma;
pub mod shm;
