// SPDX-License-Identifier: MIT OR Apache-2.0
//! A started rank: its process, its PMI socket, its output.

use super::os;
use super::output::Lines;
use std::io::{ErrorKind, Write};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

/// A line of PMI-1 is at most about 5 KiB; who writes more without an end does not speak it.
const LONGEST: usize = 1 << 20;

/// A rank as the loop sees it.
pub struct Rank {
    /// Its process, and its process group.
    pub pid: i32,
    /// Until it is reaped.
    pub alive: bool,
    /// Which program of the command line.
    pub app: usize,
    /// The program's name, for messages.
    pub program: String,
    /// Standard output and standard error.
    pub streams: [Stream; 2],
    socket: Option<UnixStream>,
    inbox: Vec<u8>,
}

impl Rank {
    /// A rank that just started; `socket` is our end.
    pub fn new(pid: i32, app: usize, program: String, socket: UnixStream, streams: [Stream; 2]) -> Rank {
        os::nonblocking(socket.as_raw_fd());
        Rank { pid, alive: true, app, program, streams, socket: Some(socket), inbox: Vec::new() }
    }

    /// The socket's number while it is open.
    pub fn socket_fd(&self) -> Option<RawFd> {
        self.socket.as_ref().map(AsRawFd::as_raw_fd)
    }

    /// The next whole line that has come, without waiting.
    pub fn line(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.inbox.iter().position(|&b| b == b'\n') {
                let line = self.inbox.drain(..=end).collect::<Vec<u8>>();
                return Some(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            self.fill()?;
        }
    }

    fn fill(&mut self) -> Option<()> {
        let mut piece = [0u8; 4096];
        match os::read(self.socket_fd()?, &mut piece) {
            Ok(n) if n > 0 && self.inbox.len() < LONGEST => {
                self.inbox.extend_from_slice(&piece[..n]);
                Some(())
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => Some(()),
            Err(e) if e.kind() == ErrorKind::WouldBlock => None,
            _ => {
                self.socket = None;
                None
            }
        }
    }

    /// Sends an answer. A rank that does not read its answers, or is gone, is not waited for.
    pub fn answer(&mut self, text: &str) {
        if self.socket.as_mut().is_some_and(|socket| socket.write_all(text.as_bytes()).is_err()) {
            self.socket = None;
        }
    }
}

/// One of a rank's outputs.
pub struct Stream {
    pipe: Option<OwnedFd>,
    /// What has come of the current line.
    pub lines: Lines,
}

impl Stream {
    /// The reading end of a pipe.
    pub fn new(pipe: OwnedFd, tag: String) -> Stream {
        os::nonblocking(pipe.as_raw_fd());
        Stream { pipe: Some(pipe), lines: Lines::new(tag) }
    }

    /// The pipe's number while it is open.
    pub fn fd(&self) -> Option<RawFd> {
        self.pipe.as_ref().map(AsRawFd::as_raw_fd)
    }

    /// Reads a piece; `None` when there is nothing now, or (then the pipe is closed) ever.
    pub fn read<'a>(&mut self, piece: &'a mut [u8]) -> Option<&'a [u8]> {
        match os::read(self.fd()?, piece) {
            Ok(n) if n > 0 => Some(&piece[..n]),
            Err(e) if matches!(e.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => None,
            _ => {
                self.close();
                None
            }
        }
    }

    /// Reads no more.
    pub fn close(&mut self) {
        self.pipe = None;
    }
}
