// SPDX-License-Identifier: MIT OR Apache-2.0
//! User functions, called as a face's header declares them: handles, numbers and statuses in the face's form. Those of Fortran have a
//! calling sequence of their own ([`fortran`]).

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use super::fortran;
use super::kind::{Face, Limit, Object, Word};
use super::mark::{FORTRAN, unmarked};
use crate::object::attribute::predefined;
use crate::object::callback::{self, Callbacks};
use crate::object::constant::{ANY_SOURCE, Handle, PROC_NULL};
use crate::object::status::Status;
use crate::object::{abi, datatype, environment, info};

type C = *mut c_void;
type OpFunction<F> = unsafe extern "C" fn(C, C, *mut c_int, *mut <F as Face>::Handle);
type LargeOpFunction<F> = unsafe extern "C" fn(C, C, *mut i64, *mut <F as Face>::Handle);
type CopyFunction<F> = unsafe extern "C" fn(<F as Face>::Handle, c_int, C, C, *mut C, *mut c_int) -> c_int;
type DeleteFunction<F> = unsafe extern "C" fn(<F as Face>::Handle, c_int, C, C) -> c_int;
type ErrorFunction<F> = unsafe extern "C" fn(*mut <F as Face>::Handle, *mut c_int, ...);
type QueryFunction<F> = unsafe extern "C" fn(C, *mut <F as Face>::Status) -> c_int;
type FreeFunction = unsafe extern "C" fn(C) -> c_int;
type CancelFunction = unsafe extern "C" fn(C, c_int) -> c_int;

/// Calls user functions for a face.
pub struct Caller<F>(PhantomData<fn() -> F>);

impl<F> Caller<F> {
    /// The one value.
    pub const NEW: Caller<F> = Caller(PhantomData);
}

/// Whether a user function is one of Fortran's.
#[inline(always)]
const fn is_fortran(f: usize) -> bool {
    f & FORTRAN != 0
}

/// A user function as the type that its MPI call declares.
macro_rules! function {
    ($address:expr, $type:ty) => {
        // SAFETY: the user passed this function to the MPI call that demands a function of this type.
        unsafe { ::std::mem::transmute::<usize, $type>($address) }
    };
}
pub(super) use function;

/// Calls an operation whose length is an int: longer vectors go in pieces.
fn in_pieces<F: Face>(f: usize, mut input: *mut u8, mut inout: *mut u8, mut left: i64, datatype: Handle) {
    let call = function!(unmarked(f), OpFunction<F>);
    let step = datatype::get(datatype).map_or(0, |d| d.extent as isize) * c_int::MAX as isize;
    let mut handle = F::handle_out(Object::Datatype, datatype);
    while left > 0 {
        let mut piece = left.min(c_int::MAX as i64) as c_int;
        // SAFETY: the engine passes vectors of `left` elements; the user's function keeps to MPI 5.0, section 6.9.5.
        unsafe {
            match is_fortran(f) {
                true => fortran::op::<F>(f, input, inout, piece, datatype),
                false => call(input.cast(), inout.cast(), &mut piece, &mut handle),
            }
        }
        left -= c_int::MAX as i64;
        (input, inout) = (input.wrapping_offset(step), inout.wrapping_offset(step));
    }
}

impl<F: Face> Callbacks for Caller<F> {
    fn is_lenient(&self) -> bool {
        F::LENIENT
    }

    fn unset_handler_is_worlds(&self) -> bool {
        F::UNSET_HANDLER_IS_WORLDS
    }

    fn op(&self, f: usize, large: bool, input: *mut u8, inout: *mut u8, mut len: i64, datatype: Handle) {
        if !large {
            return in_pieces::<F>(f, input, inout, len, datatype);
        }
        let call = function!(f, LargeOpFunction<F>);
        let mut handle = F::handle_out(Object::Datatype, datatype);
        // SAFETY: the engine passes vectors of `len` elements.
        unsafe { call(input.cast(), inout.cast(), &mut len, &mut handle) };
    }

    fn copy_attribute(
        &self,
        f: usize,
        kind: Object,
        object: Handle,
        keyval: i32,
        extra: usize,
        value: usize,
    ) -> (i32, usize, bool) {
        if is_fortran(f) {
            // SAFETY: the user passed it as such a function.
            return unsafe { fortran::copy_attribute::<F>(f, kind, object, keyval, extra, value) };
        }
        let call = function!(f, CopyFunction<F>);
        let (mut out, mut flag): (C, c_int) = (std::ptr::null_mut(), 0);
        let (object, keyval) = (F::handle_out(kind, object), F::word_out(Word::Keyval, keyval));
        // SAFETY: both addresses are of locals; the rest is what the user passed in.
        let code = unsafe { call(object, keyval, extra as C, value as C, &mut out, &mut flag) };
        (F::word_in(Word::Error, code), out as usize, flag != 0)
    }

    fn delete_attribute(&self, f: usize, kind: Object, object: Handle, keyval: i32, value: usize, extra: usize) -> i32 {
        if is_fortran(f) {
            // SAFETY: the user passed it as such a function.
            return unsafe { fortran::delete_attribute::<F>(f, kind, object, keyval, value, extra) };
        }
        let call = function!(f, DeleteFunction<F>);
        let (object, keyval) = (F::handle_out(kind, object), F::word_out(Word::Keyval, keyval));
        // SAFETY: the arguments are what the user passed in.
        F::word_in(Word::Error, unsafe { call(object, keyval, value as C, extra as C) })
    }

    fn error_code(&self, code: i32) -> i32 {
        F::word_out(Word::Error, code)
    }

    fn error_handler(&self, f: usize, kind: Object, object: Handle, code: i32) {
        if is_fortran(f) {
            // SAFETY: the user passed it as such a function.
            return unsafe { fortran::error_handler::<F>(f, kind, object, code) };
        }
        let call = function!(f, ErrorFunction<F>);
        let (mut object, mut code) = (F::handle_out(kind, object), F::word_out(Word::Error, code));
        // SAFETY: both addresses are of locals.
        unsafe { call(&mut object, &mut code) };
    }

    fn grequest_query(&self, f: usize, extra: usize) -> (i32, Status) {
        let mut c = MaybeUninit::<F::Status>::uninit();
        let call = function!(unmarked(f), QueryFunction<F>);
        // SAFETY: the status is a local, filled before the user's function sees it and read after it.
        unsafe {
            F::status_out(&Status::EMPTY, c.as_mut_ptr(), true);
            let code = match is_fortran(f) {
                true => fortran::grequest_query::<F>(f, extra, c.as_mut_ptr()),
                false => call(extra as C, c.as_mut_ptr()),
            };
            (F::word_in(Word::Error, code), F::status_in(c.as_ptr()))
        }
    }

    fn grequest_free(&self, f: usize, extra: usize) -> i32 {
        if is_fortran(f) {
            // SAFETY: the user passed it as such a function, and the extra state.
            return F::word_in(Word::Error, unsafe { fortran::grequest_free(f, extra) });
        }
        let call = function!(f, FreeFunction);
        // SAFETY: the argument is what the user passed in.
        F::word_in(Word::Error, unsafe { call(extra as C) })
    }

    fn grequest_cancel(&self, f: usize, extra: usize, complete: bool) -> i32 {
        if is_fortran(f) {
            // SAFETY: the user passed it as such a function, and the extra state.
            return F::word_in(Word::Error, unsafe { fortran::grequest_cancel(f, extra, complete) });
        }
        let call = function!(f, CancelFunction);
        // SAFETY: the argument is what the user passed in.
        F::word_in(Word::Error, unsafe { call(extra as C, c_int::from(complete)) })
    }
}

/// Makes a face's callbacks known, its numbers for what attributes hold (nobody, everybody and the last error code), and how long
/// keys of info objects may be.
pub fn register<F: Face>(caller: &'static Caller<F>) {
    callback::register(caller);
    abi::set(F::STANDARD_ABI);
    environment::set_version(F::VERSION.0, F::VERSION.1);
    predefined::set_face([PROC_NULL, ANY_SOURCE].map(|rank| F::word_out(Word::Rank, rank)), |code| {
        F::word_out(Word::Error, code)
    });
    info::set_longest_key(F::limit(Limit::InfoKeyIn));
}

/// Registers a face's callbacks when its library is loaded.
#[macro_export]
macro_rules! register_callbacks {
    ($face:path) => {
        #[unsafe(link_section = ".init_array")]
        #[used]
        static AT_LOAD: extern "C" fn() = at_load;

        extern "C" fn at_load() {
            $crate::api::callback::register::<$face>(&$crate::api::callback::Caller::<$face>::NEW);
        }
    };
}
