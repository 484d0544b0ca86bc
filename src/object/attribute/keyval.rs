// SPDX-License-Identifier: MIT OR Apache-2.0
//! Attribute keys. A key that the program freed lives on while attributes use it.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::err;
use crate::object::constant::{Handle, KEYVAL_INVALID};
use crate::object::error::Result;
use crate::object::handle::{Kind, Table};

/// `MPI_NULL_COPY_FN`, `MPI_NULL_DELETE_FN`: nothing is copied, nothing is called.
pub const NULL_FUNCTION: usize = 0;
/// `MPI_DUP_FN`: the value is copied as it is.
pub const DUP_FUNCTION: usize = 1;

/// A key.
pub struct Keyval {
    kind: Kind,
    /// The copy function.
    pub copy: usize,
    /// The delete function.
    pub delete: usize,
    /// What both get as extra state.
    pub extra: usize,
    freed: AtomicBool,
    /// The program's key and the attributes that use it.
    references: AtomicU32,
}

static TABLE: Table<Keyval> = Table::new(Kind::Keyval);

fn create(kind: Kind, copy: usize, delete: usize, extra: usize) -> i32 {
    let (freed, references) = (AtomicBool::new(false), AtomicU32::new(1));
    TABLE.insert(Keyval { kind, copy, delete, extra, freed, references }) as i32
}

/// The key, if it exists.
pub fn find(keyval: i32) -> Option<&'static Keyval> {
    TABLE.get(keyval as Handle)
}

/// The key, which must be one of `kind`.
pub fn get(kind: Kind, keyval: i32) -> Result<&'static Keyval> {
    match find(keyval) {
        Some(found) if found.kind == kind => Ok(found),
        Some(found) => Err(err!(Keyval, "the key was made for {:?} objects, not for {kind:?} objects", found.kind)),
        None if keyval == KEYVAL_INVALID => Err(err!(Keyval, "the key is MPI_KEYVAL_INVALID")),
        None => Err(err!(Keyval, "the key {keyval} does not exist or belongs to MPI")),
    }
}

/// One more attribute uses the key.
pub fn retain(keyval: i32) {
    if let Some(found) = find(keyval) {
        found.references.fetch_add(1, Ordering::Relaxed);
    }
}

/// One less attribute uses the key.
pub fn release(keyval: i32) {
    if find(keyval).is_some_and(|found| found.references.fetch_sub(1, Ordering::AcqRel) == 1) {
        TABLE.remove(keyval as Handle);
    }
}

/// Programs may free a key more than once while attributes hold it (from delete functions): only the first one counts.
fn free(kind: Kind, keyval: &mut i32) -> Result<()> {
    if !get(kind, *keyval)?.freed.swap(true, Ordering::AcqRel) {
        release(*keyval);
    }
    *keyval = KEYVAL_INVALID;
    Ok(())
}

macro_rules! keyvals {
    ($($kind:ident: $create:ident $create_name:literal, $free:ident $free_name:literal;)*) => {$(
        #[doc = concat!("`", $create_name, "`.")]
        pub fn $create(copy: usize, delete: usize, keyval: &mut i32, extra: usize) -> Result<()> {
            *keyval = create(Kind::$kind, copy, delete, extra);
            Ok(())
        }

        #[doc = concat!("`", $free_name, "`.")]
        pub fn $free(keyval: &mut i32) -> Result<()> {
            free(Kind::$kind, keyval)
        }
    )*};
}

keyvals! {
    Comm: comm_create_keyval "MPI_Comm_create_keyval", comm_free_keyval "MPI_Comm_free_keyval";
    Datatype: type_create_keyval "MPI_Type_create_keyval", type_free_keyval "MPI_Type_free_keyval";
    Win: win_create_keyval "MPI_Win_create_keyval", win_free_keyval "MPI_Win_free_keyval";
}
