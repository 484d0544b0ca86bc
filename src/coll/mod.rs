// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collectives. The map:
//!
//! | | |
//! |---|---|
//! | [`schedule`] | the language of algorithms: six verbs over places, and how a schedule unfolds |
//! | [`registry`] | a row an algorithm |
//! | [`tuning`] | the table that chooses |
//! | [`plan`] | schedules kept for the next call · [`scratch`] memory kept for it |
//! | [`bind`] | places to typed memory · [`areas`] scratch of one run |
//! | [`drive`] | runs a schedule: blocking, in the background |
//! | `said`, `patience` | what ranks say of their calls, and when they ask: ranks whose calls differ wait for each other |
//! | [`call`] | what the entries of MPI share: checks of arguments, from a call to a run |
//! | [`refusal`] | one rank's call is refused: the others hear of it |
//! | [`reduction`] | the same for the collectives that reduce |
//! | `check` (tests) | all ranks in one thread: every registered algorithm is proven there |
//! | [`barrier`] [`bcast`] [`reduce`] [`allreduce`] [`gather`] [`scatter`] [`allgather`] [`alltoall`] [`reduce_scatter`] [`scan`] [`neighbor`] | a folder a collective, a file an algorithm |
//! | [`sides`], [`aside`] | what the collectives that move data share: their arguments; input in the way of output |
//! | [`group`] | what the algorithms between groups share: steps inside one |
//! | [`forms`] | blocking, nonblocking and persistent form from one function |
//! | [`node`] | algorithms that live in the shared segment, for small calls |

pub mod allgather;
pub mod allreduce;
pub mod alltoall;
mod areas;
pub mod aside;
pub mod barrier;
pub mod bcast;
pub mod bind;
pub mod call;
#[cfg(test)]
mod check;
pub mod drive;
pub mod forms;
pub mod gather;
pub mod group;
pub mod neighbor;
pub mod node;
mod patience;
pub mod plan;
pub mod reduce;
pub mod reduce_scatter;
pub mod reduction;
pub mod refusal;
pub mod registry;
mod said;
pub mod scan;
pub mod scatter;
pub mod schedule;
pub mod scratch;
pub mod sides;
pub mod tuning;
