// SPDX-License-Identifier: MIT OR Apache-2.0
//! `MPI_INFO_ENV`: how this program was started (MPI 5.0, section 11.2.3).

use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::{Entries, Info};
use crate::object::constant::{Handle, MAX_INFO_VAL};
use crate::object::error::Result;
use crate::{device, init};

static OBJECT: OnceLock<Arc<Info>> = OnceLock::new();

/// The object, made at first use.
pub fn object() -> &'static Arc<Info> {
    OBJECT.get_or_init(|| Arc::new(Mutex::new(gather())))
}

/// `MPI_Info_create_env`: an info object with the same entries, of the process's own arguments.
pub fn create_env(_argc: i32, _argv: usize, info: &mut Handle) -> Result<()> {
    *info = super::register(gather());
    Ok(())
}

fn gather() -> Entries {
    let mut entries = Entries::default();
    let mut add = |key: &str, value: String| {
        if !value.is_empty() && value.len() < MAX_INFO_VAL as usize {
            entries.set(key, &value);
        }
    };
    let mut arguments = std::env::args_os().map(|a| a.to_string_lossy().into_owned());
    add("command", arguments.next().unwrap_or_default());
    add("argv", arguments.collect::<Vec<_>>().join(" "));
    add("maxprocs", init::size().to_string());
    add("soft", init::size().to_string());
    add("host", crate::object::environment::host());
    add("mpi_memory_alloc_kinds", device::alloc_kinds().to_owned());
    add("arch", std::env::consts::ARCH.to_owned());
    add("wdir", std::env::current_dir().map(|d| d.to_string_lossy().into_owned()).unwrap_or_default());
    entries
}
