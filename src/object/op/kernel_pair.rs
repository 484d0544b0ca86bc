// SPDX-License-Identifier: MIT OR Apache-2.0
//! MINLOC and MAXLOC on value-index pairs: the better value wins, among equal values the smaller index
//! (MPI 5.0, section 6.9.4).

use std::marker::PhantomData;

use super::kernel::{self, Kernel, Step};
use super::kernel_extended::Extended;
use super::predefined::Code;
use crate::object::datatype::element::Element;

/// A pair as C lays it out.
#[derive(Clone, Copy)]
#[repr(C)]
struct Pair<V, I> {
    value: V,
    index: I,
}

/// Values that have an order; comparisons with NaN are false.
trait Ordered: Copy {
    fn above(self, other: Self) -> bool;
    fn equal(self, other: Self) -> bool;
}

macro_rules! ordered {
    ($($t:ident)*) => {
        $(impl Ordered for $t {
            #[inline(always)]
            fn above(self, other: $t) -> bool { self > other }
            #[inline(always)]
            fn equal(self, other: $t) -> bool { self == other }
        })*
    };
}

ordered!(i16 i32 i64 f32 f64);

impl Ordered for Extended {
    #[inline(always)]
    fn above(self, other: Extended) -> bool {
        self.greater(other)
    }

    #[inline(always)]
    fn equal(self, other: Extended) -> bool {
        !self.greater(other) && !other.greater(self) && !self.is_nan() && !other.is_nan()
    }
}

/// The winner, given whether the right value is better.
#[inline(always)]
fn choose<V: Ordered, I: Ordered>(left: Pair<V, I>, right: Pair<V, I>, right_better: bool) -> Pair<V, I> {
    let tie = left.value.equal(right.value);
    if right_better || (tie && left.index.above(right.index)) { right } else { left }
}

struct Minloc<V, I>(PhantomData<(V, I)>);

impl<V: Ordered, I: Ordered> Step for Minloc<V, I> {
    type Value = Pair<V, I>;
    #[inline(always)]
    fn step(a: Pair<V, I>, b: Pair<V, I>) -> Pair<V, I> {
        choose(a, b, a.value.above(b.value))
    }
}

struct Maxloc<V, I>(PhantomData<(V, I)>);

impl<V: Ordered, I: Ordered> Step for Maxloc<V, I> {
    type Value = Pair<V, I>;
    #[inline(always)]
    fn step(a: Pair<V, I>, b: Pair<V, I>) -> Pair<V, I> {
        choose(a, b, b.value.above(a.value))
    }
}

/// The kernels of an operation.
pub fn fill(code: Code, put: &mut dyn FnMut(Element, Option<Kernel>)) {
    fn of<V: Ordered, I: Ordered>(code: Code) -> Option<Kernel> {
        match code {
            Code::Minloc => Some(kernel::of::<Minloc<V, I>>()),
            Code::Maxloc => Some(kernel::of::<Maxloc<V, I>>()),
            _ => None,
        }
    }
    put(Element::FloatInt, of::<f32, i32>(code));
    put(Element::DoubleInt, of::<f64, i32>(code));
    put(Element::LongInt, of::<i64, i32>(code));
    put(Element::TwoInt, of::<i32, i32>(code));
    put(Element::ShortInt, of::<i16, i32>(code));
    put(Element::LongDoubleInt, of::<Extended, i32>(code));
    put(Element::TwoFloat, of::<f32, f32>(code));
    put(Element::TwoDouble, of::<f64, f64>(code));
}
