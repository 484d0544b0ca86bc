// SPDX-License-Identifier: MIT OR Apache-2.0
//! 16-bit floats: computed in 32 bits, block by block through the stack, and rounded once an application (to nearest,
//! ties to even).

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use super::kernel::{Kernel, Many, Step};
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

/// # Safety
/// As [`Kernel`].
unsafe fn two<H: Half, S: Step<Value = f32>>(n: usize, a: *const u8, b: *const u8, out: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { many::<H, S>(n, &[a, b], out) }
}

/// # Safety
/// As [`Many`].
unsafe fn many<H: Half, S: Step<Value = f32>>(n: usize, inputs: &[*const u8], out: *mut u8) {
    let mut raw = [H::default(); BLOCK];
    let (mut sum, mut next) = ([0f32; BLOCK], [0f32; BLOCK]);
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
                sum.iter_mut().zip(&next).for_each(|(a, b)| *a = S::step(*a, *b));
            }
        }
        H::narrow(&sum[..len], &mut raw[..len]);
        // SAFETY: the caller promised `n` elements at `out`; all inputs of this block have been read.
        unsafe { raw.as_ptr().cast::<u8>().copy_to_nonoverlapping(out.add(2 * done), 2 * len) };
        done += len;
    }
}

/// The kernels of an operation.
pub fn fill(code: Code, kernels: &mut [Option<Kernel>; ELEMENTS], all: &mut [Option<Many>; ELEMENTS]) {
    macro_rules! put {
        ($($element:ident $half:ident),*) => {
            $({
                let (kernel, combined): (Kernel, Many) = match code {
                    Code::Sum => (two::<$half, Sum<f32>>, many::<$half, Sum<f32>>),
                    Code::Prod => (two::<$half, Prod<f32>>, many::<$half, Prod<f32>>),
                    Code::Min => (two::<$half, Min<f32>>, many::<$half, Min<f32>>),
                    Code::Max => (two::<$half, Max<f32>>, many::<$half, Max<f32>>),
                    _ => return,
                };
                kernels[Element::$element as usize] = Some(kernel);
                all[Element::$element as usize] = Some(combined);
            })*
        };
    }
    put!(F16 f16, Bf16 bf16);
}
