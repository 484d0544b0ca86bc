// SPDX-License-Identifier: MIT OR Apache-2.0
//! Error handlers (MPI 5.0, section 9.3), and [`raise`]: what happens with an error at the end of a call.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::abi;
use super::callback;
use super::comm::{self, Comm};
use super::constant::{
    COMM_NULL, COMM_WORLD, ERRHANDLER_NULL, ERRORS_ABORT, ERRORS_ARE_FATAL, ERRORS_RETURN, FILE_NULL, Handle, SESSION_NULL,
};
use super::error::{Class, Error, Result, registry, text};
use super::handle::{Kind, Table};
use super::session;
use crate::{err, init};

/// A user's error handler. Predefined ones are handles only.
pub struct Errhandler {
    kind: Kind,
    function: usize,
    /// The user's handles and the objects that use it; the slot is given back at 0.
    references: AtomicU32,
}

static TABLE: Table<Errhandler> = Table::new(Kind::Errhandler);
/// The handler of `MPI_FILE_NULL`: what new files start with.
static FILE_DEFAULT: Slot = Slot::new(ERRORS_RETURN);

/// The place in an object that names its error handler.
pub struct Slot(AtomicU32);

impl Slot {
    /// A slot with a predefined handler.
    pub const fn new(handler: Handle) -> Slot {
        Slot(AtomicU32::new(handler))
    }

    /// A slot that nobody has set yet: errors are fatal.
    pub const fn unset() -> Slot {
        Slot::new(ERRHANDLER_NULL)
    }

    /// A slot for a new object that takes its parent's handler.
    pub fn inherit(parent: &Slot) -> Slot {
        Slot::new(retain(parent.0.load(Ordering::Acquire)))
    }

    /// A slot for a new object with the handler that its making was given.
    pub fn with(kind: Kind, handler: Handle) -> Result<Slot> {
        check(kind, handler)?;
        Ok(Slot::new(retain(handler)))
    }

    /// The handler, borrowed.
    pub fn handler(&self) -> Handle {
        match self.0.load(Ordering::Acquire) {
            ERRHANDLER_NULL => ERRORS_ARE_FATAL,
            handler => handler,
        }
    }

    /// Whether nobody has set it, nor one that it was taken from, and the face asks `MPI_COMM_WORLD` then.
    fn is_worlds(&self) -> bool {
        self.0.load(Ordering::Acquire) == ERRHANDLER_NULL && callback::face().unset_handler_is_worlds()
    }

    fn set(&self, kind: Kind, handler: Handle) -> Result<()> {
        check(kind, handler)?;
        release(self.0.swap(retain(handler), Ordering::AcqRel));
        Ok(())
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        release(self.handler());
    }
}

fn is_predefined(handler: Handle) -> bool {
    matches!(handler, ERRORS_ARE_FATAL | ERRORS_RETURN | ERRORS_ABORT)
}

fn check(kind: Kind, handler: Handle) -> Result<()> {
    match TABLE.get(handler) {
        _ if is_predefined(handler) => Ok(()),
        Some(found) if found.kind == kind => Ok(()),
        Some(found) => Err(unfit(format!("the error handler was made for {:?} objects, not for {kind:?} objects", found.kind))),
        None => Err(unfit("the error handler is null or was freed".to_owned())),
    }
}

/// The class for it is of MPI 4.1; Open MPI 4 and MPICH 4.0 have another.
#[cold]
fn unfit(text: String) -> Error {
    let class = if abi::is_standard() { Class::Errhandler } else { Class::Arg };
    Error::with_code(class as i32, text)
}

fn retain(handler: Handle) -> Handle {
    if let Some(found) = TABLE.get(handler) {
        found.references.fetch_add(1, Ordering::Relaxed);
    }
    handler
}

fn release(handler: Handle) {
    if let Some(found) = TABLE.get(handler)
        && found.references.fetch_sub(1, Ordering::AcqRel) == 1
    {
        TABLE.remove(handler);
    }
}

fn create(kind: Kind, function: usize, handler: &mut Handle) -> Result<()> {
    if function == 0 {
        return Err(err!(Arg, "the error handler function is a null pointer"));
    }
    *handler = TABLE.insert(Errhandler { kind, function, references: AtomicU32::new(1) });
    Ok(())
}

/// `MPI_Comm_create_errhandler` (and `MPI_Errhandler_create`).
pub fn comm_create_errhandler(function: usize, handler: &mut Handle) -> Result<()> {
    create(Kind::Comm, function, handler)
}

/// `MPI_Win_create_errhandler`.
pub fn win_create_errhandler(function: usize, handler: &mut Handle) -> Result<()> {
    create(Kind::Win, function, handler)
}

/// `MPI_File_create_errhandler`.
pub fn file_create_errhandler(function: usize, handler: &mut Handle) -> Result<()> {
    create(Kind::File, function, handler)
}

/// `MPI_Session_create_errhandler`.
pub fn session_create_errhandler(function: usize, handler: &mut Handle) -> Result<()> {
    create(Kind::Session, function, handler)
}

/// `MPI_Errhandler_free`.
pub fn free(handler: &mut Handle) -> Result<()> {
    if !is_predefined(*handler) {
        TABLE.get(*handler).ok_or_else(|| unfit("the error handler is null or was freed".to_owned()))?;
        release(*handler);
    }
    *handler = ERRHANDLER_NULL;
    Ok(())
}

/// `MPI_Comm_set_errhandler` (and `MPI_Errhandler_set`).
pub fn comm_set_errhandler(comm: Handle, handler: Handle) -> Result<()> {
    match comm::get(comm) {
        Ok(comm) => comm.errhandler.set(Kind::Comm, handler),
        Err(error) => comm::dup::with_unborn(comm, |slot| slot.set(Kind::Comm, handler)).unwrap_or(Err(error)),
    }
}

/// `MPI_Comm_get_errhandler` (and `MPI_Errhandler_get`).
pub fn comm_get_errhandler(comm: Handle, handler: &mut Handle) -> Result<()> {
    *handler = retain(comm::get(comm)?.errhandler.handler());
    Ok(())
}

/// `MPI_Comm_call_errhandler`.
pub fn comm_call_errhandler(comm: Handle, code: i32) -> Result<()> {
    comm::get(comm)?;
    raise(Kind::Comm, comm, &Error::with_code(code, registry::describe(code)), "MPI_Comm_call_errhandler");
    Ok(())
}

/// `MPI_Session_set_errhandler`.
pub fn session_set_errhandler(session: Handle, handler: Handle) -> Result<()> {
    session::get(session)?.errhandler.set(Kind::Session, handler)
}

/// `MPI_Session_get_errhandler`.
pub fn session_get_errhandler(session: Handle, handler: &mut Handle) -> Result<()> {
    *handler = retain(session::get(session)?.errhandler.handler());
    Ok(())
}

/// `MPI_Session_call_errhandler`.
pub fn session_call_errhandler(session: Handle, code: i32) -> Result<()> {
    session::get(session)?;
    raise(Kind::Session, session, &Error::with_code(code, registry::describe(code)), "MPI_Session_call_errhandler");
    Ok(())
}

fn file_slot(file: Handle) -> Result<&'static Slot> {
    if file == FILE_NULL { Ok(&FILE_DEFAULT) } else { Err(err!(File, "the file handle names no open file")) }
}

/// `MPI_File_set_errhandler`.
pub fn file_set_errhandler(file: Handle, handler: Handle) -> Result<()> {
    file_slot(file)?.set(Kind::File, handler)
}

/// `MPI_File_get_errhandler`.
pub fn file_get_errhandler(file: Handle, handler: &mut Handle) -> Result<()> {
    *handler = retain(file_slot(file)?.handler());
    Ok(())
}

/// `MPI_File_call_errhandler`.
pub fn file_call_errhandler(file: Handle, code: i32) -> Result<()> {
    file_slot(file)?;
    raise(Kind::File, file, &Error::with_code(code, registry::describe(code)), "MPI_File_call_errhandler");
    Ok(())
}

/// Hands an error to the handler of the object, and returns the code that the call returns. Does not return when the
/// handler ends the job. An error of an operation in a known context goes to that communicator. An object without a handler of its own, or a handle that names nothing, uses that of
/// `MPI_COMM_WORLD`; before initialization and after finalization errors are fatal.
#[cold]
pub fn raise(kind: Kind, object: Handle, error: &Error, function: &str) -> i32 {
    let (kind, object) = origin(error).unwrap_or((kind, object));
    let (kind, object, handler) = responsible(kind, object);
    match TABLE.get(handler) {
        Some(user) => callback::face().error_handler(user.function, kind, object, error.code()),
        None if handler == ERRORS_RETURN => {}
        None => end(kind, object, error, function, handler),
    }
    error.code()
}

/// Whether errors on a communicator end the job.
pub fn ends_job(comm: Handle) -> bool {
    matches!(responsible(Kind::Comm, comm).2, ERRORS_ARE_FATAL | ERRORS_ABORT)
}

fn origin(error: &Error) -> Option<(Kind, Handle)> {
    Some((Kind::Comm, comm::context::owner(error.context()?)?))
}

fn responsible(kind: Kind, object: Handle) -> (Kind, Handle, Handle) {
    match kind {
        Kind::File => return (kind, FILE_NULL, FILE_DEFAULT.handler()),
        Kind::Session => {
            if let Ok(session) = session::get(object) {
                return (kind, object, session.errhandler.handler());
            }
        }
        // The handler that the making of an object was given: there is no object yet.
        Kind::Errhandler if is_predefined(object) => return (Kind::Comm, COMM_NULL, object),
        Kind::Errhandler => match TABLE.get(object).map(|found| found.kind) {
            Some(Kind::Session) => return (Kind::Session, SESSION_NULL, object),
            Some(kind) => return (kind, COMM_NULL, object),
            None => {}
        },
        _ => {}
    }
    let comm = Some(object).filter(|_| kind == Kind::Comm).and_then(|h| comm::get(h).ok());
    let comm = comm.filter(|comm| !comm.errhandler.is_worlds());
    match comm.or_else(|| comm::get(COMM_WORLD).ok()) {
        Some(comm) => (Kind::Comm, comm.handle, comm.errhandler.handler()),
        None => (Kind::Comm, COMM_WORLD, ERRORS_ARE_FATAL),
    }
}

fn end(kind: Kind, object: Handle, error: &Error, function: &str, handler: Handle) -> ! {
    let comm = Some(object).filter(|_| kind == Kind::Comm).and_then(|h| comm::get(h).ok());
    init::abort(exit_status(callback::face().error_code(error.code())), &message(comm, error, function, handler))
}

/// An exit status that is not 0 and survives the operating system's 8 bits.
fn exit_status(code: i32) -> i32 {
    if code & 0xff == 0 { 1 } else { code & 0xff }
}

/// The one block that a fatal error prints.
fn message(comm: Option<&Arc<Comm>>, error: &Error, function: &str, handler: Handle) -> String {
    let place = match comm {
        Some(comm) => format!("rank {} of {}{}", comm.rank, comm.name(), in_world(comm)),
        None => "outside of MPI_Init and MPI_Finalize".to_owned(),
    };
    let class = registry::class_of(error.code());
    let (name, sentence) = text::of(class).unwrap_or(("error class added by the program", ""));
    let handler = if handler == ERRORS_ABORT { "MPI_ERRORS_ABORT" } else { "MPI_ERRORS_ARE_FATAL" };
    format!(
        "{function} failed\n  where  {place}\n  what   {name}{}{sentence}\n  why    {}\n  next   {} (the error handler is {handler}; \
         MPI_ERRORS_RETURN would return the error to the program)",
        if sentence.is_empty() { "" } else { ": " },
        error.text(),
        advice(class),
    )
}

fn in_world(comm: &Comm) -> String {
    let world = comm.group.members[comm.rank as usize];
    if comm.handle == COMM_WORLD { String::new() } else { format!(" (process {world} of the job)") }
}

fn advice(class: i32) -> &'static str {
    match class {
        c if c == Class::Truncate as i32 => {
            "give the receiving side a count at least as large as what is sent; in a collective, every rank the same"
        }
        c if c == Class::UnsupportedOperation as i32 => "do without this call for now; docs/functions.md lists what works",
        c if c == Class::NoMem as i32 => "free memory or use more nodes",
        c if c == Class::Comm as i32 => "use a communicator between its creation and MPI_Comm_free",
        c if c == Class::Intern as i32 => "please report it with PACELINE_REPORT=1",
        c if c == Class::Other as i32 => "correct the program as the line above says",
        _ => "correct the argument in the program",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handler_lives_while_an_object_uses_it() {
        let mut handler = 0;
        comm_create_errhandler(16, &mut handler).unwrap();
        let (id, slot) = (handler, Slot::new(ERRORS_RETURN));
        slot.set(Kind::Comm, handler).unwrap();
        assert!(slot.set(Kind::Win, handler).is_err());
        free(&mut handler).unwrap();
        assert_eq!(handler, ERRHANDLER_NULL);
        assert!(TABLE.get(id).is_some());
        let child = Slot::inherit(&slot);
        drop(slot);
        assert!(TABLE.get(id).is_some());
        drop(child);
        assert!(TABLE.get(id).is_none());
    }

    #[test]
    fn the_message_names_function_class_and_reason() {
        let text = message(None, &err!(Rank, "rank 7 is too large"), "MPI_Send", ERRORS_ARE_FATAL);
        assert!(text.starts_with("MPI_Send failed\n") && text.contains("MPI_ERR_RANK: ") && text.contains("rank 7 is too large"));
        assert_eq!(exit_status(256), 1);
        assert_eq!(exit_status(15), 15);
    }
}
