// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whole lines from many ranks to one place. Bytes pass unchanged; only a tag is put before a line.

use super::os;
use std::collections::VecDeque;
use std::os::fd::RawFd;
use std::time::{Duration, Instant};

/// A line longer than this is passed on in pieces.
const LONGEST: usize = 1 << 20;
/// While this much waits to be written, no more is read from the ranks.
const ENOUGH: usize = 1 << 20;
/// After POLLOUT a pipe takes this much without blocking (PIPE_BUF).
const SURE: usize = 4096;
/// On a terminal, an unfinished line (a prompt) is shown after this time.
const PATIENCE: Duration = Duration::from_millis(100);

/// Splits what one rank writes into whole lines.
pub struct Lines {
    partial: Vec<u8>,
    since: Instant,
    tag: Vec<u8>,
    fresh: bool,
}

impl Lines {
    /// Lines that get `tag` in front.
    pub fn new(tag: String) -> Lines {
        Lines { partial: Vec::new(), since: Instant::now(), tag: tag.into_bytes(), fresh: true }
    }

    /// Takes what was read; passes whole lines on.
    pub fn push(&mut self, bytes: &[u8], sink: &mut Sink) {
        self.since = Instant::now();
        match bytes.iter().rposition(|&b| b == b'\n') {
            Some(end) => {
                self.partial.extend_from_slice(&bytes[..=end]);
                self.flush(sink);
                self.partial.extend_from_slice(&bytes[end + 1..]);
            }
            None => self.partial.extend_from_slice(bytes),
        }
        if self.partial.len() > LONGEST {
            self.flush(sink);
        }
    }

    /// Passes on what is there, an unfinished line too.
    pub fn flush(&mut self, sink: &mut Sink) {
        let text = std::mem::take(&mut self.partial);
        if self.tag.is_empty() {
            sink.waiting.extend(text);
            return;
        }
        for line in text.split_inclusive(|&b| b == b'\n') {
            if self.fresh {
                sink.waiting.extend(&self.tag);
            }
            sink.waiting.extend(line);
            self.fresh = line.ends_with(b"\n");
        }
    }

    /// When an unfinished line is to be shown, if there is one.
    pub fn due(&self) -> Option<Instant> {
        (!self.partial.is_empty()).then(|| self.since + PATIENCE)
    }
}

/// Where lines go: the launcher's own output. Never blocks, so that the ranks are served meanwhile.
pub struct Sink {
    fd: RawFd,
    waiting: VecDeque<u8>,
    /// Show unfinished lines after a while.
    pub terminal: bool,
    broken: bool,
}

impl Sink {
    /// The launcher's descriptor 1 or 2.
    pub fn new(fd: RawFd) -> Sink {
        Sink { fd, waiting: VecDeque::new(), terminal: os::is_terminal(fd), broken: false }
    }

    /// The descriptor.
    pub fn fd(&self) -> RawFd {
        self.fd
    }

    /// Whether there is something to write.
    pub fn pending(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Adds text as it is.
    pub fn push(&mut self, bytes: &[u8]) {
        self.waiting.extend(bytes);
    }

    /// Whether the reader went away.
    pub fn broken(&self) -> bool {
        self.broken
    }

    /// Whether the ranks should be left to wait.
    pub fn full(&self) -> bool {
        self.waiting.len() >= ENOUGH
    }

    /// Writes all that is left, as long as somebody takes it.
    pub fn drain(&mut self) {
        while self.pending() {
            let mut set = [libc::pollfd { fd: self.fd, events: libc::POLLOUT, revents: 0 }];
            os::poll(&mut set, Some(Duration::from_millis(500)));
            if set[0].revents == 0 {
                return;
            }
            self.write();
        }
    }

    /// Writes a piece; to be called when poll says that it will not block. A reader that went away is not waited for.
    pub fn write(&mut self) {
        let (front, _) = self.waiting.as_slices();
        let piece = &front[..front.len().min(SURE)];
        match os::write(self.fd, piece) {
            Ok(n) => drop(self.waiting.drain(..n)),
            Err(e) if matches!(e.kind(), std::io::ErrorKind::Interrupted | std::io::ErrorKind::WouldBlock) => {}
            Err(_) => self.broken = true,
        }
        if self.broken {
            self.waiting.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(sink: &Sink) -> String {
        String::from_utf8(sink.waiting.iter().copied().collect()).unwrap()
    }

    #[test]
    fn lines_are_not_torn() {
        let mut sink = Sink::new(1);
        let (mut a, mut b) = (Lines::new(String::new()), Lines::new(String::new()));
        a.push(b"one ", &mut sink);
        b.push(b"other\nrest", &mut sink);
        a.push(b"line\n", &mut sink);
        assert_eq!(text(&sink), "other\none line\n");
        b.flush(&mut sink);
        assert_eq!(text(&sink), "other\none line\nrest");
    }

    #[test]
    fn tags_stand_before_lines_only() {
        let mut sink = Sink::new(1);
        let mut lines = Lines::new("[1,3]<stdout>:".into());
        lines.push(b"a\n\nb", &mut sink);
        lines.flush(&mut sink);
        lines.push(b"c\n", &mut sink);
        assert_eq!(text(&sink), "[1,3]<stdout>:a\n[1,3]<stdout>:\n[1,3]<stdout>:bc\n");
    }

    #[test]
    fn an_endless_line_is_passed_on() {
        let mut sink = Sink::new(1);
        let mut lines = Lines::new(String::new());
        lines.push(&vec![b'x'; LONGEST + 1], &mut sink);
        assert!(sink.full());
        assert_eq!(lines.due(), None);
    }
}
