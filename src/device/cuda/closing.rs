// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mappings of other processes' memory on their way out. The driver may wait for all work of the device before it closes one,
//! also for a kernel of another library that waits for its peers, and those may be in an MPI call. So no MPI call closes any: a
//! thread does, which lives as long as there are some.
//!
//! Memory that its owner has freed stays allocated until it is closed here. So while [`MOST`] mappings of an owner wait, no further
//! allocation of that owner is mapped, and messages from such memory are staged: no more wait than were mapped by then.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use super::context::Context;
use super::driver::{Address, driver};
use super::thread;
use crate::trace;

/// Mappings of one owner that may wait while another one is made.
const MOST: usize = 8;
/// Who leaves the job, or exits, waits so long for the thread to come out of the driver.
pub const PATIENCE: Duration = Duration::from_secs(1);

/// A mapping that nobody uses any more.
struct Mapping {
    context: &'static Context,
    process: u32,
    at: Address,
}

struct Queue {
    waiting: VecDeque<Mapping>,
    /// The owner of the mapping that is being closed.
    closing: Option<u32>,
    has_thread: bool,
    /// The process leaves: nothing more is begun.
    is_over: bool,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue { waiting: VecDeque::new(), closing: None, has_thread: false, is_over: false });
/// The thread has ended.
static ENDED: Condvar = Condvar::new();
/// The process that has used the queue: in a child that it forks there is no thread, and the lock may be held for ever.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Whether one more allocation of `process` may be mapped; the error is the reason why not.
pub fn has_room(process: u32) -> Result<(), String> {
    match waiting(process) {
        0..MOST => Ok(()),
        _ => Err(format!("the driver has not closed {MOST} earlier mappings of its memory yet")),
    }
}

/// Whether mappings of `process` may be closed for which there is no hurry: calls still have room for theirs.
pub fn has_room_to_spare(process: u32) -> bool {
    waiting(process) < MOST / 2
}

fn waiting(process: u32) -> usize {
    let queue = QUEUE.lock();
    let waiting = queue.waiting.iter().filter(|mapping| mapping.process == process).count();
    waiting + usize::from(queue.closing == Some(process))
}

/// Closes a mapping soon. Waits for nothing.
pub fn close(context: &'static Context, process: u32, at: Address) {
    let mut queue = QUEUE.lock();
    if queue.is_over {
        return;
    }
    queue.waiting.push_back(Mapping { context, process, at });
    if !queue.has_thread {
        queue.has_thread = begin();
    }
}

/// Starts the thread. Where there can be none the mappings stay until the next try.
fn begin() -> bool {
    if PROCESS.swap(std::process::id(), Ordering::SeqCst) == 0 {
        // SAFETY: a function without arguments that does not unwind.
        unsafe { libc::atexit(end_at_exit) };
    }
    let started = thread::start("paceline-close", run);
    if let Err(error) = &started {
        trace::note(format!("CUDA: mappings of other ranks' memory stay open: no thread can close them: {error}"));
    }
    started.is_ok()
}

fn run() {
    let mut queue = QUEUE.lock();
    while let Some(mapping) = queue.next() {
        MutexGuard::unlocked(&mut queue, || mapping.close());
    }
    queue.has_thread = false;
    ENDED.notify_all();
}

impl Queue {
    fn next(&mut self) -> Option<Mapping> {
        let next = self.waiting.pop_front().filter(|_| !self.is_over);
        self.closing = next.as_ref().map(|mapping| mapping.process);
        next
    }
}

impl Mapping {
    /// One of a context that the program has ended went with it; its address may be another's now.
    fn close(self) {
        if !self.context.is_alive() {
            return;
        }
        if let Ok(_entered) = self.context.enter() {
            // SAFETY: opened in this context, and nobody uses it any more.
            unsafe { (driver().ipc_close)(self.at) };
        }
    }
}

/// Closes what waits, for so long at most; then nothing more is begun, so that no thread is in the driver when the process ends.
pub fn end(limit: Duration) {
    if PROCESS.load(Ordering::SeqCst) != std::process::id() {
        return;
    }
    let limit = Instant::now() + limit;
    let Some(mut queue) = QUEUE.try_lock_until(limit) else { return };
    while queue.has_thread && !ENDED.wait_until(&mut queue, limit).timed_out() {}
    queue.is_over = true;
}

extern "C" fn end_at_exit() {
    end(PATIENCE);
}
