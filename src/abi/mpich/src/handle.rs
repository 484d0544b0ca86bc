// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handles. In C they are 32-bit integers; those of predefined objects carry kind and size in their bits, dynamic ones are
//! the engine's own, whose values no predefined object of the same kind has.

use std::ffi::c_int;

use paceline::api::kind::Object;
use paceline::object::constant::{self as e, Handle};

/// First byte of a basic datatype, with its size and number behind it.
const BASIC: u32 = 0x4c;
/// First byte of a pair type with gaps, with its number behind it.
const PAIR: u32 = 0x8c;

/// The engine's handle; 0 for what is no handle.
#[inline(always)]
pub fn from_c(object: Object, c: c_int) -> Handle {
    let c = c as u32;
    match object {
        Object::Datatype if c >> 24 == BASIC => basic(c),
        // The world and oneself, which differ in the last bit, as they do in the engine.
        Object::Comm if c & !1 == WORLD => e::COMM_WORLD + (c & 1),
        Object::Op if c >> 4 == OP << 20 => OPS[c as usize & 0xf],
        // Null and predefined handles have a top byte of their own; all others are the engine's.
        _ if c & 0x00ff_ff00 == 0 => rare(object, c),
        _ => c,
    }
}

const WORLD: u32 = 0x4400_0000;

#[inline(always)]
fn basic(c: u32) -> Handle {
    let (number, handle) = BASICS[c as usize & 0xff];
    if number == c { handle } else { 0 }
}

#[inline(never)]
fn rare(object: Object, c: u32) -> Handle {
    if object == Object::Datatype && c >> 24 == PAIR {
        return DATATYPES.iter().find(|row| row.1 == c).map_or(0, |row| row.0);
    }
    OTHERS.iter().find(|row| row.0 == object && row.2 == c).map_or(if c < 0x400 { 0 } else { c }, |row| row.1)
}

/// The C handle.
#[inline(always)]
pub fn to_c(handle: Handle) -> c_int {
    if handle >= 0x400 {
        return handle as c_int;
    }
    KNOWN[handle as usize] as c_int
}

/// By the engine's handle, which no two kinds of object share: the C handle of the first row.
static KNOWN: [u32; 0x400] = {
    let mut table = [0; 0x400];
    let mut i = DATATYPES.len();
    while i > 0 {
        i -= 1;
        table[DATATYPES[i].0 as usize] = DATATYPES[i].1;
    }
    i = OTHERS.len();
    while i > 0 {
        i -= 1;
        table[OTHERS[i].1 as usize] = OTHERS[i].2;
    }
    table
};

/// Operations by the last digit of their C handle.
static OPS: [Handle; 16] = {
    let mut table = [0; 16];
    let mut i = 0;
    while i < OTHERS.len() {
        if OTHERS[i].2 >> 24 == OP {
            table[OTHERS[i].2 as usize & 0xf] = OTHERS[i].1;
        }
        i += 1;
    }
    table
};

/// First byte of a predefined operation.
const OP: u32 = 0x58;

/// By their number: the C handle and the engine's.
static BASICS: [(u32, Handle); 256] = {
    let mut table = [(0, 0); 256];
    let mut i = 0;
    while i < DATATYPES.len() {
        if DATATYPES[i].1 >> 24 == BASIC {
            table[DATATYPES[i].1 as usize & 0xff] = (DATATYPES[i].1, DATATYPES[i].0);
        }
        i += 1;
    }
    table
};

/// Everything but datatypes.
const OTHERS: &[(Object, Handle, u32)] = &[
    (Object::Comm, e::COMM_NULL, 0x0400_0000),
    (Object::Comm, e::COMM_WORLD, WORLD),
    (Object::Comm, e::COMM_SELF, 0x4400_0001),
    (Object::Group, e::GROUP_NULL, 0x0800_0000),
    (Object::Group, e::GROUP_EMPTY, 0x4800_0000),
    (Object::Datatype, e::DATATYPE_NULL, 0x0c00_0000),
    (Object::Request, e::REQUEST_NULL, 0x2c00_0000),
    (Object::Message, e::MESSAGE_NULL, 0x2c00_0000),
    (Object::Message, e::MESSAGE_NO_PROC, 0x6c00_0000),
    (Object::Errhandler, e::ERRHANDLER_NULL, 0x1400_0000),
    (Object::Errhandler, e::ERRORS_ARE_FATAL, 0x5400_0000),
    (Object::Errhandler, e::ERRORS_RETURN, 0x5400_0001),
    (Object::Errhandler, e::ERRORS_ABORT, 0x5400_0003),
    (Object::Info, e::INFO_NULL, 0x1c00_0000),
    (Object::Info, e::INFO_ENV, 0x5c00_0001),
    (Object::Win, e::WIN_NULL, 0x2000_0000),
    (Object::Session, e::SESSION_NULL, 0x3800_0000),
    (Object::File, e::FILE_NULL, 0),
    (Object::Op, e::OP_NULL, 0x1800_0000),
    (Object::Op, e::MAX, 0x5800_0001),
    (Object::Op, e::MIN, 0x5800_0002),
    (Object::Op, e::SUM, 0x5800_0003),
    (Object::Op, e::PROD, 0x5800_0004),
    (Object::Op, e::LAND, 0x5800_0005),
    (Object::Op, e::BAND, 0x5800_0006),
    (Object::Op, e::LOR, 0x5800_0007),
    (Object::Op, e::BOR, 0x5800_0008),
    (Object::Op, e::LXOR, 0x5800_0009),
    (Object::Op, e::BXOR, 0x5800_000a),
    (Object::Op, e::MINLOC, 0x5800_000b),
    (Object::Op, e::MAXLOC, 0x5800_000c),
    (Object::Op, e::REPLACE, 0x5800_000d),
    (Object::Op, e::NO_OP, 0x5800_000e),
];

/// (engine, C); where two names are one in the engine the first is what C gets back.
const DATATYPES: &[(Handle, u32)] = &[
    (e::CHAR, 0x4c00_0101),
    (e::UNSIGNED_CHAR, 0x4c00_0102),
    (e::SHORT, 0x4c00_0203),
    (e::UNSIGNED_SHORT, 0x4c00_0204),
    (e::INT, 0x4c00_0405),
    (e::UNSIGNED, 0x4c00_0406),
    (e::LONG, 0x4c00_0807),
    (e::UNSIGNED_LONG, 0x4c00_0808),
    (e::LONG_LONG_INT, 0x4c00_0809),
    (e::FLOAT, 0x4c00_040a),
    (e::DOUBLE, 0x4c00_080b),
    (e::LONG_DOUBLE, 0x4c00_100c),
    (e::BYTE, 0x4c00_010d),
    (e::WCHAR, 0x4c00_040e),
    (e::PACKED, 0x4c00_010f),
    (e::LB, 0x4c00_0010),
    (e::UB, 0x4c00_0011),
    (e::FLOAT_INT, 0x8c00_0000),
    (e::DOUBLE_INT, 0x8c00_0001),
    (e::LONG_INT, 0x8c00_0002),
    (e::SHORT_INT, 0x8c00_0003),
    (e::TWO_INT, 0x4c00_0816),
    (e::LONG_DOUBLE_INT, 0x8c00_0004),
    (e::SIGNED_CHAR, 0x4c00_0118),
    (e::UNSIGNED_LONG_LONG, 0x4c00_0819),
    (e::CHARACTER, 0x4c00_011a),
    (e::INTEGER, 0x4c00_041b),
    (e::REAL, 0x4c00_041c),
    (e::LOGICAL, 0x4c00_041d),
    (e::COMPLEX, 0x4c00_081e),
    (e::DOUBLE_PRECISION, 0x4c00_081f),
    (e::TWO_INTEGER, 0x4c00_0820),
    (e::TWO_REAL, 0x4c00_0821),
    (e::DOUBLE_COMPLEX, 0x4c00_1022),
    (e::TWO_DOUBLE_PRECISION, 0x4c00_1023),
    (e::TWO_COMPLEX, 0x4c00_1024),
    (e::TWO_DOUBLE_COMPLEX, 0x4c00_2025),
    (e::REAL2, 0x4c00_0226),
    (e::REAL4, 0x4c00_0427),
    (e::COMPLEX8, 0x4c00_0828),
    (e::REAL8, 0x4c00_0829),
    (e::COMPLEX16, 0x4c00_102a),
    (e::REAL16, 0x4c00_102b),
    (e::COMPLEX32, 0x4c00_202c),
    (e::INTEGER1, 0x4c00_012d),
    (e::COMPLEX4, 0x4c00_042e),
    (e::INTEGER2, 0x4c00_022f),
    (e::INTEGER4, 0x4c00_0430),
    (e::INTEGER8, 0x4c00_0831),
    (e::INTEGER16, 0x4c00_1032),
    (e::CXX_BOOL, 0x4c00_0133),
    (e::CXX_FLOAT_COMPLEX, 0x4c00_0834),
    (e::CXX_DOUBLE_COMPLEX, 0x4c00_1035),
    (e::CXX_LONG_DOUBLE_COMPLEX, 0x4c00_2036),
    (e::INT8_T, 0x4c00_0137),
    (e::INT16_T, 0x4c00_0238),
    (e::INT32_T, 0x4c00_0439),
    (e::INT64_T, 0x4c00_083a),
    (e::UINT8_T, 0x4c00_013b),
    (e::UINT16_T, 0x4c00_023c),
    (e::UINT32_T, 0x4c00_043d),
    (e::UINT64_T, 0x4c00_083e),
    (e::C_BOOL, 0x4c00_013f),
    (e::C_FLOAT_COMPLEX, 0x4c00_0840),
    (e::C_DOUBLE_COMPLEX, 0x4c00_1041),
    (e::C_LONG_DOUBLE_COMPLEX, 0x4c00_2042),
    (e::AINT, 0x4c00_0843),
    (e::OFFSET, 0x4c00_0844),
    (e::COUNT, 0x4c00_0845),
    (e::FLOAT16, 0x4c00_0246),
    (e::LOGICAL1, 0x4c00_0147),
    (e::LOGICAL2, 0x4c00_0248),
    (e::LOGICAL4, 0x4c00_0449),
    (e::LOGICAL8, 0x4c00_084a),
    (e::LOGICAL16, 0x4c00_104b),
    (e::BFLOAT16, 0x4c00_024c),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predefined_handles_go_both_ways() {
        for &(handle, c) in DATATYPES {
            assert_eq!(from_c(Object::Datatype, c as c_int), handle, "{c:#x}");
        }
        for &(object, handle, c) in OTHERS {
            assert_eq!(from_c(object, c as c_int), handle, "{c:#x}");
            assert_eq!(to_c(handle), c as c_int, "{handle:#x}");
        }
        assert_eq!(to_c(e::INT), 0x4c00_0405);
    }

    #[test]
    fn the_engine_s_handles_pass() {
        for kind in 1..=12u32 {
            let handle = kind << 27 | 0x400;
            assert_eq!(from_c(Object::Datatype, handle as c_int), handle);
            assert_eq!(to_c(handle), handle as c_int);
        }
    }

    #[test]
    fn no_handle_is_zero() {
        assert_eq!(from_c(Object::Datatype, 0x4c00_04ff), 0);
        assert_eq!(from_c(Object::Comm, 0), 0);
    }
}
