// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrays of integers. The engine always sees `i32` or `i64`; `int` arrays of counts are widened on the way in.

use std::ffi::c_int;
use std::slice;

use smallvec::SmallVec;

use super::{Face, Fate, Kind, Narrow, Wide, Word, declare, null};
use crate::api::contents::Marked;
use crate::object::error::Result;

/// The elements of a C array.
///
/// # Safety
/// `c` points to `len` elements that live through the call, or is null.
unsafe fn view<T>(c: *const T, name: &str, len: usize) -> Result<&'static [T]> {
    match len {
        0 => Ok(&[]),
        _ if c.is_null() => Err(null(name)),
        // SAFETY: by this function's contract; the caller drops the view before the MPI call returns.
        _ => Ok(unsafe { slice::from_raw_parts(c, len) }),
    }
}

/// An array that is read, converted element by element or borrowed.
macro_rules! input {
    ($name:ident, <$($w:ident)?> $width:ty, $c:ty, $held:ty, $lent:ty, |$all:ident| $make:expr) => {
        impl<F: Face $(, $w)?> Kind<F, $width> for $name {
            type C = *const $c;
            type Read = *const $c;
            type Held = $held;
            type Lent<'a> = &'a [$lent];
            #[inline(always)]
            unsafe fn read(c: Self::C, _: &'static str) -> Result<Self::Read> {
                Ok(c)
            }
            #[inline]
            unsafe fn open(c: Self::Read, name: &'static str, len: usize, _: *mut c_int) -> Result<Self::Held> {
                // SAFETY: C passed `len` elements.
                let $all = unsafe { view(c, name, len)? };
                Ok($make)
            }
            #[inline(always)]
            fn lend(held: &mut Self::Held) -> &[$lent] {
                held
            }
        }
    };
}

/// An array that is written: it starts as zeros, `|value| c value` converts each element.
macro_rules! output {
    ($name:ident, <$($w:ident)?> $width:ty, $c:ty, $engine:ty, |$value:ident| $convert:expr) => {
        impl<F: Face $(, $w)?> Kind<F, $width> for $name {
            type C = *mut $c;
            type Read = *mut $c;
            type Held = (*mut $c, SmallVec<[$engine; 16]>);
            type Lent<'a> = &'a mut [$engine];
            #[inline(always)]
            unsafe fn read(c: Self::C, _: &'static str) -> Result<Self::Read> {
                Ok(c)
            }
            #[inline]
            unsafe fn open(c: Self::Read, name: &'static str, len: usize, _: *mut c_int) -> Result<Self::Held> {
                // SAFETY: C passed `len` elements.
                let all = unsafe { view(c, name, len)? };
                Ok((c, SmallVec::from_elem(0, all.len())))
            }
            #[inline(always)]
            fn lend(held: &mut Self::Held) -> &mut [$engine] {
                &mut held.1
            }
            #[inline]
            unsafe fn give((c, values): Self::Held, fate: Fate) {
                if fate == Fate::Failed {
                    return;
                }
                for (i, &$value) in values.iter().enumerate() {
                    // SAFETY: C passed an array of that many elements.
                    unsafe { *c.add(i) = $convert };
                }
            }
        }
    };
}

declare!(
    /// Plain integers.
    Ints, "const int {}[]"
);
input!(Ints, <W> W, c_int, &'static [i32], i32, |all| all);

declare!(
    /// Numbers of elements.
    Counts, "const int {}[]", "const MPI_Count {}[]"
);
input!(Counts, <> Narrow, c_int, SmallVec<[i64; 16]>, i64, |all| all.iter().map(|&n| i64::from(n)).collect());
input!(Counts, <> Wide, i64, &'static [i64], i64, |all| all);

declare!(
    /// Numbers that are `MPI_Count` in both forms.
    Counts64, "const MPI_Count {}[]"
);
input!(Counts64, <W> W, i64, &'static [i64], i64, |all| all);

declare!(
    /// Distances in elements.
    Displs, "const int {}[]", "const MPI_Aint {}[]"
);
input!(Displs, <> Narrow, c_int, SmallVec<[i64; 16]>, i64, |all| all.iter().map(|&n| i64::from(n)).collect());
input!(Displs, <> Wide, i64, &'static [i64], i64, |all| all);

declare!(
    /// Addresses or distances in bytes.
    Aints, "const MPI_Aint {}[]"
);
input!(Aints, <W> W, i64, &'static [i64], i64, |all| all);

declare!(
    /// Distances in bytes that the wide form has as `MPI_Count`.
    AintCounts, "const MPI_Aint {}[]", "const MPI_Count {}[]"
);
input!(AintCounts, <W> W, i64, &'static [i64], i64, |all| all);

declare!(
    /// Ranks, which may be `MPI_PROC_NULL`.
    Ranks, "const int {}[]"
);
input!(Ranks, <W> W, c_int, SmallVec<[i32; 16]>, i32, |all| all.iter().map(|&r| F::word_in(Word::Rank, r)).collect());

declare!(
    /// `MPI_DISTRIBUTE_BLOCK` and the like.
    Distributions, "const int {}[]"
);
input!(Distributions, <W> W, c_int, SmallVec<[i32; 16]>, i32, |all| all
    .iter()
    .map(|&d| F::word_in(Word::Distribution, d))
    .collect());

declare!(
    /// Arguments of distributions, which may be `MPI_DISTRIBUTE_DFLT_DARG`.
    DistributionArguments, "const int {}[]"
);
input!(DistributionArguments, <W> W, c_int, SmallVec<[i32; 16]>, i32, |all| all
    .iter()
    .map(|&d| F::word_in(Word::DistributionArgument, d))
    .collect());

declare!(
    /// Triples of ranks, flat: first, last, stride (`int ranges[][3]`).
    Ranges, "int {}[][3]"
);
input!(Ranges, <W> W, c_int, &'static [i32], i32, |all| all);

declare!(
    /// Plain integers, out.
    OutInts, "int {}[]"
);
output!(OutInts, <W> W, c_int, i32, |value| value);

declare!(
    /// The integers that a datatype was made of, each marked with its family of special values.
    OutContents, "int {}[]"
);
impl<F: Face, W> Kind<F, W> for OutContents {
    type C = *mut c_int;
    type Read = *mut c_int;
    type Held = (*mut c_int, SmallVec<[Marked; 16]>);
    type Lent<'a> = &'a mut [Marked];
    unsafe fn read(c: Self::C, _: &'static str) -> Result<Self::Read> {
        Ok(c)
    }
    unsafe fn open(c: Self::Read, name: &'static str, len: usize, _: *mut c_int) -> Result<Self::Held> {
        if c.is_null() && len > 0 { Err(null(name)) } else { Ok((c, SmallVec::from_elem((0, None), len))) }
    }
    fn lend(held: &mut Self::Held) -> &mut [Marked] {
        &mut held.1
    }
    unsafe fn give((c, values): Self::Held, fate: Fate) {
        if fate != Fate::Done {
            return;
        }
        for (i, (value, word)) in values.into_iter().enumerate() {
            // SAFETY: C passed an array of that many ints.
            unsafe { *c.add(i) = word.map_or(value, |word| F::word_out(word, value)) };
        }
    }
}

declare!(
    /// Ranks, out.
    OutRanks, "int {}[]"
);
output!(OutRanks, <W> W, c_int, i32, |value| F::word_out(Word::Rank, value));

declare!(
    /// Addresses or distances, out.
    OutAints, "MPI_Aint {}[]"
);
output!(OutAints, <W> W, i64, i64, |value| value);

declare!(
    /// Large counts, out.
    OutCounts, "MPI_Count {}[]"
);
output!(OutCounts, <W> W, i64, i64, |value| value);

declare!(
    /// Integers in and out (`MPI_Dims_create`).
    InOutInts, "int {}[]"
);
impl<F: Face, W> Kind<F, W> for InOutInts {
    type C = *mut c_int;
    type Read = *mut c_int;
    type Held = &'static mut [i32];
    type Lent<'a> = &'a mut [i32];
    unsafe fn read(c: Self::C, _: &'static str) -> Result<Self::Read> {
        Ok(c)
    }
    unsafe fn open(c: Self::Read, name: &'static str, len: usize, _: *mut c_int) -> Result<Self::Held> {
        match len {
            0 => Ok(&mut []),
            _ if c.is_null() => Err(null(name)),
            // SAFETY: C passed `len` ints that may be written; the view ends before the call returns.
            _ => Ok(unsafe { slice::from_raw_parts_mut(c, len) }),
        }
    }
    fn lend(held: &mut Self::Held) -> &mut [i32] {
        held
    }
}

declare!(
    /// Weights of a topology's edges: `None` for `MPI_UNWEIGHTED`.
    Weights, "const int {}[]"
);
impl<F: Face, W> Kind<F, W> for Weights {
    type C = *const c_int;
    type Read = *const c_int;
    type Held = Option<&'static [i32]>;
    type Lent<'a> = Option<&'a [i32]>;
    unsafe fn read(c: Self::C, _: &'static str) -> Result<Self::Read> {
        Ok(c)
    }
    unsafe fn open(c: Self::Read, name: &'static str, len: usize, _: *mut c_int) -> Result<Self::Held> {
        if F::unweighted(c) {
            return Ok(None);
        }
        // SAFETY: C passed `len` elements.
        Ok(Some(unsafe { view(c, name, len)? }))
    }
    fn lend(held: &mut Self::Held) -> Option<&[i32]> {
        *held
    }
}

declare!(
    /// Weights of a topology's edges, out: `None` where C passed `MPI_UNWEIGHTED`.
    OutWeights, "int {}[]"
);
impl<F: Face, W> Kind<F, W> for OutWeights {
    type C = *mut c_int;
    type Read = *mut c_int;
    type Held = Option<&'static mut [i32]>;
    type Lent<'a> = Option<&'a mut [i32]>;
    unsafe fn read(c: Self::C, _: &'static str) -> Result<Self::Read> {
        Ok(c)
    }
    unsafe fn open(c: Self::Read, name: &'static str, len: usize, _: *mut c_int) -> Result<Self::Held> {
        match len {
            _ if F::unweighted(c) => Ok(None),
            0 => Ok(Some(&mut [])),
            _ if c.is_null() => Err(null(name)),
            // SAFETY: C passed `len` ints that may be written; the view ends before the call returns.
            _ => Ok(Some(unsafe { slice::from_raw_parts_mut(c, len) })),
        }
    }
    fn lend(held: &mut Self::Held) -> Option<&mut [i32]> {
        held.as_deref_mut()
    }
}
