// SPDX-License-Identifier: MIT OR Apache-2.0
//! Passes what is typed on a terminal to rank 0, which stands in a process group of its own and may not read it.

use super::os;
use libc::{POLLIN, POLLOUT};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::time::{Duration, Instant};

/// A launcher in the background looks this often whether it came to the foreground.
const GLANCE: Duration = Duration::from_millis(500);

/// From descriptor 0 to a rank's standard input.
pub struct Pump {
    to: OwnedFd,
    pending: Vec<u8>,
}

impl Pump {
    /// Into this pipe.
    pub fn new(to: OwnedFd) -> Pump {
        os::nonblocking(to.as_raw_fd());
        Pump { to, pending: Vec::new() }
    }

    /// What to wait for; nothing while in the background, where reading would stop the launcher.
    pub fn interest(&self) -> Option<(RawFd, i16)> {
        match self.pending.is_empty() {
            false => Some((self.to.as_raw_fd(), POLLOUT)),
            true => os::foreground_terminal(0).then_some((0, POLLIN)),
        }
    }

    /// When to look again.
    pub fn due(&self) -> Option<Instant> {
        self.interest().is_none().then(|| Instant::now() + GLANCE)
    }

    /// Moves a piece. At the end of either side the pump is gone, which closes the rank's standard input.
    pub fn serve(mut self, revents: i16) -> Option<Pump> {
        let alive = if self.pending.is_empty() { self.fill(revents) } else { self.drain() };
        alive.then_some(self)
    }

    fn fill(&mut self, revents: i16) -> bool {
        let mut piece = [0u8; 4096];
        match os::read(0, &mut piece) {
            Ok(n) => self.pending.extend_from_slice(&piece[..n]),
            Err(_) => return revents & POLLIN != 0,
        }
        !self.pending.is_empty()
    }

    fn drain(&mut self) -> bool {
        match os::write(self.to.as_raw_fd(), &self.pending) {
            Ok(n) => drop(self.pending.drain(..n)),
            Err(e) => return e.kind() == std::io::ErrorKind::WouldBlock,
        }
        true
    }
}
