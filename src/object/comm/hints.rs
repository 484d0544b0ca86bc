// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hints on communicators (MPI 5.0, section 7.4.4). The assertions of the standard are kept and handed to duplicates;
//! other keys are ignored, as the standard demands of those that mean nothing to the library.

use super::get;
use crate::device;
use crate::object::constant::Handle;
use crate::object::error::Result;
use crate::object::info::{self, Entries};

const KNOWN: &[&str] = &[
    "mpi_assert_no_any_tag",
    "mpi_assert_no_any_source",
    "mpi_assert_exact_length",
    "mpi_assert_allow_overtaking",
    "mpi_assert_strict_persistent_collective_ordering",
    "mpi_assert_memory_alloc_kinds",
];

/// The hints of an info argument that mean something here.
pub fn understood(info: Handle) -> Result<Entries> {
    let (given, mut kept) = (info::entries(info)?, Entries::default());
    for key in KNOWN {
        if let Some(value) = given.get(key) {
            kept.set(key, value);
        }
    }
    Ok(kept)
}

/// `MPI_Comm_set_info`.
pub fn set_info(comm: Handle, info: Handle) -> Result<()> {
    let (comm, new) = (get(comm)?, understood(info)?);
    comm.hints.lock().merge(&new);
    Ok(())
}

/// `MPI_Comm_get_info`.
pub fn get_info(comm: Handle, info: &mut Handle) -> Result<()> {
    let mut hints = get(comm)?.hints.lock().clone();
    hints.set("mpi_memory_alloc_kinds", device::alloc_kinds());
    *info = info::register(hints);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_without_meaning_are_ignored() {
        let mut given = Entries::default();
        given.set("no_such_hint", "x");
        given.set("mpi_assert_no_any_tag", "true");
        let kept = understood(info::register(given)).unwrap();
        assert_eq!((kept.get("mpi_assert_no_any_tag"), kept.get("no_such_hint")), (Some("true"), None));
    }
}
