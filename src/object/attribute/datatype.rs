// SPDX-License-Identifier: MIT OR Apache-2.0
//! What programs cache on datatypes. Few do, so it lies beside the types and not in them: creating and freeing types
//! costs one load while nobody does.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use super::{Owner, Set};
use crate::object::constant::Handle;
use crate::object::datatype;
use crate::object::error::Result;
use crate::object::handle::Kind;

static SETS: Mutex<BTreeMap<Handle, Arc<Set>>> = Mutex::new(BTreeMap::new());
static USED: AtomicBool = AtomicBool::new(false);

fn set_of(datatype: Handle) -> Option<Arc<Set>> {
    if USED.load(Ordering::Relaxed) { SETS.lock().get(&datatype).cloned() } else { None }
}

/// Calls `with` for an existing datatype.
pub(super) fn with_owner<T>(handle: Handle, with: impl FnOnce(Owner<'_>) -> Result<T>) -> Result<T> {
    datatype::get(handle)?;
    USED.store(true, Ordering::Relaxed);
    let set = SETS.lock().entry(handle).or_default().clone();
    with(Owner { kind: Kind::Datatype, handle, set: &set })
}

/// To be called when `MPI_Type_dup` has made `new` of `old`. On an error `new` must be freed without [`freed`].
pub fn duplicated(old: Handle, new: Handle) -> Result<()> {
    let Some(set) = set_of(old) else { return Ok(()) };
    let (copies, outcome) = Owner { kind: Kind::Datatype, handle: old, set: &set }.copy();
    outcome.inspect_err(|_| Owner { kind: Kind::Datatype, handle: new, set: &copies }.give_up())?;
    SETS.lock().insert(new, Arc::new(copies));
    Ok(())
}

/// To be called when a datatype is about to be freed. On an error it must stay.
pub fn freed(handle: Handle) -> Result<()> {
    let Some(set) = set_of(handle) else { return Ok(()) };
    Owner { kind: Kind::Datatype, handle, set: &set }.clear()?;
    SETS.lock().remove(&handle);
    Ok(())
}
