// SPDX-License-Identifier: MIT OR Apache-2.0
//! Groups: ordered sets of processes.

/// A group: rank → number of the process in the job.
pub struct Group {
    /// Job-wide process numbers, by rank.
    pub members: Vec<u32>,
}
