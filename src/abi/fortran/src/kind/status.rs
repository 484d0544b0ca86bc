// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statuses: the bytes are C's, but an array of `INTEGER`s may lie where C does not allow a status.

use std::ffi::c_int;
use std::ptr;

use smallvec::SmallVec;

use super::Kind;
use crate::abi::{Abi, Fint};

/// Room for a status of any face, aligned as C wants it.
#[repr(C, align(8))]
#[derive(Clone, Copy)]
pub struct Room([Fint; 6]);

impl Room {
    const EMPTY: Room = Room([0; 6]);
}

/// A status during a call; null where Fortran ignores it.
pub struct One {
    f: *mut Fint,
    room: Room,
}

/// Reads one.
///
/// # Safety
/// `f` is a sentinel or points to a status.
#[inline(always)]
unsafe fn read<A: Abi>(f: *const Fint) -> One {
    let mut one = One { f: ptr::null_mut(), room: Room::EMPTY };
    if !f.is_null() && !A::ignores(f) {
        one.f = f.cast_mut();
        // SAFETY: by this function's contract; the room is large enough.
        unsafe { ptr::copy_nonoverlapping(f, one.room.0.as_mut_ptr(), A::STATUS_SIZE) };
    }
    one
}

#[inline(always)]
fn lend<A: Abi>(one: &mut One) -> *mut Fint {
    if one.f.is_null() { ptr::without_provenance_mut(A::STATUS_IGNORE) } else { one.room.0.as_mut_ptr() }
}

/// Writes it back.
///
/// # Safety
/// It was read from Fortran's status.
#[inline(always)]
unsafe fn write<A: Abi>(one: One) {
    if !one.f.is_null() {
        // SAFETY: by this function's contract.
        unsafe { ptr::copy_nonoverlapping(one.room.0.as_ptr(), one.f, A::STATUS_SIZE) };
    }
}

/// A status that C writes, and one that it reads and writes: what it leaves stays.
macro_rules! written {
    ($($name:ident)+) => {$(
        #[doc = concat!("`", stringify!($name), "` of the table.")]
        pub struct $name;
        impl<A: Abi> Kind<A> for $name {
            type F = *mut Fint;
            type C = *mut Fint;
            type Held = One;
            #[inline(always)]
            unsafe fn open(f: *mut Fint, _: usize) -> One {
                // SAFETY: Fortran passed a status.
                unsafe { read::<A>(f) }
            }
            #[inline(always)]
            fn lend(held: &mut One) -> *mut Fint {
                lend::<A>(held)
            }
            #[inline(always)]
            unsafe fn give(held: One, _: c_int) {
                // SAFETY: as above.
                unsafe { write::<A>(held) };
            }
        }
    )+};
}
written!(OutStatus InOutStatus);

/// A status that C reads.
pub struct InStatus;
impl<A: Abi> Kind<A> for InStatus {
    type F = *const Fint;
    type C = *mut Fint;
    type Held = One;
    unsafe fn open(f: *const Fint, _: usize) -> One {
        // SAFETY: Fortran passed a status.
        unsafe { read::<A>(f) }
    }
    fn lend(held: &mut One) -> *mut Fint {
        lend::<A>(held)
    }
}

/// An array of statuses out.
pub struct OutStatuses;

/// The array during a call: a copy where Fortran's lies as C does not allow it.
pub struct Many {
    f: *mut Fint,
    copy: SmallVec<[u64; 24]>,
    len: usize,
}

impl<A: Abi> Kind<A> for OutStatuses {
    type F = *mut Fint;
    type C = *mut Fint;
    type Held = Many;
    unsafe fn open(f: *mut Fint, len: usize) -> Many {
        if A::ignores(f) {
            return Many { f: ptr::null_mut(), copy: SmallVec::new(), len };
        }
        let mut copy: SmallVec<[u64; 24]> = SmallVec::new();
        if !f.cast::<Room>().is_aligned() && len > 0 {
            copy = SmallVec::from_elem(0, (len * A::STATUS_SIZE).div_ceil(2));
            // SAFETY: Fortran passed that many statuses; the copy has room for them.
            unsafe { ptr::copy_nonoverlapping(f, copy.as_mut_ptr().cast::<Fint>(), len * A::STATUS_SIZE) };
        }
        Many { f, copy, len }
    }
    fn lend(held: &mut Many) -> *mut Fint {
        match held {
            Many { f, .. } if f.is_null() => ptr::without_provenance_mut(A::STATUS_IGNORE),
            Many { f, copy, .. } if copy.is_empty() => *f,
            Many { copy, .. } => copy.as_mut_ptr().cast(),
        }
    }
    unsafe fn give(held: Many, _: c_int) {
        if !held.copy.is_empty() {
            // SAFETY: as in `open`.
            unsafe { ptr::copy_nonoverlapping(held.copy.as_ptr().cast::<Fint>(), held.f, held.len * A::STATUS_SIZE) };
        }
    }
}
