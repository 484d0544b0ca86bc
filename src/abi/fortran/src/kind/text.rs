// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strings: of a fixed length and filled with blanks here, ended by a zero in C.

use std::ffi::{c_char, c_int};
use std::{ptr, slice};

use super::Kind;
use crate::abi::Abi;

/// No string of MPI is longer (`MPI_MAX_LIBRARY_VERSION_STRING` of MPICH).
const LONGEST: usize = 8192;

/// What a string out starts with: where C leaves it, Fortran's stays as it is. No text in UTF-8 has such a byte.
const UNTOUCHED: u8 = 0xff;

/// Fortran's characters.
///
/// # Safety
/// `f` points to `len` characters, which live through the call.
unsafe fn characters(f: *const c_char, len: usize) -> &'static [u8] {
    // SAFETY: by this function's contract.
    if f.is_null() { &[] } else { unsafe { slice::from_raw_parts(f.cast(), len) } }
}

/// A string for C.
fn to_c(text: &[u8]) -> Vec<u8> {
    [text, &[0]].concat()
}

/// Without the blanks that fill it up; a zero ends it too.
fn trimmed(text: &[u8]) -> &[u8] {
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    let end = text.iter().rposition(|&byte| byte != b' ').map_or(0, |last| last + 1);
    &text[..end]
}

/// Without the blanks before it either: keys and values of info objects (MPI 5.0, chapter 10).
fn trimmed_at_both_ends(text: &[u8]) -> &[u8] {
    let text = trimmed(text);
    &text[text.iter().position(|&byte| byte != b' ').unwrap_or(text.len())..]
}

/// A string in: the table's kind, and how blanks are taken away.
macro_rules! input {
    ($($(#[$doc:meta])* $name:ident = $trim:ident;)*) => {$(
        $(#[$doc])*
        pub struct $name;
        impl<A: Abi> Kind<A> for $name {
            type F = *const c_char;
            type C = *const c_char;
            type Held = Vec<u8>;
            unsafe fn open(f: *const c_char, len: usize) -> Vec<u8> {
                // SAFETY: Fortran passed that many characters.
                to_c($trim(unsafe { characters(f, len) }))
            }
            fn lend(held: &mut Vec<u8>) -> *const c_char {
                held.as_ptr().cast()
            }
        }
    )*};
}

input! {
    /// A string in.
    Text = trimmed;
    /// A key or value of an info object in.
    InfoText = trimmed_at_both_ends;
}

/// A string out during a call.
pub struct Out {
    f: *mut c_char,
    len: usize,
    c: Vec<u8>,
}

/// Strings out.
macro_rules! output {
    ($($name:ident)+) => {$(
        #[doc = concat!("`", stringify!($name), "` of the table.")]
        pub struct $name;
        impl<A: Abi> Kind<A> for $name {
            type F = *mut c_char;
            type C = *mut c_char;
            type Held = Out;
            unsafe fn open(f: *mut c_char, len: usize) -> Out {
                let mut c = vec![0; len.max(LONGEST) + 1];
                c[0] = UNTOUCHED;
                Out { f, len, c }
            }
            fn lend(held: &mut Out) -> *mut c_char {
                held.c.as_mut_ptr().cast()
            }
            unsafe fn give(held: Out, code: c_int) {
                if code == 0 && held.c[0] != UNTOUCHED && !held.f.is_null() {
                    // SAFETY: Fortran passed that many characters.
                    fill(unsafe { slice::from_raw_parts_mut(held.f.cast(), held.len) }, &held.c);
                }
            }
        }
    )+};
}
output!(OutProcessorName OutLibraryVersion OutErrorString OutObjectName OutPortName OutInfoKey OutDataRep OutText OutBytes);

/// As much of C's string as fits, then blanks.
fn fill(f: &mut [u8], c: &[u8]) {
    let text = c.split(|&byte| byte == 0).next().unwrap_or_default();
    let fits = text.len().min(f.len());
    f[..fits].copy_from_slice(&text[..fits]);
    f[fits..].fill(b' ');
}

/// The length of a string in and out: C's counts the final zero, Fortran's does not (`MPI_INFO_GET_STRING`).
pub struct InOutLength;
impl<A: Abi> Kind<A> for InOutLength {
    type F = *mut c_int;
    type C = *mut c_int;
    type Held = (*mut c_int, c_int);
    unsafe fn open(f: *mut c_int, _: usize) -> Self::Held {
        // SAFETY: Fortran passed the address of an integer.
        let length = unsafe { super::scalar::at(f) };
        (f, if length > 0 { length + 1 } else { length })
    }
    fn lend(held: &mut Self::Held) -> *mut c_int {
        ptr::from_mut(&mut held.1)
    }
    unsafe fn give((f, length): Self::Held, code: c_int) {
        if code == 0 {
            // SAFETY: Fortran passed the address of an integer.
            unsafe { *f = (length - 1).max(0) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_taken_away_and_put_back() {
        assert_eq!(trimmed(b"  a b  "), b"  a b");
        assert_eq!(trimmed(b"ab\0junk "), b"ab");
        assert_eq!(trimmed(b"    "), b"");
        assert_eq!(trimmed_at_both_ends(b"  a b  "), b"a b");
        assert_eq!(trimmed_at_both_ends(b"   "), b"");
        let mut f = *b"xxxxx";
        fill(&mut f, b"abc\0yy");
        assert_eq!(&f, b"abc  ");
        fill(&mut f, b"abcdefg\0");
        assert_eq!(&f, b"abcde");
    }
}
