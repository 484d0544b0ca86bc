// SPDX-License-Identifier: MIT OR Apache-2.0
//! Algorithms that live in the shared segment: blocking calls between ranks of one node, no schedule, no matching.
//!
//! | file | what |
//! |---|---|
//! | [`area`] | the desks of a communicator's ranks: numbered slots, who may reuse one, stages of large operations |
//! | [`call`] | what a rank says it is doing, and the error when two ranks say different things |
//! | [`note`] | what a rank leaves behind whose call was refused |
//! | [`mates`] | how to wait for, wake and read the other ranks; the engine's and (in tests) threads |
//! | [`rescue`] | messages for a rank that may not read its mates' memory |
//! | [`barrier`], [`bcast`], [`allreduce`] | small: everyone posts, readers read |
//! | [`star`], [`two_shot`] | large: post an address, the others read it with `process_vm_readv` |
//! | [`halves`] | sender and receiver work on one message from its two ends |
//! | [`entry`] | the engine's doors; what is not for this folder goes on as a schedule |

mod allreduce;
mod area;
mod barrier;
mod bcast;
mod call;
mod entry;
mod halves;
mod mates;
mod note;
mod rescue;
mod star;
#[cfg(test)]
mod tests;
mod two_shot;

use super::schedule::Ground;

/// How a call was, or is to be, served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It is done.
    Done,
    /// By a schedule; where all ranks know the buffers to lie.
    Schedule(Ground),
}

pub use entry::{allreduce, announce, awaited, barrier, bcast, last_ground, reduce, refuse, refused};
