// SPDX-License-Identifier: MIT OR Apache-2.0
//! Types by size (`MPI_Type_match_size`) and by decimal precision and range (`MPI_Type_create_f90_…`; MPI 5.0,
//! section 19.1.9).

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;

use super::envelope::Envelope;
use super::{Datatype, TABLE, get};
use crate::err;
use crate::object::constant::*;
use crate::object::error::Result;

/// `MPI_Type_match_size`.
pub fn match_size(typeclass: i32, size: i64, datatype: &mut Handle) -> Result<()> {
    *datatype = match (typeclass, size) {
        (TYPECLASS_INTEGER, 1) => INTEGER1,
        (TYPECLASS_INTEGER, 2) => INTEGER2,
        (TYPECLASS_INTEGER, 4) => INTEGER4,
        (TYPECLASS_INTEGER, 8) => INTEGER8,
        (TYPECLASS_INTEGER, 16) => INTEGER16,
        (TYPECLASS_REAL, 2) => REAL2,
        (TYPECLASS_REAL, 4) => REAL4,
        (TYPECLASS_REAL, 8) => REAL8,
        (TYPECLASS_REAL, 16) => REAL16,
        (TYPECLASS_COMPLEX, 4) => COMPLEX4,
        (TYPECLASS_COMPLEX, 8) => COMPLEX8,
        (TYPECLASS_COMPLEX, 16) => COMPLEX16,
        (TYPECLASS_COMPLEX, 32) => COMPLEX32,
        (TYPECLASS_INTEGER | TYPECLASS_REAL | TYPECLASS_COMPLEX, _) => {
            return Err(err!(Arg, "no type of this class has {size} bytes"));
        }
        _ => return Err(err!(Arg, "typeclass {typeclass} is none of MPI_TYPECLASS_INTEGER, _REAL and _COMPLEX")),
    };
    Ok(())
}

/// `MPI_Type_get_value_index`: the predefined pair of these types, `MPI_DATATYPE_NULL` where there is none.
pub fn get_value_index(value: Handle, index: Handle, pair: &mut Handle) -> Result<()> {
    get(value)?;
    get(index)?;
    *pair = match (value, index) {
        (FLOAT, INT) => FLOAT_INT,
        (DOUBLE, INT) => DOUBLE_INT,
        (LONG, INT) => LONG_INT,
        (INT, INT) => TWO_INT,
        (SHORT, INT) => SHORT_INT,
        (LONG_DOUBLE, INT) => LONG_DOUBLE_INT,
        (REAL, REAL) => TWO_REAL,
        (DOUBLE_PRECISION, DOUBLE_PRECISION) => TWO_DOUBLE_PRECISION,
        (INTEGER, INTEGER) => TWO_INTEGER,
        _ => DATATYPE_NULL,
    };
    Ok(())
}

/// `MPI_Type_create_f90_integer`: an integer of `range` decimal digits.
pub fn create_f90_integer(range: i32, newtype: &mut Handle) -> Result<()> {
    let base = match range {
        ..=2 => INTEGER1,
        3..=4 => INTEGER2,
        5..=9 => INTEGER4,
        10..=18 => INTEGER8,
        19..=38 => INTEGER16,
        _ => return Err(err!(Arg, "no integer has {range} decimal digits")),
    };
    *newtype = parametrised(COMBINER_F90_INTEGER, vec![range as i64], base);
    Ok(())
}

/// `MPI_Type_create_f90_real`: `precision` decimal digits, exponents to `range`; either may be `MPI_UNDEFINED`.
pub fn create_f90_real(precision: i32, range: i32, newtype: &mut Handle) -> Result<()> {
    let base = [REAL4, REAL8, REAL16][real_kind(precision, range)?];
    *newtype = parametrised(COMBINER_F90_REAL, vec![precision as i64, range as i64], base);
    Ok(())
}

/// `MPI_Type_create_f90_complex`: as [`create_f90_real`].
pub fn create_f90_complex(precision: i32, range: i32, newtype: &mut Handle) -> Result<()> {
    let base = [COMPLEX8, COMPLEX16, COMPLEX32][real_kind(precision, range)?];
    *newtype = parametrised(COMBINER_F90_COMPLEX, vec![precision as i64, range as i64], base);
    Ok(())
}

/// Which of binary32, binary64, binary128 has the precision and range.
fn real_kind(precision: i32, range: i32) -> Result<usize> {
    if precision == UNDEFINED && range == UNDEFINED {
        return Err(err!(Arg, "precision and range are both MPI_UNDEFINED"));
    }
    let limits = [(6, 37), (15, 307), (33, 4931)];
    let found = limits.iter().position(|&(p, r)| precision <= p && range <= r);
    found.ok_or_else(|| err!(Arg, "no real has {precision} decimal digits and exponents to {range}"))
}

/// The predefined type with these parameters: one object for equal parameters, which cannot be freed.
fn parametrised(combiner: i32, integers: Vec<i64>, base: Handle) -> Handle {
    type Made = HashMap<(i32, Vec<i64>), Handle>;
    static MADE: Mutex<Option<Made>> = Mutex::new(None);
    let mut made = MADE.lock();
    let made = made.get_or_insert_default();
    *made.entry((combiner, integers.clone())).or_insert_with(|| {
        let base = get(base).expect("base types are predefined");
        let envelope = Arc::new(Envelope { combiner, integers, ..Envelope::default() });
        TABLE.insert_with(|handle| {
            let plain = Datatype::new(handle, base.shape.clone(), envelope);
            Arc::new(Datatype { basic: base.basic, committed: AtomicBool::new(true), ..plain })
        })
    })
}
