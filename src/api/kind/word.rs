// SPDX-License-Identifier: MIT OR Apache-2.0
//! Integers with special values that each ABI numbers its own way.

use std::ffi::c_int;

use super::{Face, Fate, Kind, declare, some, value};
use crate::object::error::Result;

/// Which family of special values an integer belongs to. The engine's numbering is the standard ABI's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// `MPI_ANY_SOURCE`, `MPI_PROC_NULL`, `MPI_ROOT`, `MPI_UNDEFINED`.
    Rank,
    /// `MPI_ANY_TAG`.
    Tag,
    /// `MPI_KEYVAL_INVALID` and the predefined keys.
    Keyval,
    /// `MPI_THREAD_…`.
    Threading,
    /// `MPI_COMM_TYPE_…`, `MPI_UNDEFINED`.
    Split,
    /// `MPI_IDENT` …
    Comparison,
    /// `MPI_CART` …, `MPI_UNDEFINED`.
    Topology,
    /// `MPI_COMBINER_…`.
    Combiner,
    /// `MPI_TYPECLASS_…`.
    TypeClass,
    /// `MPI_ORDER_…`.
    Order,
    /// `MPI_DISTRIBUTE_BLOCK`, `_CYCLIC`, `_NONE`.
    Distribution,
    /// `MPI_DISTRIBUTE_DFLT_DARG`.
    DistributionArgument,
    /// An error class or code.
    Error,
    /// `MPI_MODE_…` of files.
    FileMode,
    /// `MPI_MODE_…` of windows.
    WindowAssert,
    /// `MPI_LOCK_…`.
    Lock,
    /// `MPI_SEEK_…`.
    Whence,
    /// `MPI_T_VERBOSITY_…`.
    Verbosity,
    /// `MPI_T_BIND_…`.
    Bind,
    /// `MPI_T_SCOPE_…`.
    Scope,
    /// `MPI_T_PVAR_CLASS_…`.
    PvarClass,
}

/// `In = Out, Word`: the kind of an argument in and out.
macro_rules! words {
    ($($name:ident, $out:ident = $word:ident;)*) => {$(
        declare!(
            #[doc = concat!("An integer of [`Word::", stringify!($word), "`].")]
            $name, "int {}"
        );
        value!($name, c_int => i32, |c| F::word_in(Word::$word, c));

        declare!(
            #[doc = concat!("An integer of [`Word::", stringify!($word), "`], out.")]
            $out, "int *{}"
        );
        impl<F: Face, W> Kind<F, W> for $out {
            type C = *mut c_int;
            type Read = *mut c_int;
            type Held = (*mut c_int, i32);
            type Lent<'a> = &'a mut i32;
            #[inline(always)]
            unsafe fn read(c: *mut c_int, name: &'static str) -> Result<*mut c_int> {
                some(c, name)
            }
            #[inline(always)]
            unsafe fn open(read: *mut c_int, _: &'static str, _: usize, _: *mut c_int) -> Result<Self::Held> {
                Ok((read, 0))
            }
            #[inline(always)]
            fn lend(held: &mut Self::Held) -> &mut i32 {
                &mut held.1
            }
            #[inline(always)]
            unsafe fn give((c, value): Self::Held, fate: Fate) {
                if fate == Fate::Done {
                    // SAFETY: C passed the address of an int, checked not to be null.
                    unsafe { *c = F::word_out(Word::$word, value) };
                }
            }
        }
    )*};
}

words! {
    Rank, OutRank = Rank;
    Tag, OutTag = Tag;
    Keyval, OutKeyval = Keyval;
    Threading, OutThreading = Threading;
    SplitType, OutSplitType = Split;
    Comparison, OutComparison = Comparison;
    Topology, OutTopology = Topology;
    Combiner, OutCombiner = Combiner;
    TypeClass, OutTypeClass = TypeClass;
    Order, OutOrder = Order;
    ErrorCode, OutErrorCode = Error;
    FileMode, OutFileMode = FileMode;
    WindowAssert, OutWindowAssert = WindowAssert;
    LockType, OutLockType = Lock;
    Whence, OutWhence = Whence;
    Verbosity, OutVerbosity = Verbosity;
    Bind, OutBind = Bind;
    Scope, OutScope = Scope;
    PvarClass, OutPvarClass = PvarClass;
}

declare!(
    /// A keyval in and out, `MPI_KEYVAL_INVALID` after it was freed.
    InOutKeyval, "int *{}"
);
impl<F: Face, W> Kind<F, W> for InOutKeyval {
    type C = *mut c_int;
    type Read = *mut c_int;
    type Held = (*mut c_int, i32);
    type Lent<'a> = &'a mut i32;
    unsafe fn read(c: *mut c_int, name: &'static str) -> Result<*mut c_int> {
        some(c, name)
    }
    unsafe fn open(read: *mut c_int, _: &'static str, _: usize, _: *mut c_int) -> Result<Self::Held> {
        // SAFETY: C passed the address of an int, checked not to be null.
        Ok((read, F::word_in(Word::Keyval, unsafe { *read })))
    }
    fn lend(held: &mut Self::Held) -> &mut i32 {
        &mut held.1
    }
    unsafe fn give((c, value): Self::Held, fate: Fate) {
        if fate == Fate::Done {
            // SAFETY: as in `open`.
            unsafe { *c = F::word_out(Word::Keyval, value) };
        }
    }
}
