// SPDX-License-Identifier: MIT OR Apache-2.0
//! The built-in types, one row each (MPI 5.0, section 3.2.2 and annex A.1). Names are what `MPI_Type_get_name` says in
//! Open MPI and MPICH.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};

use parking_lot::Mutex;

use super::element::{Class, Element};
use super::envelope::Envelope;
use super::shape::Shape;
use super::{Basic, Datatype, TABLE};
use crate::object::constant::*;
use Class::*;
use Element::*;

/// (handle, name, element, class).
type Row = (Handle, &'static str, Element, Class);

const C: &[Row] = &[
    (CHAR, "MPI_CHAR", I8, Integer),
    (SIGNED_CHAR, "MPI_SIGNED_CHAR", I8, Integer),
    (UNSIGNED_CHAR, "MPI_UNSIGNED_CHAR", U8, Integer),
    (BYTE, "MPI_BYTE", U8, Byte),
    (WCHAR, "MPI_WCHAR", Wide, Opaque),
    (SHORT, "MPI_SHORT", I16, Integer),
    (UNSIGNED_SHORT, "MPI_UNSIGNED_SHORT", U16, Integer),
    (INT, "MPI_INT", I32, Integer),
    (UNSIGNED, "MPI_UNSIGNED", U32, Integer),
    (LONG, "MPI_LONG", Long, Integer),
    (UNSIGNED_LONG, "MPI_UNSIGNED_LONG", UnsignedLong, Integer),
    (LONG_LONG, "MPI_LONG_LONG_INT", I64, Integer),
    (UNSIGNED_LONG_LONG, "MPI_UNSIGNED_LONG_LONG", U64, Integer),
    (FLOAT, "MPI_FLOAT", F32, Float),
    (DOUBLE, "MPI_DOUBLE", F64, Float),
    (LONG_DOUBLE, "MPI_LONG_DOUBLE", F80, Float),
    (INT8_T, "MPI_INT8_T", I8, Integer),
    (UINT8_T, "MPI_UINT8_T", U8, Integer),
    (INT16_T, "MPI_INT16_T", I16, Integer),
    (UINT16_T, "MPI_UINT16_T", U16, Integer),
    (INT32_T, "MPI_INT32_T", I32, Integer),
    (UINT32_T, "MPI_UINT32_T", U32, Integer),
    (INT64_T, "MPI_INT64_T", I64, Integer),
    (UINT64_T, "MPI_UINT64_T", U64, Integer),
    (C_BOOL, "MPI_C_BOOL", U8, Logical),
    (C_FLOAT_COMPLEX, "MPI_C_COMPLEX", ComplexF32, Complex),
    (C_DOUBLE_COMPLEX, "MPI_C_DOUBLE_COMPLEX", ComplexF64, Complex),
    (C_LONG_DOUBLE_COMPLEX, "MPI_C_LONG_DOUBLE_COMPLEX", ComplexF80, Complex),
    (AINT, "MPI_AINT", I64, Integer),
    (COUNT, "MPI_COUNT", I64, Integer),
    (OFFSET, "MPI_OFFSET", I64, Integer),
    (PACKED, "MPI_PACKED", U8, Opaque),
    (FLOAT_INT, "MPI_FLOAT_INT", FloatInt, Pair),
    (DOUBLE_INT, "MPI_DOUBLE_INT", DoubleInt, Pair),
    (LONG_INT, "MPI_LONG_INT", LongInt, Pair),
    (TWO_INT, "MPI_2INT", TwoInt, Pair),
    (SHORT_INT, "MPI_SHORT_INT", ShortInt, Pair),
    (LONG_DOUBLE_INT, "MPI_LONG_DOUBLE_INT", LongDoubleInt, Pair),
];

const CXX: &[Row] = &[
    (CXX_BOOL, "MPI_CXX_BOOL", U8, Logical),
    (CXX_FLOAT_COMPLEX, "MPI_CXX_FLOAT_COMPLEX", ComplexF32, Complex),
    (CXX_DOUBLE_COMPLEX, "MPI_CXX_DOUBLE_COMPLEX", ComplexF64, Complex),
    (CXX_LONG_DOUBLE_COMPLEX, "MPI_CXX_LONG_DOUBLE_COMPLEX", ComplexF80, Complex),
];

const FORTRAN: &[Row] = &[
    (CHARACTER, "MPI_CHARACTER", U8, Integer),
    (LOGICAL, "MPI_LOGICAL", I32, Logical),
    (INTEGER, "MPI_INTEGER", I32, Integer),
    (REAL, "MPI_REAL", F32, Float),
    (DOUBLE_PRECISION, "MPI_DOUBLE_PRECISION", F64, Float),
    (COMPLEX, "MPI_COMPLEX", ComplexF32, Complex),
    (DOUBLE_COMPLEX, "MPI_DOUBLE_COMPLEX", ComplexF64, Complex),
    (LOGICAL1, "MPI_LOGICAL1", I8, Logical),
    (LOGICAL2, "MPI_LOGICAL2", I16, Logical),
    (LOGICAL4, "MPI_LOGICAL4", I32, Logical),
    (LOGICAL8, "MPI_LOGICAL8", I64, Logical),
    (LOGICAL16, "MPI_LOGICAL16", I128, Logical),
    (INTEGER1, "MPI_INTEGER1", I8, Integer),
    (INTEGER2, "MPI_INTEGER2", I16, Integer),
    (INTEGER4, "MPI_INTEGER4", I32, Integer),
    (INTEGER8, "MPI_INTEGER8", I64, Integer),
    (INTEGER16, "MPI_INTEGER16", I128, Integer),
    (REAL2, "MPI_REAL2", F16, Float),
    (REAL4, "MPI_REAL4", F32, Float),
    (REAL8, "MPI_REAL8", F64, Float),
    (REAL16, "MPI_REAL16", F128, Float),
    (COMPLEX4, "MPI_COMPLEX4", ComplexF16, Complex),
    (COMPLEX8, "MPI_COMPLEX8", ComplexF32, Complex),
    (COMPLEX16, "MPI_COMPLEX16", ComplexF64, Complex),
    (COMPLEX32, "MPI_COMPLEX32", ComplexF128, Complex),
    (TWO_REAL, "MPI_2REAL", TwoFloat, Pair),
    (TWO_DOUBLE_PRECISION, "MPI_2DOUBLE_PRECISION", TwoDouble, Pair),
    (TWO_INTEGER, "MPI_2INTEGER", TwoInt, Pair),
];

/// Types without a constant in the standard ABI: Open MPI's own, MPI-1's markers, and 16-bit floats.
const EXTENSIONS: &[Row] = &[
    (LB, "MPI_LB", LowerBound, Opaque),
    (UB, "MPI_UB", UpperBound, Opaque),
    (BFLOAT16, "MPIX_BFLOAT16", Bf16, Float),
    (FLOAT16, "MPIX_C_FLOAT16", F16, Float),
    (LONG_DOUBLE_COMPLEX, "MPI_LONG_DOUBLE_COMPLEX", ComplexF80, Complex),
    (TWO_COMPLEX, "MPI_2COMPLEX", TwoComplexF32, Opaque),
    (TWO_DOUBLE_COMPLEX, "MPI_2DOUBLE_COMPLEX", TwoComplexF64, Opaque),
];

/// Puts the built-in types at their constants. Called by init; safe to call again.
pub fn register_predefined() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| [C, CXX, FORTRAN, EXTENSIONS].into_iter().flatten().for_each(register));
}

fn register(&(handle, name, element, class): &Row) {
    let datatype = Datatype {
        basic: Some(Basic { element, class }),
        committed: AtomicBool::new(true),
        name: Mutex::new(name.to_owned()),
        ..Datatype::new(handle, Shape::basic(element), Arc::new(Envelope::named()))
    };
    TABLE.set(handle, Arc::new(datatype));
}

#[cfg(test)]
mod tests {
    use super::super::get;
    use super::*;

    /// (handle, size, extent, true extent) as Open MPI 4.1.4 says on x86-64.
    const EXPECTED: &[(Handle, i64, i64, i64)] = &[
        (LONG_DOUBLE, 16, 16, 16),
        (C_LONG_DOUBLE_COMPLEX, 32, 32, 32),
        (FLOAT_INT, 8, 8, 8),
        (DOUBLE_INT, 12, 16, 12),
        (LONG_INT, 12, 16, 12),
        (SHORT_INT, 6, 8, 8),
        (LONG_DOUBLE_INT, 20, 32, 20),
        (TWO_DOUBLE_PRECISION, 16, 16, 16),
        (WCHAR, 4, 4, 4),
    ];

    #[test]
    fn sizes_and_extents_are_open_mpis() {
        for &(handle, size, extent, true_extent) in EXPECTED {
            let t = get(handle).unwrap();
            assert_eq!((t.size, t.extent, t.true_extent), (size, extent, true_extent), "{}", t.label());
            assert_eq!((t.lb, t.true_lb), (0, 0));
        }
    }

    #[test]
    fn only_types_without_gaps_are_dense() {
        for row in [C, CXX, FORTRAN, EXTENSIONS].into_iter().flatten() {
            let t = get(row.0).unwrap();
            assert_eq!(t.dense, t.size == t.extent, "{}", row.1);
        }
    }
}
