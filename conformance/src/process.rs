// SPDX-License-Identifier: MIT OR Apache-2.0
//! A command under a time limit. Whatever it started is ended with it, also processes that left its group or session:
//! this process adopts orphans (`PR_SET_CHILD_SUBREAPER`), so all of them stay its descendants.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How a command ended.
pub struct Ended {
    /// Exit status as a shell gives it (128 + signal); `None` when the time limit ended it.
    pub status: Option<i32>,
    /// What it wrote to standard output.
    pub out: String,
    /// What it wrote to standard error.
    pub err: String,
    /// How long it ran.
    pub took: Duration,
    /// Processes that were still there some seconds ([`GRACE`]) after the command itself had ended.
    pub left: usize,
}

/// Time for the last processes of a job to go, once its launcher has ended. PMIx holds the news that a launcher was killed
/// back for a while ([`GRACE`]).
const GRACE: Duration = Duration::from_secs(3);
const TICK: Duration = Duration::from_millis(2);

/// Runs `command` with `input` for at most `limit`; standard output and error go through files in `folder`.
pub fn run(mut command: Command, input: &str, limit: Duration, folder: &Path) -> io::Result<Ended> {
    adopt_orphans();
    let (out, err, stdin) = (folder.join("out"), folder.join("err"), folder.join("in"));
    File::create(&stdin)?.write_all(input.as_bytes())?;
    command.stdin(File::open(&stdin)?).stdout(File::create(&out)?).stderr(File::create(&err)?);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let status = wait(&mut child, start + limit)?;
    let took = start.elapsed();
    let left = if status.is_some() { clear_within(GRACE) } else { clear_within(Duration::ZERO) };
    let text = |path: &Path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Ended { status: status.map(code_of), out: text(&out)?, err: text(&err)?, took, left })
}

/// Runs a short command (a compiler, a script) without a limit and gives its standard output, or its complaint.
pub fn output_of(mut command: Command) -> Result<String, String> {
    let name = format!("{:?}", command.get_program());
    let done = command.stdin(Stdio::null()).output().map_err(|error| format!("cannot start {name}: {error}"))?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    Err(format!("{name} failed:\n{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr)))
}

fn adopt_orphans() {
    // SAFETY: prctl with this option takes no pointers.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) };
}

/// The status, or nothing when the deadline came first; then the launcher gets twice [`GRACE`] to clean up after SIGTERM.
fn wait(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(TICK);
    }
    signal(child.id() as i32, libc::SIGTERM);
    let last = Instant::now() + 2 * GRACE;
    while Instant::now() < last && child.try_wait()?.is_none() {
        std::thread::sleep(TICK);
    }
    Ok(None)
}

/// Waits at most `grace` for all descendants to end, kills those that are left, and says how many they were.
fn clear_within(grace: Duration) -> usize {
    let deadline = Instant::now() + grace;
    let mut left = living();
    while !left.is_empty() && Instant::now() < deadline {
        std::thread::sleep(TICK);
        left = living();
    }
    for &pid in &left {
        signal(pid, libc::SIGKILL);
    }
    while !living().is_empty() {
        std::thread::sleep(TICK);
    }
    left.len()
}

fn signal(pid: i32, number: i32) {
    // SAFETY: kill takes no pointers; the process is a descendant of this one and not yet reaped by anyone else.
    unsafe { libc::kill(pid, number) };
}

/// All living descendants of this process; those that ended and were adopted are reaped on the way.
fn living() -> Vec<i32> {
    let mut parents = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        if let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) {
            parents.extend(parent_and_state(pid).map(|(parent, state)| (pid, parent, state)));
        }
    }
    let mut found = vec![std::process::id() as i32];
    let mut next = 0;
    while next < found.len() {
        let of = found[next];
        found.extend(parents.iter().filter(|(_, parent, _)| *parent == of).map(|(pid, ..)| *pid));
        next += 1;
    }
    let zombie = |pid: &i32| parents.iter().any(|(p, _, state)| p == pid && *state == 'Z');
    let (dead, alive): (Vec<i32>, Vec<i32>) = found.into_iter().skip(1).partition(zombie);
    dead.into_iter().for_each(reap);
    alive
}

fn reap(pid: i32) {
    // SAFETY: a null status pointer is allowed; waiting for a process that is not a child does nothing.
    unsafe { libc::waitpid(pid, std::ptr::null_mut(), libc::WNOHANG) };
}

fn parent_and_state(pid: i32) -> Option<(i32, char)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?.chars().next()?;
    Some((fields.next()?.parse().ok()?, state))
}

fn code_of(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit_ms: u64) -> Ended {
        static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("conformance-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut command = Command::new("bash");
        command.args(["-c", script]);
        let ended = run(command, "hello", Duration::from_millis(limit_ms), &folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        ended
    }

    // One test: the others' children would count as this one's.
    #[test]
    fn a_command_ends_with_all_it_started() {
        let ended = shell("cat; echo oops >&2; exit 3", 5000);
        assert_eq!((ended.status, ended.out.as_str(), ended.err.as_str(), ended.left), (Some(3), "hello", "oops\n", 0));

        assert_eq!(shell("kill -9 $$", 5000).status, Some(137));

        let ended = shell("setsid sleep 100 & sleep 100", 100);
        assert_eq!(ended.status, None);
        assert!(ended.took < Duration::from_secs(5));

        let ended = shell("setsid sleep 100 & exit 0", 5000);
        assert_eq!((ended.status, ended.left), (Some(0), 1));
    }
}
