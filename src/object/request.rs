// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests: what nonblocking calls hand out. Wait and test in all forms live here.

use super::constant::Handle;
use super::error::Result;
use super::status::Status;

/// Something that goes on in the background and is moved forward by [`crate::progress`]: a nonblocking collective,
/// a persistent one, a generalized request.
pub trait Active: Send {
    /// Moves forward as far as it can without waiting. `Some` when complete.
    fn advance(&mut self) -> Option<Result<Status>>;
}

/// A request for an operation that [`crate::progress`] advances.
pub fn start(_active: Box<dyn Active>) -> Handle {
    todo!()
}

/// A request that is already complete (immediate operations with nothing to do).
pub fn completed(_status: Status) -> Handle {
    todo!()
}
