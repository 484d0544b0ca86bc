// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sessions (MPI 5.0, section 11.3): a way into the job that needs no `MPI_Init`, several at once if need be.
//! Here: the object, its beginning and end, its error handler · [`sets`] the process sets it sees, and groups of them.
//! Communicators from such groups are made in [`super::comm::from_group`].

pub mod sets;

use std::sync::Arc;

use super::constant::{Handle, SESSION_NULL, THREAD_FUNNELED, THREAD_MULTIPLE, THREAD_SERIALIZED, THREAD_SINGLE};
use super::errhandler::Slot;
use super::error::Result;
use super::handle::{Kind, Table};
use super::info::{self, Entries};
use crate::p2p::buffered::{self, Owner};
use crate::{device, err, init};

/// A session.
pub struct Session {
    /// Its error handler.
    pub errhandler: Slot,
    /// What `MPI_Session_get_info` tells.
    hints: Entries,
}

static TABLE: Table<Arc<Session>> = Table::new(Kind::Session);

/// Looks a handle up; an error of class `Session` when it names no session.
pub fn get(handle: Handle) -> Result<&'static Arc<Session>> {
    TABLE.get(handle).ok_or_else(|| match handle {
        SESSION_NULL => err!(Session, "the session is MPI_SESSION_NULL"),
        _ => err!(Session, "the handle {handle:#x} names no session (was it finalized?)"),
    })
}

/// Names of thread levels, as the info key `thread_level` has them.
const LEVELS: &[(&str, i32)] = &[
    ("MPI_THREAD_SINGLE", THREAD_SINGLE),
    ("MPI_THREAD_FUNNELED", THREAD_FUNNELED),
    ("MPI_THREAD_SERIALIZED", THREAD_SERIALIZED),
    ("MPI_THREAD_MULTIPLE", THREAD_MULTIPLE),
];

/// The level that an info asks for. Who asks for none gets all: a session cannot know what threads others start.
fn level(given: &Entries) -> Result<(&'static str, i32)> {
    let name = given.get("thread_level").unwrap_or("MPI_THREAD_MULTIPLE");
    let found = LEVELS.iter().find(|row| row.0 == name).copied();
    found.ok_or_else(|| err!(InfoValue, "thread_level is \"{name}\", which is no thread level"))
}

/// `MPI_Session_init`.
pub fn session_init(info: Handle, errhandler: Handle, session: &mut Handle) -> Result<()> {
    let given = info::entries(info)?;
    let (name, level) = level(&given)?;
    let errhandler = Slot::with(Kind::Session, errhandler)?;
    init::open_session(level)?;
    let mut hints = Entries::default();
    hints.set("thread_level", name);
    *session = TABLE.insert(Arc::new(Session { errhandler, hints }));
    Ok(())
}

/// `MPI_Session_finalize`: what was sent through it is delivered, or under way.
pub fn session_finalize(session: &mut Handle) -> Result<()> {
    get(*session)?;
    buffered::drain(Owner::Session(*session));
    buffered::forget(Owner::Session(*session));
    TABLE.remove(*session);
    *session = SESSION_NULL;
    init::close_session();
    Ok(())
}

/// `MPI_Session_get_info`.
pub fn get_info(session: Handle, info: &mut Handle) -> Result<()> {
    let mut hints = get(session)?.hints.clone();
    hints.set("mpi_memory_alloc_kinds", device::alloc_kinds());
    *info = info::register(hints);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_levels_have_names() {
        let mut given = Entries::default();
        assert_eq!(level(&given).unwrap().1, THREAD_MULTIPLE);
        given.set("thread_level", "MPI_THREAD_FUNNELED");
        assert_eq!(level(&given).unwrap().1, THREAD_FUNNELED);
        given.set("thread_level", "many");
        assert!(level(&given).is_err());
    }
}
