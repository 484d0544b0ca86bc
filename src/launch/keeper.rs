// SPDX-License-Identifier: MIT OR Apache-2.0
//! A small process that outlives the launcher: if the launcher is killed, it ends the ranks' process groups, with what
//! ranks that are scripts have started. (The ranks themselves also get a signal from the kernel then.)

use super::os::{self, check};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{FromRawFd, OwnedFd};

/// Good-bye, in place of a group.
const DISMISSED: i32 = 0;

/// The launcher's side.
pub struct Keeper(File);

impl Keeper {
    /// Starts the process. To be called while the launcher has one thread.
    pub fn start() -> io::Result<Keeper> {
        let mut ends = [0; 2];
        // SAFETY: pipe2 writes two new descriptors, which nobody else owns.
        let (read, write) = unsafe {
            check(libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC))?;
            (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1]))
        };
        // SAFETY: this process has one thread, so that the child may do what it likes; it never returns from here.
        if check(unsafe { libc::fork() })? == 0 {
            drop(write);
            stand_aside();
            keep(File::from(read));
            // SAFETY: ends the child without running anything of the launcher's.
            unsafe { libc::_exit(0) };
        }
        Ok(Keeper(File::from(write)))
    }

    /// Watches over this process group.
    pub fn add(&mut self, group: i32) {
        self.tell(group);
    }

    /// This group's rank has ended: its number may come to mean another group.
    pub fn remove(&mut self, group: i32) {
        self.tell(-group);
    }

    /// All is in order.
    pub fn dismiss(mut self) {
        self.tell(DISMISSED);
    }

    /// A keeper that was killed is not needed to run the job.
    fn tell(&mut self, word: i32) {
        let _ = self.0.write_all(&word.to_ne_bytes());
    }
}

/// In the child: signals from the terminal, a kill by the launcher's name, and readers of its output do not concern it.
fn stand_aside() {
    // SAFETY: system calls on this process; the name is a C string.
    unsafe {
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_NAME, c"paceline-keeper".as_ptr());
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        for fd in 0..3 {
            libc::dup2(null, fd);
        }
    }
}

/// In the child: listens until the launcher dismisses it or dies.
fn keep(mut words: File) {
    let mut groups = Vec::new();
    let mut word = [0; 4];
    while words.read_exact(&mut word).is_ok() {
        match i32::from_ne_bytes(word) {
            DISMISSED => return,
            group if group > 0 => groups.push(group),
            gone => groups.retain(|&group| group != -gone),
        }
    }
    groups.into_iter().for_each(|group| os::signal(-group, libc::SIGKILL));
}
