// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions that only compute: a name, and a function of up to four operands. A register is 64 bits here, and each
//! function looks only at the bits that its type has, so what is above them does not matter. (PTX ISA 6.3, chapter 9.7.)

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::LazyLock;

use half::f16;

/// The value of a destination from those of the operands.
pub type Compute = fn(u64, u64, u64, u64) -> u64;

/// The function of an instruction and the number of its operands.
pub fn find(name: &str) -> Option<(Compute, usize)> {
    static TABLE: LazyLock<HashMap<&str, (Compute, usize)>> = LazyLock::new(|| {
        let parts = [INTEGERS, WIDTHS, BITS, FLOATS, COMPARISONS, FLOAT_COMPARISONS, CONVERSIONS];
        parts.into_iter().flatten().map(|&(name, compute, operands)| (name, (compute, operands))).collect()
    });
    TABLE.get(name).copied()
}

type Row = (&'static str, Compute, usize);

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// A GPU's arithmetic gives one NaN only.
fn of_f32(value: f32) -> u64 {
    if value.is_nan() { 0x7fff_ffff } else { value.to_bits() as u64 }
}

fn of_f64(value: f64) -> u64 {
    if value.is_nan() { 0x7fff_ffff_ffff_ffff } else { value.to_bits() }
}

macro_rules! integers {
    ($($bits:literal $signed:ident $unsigned:ident)*) => {
        &[$(
            (concat!("add.s", $bits), |a, b, _, _| (a as $unsigned).wrapping_add(b as $unsigned) as u64, 2),
            (concat!("sub.s", $bits), |a, b, _, _| (a as $unsigned).wrapping_sub(b as $unsigned) as u64, 2),
            (concat!("neg.s", $bits), |a, _, _, _| (a as $unsigned).wrapping_neg() as u64, 1),
            (concat!("mul.lo.s", $bits), |a, b, _, _| (a as $unsigned).wrapping_mul(b as $unsigned) as u64, 2),
            (concat!("mad.lo.s", $bits), |a, b, c, _| {
                (a as $unsigned).wrapping_mul(b as $unsigned).wrapping_add(c as $unsigned) as u64
            }, 3),
            // Division by zero gives all ones.
            (concat!("div.u", $bits), |a, b, _, _| (a as $unsigned).checked_div(b as $unsigned).unwrap_or($unsigned::MAX) as u64, 2),
            (concat!("rem.u", $bits), |a, b, _, _| (a as $unsigned).checked_rem(b as $unsigned).unwrap_or(a as $unsigned) as u64, 2),
            (concat!("min.s", $bits), |a, b, _, _| (a as $signed).min(b as $signed) as $unsigned as u64, 2),
            (concat!("max.s", $bits), |a, b, _, _| (a as $signed).max(b as $signed) as $unsigned as u64, 2),
            (concat!("min.u", $bits), |a, b, _, _| (a as $unsigned).min(b as $unsigned) as u64, 2),
            (concat!("max.u", $bits), |a, b, _, _| (a as $unsigned).max(b as $unsigned) as u64, 2),
            (concat!("shl.b", $bits), |a, b, _, _| (a as $unsigned).checked_shl(b as u32).unwrap_or(0) as u64, 2),
            (concat!("shr.u", $bits), |a, b, _, _| (a as $unsigned).checked_shr(b as u32).unwrap_or(0) as u64, 2),
            (concat!("shr.b", $bits), |a, b, _, _| (a as $unsigned).checked_shr(b as u32).unwrap_or(0) as u64, 2),
            (concat!("shr.s", $bits), |a, b, _, _| {
                ((a as $signed) >> (b as u32).min($signed::BITS - 1)) as $unsigned as u64
            }, 2),
            (concat!("not.b", $bits), |a, _, _, _| !(a as $unsigned) as u64, 1),
            (concat!("mov.u", $bits), |a, _, _, _| a as $unsigned as u64, 1),
            (concat!("mov.b", $bits), |a, _, _, _| a as $unsigned as u64, 1),
            (concat!("selp.b", $bits), |a, b, p, _| (if p != 0 { a } else { b }) as $unsigned as u64, 3),
            (concat!("selp.u", $bits), |a, b, p, _| (if p != 0 { a } else { b }) as $unsigned as u64, 3),
            (concat!("selp.s", $bits), |a, b, p, _| (if p != 0 { a } else { b }) as $unsigned as u64, 3),
        )*]
    };
}

const INTEGERS: &[Row] = integers!("16" i16 u16 "32" i32 u32 "64" i64 u64);

/// Products of twice the width.
const WIDTHS: &[Row] = &[
    ("mul.wide.u16", |a, b, _, _| a as u16 as u64 * b as u16 as u64, 2),
    ("mul.wide.u32", |a, b, _, _| a as u32 as u64 * b as u32 as u64, 2),
    ("mul.wide.s16", |a, b, _, _| (a as i16 as i32 * b as i16 as i32) as u32 as u64, 2),
    ("mul.wide.s32", |a, b, _, _| (a as i32 as i64 * b as i32 as i64) as u64, 2),
    ("mul.hi.u32", |a, b, _, _| (a as u32 as u64 * b as u32 as u64) >> 32, 2),
    ("mul.hi.u64", |a, b, _, _| ((a as u128 * b as u128) >> 64) as u64, 2),
];

/// Predicates are 0 or 1.
const BITS: &[Row] = &[
    ("and.b16", |a, b, _, _| a & b, 2),
    ("and.b32", |a, b, _, _| a & b, 2),
    ("and.b64", |a, b, _, _| a & b, 2),
    ("and.pred", |a, b, _, _| a & b, 2),
    ("or.b16", |a, b, _, _| a | b, 2),
    ("or.b32", |a, b, _, _| a | b, 2),
    ("or.b64", |a, b, _, _| a | b, 2),
    ("or.pred", |a, b, _, _| a | b, 2),
    ("xor.b16", |a, b, _, _| a ^ b, 2),
    ("xor.b32", |a, b, _, _| a ^ b, 2),
    ("xor.b64", |a, b, _, _| a ^ b, 2),
    ("xor.pred", |a, b, _, _| a ^ b, 2),
    ("not.pred", |a, _, _, _| a ^ 1, 1),
    ("mov.pred", |a, _, _, _| (a != 0) as u64, 1),
    ("mov.f32", |a, _, _, _| a as u32 as u64, 1),
    ("mov.f64", |a, _, _, _| a, 1),
    ("selp.f32", |a, b, p, _| (if p != 0 { a } else { b }) as u32 as u64, 3),
    ("selp.f64", |a, b, p, _| if p != 0 { a } else { b }, 3),
    ("cvta.to.global.u64", |a, _, _, _| a, 1),
    ("bfi.b32", |a, b, at, len| insert(a, b, at, len, 32), 4),
    ("bfi.b64", |a, b, at, len| insert(a, b, at, len, 64), 4),
    ("bfe.u32", |a, at, len, _| insert(a.checked_shr(at as u8 as u32).unwrap_or(0), 0, 0, len, 32), 3),
    ("prmt.b32", |a, b, selector, _| permute(a, b, selector), 3),
];

/// `len` bits of `a` into `b`, from bit `at`.
fn insert(a: u64, b: u64, at: u64, len: u64, width: u64) -> u64 {
    let (at, len) = ((at & 0xff).min(width), len & 0xff);
    let len = len.min(width - at);
    let mask = ((1u128 << len) - 1) << at;
    ((b as u128 & !mask) | ((a as u128) << at & mask)) as u64
}

/// Four bytes of the eight in `b:a`, each chosen by a nibble; the nibble's top bit asks for the sign instead.
fn permute(a: u64, b: u64, selector: u64) -> u64 {
    let bytes = (a & 0xffff_ffff | b << 32).to_le_bytes();
    let pick = |i: u64| {
        let nibble = selector >> (4 * i) & 15;
        let byte = bytes[(nibble & 7) as usize];
        if nibble & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 }
    };
    u32::from_le_bytes([pick(0), pick(1), pick(2), pick(3)]) as u64
}

const FLOATS: &[Row] = &[
    ("add.rn.f32", |a, b, _, _| of_f32(f32_of(a) + f32_of(b)), 2),
    ("sub.rn.f32", |a, b, _, _| of_f32(f32_of(a) - f32_of(b)), 2),
    ("mul.rn.f32", |a, b, _, _| of_f32(f32_of(a) * f32_of(b)), 2),
    ("add.rn.f64", |a, b, _, _| of_f64(f64_of(a) + f64_of(b)), 2),
    ("sub.rn.f64", |a, b, _, _| of_f64(f64_of(a) - f64_of(b)), 2),
    ("mul.rn.f64", |a, b, _, _| of_f64(f64_of(a) * f64_of(b)), 2),
];

macro_rules! comparisons {
    ($($kind:literal $int:ident)*) => {
        &[$(
            (concat!("setp.eq.", $kind), |a, b, _, _| (a as $int == b as $int) as u64, 2),
            (concat!("setp.ne.", $kind), |a, b, _, _| (a as $int != b as $int) as u64, 2),
            (concat!("setp.lt.", $kind), |a, b, _, _| ((a as $int) < b as $int) as u64, 2),
            (concat!("setp.le.", $kind), |a, b, _, _| (a as $int <= b as $int) as u64, 2),
            (concat!("setp.gt.", $kind), |a, b, _, _| (a as $int > b as $int) as u64, 2),
            (concat!("setp.ge.", $kind), |a, b, _, _| (a as $int >= b as $int) as u64, 2),
        )*]
    };
}

const COMPARISONS: &[Row] =
    comparisons!("s16" i16 "u16" u16 "b16" u16 "s32" i32 "u32" u32 "b32" u32 "s64" i64 "u64" u64 "b64" u64);

/// Comparisons of floats: false when either is a NaN, but for those whose name ends in `u`, which are true then.
macro_rules! float_comparisons {
    ($($kind:literal $of:ident)*) => {
        &[$(
            (concat!("setp.eq.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), false, Ordering::is_eq), 2),
            (concat!("setp.ne.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), false, Ordering::is_ne), 2),
            (concat!("setp.lt.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), false, Ordering::is_lt), 2),
            (concat!("setp.le.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), false, Ordering::is_le), 2),
            (concat!("setp.gt.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), false, Ordering::is_gt), 2),
            (concat!("setp.ge.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), false, Ordering::is_ge), 2),
            (concat!("setp.equ.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), true, Ordering::is_eq), 2),
            (concat!("setp.neu.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), true, Ordering::is_ne), 2),
            (concat!("setp.ltu.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), true, Ordering::is_lt), 2),
            (concat!("setp.leu.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), true, Ordering::is_le), 2),
            (concat!("setp.gtu.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), true, Ordering::is_gt), 2),
            (concat!("setp.geu.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), true, Ordering::is_ge), 2),
            (concat!("setp.num.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), false, |_| true), 2),
            (concat!("setp.nan.", $kind), |a, b, _, _| holds($of(a).partial_cmp(&$of(b)), true, |_| false), 2),
        )*]
    };
}

const FLOAT_COMPARISONS: &[Row] = float_comparisons!("f32" f32_of "f64" f64_of);

/// Whether an order is as wished; `unordered` when there is none.
fn holds(order: Option<Ordering>, unordered: bool, wished: fn(Ordering) -> bool) -> u64 {
    order.map_or(unordered, wished) as u64
}

const CONVERSIONS: &[Row] = &[
    ("cvt.u16.u32", |a, _, _, _| a as u16 as u64, 1),
    ("cvt.u16.u64", |a, _, _, _| a as u16 as u64, 1),
    ("cvt.u32.u16", |a, _, _, _| a as u16 as u64, 1),
    ("cvt.u32.u64", |a, _, _, _| a as u32 as u64, 1),
    ("cvt.u64.u16", |a, _, _, _| a as u16 as u64, 1),
    ("cvt.u64.u32", |a, _, _, _| a as u32 as u64, 1),
    ("cvt.s16.s8", |a, _, _, _| a as i8 as i16 as u16 as u64, 1),
    ("cvt.s32.s8", |a, _, _, _| a as i8 as i32 as u32 as u64, 1),
    ("cvt.s32.s16", |a, _, _, _| a as i16 as i32 as u32 as u64, 1),
    ("cvt.s64.s32", |a, _, _, _| a as i32 as i64 as u64, 1),
    ("cvt.f32.f16", |a, _, _, _| of_f32(f16::from_bits(a as u16).to_f32()), 1),
    ("cvt.rn.f16.f32", |a, _, _, _| narrow(f32_of(a)) as u64, 1),
];

/// A GPU's conversion gives one NaN only.
fn narrow(value: f32) -> u16 {
    if value.is_nan() { 0x7fff } else { f16::from_f32(value).to_bits() }
}

#[cfg(test)]
mod tests {
    use super::find;

    fn run(name: &str, [a, b, c, d]: [u64; 4]) -> u64 {
        (find(name).unwrap().0)(a, b, c, d)
    }

    #[test]
    fn bits_are_inserted_and_clamped() {
        assert_eq!(run("bfi.b32", [0xff, 0x1234_5678, 8, 8]), 0x1234_ff78);
        assert_eq!(run("bfi.b32", [0xf, 0, 30, 8]), 0xc000_0000);
        assert_eq!(run("bfi.b64", [0xabcd, 0xffff, 32, 32]), 0x0000_abcd_0000_ffff);
        assert_eq!(run("bfi.b64", [1, 7, 64, 8]), 7);
        assert_eq!(run("bfe.u32", [0xabcd_ef12, 8, 12, 0]), 0xdef);
    }

    #[test]
    fn bytes_are_chosen_by_nibbles() {
        assert_eq!(run("prmt.b32", [0x4433_2211, 0x8877_6655, 0x7531, 0]), 0x8866_4422);
        assert_eq!(run("prmt.b32", [0x0000_8001, 0, 0x9988, 0]), 0xffff_0000);
    }

    #[test]
    fn shifts_past_the_width_give_nothing_and_signs_stay() {
        assert_eq!(run("shl.b32", [1, 32, 0, 0]), 0);
        assert_eq!(run("shr.u64", [u64::MAX, 64, 0, 0]), 0);
        assert_eq!(run("shr.s32", [0x8000_0000, 40, 0, 0]), 0xffff_ffff);
        assert_eq!(run("div.u32", [7, 0, 0, 0]), 0xffff_ffff);
    }

    #[test]
    fn a_nan_is_unordered() {
        let nan = f32::NAN.to_bits() as u64;
        for (name, with_nan) in [("eq", 0), ("ne", 0), ("lt", 0), ("ge", 0), ("neu", 1), ("leu", 1), ("nan", 1), ("num", 0)] {
            assert_eq!(run(&format!("setp.{name}.f32"), [nan, 0, 0, 0]), with_nan, "{name}");
        }
        assert_eq!(run("add.rn.f32", [nan | 5, 0, 0, 0]), 0x7fff_ffff);
        assert_eq!(run("cvt.rn.f16.f32", [nan, 0, 0, 0]), 0x7fff);
    }

    #[test]
    fn halves_round_to_even() {
        let narrow = |value: f32| run("cvt.rn.f16.f32", [value.to_bits() as u64, 0, 0, 0]);
        assert_eq!(narrow(2049.0), 0x6800);
        assert_eq!(narrow(2051.0), 0x6802);
        assert_eq!(narrow(65520.0), 0x7c00);
        assert_eq!(narrow(-5.960_464_5e-8), 0x8001);
    }
}
