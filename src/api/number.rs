// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers that a face has otherwise than the engine, as pairs (engine, face), searched both ways. Numbers in no pair mean
//! themselves in both.

use std::ffi::c_int;

/// (engine, face).
pub type Pairs = &'static [(i32, c_int)];

/// What a number that is a special value in one numbering, but not meant so by the caller, becomes: nobody's value.
pub const NOBODY: i32 = i32::MIN;

/// The engine's number.
pub fn inward(pairs: Pairs, c: c_int) -> i32 {
    pairs.iter().find(|pair| pair.1 == c).map_or(c, |pair| pair.0)
}

/// The face's number.
pub fn outward(pairs: Pairs, value: i32) -> c_int {
    pairs.iter().find(|pair| pair.0 == value).map_or(value, |pair| pair.1)
}

/// The engine's set of bits; bits that have no meaning are dropped.
pub fn bits_inward(pairs: Pairs, set: c_int) -> i32 {
    pairs.iter().filter(|pair| set & pair.1 != 0).fold(0, |all, pair| all | pair.0)
}

/// The face's set of bits.
pub fn bits_outward(pairs: Pairs, set: i32) -> c_int {
    pairs.iter().filter(|pair| set & pair.0 != 0).fold(0, |all, pair| all | pair.1)
}
