// SPDX-License-Identifier: MIT OR Apache-2.0
//! Kinds whose value is all there is.

use std::ffi::{c_int, c_void};

use super::value;
use crate::abi::{Aint, Fint};
use crate::mark::{FORTRAN, INTEGERS};

/// What an address of Fortran's points to.
///
/// # Safety
/// Fortran passed the address of a value.
#[inline(always)]
pub(super) unsafe fn at<T: Copy>(f: *const T) -> T {
    // SAFETY: by this function's contract.
    unsafe { *f }
}

/// A function with its mark; none stays none.
fn marked(f: *mut c_void, mark: usize) -> *mut c_void {
    if f.is_null() { f } else { f.map_addr(|address| address | mark) }
}

value!(Count Int Length Rank Tag Threading SplitType Order TypeClass ErrorCode FileMode WindowAssert LockType Whence IntAint Level Flag:
    *const Fint => c_int, at |n| n);
value!(Aint64 AintCount Offset Count64: *const Aint => i64, at |n| n);
value!(Keyval: *const Fint => c_int, at |n| A::keyval(n));

value!(OutInt InOutInt OutCount OutRank OutTag OutComparison OutTopology OutCombiner OutErrorCode OutThreading OutKeyval InOutKeyval
    InOutCount OutFileMode OutIntAint OutFlag OutDone OutInts OutRanks InOutInts OutContents RawInts: *mut Fint => *mut c_int, |f| f);
value!(Ints Counts Displs Ranks Distributions DistributionArguments Ranges: *const Fint => *const c_int, |f| f);
value!(Aints AintCounts: *const Aint => *const i64, |f| f);
value!(OutAint OutAintCount OutOffset OutCount64 InOutAintCount OutAints OutPointer: *mut Aint => *mut i64, |f| f);

value!(Buf OutBuf Location: *const c_void => *mut c_void, |f| A::buffer(f));
value!(Weights OutWeights: *mut Fint => *mut c_int, |f| A::weights(f));
value!(Address RawArgv RawArgvs: *mut c_void => *mut c_void, |f| f);

// Extra state and values of attributes: numbers here, pointers that nobody follows in C.
value!(Pointer: *const Aint => *mut c_void, at |n| std::ptr::without_provenance_mut(n as usize));
value!(OldPointer: *const Fint => *mut c_void, at |n| std::ptr::without_provenance_mut(n as isize as usize));
// Before MPI 2 addresses and distances were INTEGERs.
value!(OldAint: *const Fint => i64, at |n| i64::from(n));

value!(UserFn CommCopyFn CommDeleteFn TypeCopyFn TypeDeleteFn WinCopyFn WinDeleteFn HandlerFn CommHandlerFn FileHandlerFn WinHandlerFn
    SessionHandlerFn QueryFn FreeFn CancelFn ConversionFn ExtentFn: *mut c_void => *mut c_void, |f| marked(f, FORTRAN));
value!(CopyFn DeleteFn: *mut c_void => *mut c_void, |f| marked(f, FORTRAN | INTEGERS));
