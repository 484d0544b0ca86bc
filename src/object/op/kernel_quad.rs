// SPDX-License-Identifier: MIT OR Apache-2.0
//! IEEE binary128 (`REAL(16)` of Fortran) in software: neither the processor nor stable Rust has it. Round to nearest,
//! ties to even; subnormals, infinities and NaN as IEEE 754 says.

use std::marker::PhantomData;

use super::kernel::{self, Kernel, Step};
use super::predefined::Code;
use crate::object::datatype::element::Element;

const FRACTION: u32 = 112;
const IMPLICIT: u128 = 1 << FRACTION;
const BIAS: i32 = 16383;
const EXPONENT_MAX: i32 = 0x7fff;
/// Bits below the last one of the result that decide how it is rounded: guard, round, sticky.
const GUARD: u32 = 3;
const SIGN: u128 = 1 << 127;
const INFINITY: u128 = (EXPONENT_MAX as u128) << FRACTION;
const NAN: u128 = INFINITY | 1 << (FRACTION - 1);

/// A binary128 in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Quad(pub u128);

/// Shifts right; lost bits leave a mark in the last one.
fn sticky_shift(value: u128, by: u32) -> u128 {
    match by {
        0 => value,
        1..=127 => value >> by | (value << (128 - by) != 0) as u128,
        _ => (value != 0) as u128,
    }
}

impl Quad {
    fn magnitude(self) -> u128 {
        self.0 & !SIGN
    }

    fn sign(self) -> u128 {
        self.0 & SIGN
    }

    /// Whether it is not a number.
    pub fn is_nan(self) -> bool {
        self.magnitude() > INFINITY
    }

    /// Exponent field (a subnormal's as 1) and significand with its implicit bit, of a finite value.
    fn parts(self) -> (i32, u128) {
        let (exponent, fraction) = ((self.magnitude() >> FRACTION) as i32, self.0 & (IMPLICIT - 1));
        if exponent == 0 { (1, fraction) } else { (exponent, fraction | IMPLICIT) }
    }

    /// The value of a significand with guard bits, rounded. Bits at and above `IMPLICIT << GUARD` mean a normal number.
    fn round(sign: u128, exponent: i32, significand: u128) -> Quad {
        let (kept, lost) = (significand >> GUARD, significand & 7);
        let up = lost > 4 || (lost == 4 && kept & 1 == 1);
        // The implicit bit adds one to the exponent field; a carry out of the fraction does the same.
        let magnitude = ((exponent - 1) as u128).wrapping_shl(FRACTION) + kept + up as u128;
        Quad(sign | magnitude.min(INFINITY))
    }

    /// Sum.
    pub fn add(self, other: Quad) -> Quad {
        let (big, small) = if self.magnitude() >= other.magnitude() { (self, other) } else { (other, self) };
        if big.magnitude() >= INFINITY {
            let opposite = big.sign() != small.sign() && small.magnitude() == INFINITY;
            return if big.is_nan() || opposite { Quad(NAN) } else { big };
        }
        let ((exponent, a), (lower, b)) = (big.parts(), small.parts());
        let (a, b) = (a << GUARD, sticky_shift(b << GUARD, (exponent - lower) as u32));
        if big.sign() == small.sign() {
            let sum = a + b;
            let carry = (sum >> (FRACTION + GUARD + 1)) as u32;
            return Quad::round(big.sign(), exponent + carry as i32, sticky_shift(sum, carry));
        }
        let difference = a - b;
        if difference == 0 {
            return Quad(0);
        }
        let left = (difference.leading_zeros() - (127 - FRACTION - GUARD)).min(exponent as u32 - 1);
        Quad::round(big.sign(), exponent - left as i32, difference << left)
    }

    /// Difference.
    pub fn sub(self, other: Quad) -> Quad {
        self.add(Quad(other.0 ^ SIGN))
    }

    /// Product.
    pub fn mul(self, other: Quad) -> Quad {
        let sign = self.sign() ^ other.sign();
        let (low, high) = (self.magnitude().min(other.magnitude()), self.magnitude().max(other.magnitude()));
        if high >= INFINITY {
            return if high > INFINITY || low == 0 { Quad(NAN) } else { Quad(sign | INFINITY) };
        }
        if low == 0 {
            return Quad(sign);
        }
        let ((ea, a), (eb, b)) = (Quad(low).normal_parts(), Quad(high).normal_parts());
        let (top, bottom) = wide_product(a, b);
        // 225 or 226 bits, of which 113 and the guard bits are kept.
        let kept = 2 * FRACTION - (FRACTION + GUARD);
        let product = top << (128 - kept) | sticky_shift(bottom, kept);
        let carry = (product >> (FRACTION + GUARD + 1)) as u32;
        let exponent = ea + eb - BIAS + carry as i32;
        let product = sticky_shift(product, carry);
        match exponent {
            ..=0 => Quad::round(sign, 1, sticky_shift(product, exponent.unsigned_abs() + 1)),
            EXPONENT_MAX.. => Quad(sign | INFINITY),
            _ => Quad::round(sign, exponent, product),
        }
    }

    /// As `parts`, a subnormal shifted up with a lower exponent.
    fn normal_parts(self) -> (i32, u128) {
        let (exponent, significand) = self.parts();
        let left = significand.leading_zeros() - (127 - FRACTION);
        (exponent - left as i32, significand << left)
    }

    /// `self > other`; false when either is a NaN.
    pub fn greater(self, other: Quad) -> bool {
        !self.is_nan() && !other.is_nan() && self.order() > other.order()
    }

    /// A number that orders as the value does; both zeros are equal.
    fn order(self) -> i128 {
        let magnitude = self.magnitude() as i128;
        if self.sign() == 0 { magnitude } else { -magnitude }
    }
}

/// High and low 128 bits of a product.
fn wide_product(a: u128, b: u128) -> (u128, u128) {
    let half = |v: u128| (v >> 64, v & u64::MAX as u128);
    let ((a1, a0), (b1, b0)) = (half(a), half(b));
    let (low, middle, other) = (a0 * b0, a1 * b0, a0 * b1);
    let (sum, carry) = middle.overflowing_add(other);
    let (bottom, more) = low.overflowing_add(sum << 64);
    (a1 * b1 + (sum >> 64) + ((carry as u128) << 64) + more as u128, bottom)
}

macro_rules! steps {
    ($($name:ident |$a:ident, $b:ident| $value:expr;)*) => {
        $(
            struct $name(PhantomData<Quad>);
            impl Step for $name {
                type Value = Quad;
                fn step($a: Quad, $b: Quad) -> Quad {
                    $value
                }
            }
        )*
    };
}

steps! {
    Sum |a, b| a.add(b);
    Prod |a, b| a.mul(b);
    Min |a, b| if a.greater(b) { b } else { a };
    Max |a, b| if b.greater(a) { b } else { a };
}

/// The kernels of an operation.
pub fn fill(code: Code, put: &mut dyn FnMut(Element, Option<Kernel>)) {
    let kernel = match code {
        Code::Sum => kernel::of::<Sum>(),
        Code::Prod => kernel::of::<Prod>(),
        Code::Min => kernel::of::<Min>(),
        Code::Max => kernel::of::<Max>(),
        _ => return,
    };
    put(Element::F128, Some(kernel));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of_u128(value: u128) -> Quad {
        if value == 0 {
            return Quad(0);
        }
        let top = 127 - value.leading_zeros();
        assert!(value.trailing_zeros() + FRACTION >= top);
        let significand = if top > FRACTION { value >> (top - FRACTION) } else { value << (FRACTION - top) };
        Quad(((BIAS + top as i32 - 1) as u128) << FRACTION).plus(significand)
    }

    impl Quad {
        fn plus(self, significand: u128) -> Quad {
            Quad(self.0 + significand)
        }
    }

    fn of_f64(value: f64) -> Quad {
        let bits = value.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32 - 1023 + BIAS;
        let fraction = ((bits & ((1 << 52) - 1)) as u128) << (FRACTION - 52);
        Quad(((bits >> 63) as u128) << 127 | (exponent as u128) << FRACTION | fraction)
    }

    /// Rounded to nearest even; only for results that are normal in 64 bits. 113 bits are more than twice 53 and two,
    /// so rounding twice is rounding once.
    fn to_f64(value: Quad) -> f64 {
        if value.magnitude() == 0 {
            return if value.sign() == 0 { 0.0 } else { -0.0 };
        }
        let (exponent, significand) = value.parts();
        let (kept, lost) = (significand >> 60, significand & ((1 << 60) - 1));
        let up = lost > 1 << 59 || (lost == 1 << 59 && kept & 1 == 1);
        let bits = (((exponent - BIAS + 1023 - 1) as u64) << 52) + kept as u64 + up as u64;
        f64::from_bits(bits | ((value.sign() >> 64) as u64))
    }

    fn number() -> impl Strategy<Value = f64> {
        (any::<bool>(), -200i32..200, 0u64..1 << 52, 0u32..53).prop_map(|(negative, exponent, fraction, zeros)| {
            let fraction = fraction >> zeros << zeros;
            let value = f64::from_bits(((exponent + 1023) as u64) << 52 | fraction);
            if negative { -value } else { value }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn rounded_to_64_bits_it_is_the_processors(a in number(), b in number()) {
            let (x, y) = (of_f64(a), of_f64(b));
            prop_assert_eq!(to_f64(x.add(y)), a + b);
            prop_assert_eq!(to_f64(x.sub(y)), a - b);
            prop_assert_eq!(to_f64(x.mul(y)), a * b);
            prop_assert_eq!(x.greater(y), a > b);
        }

        #[test]
        fn integers_are_exact(a in 0u128..1 << 112, b in 0u128..1 << 112, c in 0u128..1 << 56, d in 0u128..1 << 56) {
            prop_assert_eq!(of_u128(a).add(of_u128(b)), of_u128(a + b));
            prop_assert_eq!(of_u128(a.max(b)).sub(of_u128(a.min(b))), of_u128(a.max(b) - a.min(b)));
            prop_assert_eq!(of_u128(c).mul(of_u128(d)), of_u128(c * d));
        }
    }

    #[test]
    fn edges() {
        let (one, inf, least) = (of_u128(1), Quad(INFINITY), Quad(1));
        assert!(inf.sub(inf).is_nan() && inf.mul(Quad(0)).is_nan() && Quad(NAN).add(one).is_nan());
        assert_eq!(inf.add(one), inf);
        assert_eq!(Quad(INFINITY - 1).add(Quad(INFINITY - 1)), inf);
        assert_eq!(Quad(INFINITY - 1).mul(of_u128(2)), inf);
        assert_eq!(least.add(least), Quad(2));
        assert_eq!(Quad(IMPLICIT).sub(least), Quad(IMPLICIT - 1));
        assert_eq!(least.mul(of_u128(4)), Quad(4));
        assert_eq!(Quad(IMPLICIT).mul(of_f64(0.5)), Quad(IMPLICIT / 2));
        assert_eq!(least.mul(of_f64(0.5)), Quad(0));
        assert_eq!(Quad(3).mul(of_f64(0.5)), Quad(2));
        // 1 + 2^-113 is a tie and goes to even; a little more goes up.
        let half = of_f64(2f64.powi(-113));
        assert_eq!(one.add(half), one);
        assert_eq!(Quad(one.0 + 1).add(half), Quad(one.0 + 2));
        assert_eq!(one.add(Quad(half.0 + 1)), Quad(one.0 + 1));
        assert!(!Quad(0).greater(Quad(SIGN)) && !Quad(SIGN).greater(Quad(0)));
    }
}
