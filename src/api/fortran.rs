// SPDX-License-Identifier: MIT OR Apache-2.0
//! User functions of Fortran (MPI 5.0, sections 6.9.5, 7.7, 9.3 and 14.2): every argument by address, the error code as the last. The
//! Fortran libraries mark their addresses ([`mark`](super::mark)). The `f` of each function here is such an address.

use std::ffi::{c_int, c_void};

use super::callback::function;
use super::kind::{Face, Object, Word};
use super::mark::{INTEGERS, unmarked};
use crate::object::constant::Handle;

type C = *mut c_void;
type OpFunction = unsafe extern "C" fn(*mut u8, *mut u8, *mut c_int, *mut i32);
type CopyFunction<V> = unsafe extern "C" fn(*mut i32, *mut i32, *mut V, *mut V, *mut V, *mut i32, *mut i32);
type DeleteFunction<V> = unsafe extern "C" fn(*mut i32, *mut i32, *mut V, *mut V, *mut i32);
type ErrorFunction = unsafe extern "C" fn(*mut i32, *mut i32, ...);
type QueryFunction = unsafe extern "C" fn(*mut i64, C, *mut i32);
type FreeFunction = unsafe extern "C" fn(*mut i64, *mut i32);
type CancelFunction = unsafe extern "C" fn(*mut i64, *mut i32, *mut i32);

/// An operation on at most `int` many elements.
///
/// # Safety
/// `f` is of an operation; `input` and `inout` are vectors of `len` elements of `datatype`.
pub unsafe fn op<F: Face>(f: usize, input: *mut u8, inout: *mut u8, mut len: c_int, datatype: Handle) {
    let mut datatype = F::integer_out(Object::Datatype, datatype);
    let call = function!(unmarked(f), OpFunction);
    // SAFETY: by this function's contract; the other addresses are of locals.
    unsafe { call(input, inout, &mut len, &mut datatype) };
}

/// What an attribute and the extra state are in Fortran: `INTEGER`s before MPI 2, address-sized since.
trait Value: Copy {
    fn of(word: usize) -> Self;
    fn word(self) -> usize;
}

impl Value for i32 {
    fn of(word: usize) -> i32 {
        word as i32
    }
    fn word(self) -> usize {
        self as isize as usize
    }
}

impl Value for i64 {
    fn of(word: usize) -> i64 {
        word as i64
    }
    fn word(self) -> usize {
        self as usize
    }
}

/// A copy function; what [`Callbacks::copy_attribute`](crate::object::callback::Callbacks::copy_attribute) returns.
///
/// # Safety
/// `f` is of a copy function.
pub unsafe fn copy_attribute<F: Face>(
    f: usize,
    kind: Object,
    object: Handle,
    keyval: i32,
    extra: usize,
    value: usize,
) -> (i32, usize, bool) {
    let (object, keyval) = (F::integer_out(kind, object), F::word_out(Word::Keyval, keyval));
    // SAFETY: by this function's contract; the mark says what its integers are.
    let (code, value, flag) = unsafe {
        match f & INTEGERS {
            0 => copy::<i64>(f, object, keyval, extra, value),
            _ => copy::<i32>(f, object, keyval, extra, value),
        }
    };
    (F::word_in(Word::Error, code), value, flag)
}

/// Calls one whose attributes are `V`.
///
/// # Safety
/// `f` is of a copy function of this kind.
unsafe fn copy<V: Value>(f: usize, mut object: i32, mut keyval: i32, extra: usize, value: usize) -> (i32, usize, bool) {
    let (mut extra, mut value, mut out, mut flag, mut code) = (V::of(extra), V::of(value), V::of(0), 0, 0);
    let call = function!(unmarked(f), CopyFunction<V>);
    // SAFETY: by this function's contract; all addresses are of locals.
    unsafe { call(&mut object, &mut keyval, &mut extra, &mut value, &mut out, &mut flag, &mut code) };
    (code, out.word(), flag != 0)
}

/// A delete function.
///
/// # Safety
/// `f` is of one.
pub unsafe fn delete_attribute<F: Face>(f: usize, kind: Object, object: Handle, keyval: i32, value: usize, extra: usize) -> i32 {
    let (object, keyval) = (F::integer_out(kind, object), F::word_out(Word::Keyval, keyval));
    // SAFETY: by this function's contract; the mark says what its integers are.
    let code = unsafe {
        match f & INTEGERS {
            0 => delete::<i64>(f, object, keyval, value, extra),
            _ => delete::<i32>(f, object, keyval, value, extra),
        }
    };
    F::word_in(Word::Error, code)
}

/// Calls one whose attributes are `V`.
///
/// # Safety
/// `f` is of a delete function of this kind.
unsafe fn delete<V: Value>(f: usize, mut object: i32, mut keyval: i32, value: usize, extra: usize) -> i32 {
    let (mut value, mut extra, mut code) = (V::of(value), V::of(extra), 0);
    let call = function!(unmarked(f), DeleteFunction<V>);
    // SAFETY: by this function's contract; all addresses are of locals.
    unsafe { call(&mut object, &mut keyval, &mut value, &mut extra, &mut code) };
    code
}

/// An error handler.
///
/// # Safety
/// `f` is of one.
pub unsafe fn error_handler<F: Face>(f: usize, kind: Object, object: Handle, code: i32) {
    let (mut object, mut code) = (F::integer_out(kind, object), F::word_out(Word::Error, code));
    let call = function!(unmarked(f), ErrorFunction);
    // SAFETY: by this function's contract; both addresses are of locals.
    unsafe { call(&mut object, &mut code) };
}

/// The query function of a generalized request; a status of Fortran has the bytes of C's. `extra` is the address of the program's
/// extra state, which the functions may change, as on the peers.
///
/// # Safety
/// `f` is of a query function, `status` the address of a status.
pub unsafe fn grequest_query<F: Face>(f: usize, extra: usize, status: *mut F::Status) -> i32 {
    let mut code = 0;
    let call = function!(unmarked(f), QueryFunction);
    // SAFETY: by this function's contract.
    unsafe { call(extra as *mut i64, status.cast(), &mut code) };
    code
}

/// Its free function.
///
/// # Safety
/// `f` is of a free function, `extra` the program's.
pub unsafe fn grequest_free(f: usize, extra: usize) -> i32 {
    let mut code = 0;
    let call = function!(unmarked(f), FreeFunction);
    // SAFETY: by this function's contract.
    unsafe { call(extra as *mut i64, &mut code) };
    code
}

/// Its cancel function.
///
/// # Safety
/// `f` is of a cancel function, `extra` the program's.
pub unsafe fn grequest_cancel(f: usize, extra: usize, complete: bool) -> i32 {
    let (mut complete, mut code) = (i32::from(complete), 0);
    let call = function!(unmarked(f), CancelFunction);
    // SAFETY: by this function's contract; the other addresses are of locals.
    unsafe { call(extra as *mut i64, &mut complete, &mut code) };
    code
}
