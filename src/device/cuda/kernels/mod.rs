// SPDX-License-Identifier: MIT OR Apache-2.0
//! The GPU kernels: text of their modules, and which entry serves what.
//!
//! | file | what |
//! |---|---|
//! | `reduce.cu` | reductions, all pairs of operation and type: one source, one module a type |
//! | `pack.cu` | derived types to a dense stream and back |
//! | `*.ptx` | what NVRTC made of them (`make ptx`); the driver compiles it for its device when a module is loaded |
//! | [`packing`] | entries and tables of `pack.cu` |
//!
//! The committed PTX is run against the kernels of the host by the tests of `conformance/ptx`.

pub mod packing;

use std::ffi::CStr;

pub use crate::device::MOST_INPUTS;
use crate::object::datatype::Datatype;
use crate::object::datatype::element::Element;
use crate::object::op::{Code, Op};

/// PTX of one module, as the driver takes it: with a zero at the end.
#[derive(Debug)]
pub struct Module {
    /// Its place in [`MODULES`], for tables of what has been loaded.
    pub number: usize,
    /// The name of its file, without `.ptx`.
    pub name: &'static str,
    /// The text.
    pub text: &'static CStr,
}

macro_rules! text {
    ($literal:expr) => {
        match CStr::from_bytes_with_nul(concat!($literal, "\0").as_bytes()) {
            Ok(text) => text,
            Err(_) => panic!("a zero inside"),
        }
    };
}
use text;

macro_rules! modules {
    ($($place:ident $number:literal $name:literal)*) => {
        /// All modules.
        pub static MODULES: [&Module; [$($number),*].len()] = [$(&$place),*];
        $(
            #[allow(missing_docs)]
            pub static $place: Module = Module { number: $number, name: $name, text: text!(include_str!(concat!($name, ".ptx"))) };
        )*
    };
}

modules! {
    I8 0 "i8"
    I16 1 "i16"
    I32 2 "i32"
    I64 3 "i64"
    F16 4 "f16"
    BF16 5 "bf16"
    F32 6 "f32"
    F64 7 "f64"
    C16 8 "c16"
    C32 9 "c32"
    C64 10 "c64"
    PACK 11 "pack"
}

/// The two entries of a reduction. They take any grid and any block of threads, fastest with one thread for each 16 bytes of
/// result up to what the device runs at once. All addresses may be odd; 16-byte accesses need equal distances of all
/// addresses from multiples of 16.
#[derive(Debug)]
pub struct Reduction {
    /// Where they are.
    pub module: &'static Module,
    /// `(out: pointer, a: pointer, b: pointer, count: u64)`: `out[i] = a[i] op b[i]`. `out` may be `a` or `b`.
    pub two: &'static CStr,
    /// `(count: u64, inputs: u32, outs: u32, in0: pointer, …, in7: pointer, out0: pointer, …, out7: pointer)`: `out0[i] = out1[i] = …
    /// = in0[i] op in1[i] op …`, from left to right, for the first `inputs` and `outs` (1 to [`MOST_INPUTS`] each; pointers behind
    /// them are not used). Any `out` may be any of the inputs. One input is copied, but for its 16-bit NaNs, which become quiet.
    pub many: &'static CStr,
    /// Bytes of an element.
    pub element: usize,
}

macro_rules! reductions {
    ($($element:pat, $module:ident $bytes:literal: $($code:ident $name:literal)*;)*) => {
        /// The kernels of an operation on elements of a machine type; none for what has no kernel (`MPI_MINLOC`, `long double`, …).
        pub fn reduction(code: Code, element: Element) -> Option<Reduction> {
            match (element.native(), code) {
                $($(($element, Code::$code) => Some(Reduction {
                    module: &$module,
                    two: const { text!(concat!("paceline_", $name)) },
                    many: const { text!(concat!("paceline_", $name, "_many")) },
                    element: $bytes,
                }),)*)*
                _ => None,
            }
        }
    };
}

reductions! {
    Element::I8 | Element::U8, I8 1: Sum "sum_i8" Prod "prod_i8" Band "band_i8" Bor "bor_i8" Bxor "bxor_i8";
    Element::I8 | Element::U8, I8 1: Land "land_i8" Lor "lor_i8" Lxor "lxor_i8";
    Element::I8, I8 1: Min "min_i8" Max "max_i8";
    Element::U8, I8 1: Min "min_u8" Max "max_u8";
    Element::I16 | Element::U16, I16 2: Sum "sum_i16" Prod "prod_i16" Band "band_i16" Bor "bor_i16" Bxor "bxor_i16";
    Element::I16 | Element::U16, I16 2: Land "land_i16" Lor "lor_i16" Lxor "lxor_i16";
    Element::I16, I16 2: Min "min_i16" Max "max_i16";
    Element::U16, I16 2: Min "min_u16" Max "max_u16";
    Element::I32 | Element::U32, I32 4: Sum "sum_i32" Prod "prod_i32" Band "band_i32" Bor "bor_i32" Bxor "bxor_i32";
    Element::I32 | Element::U32, I32 4: Land "land_i32" Lor "lor_i32" Lxor "lxor_i32";
    Element::I32, I32 4: Min "min_i32" Max "max_i32";
    Element::U32, I32 4: Min "min_u32" Max "max_u32";
    Element::I64 | Element::U64, I64 8: Sum "sum_i64" Prod "prod_i64" Band "band_i64" Bor "bor_i64" Bxor "bxor_i64";
    Element::I64 | Element::U64, I64 8: Land "land_i64" Lor "lor_i64" Lxor "lxor_i64";
    Element::I64, I64 8: Min "min_i64" Max "max_i64";
    Element::U64, I64 8: Min "min_u64" Max "max_u64";
    Element::F16, F16 2: Sum "sum_f16" Prod "prod_f16" Min "min_f16" Max "max_f16";
    Element::Bf16, BF16 2: Sum "sum_bf16" Prod "prod_bf16" Min "min_bf16" Max "max_bf16";
    Element::F32, F32 4: Sum "sum_f32" Prod "prod_f32" Min "min_f32" Max "max_f32";
    Element::F64, F64 8: Sum "sum_f64" Prod "prod_f64" Min "min_f64" Max "max_f64";
    Element::ComplexF16, C16 4: Sum "sum_c16" Prod "prod_c16";
    Element::ComplexF32, C32 8: Sum "sum_c32" Prod "prod_c32";
    Element::ComplexF64, C64 16: Sum "sum_c64" Prod "prod_c64";
}

/// The kernels of an operation on a predefined type; none for a user's operation and where the pair has no kernel or is not
/// allowed. The data of predefined types is dense, so that `count` elements are `count` of the kernel's.
pub fn reduction_of(op: &Op, datatype: &Datatype) -> Option<Reduction> {
    let (code, basic) = (op.code()?, datatype.basic?);
    if code.allows(basic.class) { reduction(code, basic.element) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::datatype;
    use crate::object::op;

    #[test]
    fn modules_are_where_their_numbers_say() {
        for (at, module) in MODULES.iter().enumerate() {
            assert_eq!(module.number, at);
            assert!(module.text.to_str().unwrap().contains(".version 6.3\n.target sm_70\n"), "{}", module.name);
        }
    }

    #[test]
    fn every_entry_is_in_its_module() {
        let mut entries = 0;
        for (handle, _, code) in op::ROWS {
            for datatype in (0x200..0x400).filter_map(|h| datatype::get(h).ok()) {
                let Some(found) = reduction_of(op::get(handle).unwrap(), datatype) else { continue };
                assert_eq!(found.element as i64, datatype.extent, "{code:?} on {}", datatype.label());
                for entry in [found.two, found.many] {
                    let line = format!(".visible .entry {}(", entry.to_str().unwrap());
                    assert!(found.module.text.to_str().unwrap().contains(&line), "{line}");
                }
                entries += 1;
            }
        }
        assert!(entries > 150, "{entries}");
    }

    #[test]
    fn what_has_no_kernel_has_none() {
        assert!(reduction(Code::Maxloc, Element::TwoInt).is_none());
        assert!(reduction(Code::Sum, Element::F80).is_none());
        assert!(reduction(Code::Band, Element::F32).is_none());
        assert!(reduction(Code::Max, Element::ComplexF32).is_none());
    }
}
