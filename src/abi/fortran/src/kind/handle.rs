// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handles, which are integers in Fortran.

use std::ffi::c_int;
use std::slice;

use smallvec::SmallVec;

use super::Kind;
use super::scalar::at;
use crate::abi::{Abi, Fint, Object};

/// A handle out or in-out during a call.
pub struct Place<H> {
    f: *mut Fint,
    before: H,
    now: H,
}

/// An array of handles during a call.
pub struct Places<H> {
    f: *mut Fint,
    before: SmallVec<[H; 16]>,
    now: SmallVec<[H; 16]>,
}

/// The handles of an array of integers.
///
/// # Safety
/// `f` points to `len` integers, or `len` is 0.
unsafe fn read<A: Abi>(object: Object, f: *const Fint, len: usize) -> SmallVec<[A::Handle; 16]> {
    if len == 0 || f.is_null() {
        return SmallVec::new();
    }
    // SAFETY: by this function's contract.
    let integers = unsafe { slice::from_raw_parts(f, len) };
    integers.iter().map(|&integer| A::handle_in(object, integer)).collect()
}

/// A handle that the call writes; nothing happens to the integer when it did not.
macro_rules! place {
    ($name:ident, $object:ident, |$f:ident| $before:expr) => {
        /// One that the call writes.
        pub struct $name;
        impl<A: Abi> Kind<A> for $name {
            type F = *mut Fint;
            type C = *mut A::Handle;
            type Held = Place<A::Handle>;
            #[inline(always)]
            unsafe fn open($f: *mut Fint, _: usize) -> Self::Held {
                let before = $before;
                Place { f: $f, before, now: before }
            }
            #[inline(always)]
            fn lend(held: &mut Self::Held) -> Self::C {
                &mut held.now
            }
            #[inline(always)]
            unsafe fn give(held: Self::Held, _: c_int) {
                if held.now != held.before {
                    // SAFETY: Fortran passed the address of an integer.
                    unsafe { *held.f = A::handle_out(Object::$object, held.now) };
                }
            }
        }
    };
}

/// Declares for each kind of object: in, out, in-out, array in.
macro_rules! handles {
    ($($object:ident: $out:ident $inout:ident $array:ident;)*) => {$(
        #[doc = concat!("A handle of the kind `", stringify!($object), "`.")]
        pub struct $object;
        impl<A: Abi> Kind<A> for $object {
            type F = *const Fint;
            type C = A::Handle;
            type Held = A::Handle;
            #[inline(always)]
            unsafe fn open(f: *const Fint, _: usize) -> A::Handle {
                // SAFETY: Fortran passed the address of an integer.
                A::handle_in(Object::$object, unsafe { at(f) })
            }
            #[inline(always)]
            fn lend(held: &mut A::Handle) -> A::Handle {
                *held
            }
        }

        place!($out, $object, |_f| A::NO_HANDLE);
        // SAFETY: Fortran passed the address of an integer.
        place!($inout, $object, |f| A::handle_in(Object::$object, unsafe { at(f) }));

        /// An array of them, in.
        pub struct $array;
        impl<A: Abi> Kind<A> for $array {
            type F = *const Fint;
            type C = *const A::Handle;
            type Held = SmallVec<[A::Handle; 16]>;
            unsafe fn open(f: *const Fint, len: usize) -> Self::Held {
                // SAFETY: Fortran passed that many integers.
                unsafe { read::<A>(Object::$object, f, len) }
            }
            fn lend(held: &mut Self::Held) -> Self::C {
                held.as_ptr()
            }
        }
    )*};
}

handles! {
    Comm: OutComm InOutComm Comms;
    Group: OutGroup InOutGroup Groups;
    Datatype: OutDatatype InOutDatatype Datatypes;
    Op: OutOp InOutOp Ops;
    Request: OutRequest InOutRequest InRequests;
    Message: OutMessage InOutMessage Messages;
    Info: OutInfo InOutInfo Infos;
    Errhandler: OutErrhandler InOutErrhandler Errhandlers;
    Win: OutWin InOutWin Wins;
    File: OutFile InOutFile Files;
    Session: OutSession InOutSession Sessions;
}

/// Arrays that the call changes or fills; only what changed is written.
macro_rules! arrays {
    ($($(#[$doc:meta])* $name:ident: $object:ident, |$f:ident, $len:ident| $before:expr;)*) => {$(
        $(#[$doc])*
        pub struct $name;
        impl<A: Abi> Kind<A> for $name {
            type F = *mut Fint;
            type C = *mut A::Handle;
            type Held = Places<A::Handle>;
            unsafe fn open($f: *mut Fint, $len: usize) -> Self::Held {
                let before: SmallVec<[A::Handle; 16]> = $before;
                Places { f: $f, now: before.clone(), before }
            }
            fn lend(held: &mut Self::Held) -> Self::C {
                held.now.as_mut_ptr()
            }
            unsafe fn give(held: Self::Held, _: c_int) {
                for (i, (now, before)) in held.now.iter().zip(&held.before).enumerate() {
                    if now != before {
                        // SAFETY: Fortran passed an array of that many integers.
                        unsafe { *held.f.add(i) = A::handle_out(Object::$object, *now) };
                    }
                }
            }
        }
    )*};
}

arrays! {
    /// Requests that the call may complete or start.
    // SAFETY: Fortran passed that many integers.
    Requests: Request, |f, len| unsafe { read::<A>(Object::Request, f, len) };
    /// Datatypes that the call fills in.
    OutDatatypes: Datatype, |f, len| SmallVec::from_elem(A::NO_HANDLE, len);
}
