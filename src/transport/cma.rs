// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cross-memory attach: one process copies straight from (or to) another's memory (`process_vm_readv`).
//! Containers, seccomp and Yama may forbid it, at any time: it is tried at start, and whoever calls must have another way.

use std::cell::RefCell;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::shm;
use crate::os::PAGE;
use crate::os::copy::{self, apart, clashes};
use crate::trace;

static WORKS: AtomicBool = AtomicBool::new(false);
/// Whether writes have not been refused.
static WRITES: AtomicBool = AtomicBool::new(true);
static PIDS: OnceLock<Vec<libc::pid_t>> = OnceLock::new();

/// Tells whether a real transfer succeeded at start, and the processes' ids by number.
pub fn start(pids: Vec<libc::pid_t>, works: bool) {
    let _ = PIDS.set(pids);
    WORKS.store(works, Ordering::Relaxed);
}

/// Lets the other processes of the job read this one where Yama lets only ancestors do so (Ubuntu's default).
pub fn allow() {
    // SAFETY: the option takes no pointers. It fails where the kernel has no Yama, and then is not needed.
    unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY, 0, 0, 0) };
}

/// Gives cross-memory attach up unless `all` processes of the job can use it.
pub fn disable_unless(all: bool) {
    WORKS.fetch_and(all, Ordering::Relaxed);
}

/// Whether reads from `process` are expected to work.
#[inline]
pub fn works(process: u32) -> bool {
    WORKS.load(Ordering::Relaxed) || process == shm::me()
}

/// Whether writes to `process` are expected to work.
pub fn writes(process: u32) -> bool {
    works(process) && WRITES.load(Ordering::Relaxed)
}

/// Bytes copied at a time by way of a scratch: they should still be in the cache.
const SCRATCH: usize = 64 << 10;

thread_local! {
    static BETWEEN: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Calls `copy` with each stretch, as its offset and length, and room for it between `from` and the target that clashes with neither.
fn by_scratch(from: usize, len: usize, mut copy: impl FnMut(usize, usize, *mut u8) -> io::Result<()>) -> io::Result<()> {
    BETWEEN.with_borrow_mut(|between| {
        between.resize(SCRATCH + PAGE, 0);
        let room = apart(from, between.as_mut_ptr());
        (0..len).step_by(SCRATCH).try_for_each(|at| copy(at, SCRATCH.min(len - at), room))
    })
}

fn part(at: usize, len: usize) -> libc::iovec {
    libc::iovec { iov_base: at as *mut libc::c_void, iov_len: len }
}

/// Copies `len` bytes from address `remote` in `process` to `local`.
///
/// # Safety
/// `local` must be writable for `len` bytes. (The kernel checks the remote side.)
pub unsafe fn read(process: u32, remote: usize, local: *mut u8, len: usize) -> io::Result<()> {
    if process == shm::me() {
        // SAFETY: the remote side is this process: its owner keeps it alive until the transfer is acknowledged.
        unsafe { copy::copy_over(remote as *const u8, local, len) };
        return Ok(());
    }
    // SAFETY: the target is writable.
    let read =
        |from, to, len| unsafe { transfer(process, from, to, len, |pid, l, r| libc::process_vm_readv(pid, l, 1, r, 1, 0)) };
    let outcome = match clashes(remote, local as usize, len) {
        false => read(remote, local, len),
        true => by_scratch(remote, len, |at, len, room| {
            read(remote + at, room, len)?;
            // SAFETY: the room holds `len` bytes; the caller's promise for `local`.
            unsafe { copy::copy(room, local.add(at), len) };
            Ok(())
        }),
    };
    outcome.map_err(|error| {
        let which = if refuses(&error, &WORKS) { "large messages go" } else { "a large message goes" };
        trace::note(format!("process_vm_readv from rank {process} failed ({error}): {which} through the shared segment"));
        error
    })
}

/// Copies `len` bytes from `local` to address `remote` in `process`.
///
/// # Safety
/// `local` must be readable for `len` bytes, and the other process must expect the write.
pub unsafe fn write(process: u32, remote: usize, local: *const u8, len: usize) -> io::Result<()> {
    let write = |from: *const u8, to, len| {
        // SAFETY: the source is readable.
        unsafe { transfer(process, to, from.cast_mut(), len, |pid, l, r| libc::process_vm_writev(pid, l, 1, r, 1, 0)) }
    };
    let outcome = match clashes(local as usize, remote, len) {
        false => write(local, remote, len),
        true => by_scratch(local as usize, len, |at, len, room| {
            // SAFETY: the room holds `len` bytes; the caller's promise for `local`.
            unsafe { copy::copy(local.add(at), room, len) };
            write(room, remote + at, len)
        }),
    };
    outcome.map_err(|error| {
        refuses(&error, &WRITES);
        trace::note(format!("process_vm_writev to rank {process} failed ({error}): the receiver reads all of a message"));
        error
    })
}

unsafe fn transfer(
    process: u32,
    remote: usize,
    local: *mut u8,
    len: usize,
    call: impl Fn(libc::pid_t, *const libc::iovec, *const libc::iovec) -> isize,
) -> io::Result<()> {
    let pid = PIDS.get().map_or(0, |pids| pids[process as usize]);
    let mut done = 0;
    while done < len {
        let (here, there) = (part(local as usize + done, len - done), part(remote + done, len - done));
        match call(pid, &here, &there) {
            n if n > 0 => done += n as usize,
            _ => return Err(io::Error::last_os_error()),
        }
    }
    Ok(())
}

/// Whether the error says that no such transfer will work; then nobody need try again.
#[cold]
fn refuses(error: &io::Error, works: &AtomicBool) -> bool {
    let forbidden = matches!(error.raw_os_error(), Some(libc::EPERM | libc::ENOSYS | libc::EACCES));
    if forbidden {
        works.store(false, Ordering::Relaxed);
    }
    forbidden
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_by_the_scratch_covers_all_and_clashes_nowhere() {
        for (from, to) in [(0x7000, 0x9010), (0x7ffd, 0xa003), (0x123, 0x133)] {
            let mut next = 0;
            by_scratch(from, 200_001, |at, len, room| {
                assert_eq!(at, next);
                assert!(!clashes(from + at, room as usize, PAGE) && !clashes(room as usize, to + at, PAGE));
                // SAFETY: the room has so many bytes, or the test is to fail.
                unsafe { room.write_bytes(1, len) };
                next += len;
                Ok(())
            })
            .unwrap();
            assert_eq!(next, 200_001);
        }
    }
}
