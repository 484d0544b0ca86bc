// SPDX-License-Identifier: MIT OR Apache-2.0
//! Complex numbers: sum and product, by the textbook formulas.

use std::marker::PhantomData;

use super::kernel::{self, Kernel, Step};
use super::kernel_extended::Extended;
use super::kernel_quad::Quad;
use super::predefined::Code;
use crate::object::datatype::element::Element;

/// What a complex number is made of.
pub trait Real: Copy {
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
}

macro_rules! real {
    ($($float:ident)*) => {
        $(impl Real for $float {
            #[inline(always)]
            fn add(self, other: $float) -> $float { self + other }
            #[inline(always)]
            fn sub(self, other: $float) -> $float { self - other }
            #[inline(always)]
            fn mul(self, other: $float) -> $float { self * other }
        })*
    };
}

real!(f32 f64);

macro_rules! real_by_method {
    ($($float:ident)*) => {
        $(impl Real for $float {
            #[inline(always)]
            fn add(self, other: $float) -> $float { $float::add(self, other) }
            #[inline(always)]
            fn sub(self, other: $float) -> $float { $float::sub(self, other) }
            #[inline(always)]
            fn mul(self, other: $float) -> $float { $float::mul(self, other) }
        })*
    };
}

real_by_method!(Extended Quad);

/// As C lays it out.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Complex<R> {
    re: R,
    im: R,
}

pub struct Sum<R>(PhantomData<R>);

impl<R: Real> Step for Sum<R> {
    type Value = Complex<R>;
    #[inline(always)]
    fn step(a: Complex<R>, b: Complex<R>) -> Complex<R> {
        Complex { re: a.re.add(b.re), im: a.im.add(b.im) }
    }
}

pub struct Prod<R>(PhantomData<R>);

impl<R: Real> Step for Prod<R> {
    type Value = Complex<R>;
    #[inline(always)]
    fn step(a: Complex<R>, b: Complex<R>) -> Complex<R> {
        Complex { re: a.re.mul(b.re).sub(a.im.mul(b.im)), im: a.re.mul(b.im).add(a.im.mul(b.re)) }
    }
}

/// The kernels of an operation.
pub fn fill(code: Code, put: &mut dyn FnMut(Element, Option<Kernel>)) {
    fn of<R: Real>(code: Code) -> Option<Kernel> {
        match code {
            Code::Sum => Some(kernel::of::<Sum<R>>()),
            Code::Prod => Some(kernel::of::<Prod<R>>()),
            _ => None,
        }
    }
    put(Element::ComplexF32, of::<f32>(code));
    put(Element::ComplexF64, of::<f64>(code));
    put(Element::ComplexF80, of::<Extended>(code));
    put(Element::ComplexF128, of::<Quad>(code));
}
