// SPDX-License-Identifier: MIT OR Apache-2.0
//! The user's operations (MPI 5.0, section 6.9.5), called through the face's trampolines.

use crate::object::callback;
use crate::object::datatype::Datatype;

/// Elements in one call of a function whose length is an `int`.
const INT_MAX: i64 = i32::MAX as i64;

/// `inout = input op inout`; counts beyond `int` are cut for functions that take one.
///
/// # Safety
/// Both addresses must hold `count` elements.
pub unsafe fn call(function: usize, large: bool, datatype: &Datatype, count: i64, input: *const u8, inout: *mut u8) {
    let most = if large { i64::MAX } else { INT_MAX };
    let mut done = 0;
    while done < count {
        let now = (count - done).min(most);
        let at = (done * datatype.extent) as isize;
        let (input, inout) = (input.cast_mut().wrapping_offset(at), inout.wrapping_offset(at));
        callback::face().op(function, large, input, inout, now, datatype.handle);
        done += now;
    }
}

/// `out = out op right`: the function writes its right operand, so that one is copied first.
///
/// # Safety
/// Both addresses must hold `count` elements.
pub unsafe fn call_left(function: usize, large: bool, datatype: &Datatype, count: i64, right: *const u8, out: *mut u8) {
    let (low, len) = span(datatype, count);
    let mut copy = vec![0u128; len.div_ceil(16)];
    let base = copy.as_mut_ptr().cast::<u8>().wrapping_offset(-low);
    // SAFETY: `copy` spans the lowest to the highest byte of `count` elements; the others are the caller's promise.
    unsafe {
        datatype.copy(count, right, base);
        call(function, large, datatype, count, out, base);
        datatype.copy(count, base, out);
    }
}

/// Lowest byte of data of `count` elements relative to their address, and bytes up to the highest.
fn span(datatype: &Datatype, count: i64) -> (isize, usize) {
    let last = (count - 1) * datatype.extent;
    let low = datatype.true_lb + last.min(0);
    let high = datatype.true_lb + datatype.true_extent + last.max(0);
    (low as isize, (high - low).max(0) as usize)
}
