// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handles: in, out, in-out, and arrays of them.

use std::ffi::c_int;

use smallvec::SmallVec;

use super::{Face, Fate, Kind, Object, declare, null, some, value};
use crate::object::constant::Handle;
use crate::object::error::Result;

/// An out or in-out handle during a call: where it goes, what it was, what it is.
pub struct Place<H> {
    c: *mut H,
    before: Handle,
    now: Handle,
}

/// An array of handles during a call.
pub struct Places<H> {
    c: *mut H,
    before: SmallVec<[Handle; 16]>,
    now: SmallVec<[Handle; 16]>,
}

/// The handle behind an in-out argument; only called when the pointer is not null.
#[inline(always)]
fn behind<H: Copy>(c: *mut H) -> H {
    // SAFETY: C passed the address of a handle.
    unsafe { *c }
}

/// The handles of a C array.
///
/// # Safety
/// `c` points to `len` handles, or is null.
unsafe fn read_all<F: Face>(object: Object, c: *const F::Handle, name: &str, len: usize) -> Result<SmallVec<[Handle; 16]>> {
    if len == 0 {
        return Ok(SmallVec::new());
    }
    if c.is_null() {
        return Err(null(name));
    }
    // SAFETY: by this function's contract, and the pointer is not null.
    let all = unsafe { std::slice::from_raw_parts(c, len) };
    Ok(all.iter().map(|&h| F::handle_in(object, h)).collect())
}

/// Implements an out or in-out handle; `$before` reads what is there.
macro_rules! place {
    ($name:ident, $object:ident, $before:expr $(, target $target:expr)?) => {
        impl<F: Face, W> Kind<F, W> for $name {
            type C = *mut F::Handle;
            type Read = *mut F::Handle;
            type Held = Place<F::Handle>;
            type Lent<'a> = &'a mut Handle;
            #[inline(always)]
            unsafe fn read(c: Self::C, name: &'static str) -> Result<Self::Read> {
                some(c, name)
            }
            #[inline(always)]
            unsafe fn open(c: Self::C, _: &'static str, _: usize, _: *mut c_int) -> Result<Self::Held> {
                let before = ($before as fn(Self::C) -> Handle)(c);
                Ok(Place { c, before, now: before })
            }
            $(#[inline(always)]
            fn target(c: Self::C) -> Option<(Object, Handle)> {
                ($target as fn(Self::C) -> Option<(Object, Handle)>)(c)
            })?
            #[inline(always)]
            fn lend(held: &mut Self::Held) -> &mut Handle {
                &mut held.now
            }
            #[inline(always)]
            unsafe fn give(held: Self::Held, _fate: Fate) {
                if held.now != held.before {
                    // SAFETY: C passed the address of a handle, checked not to be null.
                    unsafe { *held.c = F::handle_out(Object::$object, held.now) };
                }
            }
        }
    };
}

/// Declares for each kind of object: in, out, in-out, array in.
macro_rules! handles {
    ($($name:ident $out:ident $inout:ident $array:ident = $object:ident, $c:literal;)*) => {$(
        declare!(
            #[doc = concat!("`", $c, "`.")]
            $name, concat!($c, " {}")
        );
        value!($name, F::Handle => Handle, |c| F::handle_in(Object::$object, c),
            target |c| (Object::$object, F::handle_in(Object::$object, c)));

        declare!(
            #[doc = concat!("A new `", $c, "`.")]
            $out, concat!($c, " *{}")
        );
        // 0 is no handle: whatever the engine makes differs from it.
        place!($out, $object, |_| 0);

        declare!(
            #[doc = concat!("A `", $c, "` that the call may replace.")]
            $inout, concat!($c, " *{}")
        );
        place!($inout, $object, |c| F::handle_in(Object::$object, behind(c)),
            target |c| (!c.is_null()).then(|| (Object::$object, F::handle_in(Object::$object, behind(c)))));

        declare!(
            #[doc = concat!("An array of `", $c, "`, in.")]
            $array, concat!("const ", $c, " {}[]")
        );
        impl<F: Face, W> Kind<F, W> for $array {
            type C = *const F::Handle;
            type Read = *const F::Handle;
            type Held = SmallVec<[Handle; 16]>;
            type Lent<'a> = &'a [Handle];
            #[inline(always)]
            unsafe fn read(c: Self::C, _: &'static str) -> Result<Self::Read> {
                Ok(c)
            }
            unsafe fn open(c: Self::Read, name: &'static str, len: usize, _: *mut c_int) -> Result<Self::Held> {
                // SAFETY: C passed `len` handles.
                unsafe { read_all::<F>(Object::$object, c, name, len) }
            }
            #[inline(always)]
            fn lend(held: &mut Self::Held) -> &[Handle] {
                held
            }
        }
    )*};
}

handles! {
    Comm OutComm InOutComm Comms = Comm, "MPI_Comm";
    Group OutGroup InOutGroup Groups = Group, "MPI_Group";
    Datatype OutDatatype InOutDatatype Datatypes = Datatype, "MPI_Datatype";
    Op OutOp InOutOp Ops = Op, "MPI_Op";
    Request OutRequest InOutRequest InRequests = Request, "MPI_Request";
    Message OutMessage InOutMessage Messages = Message, "MPI_Message";
    Info OutInfo InOutInfo Infos = Info, "MPI_Info";
    Errhandler OutErrhandler InOutErrhandler Errhandlers = Errhandler, "MPI_Errhandler";
    Win OutWin InOutWin Wins = Win, "MPI_Win";
    File OutFile InOutFile Files = File, "MPI_File";
    Session OutSession InOutSession Sessions = Session, "MPI_Session";
}

/// Arrays of handles that the call may replace, or fills; only entries that change are written.
macro_rules! arrays {
    ($($(#[$doc:meta])* $name:ident = $object:ident, $c:literal, $read:literal;)*) => {$(
        declare!($(#[$doc])* $name, concat!($c, " {}[]"));
        impl<F: Face, W> Kind<F, W> for $name {
            type C = *mut F::Handle;
            type Read = *mut F::Handle;
            type Held = Places<F::Handle>;
            type Lent<'a> = &'a mut [Handle];
            #[inline(always)]
            unsafe fn read(c: Self::C, _: &'static str) -> Result<Self::Read> {
                Ok(c)
            }
            #[inline]
            unsafe fn open(c: Self::Read, name: &'static str, len: usize, _: *mut c_int) -> Result<Self::Held> {
                if len > 0 && c.is_null() {
                    return Err(null(name));
                }
                let before = if $read {
                    // SAFETY: C passed `len` handles.
                    unsafe { read_all::<F>(Object::$object, c, name, len)? }
                } else {
                    SmallVec::from_elem(0, len)
                };
                Ok(Places { c, now: before.clone(), before })
            }
            #[inline(always)]
            fn lend(held: &mut Self::Held) -> &mut [Handle] {
                &mut held.now
            }
            #[inline]
            unsafe fn give(held: Self::Held, _fate: Fate) {
                for (i, (now, before)) in held.now.iter().zip(&held.before).enumerate() {
                    if now != before {
                        // SAFETY: C passed an array of that many handles.
                        unsafe { *held.c.add(i) = F::handle_out(Object::$object, *now) };
                    }
                }
            }
        }
    )*};
}

arrays! {
    /// Requests that the call may complete or start.
    Requests = Request, "MPI_Request", true;
    /// Datatypes that the call fills in.
    OutDatatypes = Datatype, "MPI_Datatype", false;
}
