// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tool interface (MPI 5.0, chapter 15). Its functions return their errors, no handler is asked.
//! [`cvar`] knobs as control variables · [`pvar`] levels and counters as performance variables · [`category`] one of each ·
//! [`event`] events, of which there are none.

pub mod category;
pub mod cvar;
pub mod event;
pub mod pvar;

use std::sync::atomic::{AtomicI32, Ordering};

use crate::err;
use crate::object::error::Result;

static STARTED: AtomicI32 = AtomicI32::new(0);

fn started() -> Result<()> {
    match STARTED.load(Ordering::Relaxed) {
        1.. => Ok(()),
        _ => Err(err!(TNotInitialized, "MPI_T_init_thread was not called")),
    }
}

/// `MPI_T_init_thread`.
pub fn init_thread(required: i32, provided: &mut i32) -> Result<()> {
    STARTED.fetch_add(1, Ordering::Relaxed);
    *provided = required;
    Ok(())
}

/// `MPI_T_finalize`.
pub fn finalize() -> Result<()> {
    started()?;
    STARTED.fetch_sub(1, Ordering::Relaxed);
    Ok(())
}

/// `MPI_T_enum_get_info`.
pub fn enum_get_info(enumtype: usize, _num: &mut i32, _name: &mut String) -> Result<()> {
    started()?;
    Err(err!(TInvalidHandle, "{enumtype:#x} is no enumeration"))
}

/// `MPI_T_enum_get_item`.
pub fn enum_get_item(enumtype: usize, _index: i32, _value: &mut i32, _name: &mut String) -> Result<()> {
    started()?;
    Err(err!(TInvalidHandle, "{enumtype:#x} is no enumeration"))
}
