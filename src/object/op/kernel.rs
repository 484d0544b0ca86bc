// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loops every reduction kernel is made of, and the table operation × element.
//!
//! A step is a type with one pure function ([`Step`]); the loops are generic, so that the compiler vectorises each one,
//! once for the base instruction set and once for AVX2 (chosen when the table is filled). Memory is read and written
//! unaligned, which costs nothing on aligned addresses.

use super::predefined::Code;
use super::{kernel_complex, kernel_extended, kernel_float, kernel_half, kernel_integer, kernel_pair, kernel_quad};
use crate::object::datatype::element::{ELEMENTS, Element};

/// `out[i] = a[i] op b[i]` for `n` elements in memory layout. `out` may equal `a` or `b`.
pub type Kernel = unsafe fn(n: usize, a: *const u8, b: *const u8, out: *mut u8);

/// `out[i] = inputs[0][i] op inputs[1][i] op …` for elements that need more precision on the way.
pub type Many = unsafe fn(n: usize, inputs: &[*const u8], out: *mut u8);

/// One step of a reduction: `left op right`.
pub trait Step {
    /// The element in memory.
    type Value: Copy;
    #[allow(missing_docs)]
    fn step(left: Self::Value, right: Self::Value) -> Self::Value;
}

/// The kernel of a step, for this processor.
pub fn of<S: Step>() -> Kernel {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return avx2::<S>;
    }
    base::<S>
}

/// # Safety
/// As [`Kernel`].
unsafe fn base<S: Step>(n: usize, a: *const u8, b: *const u8, out: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { every::<S>(n, a, b, out) }
}

/// # Safety
/// As [`Kernel`], on a processor with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2<S: Step>(n: usize, a: *const u8, b: *const u8, out: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { every::<S>(n, a, b, out) }
}

/// The loop, three times: with `out` distinct from an operand's memory or known to be the same, each one vectorises.
///
/// # Safety
/// As [`Kernel`].
#[inline(always)]
unsafe fn every<S: Step>(n: usize, a: *const u8, b: *const u8, out: *mut u8) {
    let (a, b, out) = (a.cast::<S::Value>(), b.cast::<S::Value>(), out.cast::<S::Value>());
    // SAFETY: the caller promised `n` elements at each address.
    unsafe {
        if std::ptr::eq(b, out) {
            for i in 0..n {
                let right = out.add(i).read_unaligned();
                out.add(i).write_unaligned(S::step(a.add(i).read_unaligned(), right));
            }
        } else if std::ptr::eq(a, out) {
            for i in 0..n {
                let left = out.add(i).read_unaligned();
                out.add(i).write_unaligned(S::step(left, b.add(i).read_unaligned()));
            }
        } else {
            for i in 0..n {
                out.add(i).write_unaligned(S::step(a.add(i).read_unaligned(), b.add(i).read_unaligned()));
            }
        }
    }
}

/// Fills the row of an operation.
pub fn fill(code: Code, kernels: &mut [Option<Kernel>; ELEMENTS], many: &mut [Option<Many>; ELEMENTS]) {
    let mut put = |element: Element, kernel: Option<Kernel>| kernels[element as usize] = kernel;
    kernel_integer::fill(code, &mut put);
    kernel_float::fill(code, &mut put);
    kernel_extended::fill(code, &mut put);
    kernel_quad::fill(code, &mut put);
    kernel_complex::fill(code, &mut put);
    kernel_pair::fill(code, &mut put);
    kernel_half::fill(code, kernels, many);
}
