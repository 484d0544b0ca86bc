// SPDX-License-Identifier: MIT OR Apache-2.0
//! Running a command under a time limit, and finding what this package built.

use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What a command did.
#[derive(Debug)]
pub struct Outcome {
    /// Exit code, or 128 + signal.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// From start to end.
    pub took: Duration,
}

/// A command of this line, without the variables of a launcher that may run the tests. The words are parted by blanks.
pub fn command(program: impl AsRef<std::ffi::OsStr>, line: &str) -> Command {
    let mut command = Command::new(program);
    command.args(line.split(' ').filter(|word| !word.is_empty()));
    command.stdin(Stdio::null());
    for (name, _) in std::env::vars() {
        if ["PMI", "SLURM_", "OMPI_"].iter().any(|prefix| name.starts_with(prefix)) {
            command.env_remove(name);
        }
    }
    command
}

/// Our launcher.
pub fn mpiexec(line: &str) -> Command {
    command(env!("CARGO_BIN_EXE_mpiexec"), line)
}

/// The rank program `meet`, built when first asked for: cargo builds no examples for a single test target.
pub fn meet() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_BIN_EXE_mpiexec")).parent().unwrap().to_owned();
        let profile = match folder.file_name().unwrap().to_str().unwrap() {
            "debug" => "dev",
            other => other,
        };
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--example", "meet", "--profile", profile]).current_dir(env!("CARGO_MANIFEST_DIR"));
        assert!(cargo.status().unwrap().success(), "the example meet builds");
        folder.join("examples/meet").to_str().unwrap().to_owned()
    })
}

/// Runs it to its end; a command that takes longer than `limit` is killed with its group, and fails the test.
pub fn run(mut command: Command, limit: Duration) -> Outcome {
    let begun = Instant::now();
    let mut child = command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (out, err) = (reader(child.stdout.take().unwrap()), reader(child.stderr.take().unwrap()));
    let status = wait(&mut child, limit).unwrap_or_else(|| {
        // SAFETY: the group of a child that was not reaped yet.
        unsafe { libc::kill(-(child.id() as i32), libc::SIGKILL) };
        panic!("{command:?} took longer than {limit:?}: {} {}", text(&out), text(&err));
    });
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap());
    Outcome { code, out: text(&out), err: text(&err), took: begun.elapsed() }
}

/// Waits for the end, at most so long.
pub fn wait(child: &mut Child, limit: Duration) -> Option<std::process::ExitStatus> {
    let until = Instant::now() + limit;
    loop {
        match child.try_wait().unwrap() {
            Some(status) => return Some(status),
            None if Instant::now() > until => return None,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

fn reader(mut from: impl Read + Send + 'static) -> std::sync::mpsc::Receiver<Vec<u8>> {
    let (tell, hear) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut all = Vec::new();
        let _ = from.read_to_end(&mut all);
        let _ = tell.send(all);
    });
    hear
}

fn text(from: &std::sync::mpsc::Receiver<Vec<u8>>) -> String {
    // Not for ever: an orphan that holds the pipe would be a fault to report, not a hang.
    let all = from.recv_timeout(Duration::from_secs(5)).unwrap_or_else(|_| b"(the pipe stays open)".to_vec());
    String::from_utf8_lossy(&all).into_owned()
}

/// Whether a process of this number runs (a zombie does not).
pub fn lives(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

/// Waits until none of them runs.
pub fn all_gone(pids: &[i32], limit: Duration) -> bool {
    let until = Instant::now() + limit;
    while pids.iter().any(|&pid| lives(pid)) {
        if Instant::now() > until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}
