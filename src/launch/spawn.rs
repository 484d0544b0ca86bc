// SPDX-License-Identifier: MIT OR Apache-2.0
//! Starting a rank.

use super::{os, pty};
use crate::os::cpuset::CpuSet;
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// What a started rank consists of, seen from here.
pub struct Child {
    /// Its process, and its process group.
    pub pid: i32,
    /// Where its standard output comes out.
    pub stdout: OwnedFd,
    /// Where its standard error comes out.
    pub stderr: OwnedFd,
    /// Where its standard input goes in, if it is forwarded.
    pub stdin: Option<OwnedFd>,
}

/// Who feeds a rank's standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Nobody.
    Nothing,
    /// The rank reads the launcher's own.
    Own,
    /// The launcher passes it on: a rank in a process group of its own may not read the terminal.
    Forwarded,
}

/// Everything that a rank is started with.
pub struct Start<'a> {
    /// Program and arguments.
    pub words: &'a [OsString],
    /// Working directory.
    pub folder: Option<&'a std::path::Path>,
    /// Variables that are set.
    pub env: Vec<(OsString, OsString)>,
    /// Variables that are taken away.
    pub stale: &'a [OsString],
    /// Standard input.
    pub input: Input,
    /// The processor to bind to.
    pub core: Option<CpuSet>,
    /// The limit of open descriptors, if the launcher raised its own.
    pub files: Option<libc::rlimit>,
    /// The rank's end of the socket to us.
    pub socket: &'a UnixStream,
}

/// Starts it.
pub fn start(what: &Start) -> io::Result<Child> {
    let mut command = Command::new(&what.words[0]);
    command.args(&what.words[1..]).process_group(0).stderr(Stdio::piped());
    let (terminal, stdout) = pty::open().map_or((None, Stdio::piped()), |(ours, theirs)| (Some(ours), theirs.into()));
    command.stdout(stdout);
    command.stdin(match what.input {
        Input::Nothing => Stdio::null(),
        Input::Own => Stdio::inherit(),
        Input::Forwarded => Stdio::piped(),
    });
    if let Some(folder) = what.folder {
        command.current_dir(folder);
    }
    for name in what.stale {
        command.env_remove(name);
    }
    command.envs(what.env.iter().map(|(name, value)| (name, value)));
    let (socket, launcher, core, files) = (what.socket.as_raw_fd(), std::process::id(), what.core.clone(), what.files);
    // SAFETY: between fork and exec `prepare` makes system calls only.
    unsafe { command.pre_exec(move || prepare(socket, launcher, core.as_ref(), files)) };
    let mut child = command.spawn()?;
    let taken = |pipe: Option<OwnedFd>| pipe.ok_or_else(|| io::Error::other("no pipe"));
    Ok(Child {
        pid: child.id() as i32,
        stdout: taken(terminal.or(child.stdout.take().map(OwnedFd::from)))?,
        stderr: taken(child.stderr.take().map(OwnedFd::from))?,
        stdin: child.stdin.take().map(OwnedFd::from),
    })
}

/// In the child, before exec: ends with the launcher, keeps its socket, has its processor and no signal blocked.
fn prepare(socket: RawFd, launcher: u32, core: Option<&CpuSet>, files: Option<libc::rlimit>) -> io::Result<()> {
    // SAFETY: system calls on this process; the socket is open, inherited from the launcher.
    unsafe {
        os::check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL))?;
        // The launcher may have died before that: then nobody will ever tell.
        if libc::getppid() as u32 != launcher {
            libc::_exit(1);
        }
        os::check(libc::fcntl(socket, libc::F_SETFD, 0))?;
    }
    if let Some(core) = core {
        core.bind()?;
    }
    if let Some(files) = files {
        os::limit_files(files)?;
    }
    os::unblock_signals()
}
