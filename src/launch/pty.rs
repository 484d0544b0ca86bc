// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pseudo-terminal for a rank's standard output, as Open MPI's mpirun gives one: C and Python programs then write line by
//! line, so that output appears when it is made, and what a rank wrote before it was killed is not lost in its buffer.

use super::os::check;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Our end and the rank's end. Bytes pass unchanged.
pub fn open() -> io::Result<(OwnedFd, OwnedFd)> {
    // SAFETY: posix_openpt returns a new descriptor that nobody else owns.
    let ours = unsafe { OwnedFd::from_raw_fd(check(libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC))?) };
    // SAFETY: TIOCGPTPEER opens the other end of a pseudo-terminal that we hold, as a new descriptor.
    let theirs = unsafe {
        check(libc::unlockpt(ours.as_raw_fd()))?;
        let flags = libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC;
        OwnedFd::from_raw_fd(check(libc::ioctl(ours.as_raw_fd(), libc::TIOCGPTPEER, flags))?)
    };
    // SAFETY: `modes` is plain data, filled in by tcgetattr before it is used.
    unsafe {
        let mut modes: libc::termios = std::mem::zeroed();
        check(libc::tcgetattr(theirs.as_raw_fd(), &mut modes))?;
        libc::cfmakeraw(&mut modes);
        check(libc::tcsetattr(theirs.as_raw_fd(), libc::TCSANOW, &modes))?;
    }
    Ok((ours, theirs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    #[test]
    fn bytes_pass_unchanged_and_then_it_ends() {
        let (ours, theirs) = open().unwrap();
        let sent: Vec<u8> = (0..=255).chain(*b"\r\n\x04\x1a\n").collect();
        std::fs::File::from(theirs).write_all(&sent).unwrap();
        let (mut ours, mut got) = (std::fs::File::from(ours), [0u8; 1000]);
        let n = ours.read(&mut got).unwrap();
        assert_eq!(&got[..n], &sent[..]);
        assert!(ours.read(&mut got).is_err(), "the other end is closed");
    }
}
