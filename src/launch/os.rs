// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the launcher asks of the operating system.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

/// The result of a call, or errno.
pub fn check(result: i32) -> io::Result<i32> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// This machine's name.
pub fn host_name() -> String {
    let mut name = [0u8; 256];
    // SAFETY: writes at most 255 bytes, so a NUL stays behind them.
    unsafe { libc::gethostname(name.as_mut_ptr().cast(), 255) };
    let end = name.iter().position(|&b| b == 0).unwrap_or(0);
    String::from_utf8_lossy(&name[..end]).into_owned()
}

/// Makes room for so many open descriptors; returns the limit that stood before, if it had to be raised.
pub fn allow_files(count: usize) -> Result<Option<libc::rlimit>, String> {
    let mut old = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: writes to the live structure.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &mut old) };
    if old.rlim_cur >= count as u64 {
        return Ok(None);
    }
    if old.rlim_max < count as u64 {
        return Err(format!("{count} open files are needed and the limit is {} (ulimit -n)", old.rlim_max));
    }
    limit_files(libc::rlimit { rlim_cur: count as u64, ..old }).map_err(|e| format!("cannot raise the limit of files: {e}"))?;
    Ok(Some(old))
}

/// Sets the limit of open descriptors.
pub fn limit_files(limit: libc::rlimit) -> io::Result<()> {
    // SAFETY: reads the live structure.
    check(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &limit) }).map(drop)
}

/// Makes orphans of our ranks our children, so that they can be found and ended.
pub fn adopt_orphans() {
    // SAFETY: sets a flag of this process.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
}

/// Sends a signal to a process, or with a negative number to a process group.
pub fn signal(target: i32, signal: i32) {
    // SAFETY: no memory is touched; a target that is gone is reported and that is fine.
    unsafe { libc::kill(target, signal) };
}

/// A child that ended, with its wait status.
pub fn reap() -> Option<(i32, i32)> {
    let mut status = 0;
    // SAFETY: writes to the live status.
    let pid = unsafe { libc::waitpid(-1, &mut status, libc::WNOHANG) };
    (pid > 0).then_some((pid, status))
}

/// The children of this process, adopted ones included.
pub fn children() -> Vec<i32> {
    let path = format!("/proc/self/task/{}/children", std::process::id());
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// Signals as a descriptor that can be polled; they are blocked from now on.
pub struct Signals(OwnedFd);

impl Signals {
    /// Takes over these signals.
    pub fn take(signals: &[i32]) -> io::Result<Signals> {
        // SAFETY: the set is plain data, initialised by sigemptyset; the calls read and write it while it lives, and
        // signalfd returns a new descriptor that nobody else owns.
        unsafe {
            let mut set: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut set);
            for &signal in signals {
                libc::sigaddset(&mut set, signal);
            }
            check(libc::sigprocmask(libc::SIG_BLOCK, &set, std::ptr::null_mut()))?;
            let fd = check(libc::signalfd(-1, &set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK))?;
            Ok(Signals(OwnedFd::from_raw_fd(fd)))
        }
    }

    /// The next signal that has come.
    pub fn next(&self) -> Option<i32> {
        let mut info = [0u8; std::mem::size_of::<libc::signalfd_siginfo>()];
        let n = read(self.0.as_raw_fd(), &mut info).ok()?;
        // ssi_signo is the first field.
        (n == info.len()).then(|| i32::from_ne_bytes([info[0], info[1], info[2], info[3]]))
    }

    /// The descriptor.
    pub fn fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

/// Stops this process until somebody sends SIGCONT.
pub fn stop_self() {
    // SAFETY: a signal to this very process.
    unsafe { libc::raise(libc::SIGSTOP) };
}

/// Lets a started program begin with no signal blocked.
pub fn unblock_signals() -> io::Result<()> {
    // SAFETY: as in `take`.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        check(libc::sigprocmask(libc::SIG_SETMASK, &set, std::ptr::null_mut())).map(drop)
    }
}

/// Reads what is there.
pub fn read(fd: RawFd, buffer: &mut [u8]) -> io::Result<usize> {
    // SAFETY: reads at most the buffer's length into it.
    let n = unsafe { libc::read(fd, buffer.as_mut_ptr().cast(), buffer.len()) };
    if n < 0 { Err(io::Error::last_os_error()) } else { Ok(n as usize) }
}

/// Writes some of it.
pub fn write(fd: RawFd, bytes: &[u8]) -> io::Result<usize> {
    // SAFETY: reads at most the slice's length from it.
    let n = unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
    if n < 0 { Err(io::Error::last_os_error()) } else { Ok(n as usize) }
}

/// Makes reads and writes of a descriptor return at once.
pub fn nonblocking(fd: RawFd) {
    // SAFETY: changes flags of a descriptor; no memory is touched.
    unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        libc::fcntl(fd, libc::F_SETFL, flags | libc::O_NONBLOCK);
    }
}

/// Waits until one of the descriptors is ready or the time is over; the answers are in `revents`.
pub fn poll(set: &mut [libc::pollfd], limit: Option<Duration>) {
    // Rounded up: waking a moment too early would spin.
    let limit = limit.map_or(-1, |d| d.as_millis().saturating_add(1).min(i32::MAX as u128) as i32);
    // SAFETY: the set lives during the call. An interruption counts as nothing ready.
    let n = unsafe { libc::poll(set.as_mut_ptr(), set.len() as libc::nfds_t, limit) };
    if n < 0 {
        set.iter_mut().for_each(|entry| entry.revents = 0);
    }
}

/// Whether a descriptor is a terminal on which this process is in the foreground.
pub fn foreground_terminal(fd: RawFd) -> bool {
    // SAFETY: queries only.
    unsafe { libc::isatty(fd) == 1 && libc::tcgetpgrp(fd) == libc::getpgrp() }
}

/// Whether a descriptor is a terminal.
pub fn is_terminal(fd: RawFd) -> bool {
    // SAFETY: query only.
    unsafe { libc::isatty(fd) == 1 }
}
