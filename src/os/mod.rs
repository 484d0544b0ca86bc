// SPDX-License-Identifier: MIT OR Apache-2.0
//! What we ask of the operating system and the machine, one thing a file:
//! [`lock`] the lock that costs nothing in single-threaded programs · [`memfd`] nameless shared memory ·
//! [`futex`] sleep and wake across processes · [`cpuset`] which processors a thread may run on ·
//! [`membarrier`] a fence only the rare side pays · [`clock`] a coarse clock · [`copy`] copies that are never slow ·
//! [`slice`] how soon a thread runs · [`passfd`] file descriptors over an abstract socket · [`loaded`] which libraries are in the process.

use std::io::Write;

pub mod clock;
pub mod copy;
pub mod cpuset;
pub mod futex;
pub mod loaded;
pub mod lock;
pub mod membarrier;
pub mod memfd;
pub mod passfd;
pub mod slice;

/// Bytes of a page.
pub const PAGE: usize = 4096;

/// A line on standard error, in one write, so that the words of several processes do not mix.
pub fn say(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Cores this process may run on.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}
