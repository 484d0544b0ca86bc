// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fortran's integers of handles: Open MPI's own for predefined objects (`mpif-handles.h`), the engine's handle for the
//! others; and the few functions with Fortran's calling sequence that `libmpi.so.40` itself exports.

use std::ffi::c_void;

use paceline::api::kind::Object;
use paceline::object::constant::{self, Handle};
use paceline::object::environment;

use crate::data::{FORTRAN, PREDEFINED};
use crate::types::Fint;

/// Integers of predefined objects are below this.
const INTEGERS: usize = 128;

/// By the engine's handle: the integer of a predefined object, or -1.
static INTEGER_OF: [i16; PREDEFINED] = {
    let mut table = [-1; PREDEFINED];
    let mut i = 0;
    while i < FORTRAN.len() {
        if FORTRAN[i].2 >= 0 {
            table[FORTRAN[i].1 as usize] = FORTRAN[i].2 as i16;
        }
        i += 1;
    }
    table
};

/// By kind and integer: the handle of a predefined object, or 0.
static HANDLE_OF: [[u16; INTEGERS]; Object::Keyval as usize] = {
    let mut table = [[0; INTEGERS]; Object::Keyval as usize];
    let mut i = 0;
    while i < FORTRAN.len() {
        if FORTRAN[i].2 >= 0 {
            table[FORTRAN[i].0 as usize][FORTRAN[i].2 as usize] = FORTRAN[i].1 as u16;
        }
        i += 1;
    }
    table
};

/// Fortran's integer of a handle; -1 for what is no handle.
#[inline(always)]
pub fn from_handle(_object: Object, handle: Handle) -> Fint {
    match INTEGER_OF.get(handle as usize) {
        Some(&own) if own >= 0 => Fint::from(own),
        _ if handle == 0 => -1,
        _ => handle as Fint,
    }
}

/// The handle of Fortran's integer. Predefined objects without an integer of their own keep their handle, which is above all of them.
#[inline(always)]
pub fn to_handle(object: Object, integer: Fint) -> Handle {
    match HANDLE_OF[object as usize].get(integer as usize) {
        Some(&own) if own != 0 => Handle::from(own),
        _ if integer < 0 => null(object),
        _ => integer as Handle,
    }
}

/// The null handle, which Open MPI gives for what is no handle of Fortran's.
fn null(object: Object) -> Handle {
    match object {
        Object::Comm => constant::COMM_NULL,
        Object::Group => constant::GROUP_NULL,
        Object::Datatype => constant::DATATYPE_NULL,
        Object::Op => constant::OP_NULL,
        Object::Request => constant::REQUEST_NULL,
        Object::Info => constant::INFO_NULL,
        Object::Errhandler => constant::ERRHANDLER_NULL,
        Object::Message => constant::MESSAGE_NULL,
        Object::Session => constant::SESSION_NULL,
        Object::Win => constant::WIN_NULL,
        Object::File => constant::FILE_NULL,
        Object::Keyval => 0,
    }
}

const _: () = assert!(constant::OP_NULL < PREDEFINED as Handle);

/// Copy, null-copy and delete functions as Fortran passes them: every argument by address, the error code last.
macro_rules! attribute_functions {
    ($($null:ident $dup:ident $delete:ident: $value:ty;)*) => {$(
        /// Copies nothing.
        ///
        /// # Safety
        /// All are addresses of what Fortran declares.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub unsafe extern "C" fn $null(
            _: *const Fint, _: *const Fint, _: *const c_void, _: *const $value, _: *mut $value, flag: *mut Fint, error: *mut Fint,
        ) {
            // SAFETY: by this function's contract.
            unsafe { (*flag, *error) = (0, 0) };
        }

        /// Copies the value.
        ///
        /// # Safety
        /// All are addresses of what Fortran declares.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub unsafe extern "C" fn $dup(
            _: *const Fint, _: *const Fint, _: *const c_void, value: *const $value, out: *mut $value, flag: *mut Fint, error: *mut Fint,
        ) {
            // SAFETY: by this function's contract.
            unsafe { (*out, *flag, *error) = (*value, 1, 0) };
        }

        /// Deletes nothing.
        ///
        /// # Safety
        /// All are addresses of what Fortran declares.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub unsafe extern "C" fn $delete(_: *const Fint, _: *const Fint, _: *const $value, _: *const c_void, error: *mut Fint) {
            // SAFETY: by this function's contract.
            unsafe { *error = 0 };
        }
    )*};
}

attribute_functions! {
    MPI_NULL_COPY_FN MPI_DUP_FN MPI_NULL_DELETE_FN: Fint;
    MPI_COMM_NULL_COPY_FN MPI_COMM_DUP_FN MPI_COMM_NULL_DELETE_FN: i64;
    MPI_TYPE_NULL_COPY_FN MPI_TYPE_DUP_FN MPI_TYPE_NULL_DELETE_FN: i64;
    MPI_WIN_NULL_COPY_FN MPI_WIN_DUP_FN MPI_WIN_NULL_DELETE_FN: i64;
}

/// The conversion function of `MPI_Register_datarep` that is never called.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub extern "C" fn MPI_CONVERSION_FN_NULL() {}

/// `MPI_WTIME` of Fortran 90.
///
/// # Safety
/// `out` is the address of a `DOUBLE PRECISION`.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn MPI_WTIME_F90(out: *mut f64) {
    // SAFETY: by this function's contract.
    unsafe { *out = environment::wtime() };
}

/// `MPI_WTICK` of Fortran 90.
///
/// # Safety
/// `out` is the address of a `DOUBLE PRECISION`.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn MPI_WTICK_F90(out: *mut f64) {
    // SAFETY: by this function's contract.
    unsafe { *out = environment::wtick() };
}

/// `MPI_AINT_ADD` of Fortran 90.
///
/// # Safety
/// All are addresses of address-sized integers.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn MPI_AINT_ADD_F90(base: *const i64, distance: *const i64, out: *mut i64) {
    // SAFETY: by this function's contract.
    unsafe { *out = environment::aint_add(*base, *distance) };
}

/// `MPI_AINT_DIFF` of Fortran 90.
///
/// # Safety
/// All are addresses of address-sized integers.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn MPI_AINT_DIFF_F90(one: *const i64, other: *const i64, out: *mut i64) {
    // SAFETY: by this function's contract.
    unsafe { *out = environment::aint_diff(*one, *other) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_come_back_as_the_same_handle() {
        for &(object, handle, _) in FORTRAN {
            assert_eq!(to_handle(object, from_handle(object, handle)), handle, "{object:?} {handle:#x}");
        }
        let dynamic = (Object::Comm as u32) << 27 | 0x400;
        assert_eq!(to_handle(Object::Comm, from_handle(Object::Comm, dynamic)), dynamic);
    }

    #[test]
    fn integers_are_those_of_open_mpi() {
        assert_eq!(from_handle(Object::Comm, constant::COMM_WORLD), 0);
        assert_eq!(from_handle(Object::Datatype, constant::INTEGER), 7);
        assert_eq!(to_handle(Object::Op, 3), constant::SUM);
    }
}
