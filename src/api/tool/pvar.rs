// SPDX-License-Identifier: MIT OR Apache-2.0
//! Performance variables: what the engine knows about itself at any time without counting on its fast paths. All are
//! 64-bit numbers of no object, read only, and always running: they cannot be started, stopped, reset or written.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use super::started;
use crate::err;
use crate::object::constant::{
    Handle, T_BIND_NO_OBJECT, T_PVAR_CLASS_COUNTER, T_PVAR_CLASS_LEVEL, T_VERBOSITY_USER_BASIC, UNSIGNED_LONG_LONG,
};
use crate::object::error::{Error, Result};
use crate::object::request;
use crate::{p2p, progress};

/// A performance variable.
pub struct Pvar {
    /// Its name.
    pub name: &'static str,
    help: &'static str,
    class: i32,
    read: fn() -> u64,
}

/// All of them.
pub static ALL: &[Pvar] = &[
    Pvar {
        name: "paceline_posted_receives",
        help: "Receives that wait for a message",
        class: T_PVAR_CLASS_LEVEL,
        read: || p2p::queued().0,
    },
    Pvar {
        name: "paceline_unexpected_messages",
        help: "Messages that arrived and wait for a receive",
        class: T_PVAR_CLASS_LEVEL,
        read: || p2p::queued().1,
    },
    Pvar {
        name: "paceline_requests",
        help: "Requests that the program has not freed",
        class: T_PVAR_CLASS_LEVEL,
        read: || request::in_use().0,
    },
    Pvar {
        name: "paceline_background_operations",
        help: "Operations that go on in the background, as nonblocking collectives",
        class: T_PVAR_CLASS_LEVEL,
        read: || request::in_use().1,
    },
    Pvar {
        name: "paceline_sleeps",
        help: "How often a waiting thread slept in the kernel",
        class: T_PVAR_CLASS_COUNTER,
        read: progress::sleeps,
    },
    Pvar {
        name: "paceline_seat_moves",
        help: "How often a waiting rank moved back to its core (PACELINE_SEATS)",
        class: T_PVAR_CLASS_COUNTER,
        read: progress::moves,
    },
];

/// The handle that means all handles of a session; no face's own value for it reaches the engine.
pub const ALL_HANDLES: usize = usize::MAX;

/// Sessions and handles: handles name their session and variable. Numbers look like aligned addresses.
struct Open {
    next: usize,
    sessions: BTreeMap<usize, ()>,
    handles: BTreeMap<usize, (usize, usize)>,
}

static OPEN: Mutex<Open> = Mutex::new(Open { next: 0x1000, sessions: BTreeMap::new(), handles: BTreeMap::new() });

impl Open {
    fn number(&mut self) -> usize {
        self.next += 0x10;
        self.next
    }

    fn session(&self, session: usize) -> Result<()> {
        let known = self.sessions.contains_key(&session);
        if known { Ok(()) } else { Err(err!(TInvalidSession, "{session:#x} is no session of performance variables")) }
    }

    fn variable(&self, session: usize, handle: usize) -> Result<&'static Pvar> {
        self.session(session)?;
        let found = self.handles.get(&handle).filter(|(of, _)| *of == session);
        found.map(|&(_, index)| &ALL[index]).ok_or_else(|| no_handle(handle))
    }
}

fn no_handle(handle: usize) -> Error {
    err!(TInvalidHandle, "{handle:#x} is no handle of a performance variable of this session")
}

fn pvar(index: i32) -> Result<&'static Pvar> {
    started()?;
    let found = usize::try_from(index).ok().and_then(|i| ALL.get(i));
    found.ok_or_else(|| err!(TInvalidIndex, "there is no performance variable {index}"))
}

/// `MPI_T_pvar_get_num`.
pub fn get_num(num: &mut i32) -> Result<()> {
    started()?;
    *num = ALL.len() as i32;
    Ok(())
}

/// `MPI_T_pvar_get_index`.
pub fn get_index(name: &str, class: i32, index: &mut i32) -> Result<()> {
    started()?;
    let place = ALL.iter().position(|pvar| pvar.name == name && pvar.class == class);
    *index = place.ok_or_else(|| err!(TInvalidName, "there is no performance variable {name} of this class"))? as i32;
    Ok(())
}

/// `MPI_T_pvar_get_info`.
#[allow(clippy::too_many_arguments)]
pub fn get_info(
    index: i32,
    name: &mut String,
    verbosity: &mut i32,
    class: &mut i32,
    datatype: &mut Handle,
    enumtype: &mut usize,
    desc: &mut String,
    bind: &mut i32,
    readonly: &mut bool,
    continuous: &mut bool,
    atomic: &mut bool,
) -> Result<()> {
    let pvar = pvar(index)?;
    pvar.name.clone_into(name);
    pvar.help.clone_into(desc);
    (*verbosity, *class, *datatype, *enumtype) = (T_VERBOSITY_USER_BASIC, pvar.class, UNSIGNED_LONG_LONG, 0);
    (*bind, *readonly, *continuous, *atomic) = (T_BIND_NO_OBJECT, true, true, false);
    Ok(())
}

/// `MPI_T_pvar_session_create`.
pub fn session_create(session: &mut usize) -> Result<()> {
    started()?;
    let mut open = OPEN.lock();
    *session = open.number();
    open.sessions.insert(*session, ());
    Ok(())
}

/// `MPI_T_pvar_session_free`: with its handles.
pub fn session_free(session: &mut usize) -> Result<()> {
    started()?;
    let mut open = OPEN.lock();
    open.session(*session)?;
    open.sessions.remove(session);
    open.handles.retain(|_, (of, _)| of != session);
    *session = 0;
    Ok(())
}

/// `MPI_T_pvar_handle_alloc`.
pub fn handle_alloc(session: usize, index: i32, _object: usize, handle: &mut usize, count: &mut i32) -> Result<()> {
    pvar(index)?;
    let mut open = OPEN.lock();
    open.session(session)?;
    *handle = open.number();
    open.handles.insert(*handle, (session, index as usize));
    *count = 1;
    Ok(())
}

/// `MPI_T_pvar_handle_free`.
pub fn handle_free(session: usize, handle: &mut usize) -> Result<()> {
    started()?;
    let mut open = OPEN.lock();
    open.variable(session, *handle)?;
    open.handles.remove(handle);
    *handle = 0;
    Ok(())
}

/// `MPI_T_pvar_start`, `MPI_T_pvar_stop`: nothing to do for all handles, whose variables always run.
pub fn start_or_stop(session: usize, handle: usize) -> Result<()> {
    started()?;
    if handle == ALL_HANDLES {
        return OPEN.lock().session(session);
    }
    let name = OPEN.lock().variable(session, handle)?.name;
    Err(err!(TPvarNoStartstop, "{name} always runs"))
}

/// `MPI_T_pvar_read`.
///
/// # Safety
/// `buffer` has room for a 64-bit number.
pub unsafe fn read(session: usize, handle: usize, buffer: usize) -> Result<()> {
    started()?;
    let read = OPEN.lock().variable(session, handle)?.read;
    // SAFETY: by this function's contract.
    unsafe { (buffer as *mut u64).write_unaligned(read()) };
    Ok(())
}

/// `MPI_T_pvar_readreset`.
pub fn read_and_reset(session: usize, handle: usize, _buffer: usize) -> Result<()> {
    reset(session, handle)
}

/// `MPI_T_pvar_reset`: leaves out what is read only when all handles are meant.
pub fn reset(session: usize, handle: usize) -> Result<()> {
    started()?;
    if handle == ALL_HANDLES { OPEN.lock().session(session) } else { write(session, handle, std::ptr::null_mut()) }
}

/// `MPI_T_pvar_write`.
pub fn write(session: usize, handle: usize, _buffer: *mut u8) -> Result<()> {
    started()?;
    let name = OPEN.lock().variable(session, handle)?.name;
    Err(err!(TPvarNoWrite, "{name} is read only"))
}

#[cfg(test)]
mod tests {
    use super::super::{finalize, init_thread};
    use super::*;
    use crate::object::error::Class;

    #[test]
    fn variables_are_read_through_handles_of_a_session() {
        let (mut provided, mut session, mut other, mut handle, mut count, mut index) = (0, 0, 0, 0, 0, -1);
        init_thread(0, &mut provided).unwrap();
        get_index("paceline_sleeps", T_PVAR_CLASS_COUNTER, &mut index).unwrap();
        assert!(get_index("paceline_sleeps", T_PVAR_CLASS_LEVEL, &mut index).is_err());
        session_create(&mut session).unwrap();
        session_create(&mut other).unwrap();
        handle_alloc(session, index, 0, &mut handle, &mut count).unwrap();
        let mut value = u64::MAX;
        // SAFETY: a local number.
        unsafe { read(session, handle, &raw mut value as usize).unwrap() };
        assert!(count == 1 && value < u64::MAX);
        assert_eq!(reset(session, handle).unwrap_err().code(), Class::TPvarNoWrite as i32);
        assert_eq!(start_or_stop(session, handle).unwrap_err().code(), Class::TPvarNoStartstop as i32);
        assert_eq!(reset(other, handle).unwrap_err().code(), Class::TInvalidHandle as i32);
        start_or_stop(session, ALL_HANDLES).unwrap();
        session_free(&mut other).unwrap();
        handle_free(session, &mut handle).unwrap();
        assert!(handle == 0 && session_free(&mut other).is_err());
        session_free(&mut session).unwrap();
        finalize().unwrap();
    }
}
