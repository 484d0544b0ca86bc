// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every operation on every type against simple oracles, at extremes.

use std::fmt::Debug;

use half::{bf16, f16};

use super::kernel_extended::Extended;
use super::*;
use crate::object::attribute::tests::Fake;
use crate::object::callback;
use crate::object::constant::*;
use crate::object::datatype;

/// `left op right` by `apply` and by `combine` in its three forms, which must agree; also at odd addresses.
fn run<T: Copy + Debug>(op: Handle, t: Handle, left: &[T], right: &[T]) -> Vec<T> {
    let (op, t) = (get(op).unwrap(), datatype::get(t).unwrap());
    op.check(t).unwrap();
    let n = left.len() as i64;
    let (mut applied, mut left_out, mut out) = (right.to_vec(), left.to_vec(), right.to_vec());
    let (l, r) = (left.as_ptr().cast::<u8>(), right.as_ptr().cast::<u8>());
    let bytes = size_of_val(left);
    let mut odd = vec![0u8; bytes + 1];
    // SAFETY: all slices hold `n` elements of the type, `odd` one byte more.
    unsafe {
        op.apply(t, n, l, applied.as_mut_ptr().cast());
        op.combine(t, n, left_out.as_ptr().cast(), r, left_out.as_mut_ptr().cast());
        op.combine(t, n, l, r, out.as_mut_ptr().cast());
        r.copy_to_nonoverlapping(odd.as_mut_ptr().add(1), bytes);
        op.apply(t, n, l, odd.as_mut_ptr().add(1));
        let unaligned = (0..left.len()).map(|i| odd.as_ptr().add(1).cast::<T>().add(i).read_unaligned());
        assert_eq!(format!("{:?}", unaligned.collect::<Vec<_>>()), format!("{out:?}"));
    }
    assert_eq!(format!("{applied:?}"), format!("{out:?}"));
    assert_eq!(format!("{left_out:?}"), format!("{out:?}"));
    out
}

/// All pairs of values, repeated so that vector loops and their remainders both run.
fn pairs<T: Copy>(values: &[T]) -> (Vec<T>, Vec<T>) {
    let all = values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b)));
    let all: Vec<(T, T)> = all.collect();
    all.iter().copied().cycle().take(all.len() * 3 + 5).unzip()
}

macro_rules! integers {
    ($($test:ident $int:ident: $($handle:ident)*;)*) => {
        $(#[test]
        fn $test() {
            let (a, b) = pairs(&[0, 1, 2, 77, $int::MAX, $int::MIN, $int::MAX - 1, $int::MIN + 1, $int::MAX / 3]);
            let oracle = |f: fn($int, $int) -> $int| a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect::<Vec<_>>();
            for t in [$($handle),*] {
                assert_eq!(run(SUM, t, &a, &b), oracle(|a, b| a.wrapping_add(b)));
                assert_eq!(run(PROD, t, &a, &b), oracle(|a, b| a.wrapping_mul(b)));
                assert_eq!(run(MIN, t, &a, &b), oracle(|a, b| if a < b { a } else { b }));
                assert_eq!(run(MAX, t, &a, &b), oracle(|a, b| if a > b { a } else { b }));
                assert_eq!(run(BAND, t, &a, &b), oracle(|a, b| a & b));
                assert_eq!(run(BOR, t, &a, &b), oracle(|a, b| a | b));
                assert_eq!(run(BXOR, t, &a, &b), oracle(|a, b| a ^ b));
                assert_eq!(run(LAND, t, &a, &b), oracle(|a, b| (a != 0 && b != 0) as $int));
                assert_eq!(run(LOR, t, &a, &b), oracle(|a, b| (a != 0 || b != 0) as $int));
                assert_eq!(run(LXOR, t, &a, &b), oracle(|a, b| ((a != 0) != (b != 0)) as $int));
            }
        })*
    };
}

integers! {
    signed_bytes i8: CHAR SIGNED_CHAR INT8_T INTEGER1;
    unsigned_bytes u8: UNSIGNED_CHAR UINT8_T BYTE;
    signed_shorts i16: SHORT INT16_T INTEGER2;
    unsigned_shorts u16: UNSIGNED_SHORT UINT16_T;
    signed_ints i32: INT INT32_T INTEGER INTEGER4;
    unsigned_ints u32: UNSIGNED UINT32_T;
    signed_longs i64: LONG LONG_LONG INT64_T INTEGER8 AINT COUNT OFFSET;
    unsigned_longs u64: UNSIGNED_LONG UNSIGNED_LONG_LONG UINT64_T;
    sixteen_byte_integers i128: INTEGER16;
}

macro_rules! floats {
    ($($test:ident $float:ident: $($handle:ident)*;)*) => {
        $(#[test]
        fn $test() {
            let f = [0.0, -0.0, 1.0, -2.5, $float::MAX, $float::MIN, $float::MIN_POSITIVE, $float::EPSILON];
            let (a, b) = pairs(&[&f[..], &[$float::INFINITY, $float::NEG_INFINITY, $float::NAN]].concat());
            let same = |got: Vec<$float>, f: fn($float, $float) -> $float| {
                for (i, got) in got.iter().enumerate() {
                    let want = f(a[i], b[i]);
                    assert!(got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(), "{} {} {got}", a[i], b[i]);
                }
            };
            for t in [$($handle),*] {
                same(run(SUM, t, &a, &b), |a, b| a + b);
                same(run(PROD, t, &a, &b), |a, b| a * b);
                same(run(MIN, t, &a, &b), |a, b| if b < a { b } else { a });
                same(run(MAX, t, &a, &b), |a, b| if b > a { b } else { a });
            }
        })*
    };
}

floats! {
    floats f32: FLOAT REAL REAL4;
    doubles f64: DOUBLE DOUBLE_PRECISION REAL8;
}

#[test]
fn logical_types() {
    let (a, b) = pairs(&[0u8, 1]);
    for t in [C_BOOL, CXX_BOOL, LOGICAL1] {
        assert!(run(LAND, t, &a, &b).iter().zip(a.iter().zip(&b)).all(|(r, (a, b))| *r == a & b));
        assert!(run(LXOR, t, &a, &b).iter().zip(a.iter().zip(&b)).all(|(r, (a, b))| *r == a ^ b));
    }
    assert_eq!(run(LOR, LOGICAL, &[0i32, -1, 0], &[0, 0, 8]), [0, 1, 1]);
}

#[test]
fn complex_products() {
    let (a, b) = ([[1.0f32, 2.0], [0.0, 1.0]], [[3.0, -1.0], [0.0, 1.0]]);
    for t in [C_FLOAT_COMPLEX, CXX_FLOAT_COMPLEX, COMPLEX, COMPLEX8] {
        assert_eq!(run(PROD, t, &a, &b), [[5.0, 5.0], [-1.0, 0.0]]);
        assert_eq!(run(SUM, t, &a, &b), [[4.0, 1.0], [0.0, 2.0]]);
    }
    let wide = |all: [[f32; 2]; 2]| all.map(|z| z.map(f64::from));
    for t in [C_DOUBLE_COMPLEX, CXX_DOUBLE_COMPLEX, DOUBLE_COMPLEX, COMPLEX16] {
        assert_eq!(run(PROD, t, &wide(a), &wide(b)), [[5.0, 5.0], [-1.0, 0.0]]);
    }
    let extended = |all: [[f32; 2]; 2]| all.map(|z| z.map(|x| of_f64(x as f64)));
    for t in [C_LONG_DOUBLE_COMPLEX, CXX_LONG_DOUBLE_COMPLEX] {
        let product = run(PROD, t, &extended(a), &extended(b));
        assert_eq!(product.iter().map(|z| z.map(to_f64)).collect::<Vec<_>>(), [[5.0, 5.0], [-1.0, 0.0]]);
    }
}

#[test]
fn complex_halves_are_rounded_once() {
    let z = |re: f32, im: f32| [f16::from_f32(re), f16::from_f32(im)];
    // 2049 is not a half: 45 * 45.5 + 1.5 * 1 must not be rounded before the sum.
    assert_eq!(run(PROD, COMPLEX4, &[z(45.0, 1.5); 300], &[z(45.5, -1.0); 300]), [z(2049.0, 23.25); 300]);
    assert_eq!(run(SUM, COMPLEX4, &[z(1.0, 2.0)], &[z(3.0, -5.0)]), [z(4.0, -3.0)]);
}

/// An x87 value from its sign and exponent word and its 64-bit significand.
fn x87(head: u16, significand: u64) -> Extended {
    Extended(((head as u128) << 64 | significand as u128).to_le_bytes())
}

fn of_f64(value: f64) -> Extended {
    let bits = value.to_bits();
    let (sign, exponent, fraction) = (bits >> 63, bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    match exponent {
        0 => x87((sign << 15) as u16, 0),
        _ => x87((sign << 15 | (exponent + 16383 - 1023)) as u16, 1 << 63 | fraction << 11),
    }
}

fn to_f64(value: Extended) -> f64 {
    let bits = u128::from_le_bytes(value.0);
    let (head, significand) = ((bits >> 64) as u16, bits as u64);
    let magnitude = significand as f64 * 2f64.powi((head & 0x7fff) as i32 - 16383 - 63);
    if head >> 15 == 1 { -magnitude } else { magnitude }
}

#[test]
fn long_double_has_64_bits_of_precision() {
    // 1 + 2^-63 is exact in 64 bits of significand and lost in 53.
    let (one, tiny) = (x87(0x3fff, 1 << 63), x87(0x3fff - 63, 1 << 63));
    assert_eq!(run(SUM, LONG_DOUBLE, &[one], &[tiny])[0].0, x87(0x3fff, 1 << 63 | 1).0);
    // (2^32 - 1)^2 needs 64 bits.
    let square = run(PROD, LONG_DOUBLE, &[of_f64(4294967295.0)], &[of_f64(4294967295.0)])[0];
    assert_eq!(square.0, x87(0x3fff + 63, 0xffff_fffe_0000_0001).0);
    let (a, b) = ([1.0, -3.0, 5.0, -1e300].map(of_f64), [2.0, -4.0, 5.0, 1e300].map(of_f64));
    assert_eq!(run(MIN, LONG_DOUBLE, &a, &b).into_iter().map(to_f64).collect::<Vec<_>>(), [1.0, -4.0, 5.0, -1e300]);
    assert_eq!(run(MAX, LONG_DOUBLE, &a, &b).into_iter().map(to_f64).collect::<Vec<_>>(), [2.0, -3.0, 5.0, 1e300]);
    let nan = x87(0x7fff, 3 << 62);
    assert!(nan.is_nan() && !of_f64(0.0).is_nan() && !x87(0x7fff, 1 << 63).is_nan());
    assert_eq!(run(MAX, LONG_DOUBLE, &[nan], &[one])[0].0, nan.0);
}

macro_rules! halves {
    ($($test:ident $half:ident: $($handle:ident)*;)*) => {
        $(#[test]
        fn $test() {
            let values: Vec<$half> = (0..=u16::MAX).step_by(521).map($half::from_bits).collect();
            let (a, b): (Vec<_>, Vec<_>) = values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))).unzip();
            for (op, f) in [(SUM, (|a, b| a + b) as fn(f32, f32) -> f32), (PROD, |a, b| a * b),
                            (MIN, |a, b| if b < a { b } else { a }), (MAX, |a, b| if b > a { b } else { a })] {
                for t in [$($handle),*] {
                    let got = run(op, t, &a, &b);
                    for (i, got) in got.iter().enumerate() {
                        let want = $half::from_f32(f(a[i].to_f32(), b[i].to_f32()));
                        let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
                        assert!(same, "{} {}: {got} for {want}", a[i], b[i]);
                    }
                }
            }
        })*
    };
}

halves! {
    half_precision f16: FLOAT16 REAL2;
    brain_floats bf16: BFLOAT16;
}

#[test]
fn sixteen_bit_floats_round_once() {
    // 256 (2048) and seven ones: rounding after each step would lose the ones.
    fn check<T: Copy>(t: Handle, big: T, one: T, n: usize, to_bits: fn(T) -> u16, want: u16) {
        let (op, t) = (get(SUM).unwrap(), datatype::get(t).unwrap());
        for holder in 0..8 {
            let inputs: Vec<Vec<T>> = (0..8).map(|r| vec![if r == holder { big } else { one }; n]).collect();
            let addresses: Vec<*const u8> = inputs.iter().map(|v| v.as_ptr().cast()).collect();
            let mut out = vec![one; n];
            // SAFETY: all hold `n` elements.
            unsafe { op.combine_many(t, n as i64, &addresses, out.as_mut_ptr().cast()) };
            assert!(out.iter().all(|&v| to_bits(v) == want));
        }
    }
    let (big, one) = (bf16::from_f32(256.0), bf16::ONE);
    check(BFLOAT16, big, one, 700, bf16::to_bits, bf16::from_f32(264.0).to_bits());
    let (big, one) = (f16::from_f32(2048.0), f16::ONE);
    check(FLOAT16, big, one, 700, f16::to_bits, f16::from_f32(2056.0).to_bits());
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Pair<V, I>(V, I);

#[test]
fn pairs_prefer_the_smaller_index() {
    fn check<V: Copy + Debug + PartialEq, I: Copy + Debug + PartialEq>(t: Handle, low: V, high: V, i: [I; 2]) {
        let a = [Pair(low, i[1]), Pair(high, i[0]), Pair(low, i[1]), Pair(low, i[0])];
        let b = [Pair(high, i[0]), Pair(low, i[1]), Pair(low, i[0]), Pair(low, i[1])];
        assert_eq!(run(MINLOC, t, &a, &b), [a[0], b[1], b[2], a[3]]);
        assert_eq!(run(MAXLOC, t, &a, &b), [b[0], a[1], b[2], a[3]]);
    }
    check(FLOAT_INT, -1f32, 2.0, [3i32, 4]);
    check(DOUBLE_INT, -1f64, f64::INFINITY, [3i32, 4]);
    check(LONG_INT, i64::MIN, i64::MAX, [-3i32, 4]);
    check(TWO_INT, i32::MIN, i32::MAX, [3i32, 4]);
    check(SHORT_INT, i16::MIN, i16::MAX, [3i32, 4]);
    check(TWO_REAL, -1f32, 2.0, [3f32, 4.0]);
    check(TWO_DOUBLE_PRECISION, -1f64, 2.0, [3f64, 4.0]);
    check(TWO_INTEGER, -1i32, 2, [3i32, 4]);
    let (low, high) = (Pair(of_f64(-1.0), 4), Pair(of_f64(2.0), 3));
    assert_eq!(run(MAXLOC, LONG_DOUBLE_INT, &[low], &[high])[0].1, 3);
    assert_eq!(run(MINLOC, LONG_DOUBLE_INT, &[low, low], &[high, Pair(low.0, 1)])[1].1, 1);
}

#[test]
fn every_allowed_pair_has_a_kernel_and_the_others_are_refused() {
    datatype::register_predefined();
    let types: Vec<_> = (0x200..0x400).filter_map(|h| datatype::get(h).ok()).collect();
    assert!(types.len() > 70);
    for (handle, name, code) in predefined::ROWS {
        for t in &types {
            let allowed = code.allows(t.basic.unwrap().class);
            let checked = get(handle).unwrap().check(t);
            assert_eq!(checked.is_ok(), allowed, "{name} on {}", t.label());
            if let Err(error) = checked {
                assert!(error.text().contains(name) && error.text().contains(&t.label()), "{}", error.text());
            }
        }
    }
}

#[test]
fn derived_types_are_refused_by_predefined_operations() {
    let mut t = DATATYPE_NULL;
    datatype::construct::contiguous(2, INT, &mut t).unwrap();
    let error = get(SUM).unwrap().check(datatype::get(t).unwrap()).unwrap_err();
    assert!(error.text().contains("MPI_Op_create"), "{}", error.text());
}

/// 2 × 2 matrices: `inout = in · inout`, which does not commute.
fn multiply(_: bool, input: *mut u8, inout: *mut u8, len: i64, _: Handle) {
    let (a, b) = (input.cast::<[i64; 4]>(), inout.cast::<[i64; 4]>());
    for i in 0..len as usize {
        // SAFETY: the test passes `len` matrices.
        let (x, y) = unsafe { (a.add(i).read_unaligned(), b.add(i).read_unaligned()) };
        let product =
            [x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3], x[2] * y[0] + x[3] * y[2], x[2] * y[1] + x[3] * y[3]];
        // SAFETY: as above.
        unsafe { b.add(i).write_unaligned(product) };
    }
}

#[test]
fn user_operations_keep_the_order() {
    callback::register(&Fake);
    let (mut t, mut op, mut commute) = (DATATYPE_NULL, OP_NULL, true);
    datatype::construct::contiguous(4, LONG, &mut t).unwrap();
    create(multiply as fn(bool, *mut u8, *mut u8, i64, Handle) as usize, false, &mut op).unwrap();
    commutative(op, &mut commute).unwrap();
    assert!(!commute);
    let (a, b) = ([[1i64, 1, 0, 1]; 5], [[1i64, 0, 1, 1]; 5]);
    assert_eq!(run(op, t, &a, &b), [[2, 1, 1, 1]; 5]);
    assert_eq!(run(op, t, &b, &a), [[1, 1, 1, 2]; 5]);
    let inputs = [&a, &b, &a].map(|m| m.as_ptr().cast::<u8>());
    let mut out = [[0i64; 4]; 5];
    // SAFETY: all hold five matrices.
    unsafe { get(op).unwrap().combine_many(datatype::get(t).unwrap(), 5, &inputs, out.as_mut_ptr().cast()) };
    assert_eq!(out, [[2, 3, 1, 2]; 5]);
    free(&mut op).unwrap();
    assert_eq!(op, OP_NULL);
    assert!(free(&mut { SUM }).is_err());
}

#[test]
fn replace_and_no_op_are_for_accumulation() {
    let (replace, keep, t) = (get(REPLACE).unwrap(), get(NO_OP).unwrap(), datatype::get(INT).unwrap());
    assert!(replace.check(t).is_err() && keep.check(t).is_err());
    let (a, mut b) = ([1i32, 2], [3i32, 4]);
    // SAFETY: both hold two elements.
    unsafe {
        keep.apply(t, 2, a.as_ptr().cast(), b.as_mut_ptr().cast());
        assert_eq!(b, [3, 4]);
        replace.apply(t, 2, a.as_ptr().cast(), b.as_mut_ptr().cast());
    }
    assert_eq!(b, a);
}
