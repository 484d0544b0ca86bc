// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fortran's functions of the face of MPICH, `libmpifort.so.12` (Debian: `libmpichfort.so.12`). Handles are the same integers as in C.
//!
//! | file | what |
//! |---|---|
//! | [`data`] | the common blocks of `mpif.h`, whose addresses are `MPI_BOTTOM` and its kin |
//! | [`module`] | what MPICH's modules for `use mpi` take from the library |
//!
//! The functions come from the rows of `src/api/table`.

pub mod data;
pub mod module;

use std::ffi::{c_int, c_void};

use paceline_fortran::abi::WindowValue;
use paceline_fortran::{Abi, Fint, Object};

/// MPICH, seen from Fortran.
pub struct Face;

/// The first of C's keys of communicators' own attributes, and what is behind the last (`mpi.h`).
const PREDEFINED: std::ops::Range<c_int> = 0x6440_0001..0x6440_0010;
/// The same of windows.
const OF_WINDOW: std::ops::Range<c_int> = 0x6600_0001..0x6600_000c;

impl Abi for Face {
    type Handle = c_int;
    const NO_HANDLE: c_int = c_int::MIN;
    const STATUS_IGNORE: usize = 1;
    const IN_PLACE: usize = usize::MAX;
    const ERR_IN_STATUS: c_int = 17;
    const CART: c_int = 2;
    const GRAPH: c_int = 1;
    const DIST_GRAPH: c_int = 3;
    const STATUS_SIZE: usize = 5;

    #[inline(always)]
    fn handle_in(_: Object, integer: Fint) -> c_int {
        integer
    }

    #[inline(always)]
    fn handle_out(_: Object, c: c_int) -> Fint {
        c
    }

    #[inline(always)]
    fn buffer(f: *const c_void) -> *mut c_void {
        match f.cast() {
            f if f == data::bottom() => std::ptr::null_mut(),
            f if f == data::in_place() => std::ptr::without_provenance_mut(Self::IN_PLACE),
            _ => f.cast_mut(),
        }
    }

    fn weights(f: *mut Fint) -> *mut c_int {
        data::weights(f)
    }

    #[inline(always)]
    fn ignores(f: *const Fint) -> bool {
        f == data::status_ignore() || f == data::statuses_ignore()
    }

    /// Fortran's keys of MPI's own attributes are C's and 1 more.
    fn keyval(f: Fint) -> c_int {
        let c = f.wrapping_sub(1);
        if PREDEFINED.contains(&c) || OF_WINDOW.contains(&c) { c } else { f }
    }

    fn is_predefined(keyval: c_int) -> bool {
        PREDEFINED.contains(&keyval)
    }

    fn of_window(keyval: c_int) -> Option<WindowValue> {
        match keyval {
            0x6600_0001 => Some(WindowValue::Itself),
            0x6600_0003 => Some(WindowValue::Aint),
            0x6600_0005 | 0x6600_0007 | 0x6600_0009 => Some(WindowValue::Int),
            _ => None,
        }
    }

    paceline_fortran::questions!(c_int);
}

/// The functions.
mod rows {
    #[allow(unused_imports)]
    use paceline_fortran::attribute::{Unused, copy, no_copy};
    include!(concat!(env!("OUT_DIR"), "/rows.rs"));
}
