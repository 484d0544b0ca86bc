// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every operation on every type against simple oracles, at extremes.

use super::*;
use crate::object::constant::*;
use crate::object::datatype;

/// `left op right` by `apply`, and by `combine` in its three forms, which must agree.
fn run<T: Copy + PartialEq + std::fmt::Debug>(op: Handle, t: Handle, left: &[T], right: &[T]) -> Vec<T> {
    let (op, t) = (get(op).unwrap(), datatype::get(t).unwrap());
    op.check(t).unwrap();
    let n = left.len() as i64;
    let (mut applied, mut left_out, mut out) = (right.to_vec(), left.to_vec(), right.to_vec());
    let (l, r) = (left.as_ptr().cast(), right.as_ptr().cast());
    // SAFETY: all slices hold `n` elements of the type.
    unsafe {
        op.apply(t, n, l, applied.as_mut_ptr().cast());
        op.combine(t, n, left_out.as_ptr().cast(), r, left_out.as_mut_ptr().cast());
        op.combine(t, n, l, r, out.as_mut_ptr().cast());
    }
    assert_eq!(format!("{applied:?}"), format!("{out:?}"));
    assert_eq!(format!("{left_out:?}"), format!("{out:?}"));
    out
}

#[test]
fn sums_are_sums() {
    let a: Vec<f32> = (0..37).map(|i| i as f32).collect();
    let sum = run(SUM, FLOAT, &a, &a);
    assert!(sum.iter().zip(&a).all(|(s, a)| *s == 2.0 * a));
}
