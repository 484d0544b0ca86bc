// SPDX-License-Identifier: MIT OR Apache-2.0
//! Predefined copy and delete functions of attributes (MPI 5.0, section 7.7), which programs pass by name, and what goes with them.

use std::ffi::c_void;

use crate::abi::{Aint, Fint};

/// A value of an attribute.
pub trait Value: Copy {}
impl Value for Fint {}
impl Value for Aint {}

/// Copies nothing: `MPI_NULL_COPY_FN` and its kin.
///
/// # Safety
/// `flag` and `error` are addresses of integers.
pub unsafe fn no_copy(flag: *mut Fint, error: *mut Fint) {
    // SAFETY: by this function's contract.
    unsafe { (*flag, *error) = (0, 0) };
}

/// Copies the value: `MPI_DUP_FN` and its kin.
///
/// # Safety
/// All are addresses of what Fortran declares.
pub unsafe fn copy<V: Value>(value: *const V, out: *mut V, flag: *mut Fint, error: *mut Fint) {
    // SAFETY: by this function's contract.
    unsafe { (*out, *flag, *error) = (*value, 1, 0) };
}

/// The type of an argument that is not looked at.
pub type Unused = *const c_void;
