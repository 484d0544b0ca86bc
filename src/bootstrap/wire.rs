// SPDX-License-Identifier: MIT OR Apache-2.0
//! The text of PMI-1 (`cmd=put key=a value=b`, a line each) and PMI-2 (`cmd=kvs-put;key=a;`, after a six-character
//! length), and a socket that carries either with a time limit. Protocols: MPICH's documents "PMI-1.1" and "PMI-2.0".

use crate::err;
use crate::object::error::Result;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::time::{Duration, Instant};

/// A command with its pairs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Message {
    /// The value of `cmd` (or `mcmd`).
    pub command: String,
    pairs: Vec<(String, String)>,
}

impl Message {
    /// Reads a PMI-1 line (pairs parted by blanks).
    pub fn from_line(line: &str) -> Message {
        Message::from_pairs(line.split_ascii_whitespace())
    }

    /// Reads a PMI-2 body (pairs parted by semicolons).
    pub fn from_body(body: &str) -> Message {
        Message::from_pairs(body.split(';'))
    }

    fn from_pairs<'a>(items: impl Iterator<Item = &'a str>) -> Message {
        let mut message = Message::default();
        for (key, value) in items.filter_map(|item| item.split_once('=')) {
            match key {
                "cmd" | "mcmd" => message.command = value.into(),
                _ => message.pairs.push((key.into(), value.into())),
            }
        }
        message
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// The value of a key as a number.
    pub fn number<T: std::str::FromStr>(&self, key: &str) -> Option<T> {
        self.get(key)?.parse().ok()
    }
}

/// Makes a value that neither protocol's separators nor line ends can tear.
pub fn escape(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'!'..=b'~' if !matches!(byte, b'%' | b';' | b'=') => out.push(byte as char),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Undoes [`escape`]; a malformed escape stays as it is.
pub fn unescape(value: &str) -> String {
    let mut out = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let code = (byte == b'%').then(|| tail.get(..2).and_then(hex)).flatten();
        out.push(code.unwrap_or(byte));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn hex(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// A socket to the launcher, with what has been read and not yet used.
pub struct Channel {
    socket: OwnedFd,
    buffer: Vec<u8>,
}

impl Channel {
    /// Takes over a connected socket; programs started by this process do not inherit it.
    pub fn new(socket: OwnedFd) -> Channel {
        // SAFETY: fcntl on a descriptor that we own; F_SETFD touches no memory.
        unsafe { libc::fcntl(socket.as_raw_fd(), libc::F_SETFD, libc::FD_CLOEXEC) };
        Channel { socket, buffer: Vec::new() }
    }

    fn fd(&self) -> RawFd {
        self.socket.as_raw_fd()
    }

    /// Sends all of `text`.
    pub fn send(&mut self, text: &str) -> Result<()> {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            // SAFETY: `rest` is a live slice; MSG_NOSIGNAL because a dead launcher must be an error, not a SIGPIPE.
            let n = unsafe { libc::send(self.fd(), rest.as_ptr().cast(), rest.len(), libc::MSG_NOSIGNAL) };
            match n {
                1.. => rest = &rest[n as usize..],
                _ => retry_or(io::Error::last_os_error())?,
            }
        }
        Ok(())
    }

    /// The next line, without its end.
    pub fn line(&mut self, limit: Duration) -> Result<String> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(end) = self.buffer.iter().position(|&b| b == b'\n') {
                return Ok(self.take(end, 1));
            }
            self.fill(deadline)?;
        }
    }

    /// The next length-prefixed body.
    pub fn body(&mut self, limit: Duration) -> Result<String> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(prefix) = self.buffer.get(..6) {
                let length = String::from_utf8_lossy(prefix).trim().parse::<usize>();
                let length = length.map_err(|_| err!(Other, "the launcher's answer has no length"))?;
                if self.buffer.len() >= 6 + length {
                    self.buffer.drain(..6);
                    return Ok(self.take(length, 0));
                }
            }
            self.fill(deadline)?;
        }
    }

    fn take(&mut self, length: usize, end: usize) -> String {
        let text = String::from_utf8_lossy(&self.buffer[..length]).into_owned();
        self.buffer.drain(..length + end);
        text
    }

    fn fill(&mut self, deadline: Instant) -> Result<()> {
        readable(self.fd(), deadline)?;
        let mut chunk = [0u8; 4096];
        // SAFETY: reads at most the chunk's length into it.
        let n = unsafe { libc::read(self.fd(), chunk.as_mut_ptr().cast(), chunk.len()) };
        match n {
            1.. => self.buffer.extend_from_slice(&chunk[..n as usize]),
            0 => return Err(err!(Other, "the launcher closed the connection")),
            _ => retry_or(io::Error::last_os_error())?,
        }
        Ok(())
    }
}

/// Waits until `fd` can be read, or says that the time is over.
fn readable(fd: RawFd, deadline: Instant) -> Result<()> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut poll = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        // SAFETY: one pollfd, alive during the call.
        match unsafe { libc::poll(&mut poll, 1, left.as_millis().min(60_000) as i32) } {
            0 if Instant::now() >= deadline => return Err(err!(Other, "the launcher did not answer in time")),
            0 => {}
            1.. => return Ok(()),
            _ => retry_or(io::Error::last_os_error())?,
        }
    }
}

fn retry_or(error: io::Error) -> Result<()> {
    match error.kind() {
        io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock => Ok(()),
        _ => Err(err!(Other, "the connection to the launcher failed: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write;
    use std::os::unix::net::UnixStream;

    #[test]
    fn reads_lines_and_bodies() {
        let line = Message::from_line("cmd=get_result rc=0 msg=success value=a=b");
        assert_eq!((line.command.as_str(), line.get("value"), line.number("rc")), ("get_result", Some("a=b"), Some(0)));
        let body = Message::from_body("cmd=kvs-get-response;found=TRUE;value=x y;rc=0;");
        assert_eq!((body.command.as_str(), body.get("value")), ("kvs-get-response", Some("x y")));
    }

    #[test]
    fn a_silent_and_a_gone_peer_are_errors() {
        let (mine, theirs) = UnixStream::pair().unwrap();
        let mut channel = Channel::new(mine.into());
        assert!(channel.line(Duration::from_millis(20)).unwrap_err().text().contains("in time"));
        drop(theirs);
        assert!(channel.line(Duration::from_secs(1)).unwrap_err().text().contains("closed"));
        assert!(channel.send("x").is_err());
    }

    #[test]
    fn splits_what_arrives_torn() {
        let (mine, mut theirs) = UnixStream::pair().unwrap();
        let mut channel = Channel::new(mine.into());
        theirs.write_all(b"cmd=a\ncmd=b\n     6cmd=c;").unwrap();
        let limit = Duration::from_secs(1);
        assert_eq!(channel.line(limit).unwrap(), "cmd=a");
        assert_eq!(channel.line(limit).unwrap(), "cmd=b");
        assert_eq!(channel.body(limit).unwrap(), "cmd=c;");
    }

    proptest! {
        #[test]
        fn escaping_loses_nothing(value in "\\PC*|[ -~\n\t]*") {
            let safe = escape(&value);
            prop_assert!(safe.bytes().all(|b| b.is_ascii_graphic() && b != b';' && b != b'='));
            prop_assert_eq!(unescape(&safe), value);
        }
    }
}
