// SPDX-License-Identifier: MIT OR Apache-2.0
//! 16-bit floats: computed in 32 bits, block by block through the stack, and rounded once an application (to nearest,
//! ties to even).

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use super::kernel::{Kernel, Many, Step};
use super::kernel_complex;
use super::kernel_float::{Max, Min, Prod, Sum};
use super::predefined::Code;
use crate::object::datatype::element::{ELEMENTS, Element};

/// Elements converted at a time: small enough for the first-level cache, long enough for vector loops.
const BLOCK: usize = 256;

/// A 16-bit float.
trait Half: Copy + Default {
    fn widen(from: &[Self], to: &mut [f32]);
    fn narrow(from: &[f32], to: &mut [Self]);
}

impl Half for f16 {
    fn widen(from: &[f16], to: &mut [f32]) {
        from.convert_to_f32_slice(to);
    }

    fn narrow(from: &[f32], to: &mut [f16]) {
        to.convert_from_f32_slice(from);
    }
}

impl Half for bf16 {
    #[inline(always)]
    fn widen(from: &[bf16], to: &mut [f32]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = f32::from_bits((from.to_bits() as u32) << 16);
        }
    }

    #[inline(always)]
    fn narrow(from: &[f32], to: &mut [bf16]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = bf16::from_bits(round_to_bf16(*from));
        }
    }
}

/// The upper half of the bits, rounded to nearest even; a NaN stays one (quiet). No branch, so that it vectorises.
#[inline(always)]
fn round_to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1));
    let nan = bits | 0x0040_0000;
    ((if value.is_nan() { nan } else { rounded }) >> 16) as u16
}

/// One step on 32-bit floats: a real one on each, or a complex one on pairs of them.
trait Wide: Step {}

impl Wide for Sum<f32> {}
impl Wide for Prod<f32> {}
impl Wide for Min<f32> {}
impl Wide for Max<f32> {}
impl Wide for kernel_complex::Sum<f32> {}
impl Wide for kernel_complex::Prod<f32> {}

/// # Safety
/// As [`Kernel`].
unsafe fn two<H: Half, S: Wide>(n: usize, a: *const u8, b: *const u8, out: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { many::<H, S>(n, &[a, b], out) }
}

/// # Safety
/// As [`Many`].
unsafe fn many<H: Half, S: Wide>(n: usize, inputs: &[*const u8], out: *mut u8) {
    let mut raw = [H::default(); BLOCK];
    let (mut sum, mut next) = ([0f32; BLOCK], [0f32; BLOCK]);
    let n = n * size_of::<S::Value>() / size_of::<f32>();
    let mut done = 0;
    while done < n {
        let len = BLOCK.min(n - done);
        for (i, input) in inputs.iter().enumerate() {
            // SAFETY: the caller promised `n` elements at each input; bytes are copied, so alignment does not matter.
            unsafe { input.add(2 * done).copy_to_nonoverlapping(raw.as_mut_ptr().cast(), 2 * len) };
            if i == 0 {
                H::widen(&raw[..len], &mut sum[..len]);
            } else {
                H::widen(&raw[..len], &mut next[..len]);
                step_all::<S>(&mut sum, &next);
            }
        }
        H::narrow(&sum[..len], &mut raw[..len]);
        // SAFETY: the caller promised `n` elements at `out`; all inputs of this block have been read.
        unsafe { raw.as_ptr().cast::<u8>().copy_to_nonoverlapping(out.add(2 * done), 2 * len) };
        done += len;
    }
}

fn step_all<S: Wide>(sum: &mut [f32; BLOCK], next: &[f32; BLOCK]) {
    let len = BLOCK * size_of::<f32>() / size_of::<S::Value>();
    // SAFETY: the value of a `Wide` step is one or two `f32`, which divides the block and needs no more alignment.
    let (sum, next) = unsafe {
        let sum = std::slice::from_raw_parts_mut(sum.as_mut_ptr().cast::<S::Value>(), len);
        (sum, std::slice::from_raw_parts(next.as_ptr().cast::<S::Value>(), len))
    };
    sum.iter_mut().zip(next).for_each(|(a, b)| *a = S::step(*a, *b));
}

/// The kernels of an operation.
pub fn fill(code: Code, kernels: &mut [Option<Kernel>; ELEMENTS], all: &mut [Option<Many>; ELEMENTS]) {
    let mut put = |element: Element, kernel: Kernel, combined: Many| {
        kernels[element as usize] = Some(kernel);
        all[element as usize] = Some(combined);
    };
    macro_rules! put {
        ($($element:ident $half:ident $step:ty),*) => {
            $(put(Element::$element, two::<$half, $step>, many::<$half, $step>);)*
        };
    }
    match code {
        Code::Sum => {
            put!(F16 f16 Sum<f32>, Bf16 bf16 Sum<f32>, ComplexF16 f16 kernel_complex::Sum<f32>);
        }
        Code::Prod => {
            put!(F16 f16 Prod<f32>, Bf16 bf16 Prod<f32>, ComplexF16 f16 kernel_complex::Prod<f32>);
        }
        Code::Min => {
            put!(F16 f16 Min<f32>, Bf16 bf16 Min<f32>);
        }
        Code::Max => {
            put!(F16 f16 Max<f32>, Bf16 bf16 Max<f32>);
        }
        _ => {}
    }
}
