// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the kinds of the table are in Fortran. Names are the table's; a few stand for arguments that C and Fortran pass otherwise
//! (`generate.rs` says where).
//!
//! | file | kinds |
//! |---|---|
//! | [`scalar`] | what is a number by reference here and by value in C; what is an address in both; functions |
//! | [`handle`] | handles and arrays of them |
//! | [`status`] | statuses |
//! | [`attribute`] | values of attributes that MPI itself may have set |
//! | [`text`] | strings |
//! | [`index`] | what counts from 1; what is an `INTEGER` where C has more |

mod attribute;
mod handle;
mod index;
mod scalar;
mod status;
mod text;

pub use attribute::*;
pub use handle::*;
pub use index::*;
pub use scalar::*;
pub use status::*;
pub use text::*;

use std::ffi::c_int;

/// A kind. A call goes `open` (every argument), `lend` to the C function, `give` (results back to Fortran).
pub trait Kind<A> {
    /// As Fortran passes it.
    type F: Copy;
    /// As C gets it.
    type C: Copy;
    /// What is kept during the call.
    type Held;

    /// Looks at the argument; `with` is the length of an array or a string.
    ///
    /// # Safety
    /// Fortran passed what the standard demands.
    unsafe fn open(f: Self::F, with: usize) -> Self::Held;
    /// What C gets.
    fn lend(held: &mut Self::Held) -> Self::C;
    /// Writes results; `code` is what C returned.
    ///
    /// # Safety
    /// As in `open`.
    #[inline(always)]
    unsafe fn give(held: Self::Held, code: c_int) {
        drop(held);
        let _ = code;
    }
}

/// Implements [`Kind`] for an argument whose value is all there is: `|f| value`, or `at |n| value` of the number `f` points to.
macro_rules! value {
    ($($name:ident)+: $f:ty => $c:ty, at |$number:ident| $value:expr) => {
        $crate::kind::value!($($name)+: $f => $c, |f| {
            // SAFETY: Fortran passed the address of a number.
            let $number = unsafe { $crate::kind::scalar::at(f) };
            $value
        });
    };
    ($($name:ident)+: $f:ty => $c:ty, |$arg:ident| $value:expr) => {$(
        #[doc = concat!("`", stringify!($name), "` of the table.")]
        pub struct $name;
        impl<A: $crate::abi::Abi> $crate::kind::Kind<A> for $name {
            type F = $f;
            type C = $c;
            type Held = $c;
            #[inline(always)]
            unsafe fn open($arg: $f, _: usize) -> $c {
                $value
            }
            #[inline(always)]
            fn lend(held: &mut $c) -> $c {
                *held
            }
        }
    )+};
}
use value;
