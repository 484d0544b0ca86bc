// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bringing a process into the job and out of it: `MPI_Init` to `MPI_Finalize`, and `MPI_Abort`.

/// My number in the job.
pub fn rank() -> u32 {
    todo!()
}

/// How many processes the job has.
pub fn size() -> u32 {
    todo!()
}

/// Ends the job: says `text`, tells the launcher, never returns.
pub fn abort(_code: i32, _text: &str) -> ! {
    todo!()
}

/// Whether `MPI_Finalize` was called.
pub fn finalized() -> bool {
    false
}

/// Between `MPI_Init` and `MPI_Finalize`: what most calls demand. One load.
#[inline]
pub fn running() -> bool {
    false
}
