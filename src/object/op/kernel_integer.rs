// SPDX-License-Identifier: MIT OR Apache-2.0
//! Integers and logicals: arithmetic wraps as it does in C on this machine; logical results are 0 or 1.

use std::marker::PhantomData;

use super::kernel::{self, Kernel, Step};
use super::predefined::Code;
use crate::object::datatype::element::Element;

macro_rules! steps {
    ($($name:ident |$a:ident, $b:ident: $t:ident| $value:expr;)*) => {
        $(
            struct $name<T>(PhantomData<T>);
            steps!(@each $name $a $b $t $value; i8 u8 i16 u16 i32 u32 i64 u64 i128);
        )*
    };
    (@each $name:ident $a:ident $b:ident $t:ident $value:expr; $($int:ident)*) => {
        $(impl Step for $name<$int> {
            type Value = $int;
            #[inline(always)]
            fn step($a: $int, $b: $int) -> $int {
                #[allow(dead_code)]
                type $t = $int;
                $value
            }
        })*
    };
}

steps! {
    Sum |a, b: T| a.wrapping_add(b);
    Prod |a, b: T| a.wrapping_mul(b);
    Min |a, b: T| a.min(b);
    Max |a, b: T| a.max(b);
    Band |a, b: T| a & b;
    Bor |a, b: T| a | b;
    Bxor |a, b: T| a ^ b;
    Land |a, b: T| ((a != 0) & (b != 0)) as T;
    Lor |a, b: T| ((a | b) != 0) as T;
    Lxor |a, b: T| ((a != 0) ^ (b != 0)) as T;
}

/// The kernels of an operation; signedness matters only for order.
pub fn fill(code: Code, put: &mut dyn FnMut(Element, Option<Kernel>)) {
    macro_rules! put {
        ($($element:ident $int:ident $bits:ident),*) => {
            $(put(Element::$element, match code {
                Code::Sum => Some(kernel::of::<Sum<$bits>>()),
                Code::Prod => Some(kernel::of::<Prod<$bits>>()),
                Code::Min => Some(kernel::of::<Min<$int>>()),
                Code::Max => Some(kernel::of::<Max<$int>>()),
                Code::Band => Some(kernel::of::<Band<$bits>>()),
                Code::Bor => Some(kernel::of::<Bor<$bits>>()),
                Code::Bxor => Some(kernel::of::<Bxor<$bits>>()),
                Code::Land => Some(kernel::of::<Land<$bits>>()),
                Code::Lor => Some(kernel::of::<Lor<$bits>>()),
                Code::Lxor => Some(kernel::of::<Lxor<$bits>>()),
                Code::Minloc | Code::Maxloc => None,
            });)*
        };
    }
    put!(I8 i8 u8, U8 u8 u8, I16 i16 u16, U16 u16 u16, I32 i32 u32, U32 u32 u32, I64 i64 u64, U64 u64 u64, I128 i128 i128);
}
