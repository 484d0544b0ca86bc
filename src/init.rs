// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bringing a process into the job and out of it: `MPI_Init` to `MPI_Finalize`, sessions, and `MPI_Abort`.

use std::process;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};

use parking_lot::Mutex;

use crate::bootstrap::{self, Server};
use crate::device;
use crate::object::constant::{Handle, THREAD_MULTIPLE, THREAD_SINGLE};
use crate::object::error::Result;
use crate::object::{comm, datatype, group, op};
use crate::os::lock;
use crate::p2p;
use crate::transport::shm;
use crate::{err, knob, os, progress, trace};

/// Of `MPI_Init` and `MPI_Finalize`: 0 before, 1 between, 2 after.
static STATE: AtomicU32 = AtomicU32::new(0);
/// Whether messages can move: from the first `MPI_Init` or `MPI_Session_init` until the job is left.
static UP: AtomicBool = AtomicBool::new(false);
static JOINED: Mutex<Joined> = Mutex::new(Joined::Never);
/// Sessions that are open.
static SESSIONS: AtomicU32 = AtomicU32::new(0);
/// There was a session: the job is left when the process exits, since sessions may come again.
static HAD_SESSIONS: AtomicBool = AtomicBool::new(false);
static RANK: AtomicU32 = AtomicU32::new(0);
static SIZE: AtomicU32 = AtomicU32::new(1);
static LEVEL: AtomicI32 = AtomicI32::new(THREAD_SINGLE);
static SERVER: Mutex<Option<Box<dyn Server>>> = Mutex::new(None);
static MAIN_THREAD: Mutex<Option<std::thread::ThreadId>> = Mutex::new(None);

enum Joined {
    Never,
    Now,
    Left,
}

/// My number in the job.
pub fn rank() -> u32 {
    RANK.load(Ordering::Relaxed)
}

/// How many processes the job has.
pub fn size() -> u32 {
    SIZE.load(Ordering::Relaxed)
}

/// Whether `MPI_Init` was called (also true after `MPI_Finalize`).
#[inline]
pub fn initialized() -> bool {
    STATE.load(Ordering::Relaxed) != 0
}

/// Whether `MPI_Finalize` was called.
#[inline]
pub fn finalized() -> bool {
    STATE.load(Ordering::Relaxed) == 2
}

/// Whether communication is possible: after `MPI_Init`, before `MPI_Finalize`, or with sessions.
#[inline]
pub fn running() -> bool {
    UP.load(Ordering::Relaxed)
}

/// `MPI_Init`: joins the job for one thread.
pub fn init() -> Result<()> {
    let mut provided = THREAD_SINGLE;
    init_thread(THREAD_SINGLE, &mut provided)
}

/// `MPI_Init_thread`: joins the job. Every level asked for is provided.
pub fn init_thread(required: i32, provided: &mut i32) -> Result<()> {
    if STATE.load(Ordering::SeqCst) != 0 {
        return Err(err!(Other, "MPI was initialized already; it can be initialized once in a process"));
    }
    let level = required.clamp(THREAD_SINGLE, THREAD_MULTIPLE);
    LEVEL.store(level, Ordering::Relaxed);
    *provided = level;
    enter(level)?;
    STATE.store(1, Ordering::SeqCst);
    let application = SERVER.lock().as_ref().map_or(0, |server| server.application());
    comm::register_predefined(rank(), size(), application);
    Ok(())
}

/// Joins the job, unless that was done before.
fn enter(level: i32) -> Result<()> {
    let mut joined = JOINED.lock();
    match *joined {
        Joined::Left => return Err(err!(Other, "the process has left its job, by MPI_Finalize, and cannot join it again")),
        Joined::Now => {}
        Joined::Never => {
            *MAIN_THREAD.lock() = Some(std::thread::current().id());
            join()?;
            group::register_predefined();
            *joined = Joined::Now;
            UP.store(true, Ordering::SeqCst);
        }
    }
    if level == THREAD_MULTIPLE {
        lock::set_threaded();
    }
    Ok(())
}

/// A session begins. The first one joins the job.
pub fn open_session(level: i32) -> Result<()> {
    enter(level)?;
    SESSIONS.fetch_add(1, Ordering::SeqCst);
    if !HAD_SESSIONS.swap(true, Ordering::SeqCst) {
        // SAFETY: a function without arguments that does not unwind.
        unsafe { libc::atexit(leave_at_exit) };
    }
    Ok(())
}

/// A session ends. What the process sent is on its way before it goes on without looking at messages.
pub fn close_session() {
    progress::wait("MPI_Session_finalize (messages under way)", || !p2p::busy());
    SESSIONS.fetch_sub(1, Ordering::SeqCst);
}

/// Who exits without finalizing has not left the job: the launcher shall see it.
extern "C" fn leave_at_exit() {
    if running() && STATE.load(Ordering::SeqCst) != 1 && SESSIONS.load(Ordering::SeqCst) == 0 {
        let _ = leave();
    }
}

fn join() -> Result<()> {
    say_panics();
    datatype::register_predefined();
    op::register_predefined();
    let mut server = bootstrap::connect()?;
    if server.rank() == 0 {
        knob::check_environment();
    }
    RANK.store(server.rank(), Ordering::Relaxed);
    SIZE.store(server.size(), Ordering::Relaxed);
    warn_of_another_library();
    let joined = shm::join(&mut *server);
    // Also after a failure: the error's handler aborts the job, and the launcher shall hear of it.
    *SERVER.lock() = Some(server);
    joined?;
    device::board::join(shm::boards());
    progress::begin();
    p2p::start();
    Ok(())
}

/// With two MPI libraries in the process it is chance which one a call reaches. Said once, when the first rank joins the job, or when it
/// leaves: the other library may have been loaded meanwhile.
fn warn_of_another_library() {
    static SAID: AtomicBool = AtomicBool::new(false);
    if rank() == 0
        && let Some((ours, theirs)) = os::loaded::twin()
        && !SAID.swap(true, Ordering::Relaxed)
    {
        os::say(&format!(
            "paceline: two MPI libraries are in this process: {} and {}. Calls reach the one that the loader finds first for each \
             caller, and handles of one mean nothing to the other. `ldd` shows what the program and its libraries ask for: link all to \
             one MPI, or lead all to Paceline with LD_LIBRARY_PATH={} instead of a preloaded library",
            ours.display(),
            theirs.display(),
            ours.parent().unwrap_or(&ours).display()
        ));
    }
}

/// A panic is a fault of the library: it ends the job with words that say so.
fn say_panics() {
    std::panic::set_hook(Box::new(|info| {
        static ONCE: AtomicBool = AtomicBool::new(false);
        if !ONCE.swap(true, Ordering::SeqCst) {
            abort(
                1,
                &format!("paceline: internal error on rank {}: {info}\nThis is a fault of Paceline, please report it", rank()),
            );
        }
    }));
}

/// `MPI_Query_thread`.
pub fn query_thread(provided: &mut i32) -> Result<()> {
    *provided = LEVEL.load(Ordering::Relaxed);
    Ok(())
}

/// `MPI_Is_thread_main`.
pub fn is_thread_main(flag: &mut bool) -> Result<()> {
    *flag = *MAIN_THREAD.lock() == Some(std::thread::current().id());
    Ok(())
}

/// `MPI_Initialized`.
pub fn is_initialized(flag: &mut bool) -> Result<()> {
    *flag = initialized();
    Ok(())
}

/// `MPI_Finalized`.
pub fn is_finalized(flag: &mut bool) -> Result<()> {
    *flag = finalized();
    Ok(())
}

/// `MPI_Finalize`: everything that was sent is delivered; without sessions the process leaves the job.
pub fn finalize() -> Result<()> {
    if STATE.load(Ordering::SeqCst) != 1 {
        return Err(err!(Other, "MPI_Finalize was called before MPI_Init or twice"));
    }
    comm::finalize();
    p2p::buffered::drain_all();
    if HAD_SESSIONS.load(Ordering::SeqCst) {
        STATE.store(2, Ordering::SeqCst);
        return Ok(());
    }
    let left = leave();
    STATE.store(2, Ordering::SeqCst);
    left
}

/// Leaves the job: everybody comes here, then the launcher is told.
fn leave() -> Result<()> {
    progress::wait("MPI_Finalize (messages under way)", || !p2p::busy());
    meet();
    warn_of_another_library();
    device::leave();
    report();
    group::forget_predefined();
    *JOINED.lock() = Joined::Left;
    UP.store(false, Ordering::SeqCst);
    match SERVER.lock().take() {
        Some(mut server) => server.finalize(),
        None => Ok(()),
    }
}

/// All processes wait for all, while messages still move.
fn meet() {
    let (me, size) = (rank(), size());
    let mut step = 1;
    while step < size {
        let tag = step as i32;
        let to = p2p::Envelope { process: (me + step) % size, context: comm::INTERNAL_CONTEXT + 1, rank: me as i32, tag };
        let from = p2p::Envelope { process: 0, rank: ((me + size - step) % size) as i32, ..to };
        let nothing = p2p::Span::nothing;
        // SAFETY: no bytes move.
        let (incoming, outgoing) = unsafe { (p2p::start_receive(from, nothing()), p2p::start_send(to, nothing())) };
        for ticket in [Some(incoming), outgoing.ok().flatten()].into_iter().flatten() {
            let _ = p2p::send::complete("MPI_Finalize", ticket);
        }
        step *= 2;
    }
    progress::wait("MPI_Finalize (messages under way)", || !p2p::busy());
}

fn report() {
    if trace::enabled() {
        device::conclude();
        os::say(format!("paceline report, rank {} of {}:\n{}", rank(), size(), trace::report()).trim_end());
    }
}

/// `MPI_Abort`: ends the whole job with this code.
pub fn mpi_abort(comm: Handle, code: i32) -> Result<()> {
    let name = comm::get(comm).map_or_else(|_| "an unknown communicator".to_owned(), |c| c.name());
    abort(code, &format!("paceline: rank {} called MPI_Abort on {name} with code {code}", rank()))
}

/// What the program printed before counts as printed. A thread that holds a stream for ever does not keep us here: after
/// two seconds the alarm ends the process.
fn flush_output() {
    // SAFETY: an alarm with its default action, and C's own lock on each stream.
    unsafe {
        libc::signal(libc::SIGALRM, libc::SIG_DFL);
        libc::alarm(2);
        libc::fflush(std::ptr::null_mut());
        libc::alarm(0);
    }
}

/// Ends the job: says `text`, tells the launcher, never returns.
pub fn abort(code: i32, text: &str) -> ! {
    os::say(text);
    flush_output();
    // Another thread may hold the server (or this one, inside it): the process ends in any case.
    if let Some(mut server) = SERVER.try_lock()
        && let Some(server) = server.as_mut()
    {
        server.abort(code, text);
    }
    let code = if code & 0xff == 0 { 1 } else { code };
    // SAFETY: ends the process without running handlers of the user's, which may call MPI.
    unsafe { libc::_exit(code) };
    #[allow(unreachable_code)]
    process::abort()
}
