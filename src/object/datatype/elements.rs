// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counting what arrived: `MPI_Get_count`, `MPI_Get_elements`, `MPI_Status_set_elements`.

use super::{Datatype, get};
use crate::err;
use crate::object::constant::{Handle, UNDEFINED};
use crate::object::error::Result;
use crate::object::status::Status;

/// `MPI_Get_count`, `_c`: whole elements received, or `MPI_UNDEFINED` when the last one is not whole.
pub fn get_count(status: &Status, datatype: Handle, count: &mut i64) -> Result<()> {
    let size = get(datatype)?.size;
    *count = match status.bytes {
        0 => 0,
        bytes if size > 0 && bytes % size == 0 => bytes / size,
        _ => UNDEFINED as i64,
    };
    Ok(())
}

/// `MPI_Get_elements`, `_x`, `_c`: basic elements received, or `MPI_UNDEFINED` when the last one is not whole.
pub fn get_elements(status: &Status, datatype: Handle, count: &mut i64) -> Result<()> {
    let datatype = get(datatype)?;
    *count = datatype.elements_in(status.bytes).unwrap_or(UNDEFINED as i64);
    Ok(())
}

/// `MPI_Status_set_elements`, `_x`, `_c`.
pub fn status_set_elements(status: &mut Status, datatype: Handle, count: i64) -> Result<()> {
    if count < 0 {
        return Err(err!(Count, "count is {count}, and may not be negative"));
    }
    status.bytes = get(datatype)?.bytes_of(count);
    Ok(())
}

impl Datatype {
    /// Basic elements in the first `bytes` packed bytes of any number of elements; `None` if they end inside one.
    /// A value-index pair is two, as if it were a struct (MPI 5.0, section 6.9.4; Open MPI says one for a bare pair).
    pub fn elements_in(&self, bytes: i64) -> Option<i64> {
        match (bytes, self.size) {
            (0, _) => Some(0),
            (_, 0) => None,
            (bytes, size) => {
                let signature = &self.shape.signature;
                Some(bytes / size * signature.elements + signature.elements_in(bytes % size)?)
            }
        }
    }

    /// Packed bytes that `elements` basic elements make.
    fn bytes_of(&self, elements: i64) -> i64 {
        let signature = &self.shape.signature;
        match signature.elements {
            0 => 0,
            each => elements / each * self.size + signature.bytes_of(elements % each),
        }
    }
}
