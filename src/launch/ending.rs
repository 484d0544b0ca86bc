// SPDX-License-Identifier: MIT OR Apache-2.0
//! Asking ranks to end, then making them: first the signal, a second later SIGKILL, then whatever they left behind.

use super::os;
use std::time::{Duration, Instant};

/// From the request to SIGKILL.
const GRACE: Duration = Duration::from_secs(1);
/// From the request until the launcher stops waiting for a process that even SIGKILL does not end.
const PATIENCE: Duration = Duration::from_secs(4);

/// An ending under way.
pub struct Ending {
    begun: Instant,
    killed: bool,
}

impl Ending {
    /// Sends `signal` to the process groups of these ranks.
    pub fn begin(pids: impl Iterator<Item = i32>, signal: i32) -> Ending {
        pids.for_each(|pid| {
            os::signal(-pid, signal);
            // A stopped process would not see it.
            os::signal(-pid, libc::SIGCONT);
        });
        Ending { begun: Instant::now(), killed: signal == libc::SIGKILL }
    }

    /// When there is something to do next.
    pub fn due(&self) -> Instant {
        self.begun + if self.killed { PATIENCE } else { GRACE }
    }

    /// Makes them end when the grace is over. `pids` are those that still live.
    pub fn step(&mut self, pids: impl Iterator<Item = i32>) {
        if !self.killed && Instant::now() >= self.due() {
            self.kill(pids);
        }
    }

    /// Makes them end now.
    pub fn kill(&mut self, pids: impl Iterator<Item = i32>) {
        self.killed = true;
        pids.for_each(|pid| os::signal(-pid, libc::SIGKILL));
    }

    /// Whether waiting longer makes no sense.
    pub fn hopeless(&self) -> bool {
        self.begun.elapsed() >= PATIENCE
    }
}

/// After all ranks are gone: ends what they started and left behind, in any process group. Orphans are our children.
pub fn sweep() {
    let until = Instant::now() + GRACE;
    while Instant::now() < until {
        let left = os::children();
        if left.is_empty() {
            return;
        }
        left.iter().for_each(|&pid| os::signal(pid, libc::SIGKILL));
        while os::reap().is_some() {}
        std::thread::sleep(Duration::from_millis(2));
    }
}
