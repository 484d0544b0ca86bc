// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a basic element is to the machine, and to MPI's rules about reductions.

/// The machine representation of a basic element. Complex numbers and value-index pairs are elements of their own,
/// because reductions treat them whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Element {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    I128,
    /// `long`: 8 bytes here, 4 in external32.
    Long,
    /// `unsigned long`: 8 bytes here, 4 in external32.
    UnsignedLong,
    /// `wchar_t`: 4 bytes here, 2 in external32.
    Wide,
    F16,
    Bf16,
    F32,
    F64,
    /// x87 extended: 10 bytes of value in 16.
    F80,
    /// IEEE binary128.
    F128,
    ComplexF16,
    ComplexF32,
    ComplexF64,
    ComplexF80,
    ComplexF128,
    FloatInt,
    DoubleInt,
    LongInt,
    TwoInt,
    ShortInt,
    LongDoubleInt,
    TwoFloat,
    TwoDouble,
    TwoComplexF32,
    TwoComplexF64,
    /// Markers of the old bounds types; they hold no data.
    LowerBound,
    UpperBound,
}

/// How many elements there are (for tables indexed by `Element as usize`).
pub const ELEMENTS: usize = Element::UpperBound as usize + 1;

/// The groups by which MPI says which operation is allowed on which type (MPI 5.0, section 6.9.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// C and Fortran integers, the multi-language types AINT, COUNT, OFFSET, and what Open MPI takes for integers
    /// too: characters.
    Integer,
    /// Bytes: for the standard only bitwise, for Open MPI integers.
    Byte,
    /// Floating point.
    Float,
    /// Logical types of C, C++ and Fortran.
    Logical,
    /// Complex.
    Complex,
    /// Value-index pairs.
    Pair,
    /// Wide characters, packed data, markers: no reductions.
    Opaque,
}

impl Element {
    /// The two parts of a compound element (`(element, offset)`), or none for a plain one.
    pub fn parts(self) -> Option<[(Element, i64); 2]> {
        use Element::*;
        Some(match self {
            ComplexF16 => [(F16, 0), (F16, 2)],
            ComplexF32 => [(F32, 0), (F32, 4)],
            ComplexF64 => [(F64, 0), (F64, 8)],
            ComplexF80 => [(F80, 0), (F80, 16)],
            ComplexF128 => [(F128, 0), (F128, 16)],
            FloatInt => [(F32, 0), (I32, 4)],
            DoubleInt => [(F64, 0), (I32, 8)],
            LongInt => [(Long, 0), (I32, 8)],
            TwoInt => [(I32, 0), (I32, 4)],
            ShortInt => [(I16, 0), (I32, 4)],
            LongDoubleInt => [(F80, 0), (I32, 16)],
            TwoFloat => [(F32, 0), (F32, 4)],
            TwoDouble => [(F64, 0), (F64, 8)],
            TwoComplexF32 => [(ComplexF32, 0), (ComplexF32, 8)],
            TwoComplexF64 => [(ComplexF64, 0), (ComplexF64, 16)],
            _ => return None,
        })
    }

    /// The element that computes the same way.
    pub fn native(self) -> Element {
        match self {
            Element::Long => Element::I64,
            Element::UnsignedLong => Element::U64,
            Element::Wide => Element::I32,
            other => other,
        }
    }

    /// Bytes of data in one element (padding inside pairs not counted).
    pub fn size(self) -> i64 {
        use Element::*;
        match self {
            LowerBound | UpperBound => 0,
            I8 | U8 => 1,
            I16 | U16 | F16 | Bf16 => 2,
            I32 | U32 | F32 | Wide => 4,
            I64 | U64 | F64 | Long | UnsignedLong => 8,
            I128 | F80 | F128 => 16,
            pair => pair.parts().map_or(0, |[a, b]| a.0.size() + b.0.size()),
        }
    }

    /// Alignment in memory, as the C compiler has it.
    pub fn align(self) -> i64 {
        match self.parts() {
            Some([a, b]) => a.0.align().max(b.0.align()),
            None => self.size().max(1),
        }
    }

    /// Distance between consecutive elements in memory.
    pub fn extent(self) -> i64 {
        match self.parts() {
            Some([_, (last, at)]) => (at + last.size() + self.align() - 1) / self.align() * self.align(),
            None => self.size(),
        }
    }

    /// Whether the value is a pair whose parts count as two basic elements (complex numbers count as one).
    pub fn is_pair(self) -> bool {
        (Element::FloatInt as u8..=Element::TwoComplexF64 as u8).contains(&(self as u8))
    }
}
