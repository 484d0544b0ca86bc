// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statuses, both ways.

use paceline::api::kind::Word;
use paceline::object::status::Status;

use crate::constant::{word_in, word_out};
use crate::types;

/// The empty status.
pub const EMPTY: types::Status = types::Status { source: -1, tag: -1, error: 0, cancelled: 0, bytes: 0 };

/// Writes a status; its error field only when `error`.
///
/// # Safety
/// `c` points to a status that may be written.
#[inline(always)]
pub unsafe fn to_c(status: &Status, c: *mut types::Status, error: bool) {
    // SAFETY: by this function's contract.
    unsafe {
        (*c).source = word_out(Word::Rank, status.source);
        (*c).tag = word_out(Word::Tag, status.tag);
        (*c).cancelled = i32::from(status.cancelled);
        (*c).bytes = status.bytes as usize;
        if error {
            (*c).error = word_out(Word::Error, status.error);
        }
    }
}

/// Reads a status.
#[inline(always)]
pub fn from_c(c: &types::Status) -> Status {
    Status {
        source: word_in(Word::Rank, c.source),
        tag: word_in(Word::Tag, c.tag),
        error: word_in(Word::Error, c.error),
        cancelled: c.cancelled != 0,
        bytes: c.bytes as i64,
    }
}
