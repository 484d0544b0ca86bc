// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hints on communicators (MPI 5.0, section 7.4.4). None changes what the library does; all are kept.

use super::get;
use crate::object::constant::Handle;
use crate::object::error::Result;
use crate::object::info;

/// `MPI_Comm_set_info`.
pub fn set_info(comm: Handle, info: Handle) -> Result<()> {
    let (comm, new) = (get(comm)?, info::entries(info)?);
    comm.hints.lock().merge(&new);
    Ok(())
}

/// `MPI_Comm_get_info`.
pub fn get_info(comm: Handle, info: &mut Handle) -> Result<()> {
    let hints = get(comm)?.hints.lock().clone();
    *info = info::register(hints);
    Ok(())
}
