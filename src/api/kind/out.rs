// SPDX-License-Identifier: MIT OR Apache-2.0
//! Single numbers out, and in-out.

use std::ffi::c_int;

use super::{Face, Fate, Kind, Narrow, Wide, declare, some};
use crate::object::constant::UNDEFINED;
use crate::object::error::Result;

/// An out argument: its engine type, what it is before the call, and how it becomes C's.
macro_rules! output {
    ($name:ident, <$($w:ident)?> $width:ty, $c:ty, $engine:ty, |$old:ident| $before:expr, |$value:ident| $convert:expr
     $(, $always:ident)?) => {
        impl<F: Face $(, $w)?> Kind<F, $width> for $name {
            type C = *mut $c;
            type Read = *mut $c;
            type Held = (*mut $c, $engine);
            type Lent<'a> = &'a mut $engine;
            #[inline(always)]
            unsafe fn read(c: Self::C, name: &'static str) -> Result<Self::Read> {
                some(c, name)
            }
            #[inline(always)]
            unsafe fn open($old: Self::Read, _: &'static str, _: usize, _: *mut c_int) -> Result<Self::Held> {
                Ok(($old, $before))
            }
            #[inline(always)]
            fn lend(held: &mut Self::Held) -> &mut $engine {
                &mut held.1
            }
            #[inline(always)]
            unsafe fn give((c, $value): Self::Held, fate: Fate) {
                if $(stringify!($always) == "always" ||)? fate != Fate::Failed {
                    // SAFETY: C passed the address of a value, checked not to be null.
                    unsafe { *c = $convert };
                }
            }
        }
    };
}

/// The value of an in-out argument. Only [`Kind::open`] calls it, after `read` saw that the pointer is not null.
fn behind<T: Copy>(c: *mut T) -> T {
    // SAFETY: C passed the address of a value, checked not to be null.
    unsafe { *c }
}

/// A count as `int`: `MPI_UNDEFINED` when it does not fit (MPI 5.0, section 3.2.5).
fn narrow(count: i64) -> c_int {
    c_int::try_from(count).unwrap_or(UNDEFINED)
}

declare!(
    /// An integer out.
    OutInt, "int *{}"
);
output!(OutInt, <W> W, c_int, i32, |_c| 0, |value| value);

declare!(
    /// An integer in and out.
    InOutInt, "int *{}"
);
// SAFETY: C passed the address of an int, checked not to be null.
output!(InOutInt, <W> W, c_int, i32, |c| behind(c), |value| value);

declare!(
    /// The order of an event source's events.
    OutSourceOrder, "MPI_T_source_order *{}"
);
output!(OutSourceOrder, <W> W, c_int, i32, |_c| 0, |value| value);

declare!(
    /// A truth value out.
    OutFlag, "int *{}"
);
output!(OutFlag, <W> W, c_int, bool, |_c| false, |value| c_int::from(value));

declare!(
    /// Whether a request is complete: told also when it failed, since its handle is gone then.
    OutDone, "int *{}"
);
// SAFETY: C passed the address of an int, checked not to be null.
output!(OutDone, <W> W, c_int, bool, |c| behind(c) != 0, |value| c_int::from(value), always);

declare!(
    /// Which request is complete: told also when it failed.
    OutIndex, "int *{}"
);
// SAFETY: C passed the address of an int, checked not to be null.
output!(OutIndex, <W> W, c_int, i32, |c| behind(c), |value| value, always);

declare!(
    /// A number of elements out.
    OutCount, "int *{}", "MPI_Count *{}"
);
output!(OutCount, <> Narrow, c_int, i64, |_c| 0, |value| narrow(value));
output!(OutCount, <> Wide, i64, i64, |_c| 0, |value| value);

declare!(
    /// A large count out, in both forms.
    OutCount64, "MPI_Count *{}"
);
output!(OutCount64, <W> W, i64, i64, |_c| 0, |value| value);

declare!(
    /// An address or distance out.
    OutAint, "MPI_Aint *{}"
);
output!(OutAint, <W> W, i64, i64, |_c| 0, |value| value);

declare!(
    /// An address or distance out that the wide form has as `MPI_Count`.
    OutAintCount, "MPI_Aint *{}", "MPI_Count *{}"
);
output!(OutAintCount, <W> W, i64, i64, |_c| 0, |value| value);

declare!(
    /// A number out that the wide form has as `MPI_Aint`.
    OutIntAint, "int *{}", "MPI_Aint *{}"
);
output!(OutIntAint, <> Narrow, c_int, i64, |_c| 0, |value| narrow(value));
output!(OutIntAint, <> Wide, i64, i64, |_c| 0, |value| value);

declare!(
    /// A place in a file, out.
    OutOffset, "MPI_Offset *{}"
);
output!(OutOffset, <W> W, i64, i64, |_c| 0, |value| value);

declare!(
    /// An address out, written through `void *` (`MPI_Alloc_mem`, `MPI_Comm_get_attr`).
    OutPointer, "void *{}"
);
output!(OutPointer, <W> W, usize, usize, |_c| 0, |value| value);

declare!(
    /// The address of an attached buffer, out: `MPI_BUFFER_AUTOMATIC` as the face has it.
    OutBuffer, "void *{}"
);
output!(OutBuffer, <W> W, usize, usize, |_c| 0, |value| F::buffer_out(value));

declare!(
    /// A position in and out, in `int` or `MPI_Count` (`MPI_Pack`).
    InOutCount, "int *{}", "MPI_Count *{}"
);
output!(InOutCount, <> Narrow, c_int, i64, |c| i64::from(behind(c)), |value| narrow(value));
output!(InOutCount, <> Wide, i64, i64, |c| behind(c), |value| value);

declare!(
    /// A position in and out, in `MPI_Aint` or `MPI_Count` (`MPI_Pack_external`).
    InOutAintCount, "MPI_Aint *{}", "MPI_Count *{}"
);
output!(InOutAintCount, <W> W, i64, i64, |c| behind(c), |value| value);

/// Opaque tool handles, out: the engine writes their address.
macro_rules! opaque {
    ($($name:ident, $c:literal;)*) => {$(
        declare!(#[doc = concat!("`", $c, "`: the engine writes an address.")] $name, $c);
        output!($name, <W> W, usize, usize, |_c| 0, |value| value);
    )*};
}

opaque! {
    OutToolEnum, "MPI_T_enum *{}";
    OutEventRegistration, "MPI_T_event_registration *{}";
}

/// Opaque tool handles, in and out.
macro_rules! opaque_inout {
    ($($name:ident, $c:literal;)*) => {$(
        declare!(#[doc = concat!("`", $c, "`: the engine sees and writes an address.")] $name, $c);
        output!($name, <W> W, usize, usize, |c| behind(c), |value| value);
    )*};
}

opaque_inout! {
    InOutToolCvar, "MPI_T_cvar_handle *{}";
    InOutToolPvar, "MPI_T_pvar_handle *{}";
    InOutToolSession, "MPI_T_pvar_session *{}";
}
