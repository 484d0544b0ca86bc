// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statuses, both ways.

use paceline::api::kind::Word;
use paceline::object::status::Status;

use crate::constant::{word_in, word_out};
use crate::types;

/// Writes a status; its error field only when `error`.
///
/// # Safety
/// `c` points to a status that may be written.
#[inline(always)]
pub unsafe fn to_c(status: &Status, c: *mut types::Status, error: bool) {
    // SAFETY: by this function's contract.
    unsafe {
        (*c).count_low = status.bytes as u32;
        (*c).count_high_and_cancelled = (status.bytes >> 31) as u32 & !1 | u32::from(status.cancelled);
        (*c).source = word_out(Word::Rank, status.source);
        (*c).tag = word_out(Word::Tag, status.tag);
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
        cancelled: c.count_high_and_cancelled & 1 != 0,
        bytes: i64::from(c.count_high_and_cancelled >> 1) << 32 | i64::from(c.count_low),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_32_bits_go_both_ways() {
        for bytes in [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 3 << 30, i64::MAX] {
            let status = Status { source: 3, tag: 4, error: 0, cancelled: bytes == 1, bytes };
            let mut c = types::Status { count_low: 0, count_high_and_cancelled: 0, source: 0, tag: 0, error: 0 };
            // SAFETY: a local.
            unsafe { to_c(&status, &mut c, true) };
            assert_eq!(from_c(&c), status);
        }
    }
}
