// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small reductions: everyone posts its contribution, readers combine all of them in rank order. Every reader does the same
//! operations in the same order, so the result has the same bits everywhere, and non-commutative operations are right.

use smallvec::SmallVec;

use super::area::{Area, MOST_RANKS, SHEET, depth};
use super::call::Call;
use super::mates::Mates;
use crate::object::error::Result;
use crate::os;

/// Most bytes of a contribution, by ranks: it fits a post, and what a rank reads is less than two shots cost in system calls and
/// meetings (measured with 2, 4 and 8 ranks: the latter win from 128 KiB, or where each reads more than half a MiB).
pub fn most(ranks: usize) -> usize {
    const LARGEST: usize = 64 << 10;
    const READ: usize = 7 * LARGEST;
    (READ / (ranks - 1).max(1)).clamp(SHEET, LARGEST)
}

/// `out = all of them, in order`.
pub type AtOnce<'a> = &'a dyn Fn(&[*const u8], *mut u8);

/// How whole contributions are combined.
#[derive(Clone, Copy)]
pub struct Combine<'a> {
    /// `inout = input op inout`.
    pub two: &'a dyn Fn(*const u8, *mut u8),
    /// Where that is better than two by two (16-bit floats are rounded once).
    pub all: Option<AtOnce<'a>>,
}

/// Everyone gets the result.
///
/// # Safety
/// `input` and `result` hold `call.bytes` bytes; they may be the same.
pub unsafe fn all<M: Mates>(area: &Area<M>, call: &Call, input: *const u8, result: *mut u8, combine: Combine<'_>) -> Result<()> {
    let sequence = area.begin(depth(call.bytes as usize));
    // SAFETY: as promised by the caller.
    unsafe {
        post(area, sequence, call, input);
        area.ring_all();
        collect(area, sequence, call, result, combine)?;
    }
    area.end_known(sequence);
    Ok(())
}

/// Only the root gets the result; the others do not wait.
///
/// # Safety
/// As for [`all`]; `result` matters at the root only.
pub unsafe fn to_root<M: Mates>(
    area: &Area<M>,
    call: &Call,
    input: *const u8,
    result: *mut u8,
    combine: Combine<'_>,
) -> Result<()> {
    let depth = depth(call.bytes as usize);
    let sequence = area.begin(depth);
    let root = call.root as usize;
    // SAFETY: as promised by the caller.
    unsafe { post(area, sequence, call, input) };
    let mut outcome = Ok(());
    if area.rank == root {
        // SAFETY: the root's `result` is writable.
        outcome = unsafe { collect(area, sequence, call, result, combine) };
    } else {
        area.mates.ring(root);
    }
    area.end(sequence, depth);
    outcome
}

unsafe fn post<M: Mates>(area: &Area<M>, sequence: u64, call: &Call, input: *const u8) {
    let len = call.bytes as usize;
    // SAFETY: `input` holds the contribution; slots and sheets are large enough for `len` and apart from user memory.
    area.post(sequence, call, len, |to| unsafe { os::copy::copy(input, to, len) });
}

/// Two by two from the last rank down, so that each contribution is the left operand of what lies to its right.
unsafe fn collect<M: Mates>(area: &Area<M>, sequence: u64, call: &Call, result: *mut u8, combine: Combine<'_>) -> Result<()> {
    let len = call.bytes as usize;
    if let Some(all) = combine.all {
        let mut posts = SmallVec::<[*const u8; MOST_RANKS]>::new();
        for rank in 0..area.size {
            posts.push(area.read(sequence, rank, call)?.data(len));
        }
        all(&posts, result);
        return Ok(());
    }
    let last = area.read(sequence, area.size - 1, call)?;
    // SAFETY: both hold `len` bytes; posts lie in the segment, apart from user memory.
    unsafe { os::copy::copy(last.data(len), result, len) };
    for rank in (0..area.size - 1).rev() {
        (combine.two)(area.read(sequence, rank, call)?.data(len), result);
    }
    Ok(())
}
