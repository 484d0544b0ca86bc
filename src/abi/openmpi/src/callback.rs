// SPDX-License-Identifier: MIT OR Apache-2.0
//! User functions, called as Open MPI's header declares them.

use std::ffi::{c_int, c_void};
use std::mem::transmute;

use paceline::api::kind::{Object, Word};
use paceline::object::attribute::predefined;
use paceline::object::callback::{Callbacks, register};
use paceline::object::constant::{Handle, PROC_NULL};
use paceline::object::status::Status;

use crate::constant::{word_in, word_out};
use crate::handle::to_c;
use crate::{status, types};

type C = *mut c_void;
type OpFunction = unsafe extern "C" fn(C, C, *mut c_int, *mut C);
type CopyFunction = unsafe extern "C" fn(C, c_int, C, C, *mut C, *mut c_int) -> c_int;
type DeleteFunction = unsafe extern "C" fn(C, c_int, C, C) -> c_int;
type ErrorFunction = unsafe extern "C" fn(*mut C, *mut c_int, ...);
type QueryFunction = unsafe extern "C" fn(C, *mut types::Status) -> c_int;
type FreeFunction = unsafe extern "C" fn(C) -> c_int;
type CancelFunction = unsafe extern "C" fn(C, c_int) -> c_int;

struct OpenMpi;

#[unsafe(link_section = ".init_array")]
#[used]
static AT_LOAD: extern "C" fn() = at_load;

extern "C" fn at_load() {
    register(&OpenMpi);
    predefined::set_host(word_out(Word::Rank, PROC_NULL));
}

/// A user function as the type that its MPI call declares.
macro_rules! function {
    ($address:expr, $type:ty) => {
        // SAFETY: the user passed this function to the MPI call that demands a function of this type.
        unsafe { transmute::<usize, $type>($address) }
    };
}

impl Callbacks for OpenMpi {
    fn op(&self, f: usize, _large: bool, input: *mut u8, inout: *mut u8, len: i64, datatype: Handle) {
        let call = function!(f, OpFunction);
        let (mut from, mut to, mut left, mut datatype) = (input, inout, len, to_c(datatype));
        // The length is an int: longer vectors go in pieces. A piece holds whole elements of one type, so its extent tells the step.
        while left > 0 {
            let mut piece = left.min(c_int::MAX as i64) as c_int;
            // SAFETY: the engine passes vectors of `left` elements; the user's function keeps to MPI 5.0, section 6.9.5.
            unsafe { call(from.cast(), to.cast(), &mut piece, &mut datatype) };
            left -= c_int::MAX as i64;
            if left > 0 {
                let step = extent(datatype) * c_int::MAX as isize;
                (from, to) = (from.wrapping_offset(step), to.wrapping_offset(step));
            }
        }
    }

    fn copy_attribute(
        &self,
        f: usize,
        _kind: Object,
        object: Handle,
        keyval: i32,
        extra: usize,
        value: usize,
    ) -> (i32, usize, bool) {
        let call = function!(f, CopyFunction);
        let (mut out, mut flag): (C, c_int) = (std::ptr::null_mut(), 0);
        // SAFETY: both addresses are of locals; the rest is what the user passed in.
        let code = unsafe { call(to_c(object), word_out(Word::Keyval, keyval), extra as C, value as C, &mut out, &mut flag) };
        (word_in(Word::Error, code), out as usize, flag != 0)
    }

    fn delete_attribute(&self, f: usize, _kind: Object, object: Handle, keyval: i32, value: usize, extra: usize) -> i32 {
        let call = function!(f, DeleteFunction);
        // SAFETY: the arguments are what the user passed in.
        let code = unsafe { call(to_c(object), word_out(Word::Keyval, keyval), value as C, extra as C) };
        word_in(Word::Error, code)
    }

    fn error_handler(&self, f: usize, _kind: Object, object: Handle, code: i32) {
        let call = function!(f, ErrorFunction);
        let (mut object, mut code) = (to_c(object), word_out(Word::Error, code));
        // SAFETY: both addresses are of locals.
        unsafe { call(&mut object, &mut code) };
    }

    fn grequest_query(&self, f: usize, extra: usize) -> (i32, Status) {
        let call = function!(f, QueryFunction);
        let mut c = status::EMPTY;
        // SAFETY: the status is a local.
        let code = unsafe { call(extra as C, &mut c) };
        (word_in(Word::Error, code), status::from_c(&c))
    }

    fn grequest_free(&self, f: usize, extra: usize) -> i32 {
        let call = function!(f, FreeFunction);
        // SAFETY: the argument is what the user passed in.
        word_in(Word::Error, unsafe { call(extra as C) })
    }

    fn grequest_cancel(&self, f: usize, extra: usize, complete: bool) -> i32 {
        let call = function!(f, CancelFunction);
        // SAFETY: the argument is what the user passed in.
        word_in(Word::Error, unsafe { call(extra as C, c_int::from(complete)) })
    }
}

fn extent(datatype: C) -> isize {
    paceline::object::datatype::get(crate::handle::from_c(datatype)).map_or(0, |d| d.extent as isize)
}
