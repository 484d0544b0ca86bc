// SPDX-License-Identifier: MIT OR Apache-2.0
//! `long double` of x86: the x87 unit's 80 bits in 16 bytes. Rust has no such type, so a value is its memory, and each
//! step is a few x87 instructions. The six bytes of padding are written as zeros.

use std::marker::PhantomData;

use super::kernel::{self, Kernel, Step};
use super::predefined::Code;
use crate::object::datatype::element::Element;

/// A `long double` in memory.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Extended(pub [u8; 16]);

#[cfg(target_arch = "x86_64")]
macro_rules! x87 {
    ($instruction:literal, $a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        let mut out = Extended([0; 16]);
        // SAFETY: loads and stores ten bytes of live locals; the x87 stack is left as empty as it was found.
        unsafe {
            std::arch::asm!(
                "fld tbyte ptr [{a}]",
                "fld tbyte ptr [{b}]",
                $instruction,
                "fstp tbyte ptr [{out}]",
                a = in(reg) a.0.as_ptr(), b = in(reg) b.0.as_ptr(), out = in(reg) out.0.as_mut_ptr(),
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            )
        }
        out
    }};
}

#[cfg(target_arch = "x86_64")]
impl Extended {
    /// Whether it is not a number: all exponent bits set, and a fraction.
    #[inline(always)]
    pub fn is_nan(self) -> bool {
        let bits = u128::from_le_bytes(self.0);
        (bits >> 64) & 0x7fff == 0x7fff && bits as u64 & (u64::MAX >> 1) != 0
    }

    /// Sum.
    #[inline(always)]
    pub fn add(self, other: Extended) -> Extended {
        x87!("faddp st(1), st", self, other)
    }

    /// Difference.
    #[inline(always)]
    pub fn sub(self, other: Extended) -> Extended {
        // `self + (-other)`: the sign is one bit, and assemblers disagree about the names of the reversed subtractions.
        let mut negative = other;
        negative.0[9] ^= 0x80;
        self.add(negative)
    }

    /// Product.
    #[inline(always)]
    pub fn mul(self, other: Extended) -> Extended {
        x87!("fmulp st(1), st", self, other)
    }

    /// `self > other`; false when either is a NaN.
    #[inline(always)]
    pub fn greater(self, other: Extended) -> bool {
        let above: u8;
        // SAFETY: loads ten bytes of live locals; the x87 stack is left as empty as it was found.
        unsafe {
            std::arch::asm!(
                "fld tbyte ptr [{b}]",
                "fld tbyte ptr [{a}]",
                "fcomip st, st(1)",
                "fstp st(0)",
                "seta {above}",
                a = in(reg) self.0.as_ptr(), b = in(reg) other.0.as_ptr(), above = out(reg_byte) above,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack, readonly),
            )
        }
        above != 0
    }
}

#[cfg(not(target_arch = "x86_64"))]
compile_error!("long double is done with x87 instructions: give this architecture its own kernel_extended");

/// Loops on memory: a value that went through a local would wait for its own store.
#[cfg(target_arch = "x86_64")]
macro_rules! loops {
    ($($name:ident: $instruction:literal;)*) => {
        $(
            /// # Safety
            /// As [`Kernel`].
            unsafe fn $name(n: usize, a: *const u8, b: *const u8, out: *mut u8) {
                for i in 0..n {
                    // SAFETY: the caller promised `n` elements at each address; the x87 stack is left as empty as it was.
                    unsafe {
                        std::arch::asm!(
                            "fld tbyte ptr [{a}]",
                            "fld tbyte ptr [{b}]",
                            $instruction,
                            "fstp tbyte ptr [{out}]",
                            "mov word ptr [{out} + 10], 0",
                            "mov dword ptr [{out} + 12], 0",
                            a = in(reg) a.add(16 * i), b = in(reg) b.add(16 * i), out = in(reg) out.add(16 * i),
                            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                            options(nostack, preserves_flags),
                        )
                    }
                }
            }
        )*
    };
}

#[cfg(target_arch = "x86_64")]
loops! {
    sum: "faddp st(1), st";
    product: "fmulp st(1), st";
}

macro_rules! steps {
    ($($name:ident |$a:ident, $b:ident| $value:expr;)*) => {
        $(
            struct $name(PhantomData<Extended>);
            impl Step for $name {
                type Value = Extended;
                #[inline(always)]
                fn step($a: Extended, $b: Extended) -> Extended {
                    $value
                }
            }
        )*
    };
}

steps! {
    Min |a, b| if a.greater(b) { b } else { a };
    Max |a, b| if b.greater(a) { b } else { a };
}

/// The kernels of an operation.
pub fn fill(code: Code, put: &mut dyn FnMut(Element, Option<Kernel>)) {
    let kernel: Kernel = match code {
        Code::Sum => sum,
        Code::Prod => product,
        Code::Min => kernel::of::<Min>(),
        Code::Max => kernel::of::<Max>(),
        _ => return,
    };
    put(Element::F80, Some(kernel));
}
