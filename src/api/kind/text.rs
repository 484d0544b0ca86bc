// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strings. C gives a buffer whose size the ABI fixes, or another argument tells; the engine fills a `String`.

use std::ffi::{CStr, c_char, c_int};
use std::ptr;

use super::{Face, Fate, Kind, declare, null, some};
use crate::err;
use crate::object::error::Result;

/// Which of the ABI's string sizes holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Limit {
    ProcessorName,
    LibraryVersion,
    ErrorString,
    ObjectName,
    PortName,
    InfoKey,
    /// Of a key that is taken.
    InfoKeyIn,
    DataRep,
}

declare!(
    /// A string in.
    Text, "const char *{}"
);
impl<F: Face, W> Kind<F, W> for Text {
    type C = *const c_char;
    type Read = &'static str;
    type Held = &'static str;
    type Lent<'a> = &'a str;
    unsafe fn read(c: Self::C, name: &'static str) -> Result<&'static str> {
        if c.is_null() {
            return Err(null(name));
        }
        // SAFETY: C passed a string with its final zero; the view ends before the call returns.
        let text: &'static CStr = unsafe { CStr::from_ptr(c) };
        text.to_str().map_err(|_| err!(Arg, "{name} is not UTF-8: {:?}", text.to_string_lossy()))
    }
    unsafe fn open(read: &'static str, _: &'static str, _: usize, _: *mut c_int) -> Result<&'static str> {
        Ok(read)
    }
    fn lend(held: &mut &'static str) -> &'static str {
        held
    }
}

/// What a string out starts as: if the engine leaves it, nothing is written (`MPI_Info_get` of a key that is not there).
const UNTOUCHED: &str = "\0";

/// A string out during a call.
pub struct Out {
    c: *mut c_char,
    size: usize,
    length: *mut c_int,
    text: String,
}

impl Out {
    fn new(c: *mut c_char, size: usize, length: *mut c_int) -> Out {
        Out { c, size, length, text: UNTOUCHED.to_owned() }
    }

    /// Copies as much as fits with its final zero, and writes the length that fitted.
    ///
    /// # Safety
    /// `c` has room for `size` bytes or is null; `length` may be written or is null.
    unsafe fn give(self) {
        if self.text == UNTOUCHED {
            return;
        }
        // An engine function that appends instead of assigning leaves the mark in front.
        let bytes = self.text.trim_start_matches(UNTOUCHED).as_bytes();
        let fits = bytes.len().min(self.size.saturating_sub(1));
        if !self.c.is_null() && self.size > 0 {
            // SAFETY: `fits` and the final zero are within `size`.
            unsafe {
                ptr::copy_nonoverlapping(bytes.as_ptr().cast(), self.c, fits);
                *self.c.add(fits) = 0;
            }
        }
        if !self.length.is_null() {
            // SAFETY: by this function's contract.
            unsafe { *self.length = fits as c_int };
        }
    }
}

/// Strings out whose size the ABI fixes.
macro_rules! limited {
    ($($name:ident = $limit:ident;)*) => {$(
        declare!(
            #[doc = concat!("A string out of the size [`Limit::", stringify!($limit), "`].")]
            $name, "char *{}"
        );
        impl<F: Face, W> Kind<F, W> for $name {
            type C = *mut c_char;
            type Read = *mut c_char;
            type Held = Out;
            type Lent<'a> = &'a mut String;
            unsafe fn read(c: Self::C, name: &'static str) -> Result<Self::Read> {
                some(c, name)
            }
            unsafe fn open(c: Self::Read, _: &'static str, _: usize, length: *mut c_int) -> Result<Out> {
                Ok(Out::new(c, F::limit(Limit::$limit), length))
            }
            fn lend(held: &mut Out) -> &mut String {
                &mut held.text
            }
            unsafe fn give(held: Out, fate: Fate) {
                if fate == Fate::Done {
                    // SAFETY: C passed a buffer of the size that the ABI fixes, and the address of an int.
                    unsafe { held.give() };
                }
            }
        }
    )*};
}

limited! {
    OutProcessorName = ProcessorName;
    OutLibraryVersion = LibraryVersion;
    OutErrorString = ErrorString;
    OutObjectName = ObjectName;
    OutPortName = PortName;
    OutInfoKey = InfoKey;
    OutDataRep = DataRep;
}

/// Strings out whose size another argument tells: `len` and how many bytes of the buffer that makes.
macro_rules! counted {
    ($($(#[$doc:meta])* $name:ident, |$len:ident| $size:expr;)*) => {$(
        declare!($(#[$doc])* $name, "char *{}");
        impl<F: Face, W> Kind<F, W> for $name {
            type C = *mut c_char;
            type Read = *mut c_char;
            type Held = Out;
            type Lent<'a> = &'a mut String;
            unsafe fn read(c: Self::C, _: &'static str) -> Result<Self::Read> {
                Ok(c)
            }
            unsafe fn open(c: Self::Read, name: &'static str, $len: usize, _: *mut c_int) -> Result<Out> {
                if c.is_null() && $len > 0 {
                    return Err(null(name));
                }
                Ok(Out::new(c, $size, ptr::null_mut()))
            }
            fn lend(held: &mut Out) -> &mut String {
                &mut held.text
            }
            unsafe fn give(held: Out, fate: Fate) {
                if fate == Fate::Done {
                    // SAFETY: C passed a buffer of the size it said.
                    unsafe { held.give() };
                }
            }
        }
    )*};
}

counted! {
    /// A string out of at most `len` bytes and the final zero (`MPI_Info_get`).
    OutText, |len| len + 1;
    /// A string out of `len` bytes with the final zero; nothing when `len` is 0 (`MPI_Info_get_string`).
    OutBytes, |len| len;
}

declare!(
    /// A string out with its own size in and out (`MPI_T`): the size counts the final zero; both may be NULL.
    OutSized, "char *{}"
);
impl<F: Face, W> Kind<F, W> for OutSized {
    type C = *mut c_char;
    type Read = *mut c_char;
    type Held = Out;
    type Lent<'a> = &'a mut String;
    unsafe fn read(c: Self::C, _: &'static str) -> Result<Self::Read> {
        Ok(c)
    }
    unsafe fn open(c: Self::Read, _: &'static str, _: usize, length: *mut c_int) -> Result<Out> {
        // SAFETY: C passed the address of an int, or NULL.
        let size = unsafe { length.as_ref() }.map_or(0, |&n| n.max(0) as usize);
        Ok(Out::new(c, size, length))
    }
    fn lend(held: &mut Out) -> &mut String {
        &mut held.text
    }
    unsafe fn give(held: Out, fate: Fate) {
        if fate != Fate::Done || held.text == UNTOUCHED {
            return;
        }
        let (length, needed) = (held.length, held.text.trim_start_matches(UNTOUCHED).len() + 1);
        // SAFETY: C passed a buffer of the size it said (MPI 5.0, section 15.3.3).
        unsafe {
            held.give();
            if let Some(length) = length.as_mut() {
                *length = needed as c_int;
            }
        }
    }
}
