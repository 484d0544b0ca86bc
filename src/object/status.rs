// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a completed communication reports.

use super::constant::{ANY_SOURCE, ANY_TAG};
use super::error::Result;

/// The engine's status: source and tag in the standard ABI's values, `bytes` the packed bytes received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Rank of the sender in the communicator, or a sentinel.
    pub source: i32,
    /// The message's tag.
    pub tag: i32,
    /// Error code of this operation (meaningful in calls that complete several).
    pub error: i32,
    /// Whether the operation was cancelled.
    pub cancelled: bool,
    /// Packed bytes received.
    pub bytes: i64,
}

impl Status {
    /// What a call reports that completed nothing, for a null or inactive request: the empty status with its error field,
    /// which calls that complete one operation leave alone.
    pub const OF_NOTHING: Status = Status { error: i32::MIN, ..Status::EMPTY };

    /// The empty status (MPI 5.0, section 3.7.3).
    pub const EMPTY: Status = Status { source: ANY_SOURCE, tag: ANY_TAG, error: 0, cancelled: false, bytes: 0 };
}

impl Default for Status {
    fn default() -> Status {
        Status::EMPTY
    }
}

/// `MPI_Test_cancelled`.
pub fn test_cancelled(status: &Status, flag: &mut bool) -> Result<()> {
    *flag = status.cancelled;
    Ok(())
}

/// `MPI_Status_set_cancelled`.
pub fn set_cancelled(status: &mut Status, flag: bool) -> Result<()> {
    status.cancelled = flag;
    Ok(())
}

/// `MPI_Status_get_source`.
pub fn get_source(status: &Status, source: &mut i32) -> Result<()> {
    *source = status.source;
    Ok(())
}

/// `MPI_Status_get_tag`.
pub fn get_tag(status: &Status, tag: &mut i32) -> Result<()> {
    *tag = status.tag;
    Ok(())
}

/// `MPI_Status_get_error`.
pub fn get_error(status: &Status, error: &mut i32) -> Result<()> {
    *error = status.error;
    Ok(())
}

/// `MPI_Status_set_source`.
pub fn set_source(status: &mut Status, source: i32) -> Result<()> {
    status.source = source;
    Ok(())
}

/// `MPI_Status_set_tag`.
pub fn set_tag(status: &mut Status, tag: i32) -> Result<()> {
    status.tag = tag;
    Ok(())
}

/// `MPI_Status_set_error`.
pub fn set_error(status: &mut Status, error: i32) -> Result<()> {
    status.error = error;
    Ok(())
}
