// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fortran's functions of the Open MPI face, `libmpi_mpifh.so.40`: for `include 'mpif.h'` and `use mpi`, and for Open MPI's library of `use mpi_f08`,
//! which calls them as `ompi_send_f` and so on.
//!
//! | file | what |
//! |---|---|
//! | [`data`] | the common blocks of `mpif.h`, whose addresses are `MPI_BOTTOM` and its kin |
//! | [`handle`] | handles by the integers that C's library gives them |
//!
//! The functions come from the rows of `src/api/table`.

pub mod data;
pub mod handle;

use std::ffi::{c_int, c_void};

use paceline_fortran::abi::WindowValue;
use paceline_fortran::{Abi, Fint, Object};

/// Open MPI, seen from Fortran.
pub struct Face;

impl Abi for Face {
    type Handle = *mut c_void;
    const NO_HANDLE: *mut c_void = std::ptr::null_mut();
    const STATUS_IGNORE: usize = 0;
    const IN_PLACE: usize = 1;
    const ERR_IN_STATUS: c_int = 18;
    const CART: c_int = 1;
    const GRAPH: c_int = 2;
    const DIST_GRAPH: c_int = 3;
    const STATUS_SIZE: usize = 6;

    #[inline(always)]
    fn handle_in(object: Object, integer: Fint) -> *mut c_void {
        handle::to_c(object, integer)
    }

    #[inline(always)]
    fn handle_out(object: Object, c: *mut c_void) -> Fint {
        handle::from_c(object, c)
    }

    #[inline(always)]
    fn buffer(f: *const c_void) -> *mut c_void {
        match f {
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
        data::ignores(f.cast())
    }

    fn is_predefined(keyval: c_int) -> bool {
        (0..=6).contains(&keyval)
    }

    fn of_window(keyval: c_int) -> Option<WindowValue> {
        match keyval {
            7 => Some(WindowValue::Itself),
            8 => Some(WindowValue::Aint),
            9..=11 => Some(WindowValue::Int),
            _ => None,
        }
    }

    paceline_fortran::questions!(*mut c_void);
}

/// The functions.
mod rows {
    #[allow(unused_imports)]
    use paceline_fortran::attribute::{Unused, copy, no_copy};
    include!(concat!(env!("OUT_DIR"), "/rows.rs"));
}
