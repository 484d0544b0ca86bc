// SPDX-License-Identifier: MIT OR Apache-2.0
//! Kinds: what an argument of an MPI function means. A kind says how the argument looks in C (in a face, in the narrow
//! or the wide form of a function) and as what the engine gets it; a face says only what differs between ABIs ([`Face`]).
//!
//! | file | kinds | engine gets |
//! |---|---|---|
//! | [`scalar`] | `Buf OutBuf Count Aint Offset Int Flag Pointer` and functions | `*mut u8`, `i64`, `i32`, `bool`, `usize` |
//! | [`word`] | integers with special values: `Rank Tag Keyval Threading …`, out: `OutRank …` | `i32`, `&mut i32` |
//! | [`handle`] | `Comm Datatype …`, `OutComm …`, `InOutComm …`, arrays `Datatypes`, `Requests` (in-out) … | `Handle`, `&mut Handle`, `&[Handle]`, `&mut [Handle]` |
//! | [`array`] | `Ints Counts Displs Aints Ranks …`, `OutInts OutAints …` | `&[i32]`, `&[i64]`, `&mut [i32]`, `&mut [i64]` |
//! | [`out`] | `OutInt OutCount OutAint OutFlag OutPointer InOutCount …` | `&mut i32`, `&mut i64`, `&mut bool`, `&mut usize` |
//! | [`optional`] | the same where C may pass NULL: `MaybeInt MaybeDatatype …` | as there |
//! | [`status`] | `OutStatus OutStatuses InStatus InOutStatus` | `&mut Status`, `Option<&mut [Status]>`, `&Status` |
//! | [`text`] | `Text OutText OutProcessorName …` | `&str`, `&mut String` |

mod array;
mod handle;
mod optional;
mod out;
mod scalar;
mod status;
mod text;
mod word;

pub use array::*;
pub use handle::*;
pub use optional::*;
pub use out::*;
pub use scalar::*;
pub use status::*;
pub use text::*;
pub use word::*;

use std::ffi::c_int;

use crate::object::constant::Handle;
use crate::object::error::{Class, Error, Result};
pub use crate::object::handle::Kind as Object;
use crate::object::status::Status;

/// What differs between ABIs.
pub trait Face: 'static {
    /// A handle as C passes it.
    type Handle: Copy + PartialEq;
    /// `MPI_Status`.
    type Status;

    /// The engine's handle; 0, which names nothing, for what is no handle.
    fn handle_in(object: Object, c: Self::Handle) -> Handle;
    /// The C handle.
    fn handle_out(object: Object, handle: Handle) -> Self::Handle;
    /// Fortran's integer of a handle, for the faces that have a Fortran library.
    fn integer_out(object: Object, handle: Handle) -> i32 {
        let _ = object;
        handle as i32
    }
    /// The engine's value of an integer with special values.
    fn word_in(word: Word, c: c_int) -> i32;
    /// The C value.
    fn word_out(word: Word, value: i32) -> c_int;
    /// A buffer address with `MPI_BOTTOM` and `MPI_IN_PLACE` as the engine has them.
    fn buffer(c: *const u8) -> *mut u8;
    /// The C address of an attached buffer, `MPI_BUFFER_AUTOMATIC` as C has it.
    fn buffer_out(address: usize) -> usize {
        address
    }
    /// Whether it is `MPI_T_PVAR_ALL_HANDLES`.
    fn is_all_pvars(address: usize) -> bool {
        address == 1
    }
    /// Whether a weight array is `MPI_UNWEIGHTED`.
    fn unweighted(c: *const c_int) -> bool;
    /// Whether the pointer is `MPI_STATUS_IGNORE` or `MPI_STATUSES_IGNORE`.
    fn ignores(c: *const Self::Status) -> bool;
    /// Writes a status; its error field only when `error`.
    ///
    /// # Safety
    /// `c` points to a status that may be written.
    unsafe fn status_out(status: &Status, c: *mut Self::Status, error: bool);
    /// Reads a status.
    ///
    /// # Safety
    /// `c` points to a status.
    unsafe fn status_in(c: *const Self::Status) -> Status;
    /// Size of the buffer that C provides for a name, with its final zero.
    fn limit(limit: Limit) -> usize;
    /// The object whose error handler is asked when a call has none of its own.
    const DEFAULT_TARGET: (Object, Handle);
    /// Whether wrong reductions and aliased buffers that Open MPI lets through are let through: programs of Open MPI rely on it.
    const LENIENT: bool = false;
    /// Whether a communicator whose handler was never set follows `MPI_COMM_WORLD`'s, instead of keeping what that was when it
    /// was made.
    const UNSET_HANDLER_IS_WORLDS: bool = false;
    /// The version of MPI that the library tells.
    const VERSION: (i32, i32) = (4, 1);
    /// Major version of the standard ABI, -1 for another ABI.
    const STANDARD_ABI: i32 = -1;
}

/// The form of a function whose counts are `int`.
pub struct Narrow;
/// The form of a function whose counts are `MPI_Count` (`_c`).
pub struct Wide;

/// How a call of an engine function ended, for the arguments that are written after it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Success: write everything.
    Done,
    /// `MPI_ERR_IN_STATUS`: handles and statuses are written, with the error in each status.
    InStatus,
    /// Another error: handles that the engine changed are written, and a status it filled.
    Failed,
}

impl Fate {
    /// The fate of an outcome.
    #[inline(always)]
    pub fn of(outcome: &Result<()>) -> Fate {
        match outcome {
            Ok(()) => Fate::Done,
            Err(error) if error.code() == Class::InStatus as i32 => Fate::InStatus,
            Err(_) => Fate::Failed,
        }
    }
}

/// A kind in a face `F` and a form `W`. A call goes `read` (every argument), `open` (arrays now know their length),
/// `lend` to the engine function, `give` (results back to C).
pub trait Kind<F: Face, W> {
    /// As C passes it.
    type C: Copy;
    /// After reading: scalars are the engine's values already.
    type Read;
    /// What is kept during the call; length expressions see it.
    type Held;
    /// What the engine function gets.
    type Lent<'a>
    where
        Self::Held: 'a;

    /// Reads the argument called `name`.
    ///
    /// # Safety
    /// The caller of the MPI function passed what the standard demands.
    unsafe fn read(c: Self::C, name: &'static str) -> Result<Self::Read>;
    /// Makes what is kept during the call: of `len` elements; `with` is a second C argument of the kind.
    ///
    /// # Safety
    /// As in `read`.
    unsafe fn open(read: Self::Read, name: &'static str, len: usize, with: *mut c_int) -> Result<Self::Held>;
    /// The engine's view.
    fn lend(held: &mut Self::Held) -> Self::Lent<'_>;
    /// Writes results.
    ///
    /// # Safety
    /// As in `read`.
    #[inline(always)]
    unsafe fn give(held: Self::Held, fate: Fate) {
        let _ = (held, fate);
    }
    /// The object whose error handler answers for the call, when this argument names one.
    #[inline(always)]
    fn target(c: Self::C) -> Option<(Object, Handle)> {
        let _ = c;
        None
    }
}

/// How a kind is written in a C prototype, `{}` standing for the argument's name; in the narrow and the wide form.
pub trait Spell {
    /// With `int` counts.
    const NARROW: &'static str;
    /// With `MPI_Count` counts.
    const WIDE: &'static str = Self::NARROW;
}

/// An error about a null pointer argument.
#[cold]
pub(crate) fn null(name: &str) -> Error {
    Error::new(Class::Arg, format!("{name} is NULL")).refusing()
}

/// The pointer, or an error that names the argument when it is null.
#[inline(always)]
pub(crate) fn some<T>(pointer: *mut T, name: &'static str) -> Result<*mut T> {
    if pointer.is_null() { Err(null(name)) } else { Ok(pointer) }
}

/// Declares a kind and its spelling.
macro_rules! declare {
    ($(#[$doc:meta])* $name:ident, $narrow:expr $(, $wide:expr)?) => {
        $(#[$doc])*
        pub struct $name;
        impl $crate::api::kind::Spell for $name {
            const NARROW: &'static str = $narrow;
            $(const WIDE: &'static str = $wide;)?
        }
    };
}
pub(crate) use declare;

/// Implements [`Kind`] for an argument whose value is all there is: `|c| value`.
macro_rules! value {
    ($name:ident, $c:ty => $engine:ty, |$arg:ident| $value:expr $(, target |$t:ident| $target:expr)?) => {
        value!(@ [W] W; $name, $c => $engine, |$arg| $value $(, target |$t| $target)?);
    };
    ($width:ident: $name:ident, $c:ty => $engine:ty, |$arg:ident| $value:expr) => {
        value!(@ [] $crate::api::kind::$width; $name, $c => $engine, |$arg| $value);
    };
    (@ [$($w:ident)?] $width:ty; $name:ident, $c:ty => $engine:ty, |$arg:ident| $value:expr $(, target |$t:ident| $target:expr)?) => {
        impl<F: $crate::api::kind::Face $(, $w)?> $crate::api::kind::Kind<F, $width> for $name {
            type C = $c;
            type Read = $engine;
            type Held = $engine;
            type Lent<'a> = $engine where Self::Held: 'a;
            #[inline(always)]
            unsafe fn read($arg: $c, _name: &'static str) -> $crate::object::error::Result<$engine> {
                Ok($value)
            }
            #[inline(always)]
            unsafe fn open(
                read: $engine,
                _name: &'static str,
                _len: usize,
                _with: *mut std::ffi::c_int,
            ) -> $crate::object::error::Result<$engine> {
                Ok(read)
            }
            #[inline(always)]
            fn lend(held: &mut $engine) -> $engine {
                *held
            }
            $(#[inline(always)]
            fn target($t: $c) -> Option<($crate::api::kind::Object, $crate::object::constant::Handle)> {
                Some($target)
            })?
        }
    };
}
pub(crate) use value;
