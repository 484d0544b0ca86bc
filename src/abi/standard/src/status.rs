// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statuses, both ways. Of the library's own fields the first says whether it was cancelled, the next two are the byte count.

use paceline::object::status::Status;

use crate::types;

/// The empty status.
pub const EMPTY: types::Status =
    types::Status { source: Status::EMPTY.source, tag: Status::EMPTY.tag, error: Status::EMPTY.error, internal: [0; 5] };

/// Writes a status; its error field only when `error`.
///
/// # Safety
/// `c` points to a status that may be written.
#[inline(always)]
pub unsafe fn to_c(status: &Status, c: *mut types::Status, error: bool) {
    // SAFETY: by this function's contract.
    unsafe {
        (*c).source = status.source;
        (*c).tag = status.tag;
        (*c).internal[0] = i32::from(status.cancelled);
        (*c).internal[1] = status.bytes as i32;
        (*c).internal[2] = (status.bytes >> 32) as i32;
        if error {
            (*c).error = status.error;
        }
    }
}

/// Reads a status.
#[inline(always)]
pub fn from_c(c: &types::Status) -> Status {
    Status {
        source: c.source,
        tag: c.tag,
        error: c.error,
        cancelled: c.internal[0] != 0,
        bytes: i64::from(c.internal[2]) << 32 | i64::from(c.internal[1] as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_32_bits_go_both_ways() {
        for bytes in [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 3 << 30, i64::MAX] {
            let status = Status { source: 3, tag: 4, error: 0, cancelled: bytes == 1, bytes };
            let mut c = EMPTY;
            // SAFETY: a local.
            unsafe { to_c(&status, &mut c, true) };
            assert_eq!(from_c(&c), status);
        }
    }
}
