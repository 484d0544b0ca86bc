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

/// The kernels of an operation.
pub fn fill(code: Code, put: &mut dyn FnMut(Element, Option<Kernel>)) {
    macro_rules! put {
        ($($element:ident $float:ident),*) => {
            $(put(Element::$element, match code {
                Code::Sum => Some(kernel::of::<Sum<$float>>()),
                Code::Prod => Some(kernel::of::<Prod<$float>>()),
                Code::Min => Some(kernel::of::<Min<$float>>()),
                Code::Max => Some(kernel::of::<Max<$float>>()),
                _ => None,
            });)*
        };
    }
    put!(F32 f32, F64 f64);
}
