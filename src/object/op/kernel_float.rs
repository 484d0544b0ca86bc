// SPDX-License-Identifier: MIT OR Apache-2.0
//! `float` and `double`. Order is C's: `right < left ? right : left`, which is also what the processor's own minimum does,
//! so a NaN on the left survives and one on the right does not win a comparison.

use std::marker::PhantomData;

use super::kernel::{self, Kernel, Step};
use super::predefined::Code;
use crate::object::datatype::element::Element;

macro_rules! steps {
    ($($name:ident |$a:ident, $b:ident| $value:expr;)*) => {
        $(
            pub struct $name<T>(PhantomData<T>);
            steps!(@each $name $a $b $value; f32 f64);
        )*
    };
    (@each $name:ident $a:ident $b:ident $value:expr; $($float:ident)*) => {
        $(impl Step for $name<$float> {
            type Value = $float;
            #[inline(always)]
            fn step($a: $float, $b: $float) -> $float {
                $value
            }
        })*
    };
}

steps! {
    Sum |a, b| a + b;
    Prod |a, b| a * b;
    Min |a, b| if b < a { b } else { a };
    Max |a, b| if b > a { b } else { a };
}

/// Minimum and maximum with the processor's own vector instruction, which computes exactly these steps. Left to the
/// compiler, an unchanged target becomes a masked store, which is several times slower.
#[cfg(target_arch = "x86_64")]
macro_rules! vector_loops {
    ($($name:ident: $float:ident $step:ident $load:ident $store:ident $best:ident;)*) => {
        $(
            /// # Safety
            /// As [`Kernel`], on a processor with AVX.
            #[target_feature(enable = "avx")]
            unsafe fn $name(n: usize, a: *const u8, b: *const u8, out: *mut u8) {
                use std::arch::x86_64::*;
                const LANES: usize = 32 / size_of::<$float>();
                let (a, b, out) = (a.cast::<$float>(), b.cast::<$float>(), out.cast::<$float>());
                let whole = n - n % LANES;
                // SAFETY: the caller promised `n` elements at each address, and AVX.
                unsafe {
                    for i in (0..whole).step_by(LANES) {
                        $store(out.add(i), $best($load(b.add(i)), $load(a.add(i))));
                    }
                    for i in whole..n {
                        let value = $step::<$float>::step(a.add(i).read_unaligned(), b.add(i).read_unaligned());
                        out.add(i).write_unaligned(value);
                    }
                }
            }
        )*
    };
}

#[cfg(target_arch = "x86_64")]
vector_loops! {
    min_f32: f32 Min _mm256_loadu_ps _mm256_storeu_ps _mm256_min_ps;
    max_f32: f32 Max _mm256_loadu_ps _mm256_storeu_ps _mm256_max_ps;
    min_f64: f64 Min _mm256_loadu_pd _mm256_storeu_pd _mm256_min_pd;
    max_f64: f64 Max _mm256_loadu_pd _mm256_storeu_pd _mm256_max_pd;
}

/// The vector loop of an operation, where there is one and the processor has the instruction.
fn vector_loop(code: Code, double: bool) -> Option<Kernel> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        return match (code, double) {
            (Code::Min, false) => Some(min_f32),
            (Code::Max, false) => Some(max_f32),
            (Code::Min, true) => Some(min_f64),
            (Code::Max, true) => Some(max_f64),
            _ => None,
        };
    }
    None
}

/// The kernels of an operation.
pub fn fill(code: Code, put: &mut dyn FnMut(Element, Option<Kernel>)) {
    macro_rules! put {
        ($($element:ident $float:ident),*) => {
            $(put(Element::$element, vector_loop(code, size_of::<$float>() == 8).or(match code {
                Code::Sum => Some(kernel::of::<Sum<$float>>()),
                Code::Prod => Some(kernel::of::<Prod<$float>>()),
                Code::Min => Some(kernel::of::<Min<$float>>()),
                Code::Max => Some(kernel::of::<Max<$float>>()),
                _ => None,
            }));)*
        };
    }
    put!(F32 f32, F64 f64);
}
