// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers that Fortran has otherwise than C: indices from 1, addresses in `INTEGER`s, a buffer's address that is not told.

use std::ffi::c_int;
use std::{ptr, slice};

use smallvec::SmallVec;

use super::Kind;
use super::scalar::at;
use crate::abi::{Abi, Aint, Fint};

/// What C does not write as an index.
const UNTOUCHED: c_int = c_int::MIN;

/// Which request is complete, from 1; `MPI_UNDEFINED` stays.
pub struct OutIndex;
impl<A: Abi> Kind<A> for OutIndex {
    type F = *mut Fint;
    type C = *mut c_int;
    type Held = (*mut Fint, c_int);
    unsafe fn open(f: *mut Fint, _: usize) -> Self::Held {
        (f, UNTOUCHED)
    }
    fn lend(held: &mut Self::Held) -> *mut c_int {
        &mut held.1
    }
    unsafe fn give((f, index): Self::Held, _: c_int) {
        if index != UNTOUCHED {
            // SAFETY: Fortran passed the address of an integer.
            unsafe { *f = if index >= 0 { index + 1 } else { index } };
        }
    }
}

/// Which requests are complete, from 1. `with` is the address of their number, which C writes.
pub struct OutIndices;
impl<A: Abi> Kind<A> for OutIndices {
    type F = *mut Fint;
    type C = *mut c_int;
    type Held = (*mut Fint, usize);
    unsafe fn open(f: *mut Fint, with: usize) -> Self::Held {
        (f, with)
    }
    fn lend(held: &mut Self::Held) -> *mut c_int {
        held.0
    }
    unsafe fn give((f, with): Self::Held, code: c_int) {
        if code != 0 && code != A::ERR_IN_STATUS {
            // C wrote neither indices nor their number.
            return;
        }
        // SAFETY: Fortran passed the address of an integer as `outcount`.
        let count = unsafe { *ptr::with_exposed_provenance::<Fint>(with) };
        if count > 0 {
            // SAFETY: C wrote that many indices.
            unsafe { slice::from_raw_parts_mut(f, count as usize) }.iter_mut().for_each(|index| *index += 1);
        }
    }
}

/// Addresses and distances in `INTEGER`s, as before MPI 2.
pub struct OldAints;
impl<A: Abi> Kind<A> for OldAints {
    type F = *const Fint;
    type C = *const i64;
    type Held = SmallVec<[i64; 16]>;
    unsafe fn open(f: *const Fint, len: usize) -> Self::Held {
        match len {
            0 => SmallVec::new(),
            // SAFETY: Fortran passed that many integers.
            _ => unsafe { slice::from_raw_parts(f, len) }.iter().map(|&n| i64::from(n)).collect(),
        }
    }
    fn lend(held: &mut Self::Held) -> *const i64 {
        held.as_ptr()
    }
}

/// An address or distance out as an `INTEGER`: what fits of it.
pub struct OldOutAint;
impl<A: Abi> Kind<A> for OldOutAint {
    type F = *mut Fint;
    type C = *mut Aint;
    type Held = (*mut Fint, Aint);
    unsafe fn open(f: *mut Fint, _: usize) -> Self::Held {
        // SAFETY: Fortran passed the address of an integer.
        (f, Aint::from(unsafe { at(f) }))
    }
    fn lend(held: &mut Self::Held) -> *mut Aint {
        &mut held.1
    }
    unsafe fn give((f, value): Self::Held, _: c_int) {
        // SAFETY: Fortran passed the address of an integer.
        unsafe { *f = value as Fint };
    }
}

/// The address of a buffer that C tells and Fortran does not want: the argument is there for the buffer itself.
pub struct OutBuffer;
impl<A: Abi> Kind<A> for OutBuffer {
    type F = *mut Fint;
    type C = *mut usize;
    type Held = usize;
    unsafe fn open(_: *mut Fint, _: usize) -> usize {
        0
    }
    fn lend(held: &mut usize) -> *mut usize {
        held
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{Object, WindowValue};
    use std::ffi::c_void;

    struct Face;

    impl Abi for Face {
        type Handle = c_int;
        const NO_HANDLE: c_int = -1;
        const STATUS_IGNORE: usize = 0;
        const IN_PLACE: usize = 1;
        const ERR_IN_STATUS: c_int = 18;
        const CART: c_int = 1;
        const GRAPH: c_int = 2;
        const DIST_GRAPH: c_int = 3;
        const STATUS_SIZE: usize = 6;
        fn handle_in(_: Object, integer: Fint) -> c_int {
            integer
        }
        fn handle_out(_: Object, c: c_int) -> Fint {
            c
        }
        fn buffer(f: *const c_void) -> *mut c_void {
            f.cast_mut()
        }
        fn weights(f: *mut Fint) -> *mut c_int {
            f
        }
        fn ignores(_: *const Fint) -> bool {
            false
        }
        fn is_predefined(_: c_int) -> bool {
            false
        }
        fn of_window(_: c_int) -> Option<WindowValue> {
            None
        }
        unsafe fn peers(_: c_int) -> usize {
            0
        }
        unsafe fn degrees(_: c_int) -> (usize, usize) {
            (0, 0)
        }
    }

    /// The indices 0 and 2 and their number as C leaves them with `code`, then as Fortran sees them.
    fn indices(code: c_int, mut number: Fint) -> [Fint; 3] {
        let mut all = [0, 2, 9];
        // SAFETY: the addresses are of locals.
        unsafe {
            let held = <OutIndices as Kind<Face>>::open(all.as_mut_ptr(), (&raw mut number).expose_provenance());
            <OutIndices as Kind<Face>>::give(held, code);
        }
        all
    }

    #[test]
    fn indices_count_from_1_where_c_wrote_any() {
        assert_eq!(indices(0, 2), [1, 3, 9]);
        assert_eq!(indices(18, 2), [1, 3, 9]);
        assert_eq!(indices(0, -32766), [0, 2, 9]);
        assert_eq!(indices(2, 3), [0, 2, 9], "a failed call leaves the number undefined");
    }

    #[test]
    fn an_index_that_c_did_not_write_or_that_is_undefined_stays() {
        for (written, seen) in [(None, 5), (Some(0), 1), (Some(-32766), -32766)] {
            let mut f = 5;
            // SAFETY: the address is of a local.
            unsafe {
                let mut held = <OutIndex as Kind<Face>>::open(&mut f, 0);
                written.into_iter().for_each(|index| *<OutIndex as Kind<Face>>::lend(&mut held) = index);
                <OutIndex as Kind<Face>>::give(held, 0);
            }
            assert_eq!(f, seen);
        }
    }
}
