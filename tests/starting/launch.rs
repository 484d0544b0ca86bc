// SPDX-License-Identifier: MIT OR Apache-2.0
//! Our mpiexec from the outside: what ranks get, what comes out, and how jobs end.

use crate::common::{Outcome, all_gone, command, lives, meet, mpiexec, run, wait};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(20);

/// `mpiexec OPTIONS sh -c SCRIPT`
fn shell(options: &str, script: &str) -> Outcome {
    let mut command = mpiexec(options);
    command.args(["sh", "-c", script]);
    run(command, LIMIT)
}

/// `sh -c SCRIPT sh ...`
fn in_shell(script: &str) -> std::process::Command {
    let mut command = command("sh", "-c");
    command.args([script, "sh"]);
    command
}

fn ranks(arguments: &str) -> Outcome {
    run(mpiexec(&format!("-n 3 {} {arguments}", meet())), LIMIT)
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn ranks_meet() {
    let outcome = ranks("say");
    assert_eq!(outcome.code, 0, "{outcome:?}");
    let all: Vec<String> = (0..3).map(|rank| format!("{rank} of 3 by pmi1: r0 r1 r2")).collect();
    assert_eq!(sorted(&outcome.out), all);
    assert_eq!(outcome.err, "");
}

#[test]
fn a_program_without_mpi_just_runs() {
    let outcome = run(mpiexec("-n 2 echo hello"), LIMIT);
    assert_eq!((outcome.code, outcome.out.as_str()), (0, "hello\nhello\n"));
}

#[test]
fn ranks_get_the_well_known_names() {
    let script = "echo $PMI_RANK $OMPI_COMM_WORLD_RANK $OMPI_COMM_WORLD_LOCAL_RANK $MPI_LOCALRANKID $LOCAL_RANK $RANK \
                  $WORLD_SIZE $OMPI_COMM_WORLD_SIZE $A $B [$PMIX_RANK$SLURM_PROCID]";
    let mut command = mpiexec("-n 2 -x A=1 -genv B 2 sh -c");
    command.arg(script).env("PMIX_RANK", "9").env("SLURM_PROCID", "8").env("RANK", "7");
    let outcome = run(command, LIMIT);
    assert_eq!(sorted(&outcome.out), ["0 0 0 0 0 0 2 2 1 2 []", "1 1 1 1 1 1 2 2 1 2 []"]);
}

#[test]
fn many_ranks_need_many_files() {
    let mut command = in_shell("ulimit -n 100; exec \"$@\"");
    command.args([env!("CARGO_BIN_EXE_mpiexec"), "-n", "40", "sh", "-c", "ulimit -n"]);
    let outcome = run(command, LIMIT);
    assert!(outcome.code != 0, "the hard limit is 100: {outcome:?}");
    assert!(outcome.err.contains("ulimit -n"), "{}", outcome.err);
    let mut command = in_shell("ulimit -S -n 100; exec \"$@\"");
    command.args([env!("CARGO_BIN_EXE_mpiexec"), "-n", "40", "sh", "-c", "ulimit -n"]);
    let outcome = run(command, LIMIT);
    assert_eq!((outcome.code, outcome.out), (0, "100\n".repeat(40)), "ranks have the limit that the launcher had");
}

#[test]
fn programs_are_parted_by_colons() {
    let outcome = run(mpiexec("-n 1 --wdir / pwd : -n 2 -env C 3 printenv C"), LIMIT);
    assert_eq!((outcome.code, sorted(&outcome.out)), (0, vec!["/", "3", "3"]));
}

#[test]
fn lines_are_tagged() {
    let outcome = shell("-n 2 --tag-output", "echo out; echo bad >&2");
    assert_eq!(sorted(&outcome.out), ["[1,0]<stdout>:out", "[1,1]<stdout>:out"]);
    assert_eq!(sorted(&outcome.err), ["[1,0]<stderr>:bad", "[1,1]<stderr>:bad"]);
}

#[test]
fn standard_input_goes_to_rank_0() {
    let mut command = mpiexec("-n 3 --tag-output cat");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"one\ntwo").unwrap();
    let status = wait(&mut child, LIMIT).expect("cat ends with its input");
    assert!(status.success());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "[1,0]<stdout>:one");
    assert_eq!(lines.next().unwrap().unwrap(), "[1,0]<stdout>:two");
    assert!(lines.next().is_none());
}

#[test]
fn long_lines_of_many_ranks_are_not_torn() {
    let outcome = shell("-n 4", "for i in $(seq 200); do head -c 5000 /dev/zero | tr '\\0' $RANK; echo; done");
    assert_eq!(outcome.code, 0);
    assert_eq!(outcome.out.lines().count(), 800);
    assert!(outcome.out.lines().all(|line| line.len() == 5000 && line.bytes().all(|b| b == line.as_bytes()[0])));
}

#[test]
fn much_output_does_not_block_and_bytes_pass_unchanged() {
    let mut command = mpiexec("-n 1 sh -c");
    command.arg("head -c 20000000 /dev/zero; head -c 20000000 /dev/zero >&2; printf '\\377end'");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success());
    assert_eq!(out.stdout.len(), 20_000_004);
    assert!(out.stdout.ends_with(b"\0\xffend"));
}

#[test]
fn the_first_failing_rank_gives_the_status() {
    let outcome = shell("-n 3", "if [ $RANK = 1 ]; then echo last words >&2; exit 3; else sleep 30; fi");
    assert_eq!(outcome.code, 3, "{outcome:?}");
    assert!(outcome.err.starts_with("last words\nmpiexec: rank 1 (sh, process "), "{}", outcome.err);
    assert!(outcome.err.contains("exited with code 3"), "{}", outcome.err);
    assert!(outcome.took < Duration::from_secs(5));
}

#[test]
fn abort_gives_its_code() {
    let outcome = ranks("abort 1 7");
    assert_eq!(outcome.code, 7, "{outcome:?}");
    assert!(outcome.err.contains("rank 1 (") && outcome.err.contains("aborted the job with code 7"), "{}", outcome.err);
    assert!(outcome.took < Duration::from_secs(5));
}

#[test]
fn a_killed_rank_ends_the_job() {
    let outcome = ranks("kill 2");
    assert_eq!(outcome.code, 137, "{outcome:?}");
    assert!(outcome.err.contains("rank 2 (") && outcome.err.contains("killed by signal 9 (Killed)"), "{}", outcome.err);
    assert!(outcome.took < Duration::from_secs(5));
}

#[test]
fn leaving_without_finalize_is_a_failure() {
    let outcome = ranks("leave 0");
    assert_eq!(outcome.code, 1, "{outcome:?}");
    assert!(outcome.err.contains("rank 0 (") && outcome.err.contains("without calling MPI_Finalize"), "{}", outcome.err);
}

#[test]
fn ending_before_init_is_a_failure_when_others_wait() {
    let outcome = run(mpiexec(&format!("-n 1 true : -n 2 {} hang", meet())), LIMIT);
    assert_eq!(outcome.code, 1, "{outcome:?}");
    assert!(outcome.err.contains("rank 0 (true") && outcome.err.contains("exited before MPI_Init"), "{}", outcome.err);
    assert!(outcome.took < Duration::from_secs(5));
}

#[test]
fn a_rank_that_ignores_sigterm_is_killed_with_its_children() {
    let script = "trap '' TERM; if [ $RANK = 0 ]; then sleep 0.2; exit 5; fi; setsid sleep 47 & echo $!; sleep 48; sleep 49";
    let outcome = shell("-n 2", script);
    assert_eq!(outcome.code, 5, "{outcome:?}");
    assert!(outcome.took < Duration::from_secs(5), "{outcome:?}");
    let orphan: i32 = outcome.out.trim().parse().expect("one rank says its child's number");
    assert!(!lives(orphan));
}

#[test]
fn the_time_limit_ends_the_job() {
    let outcome = shell("-n 2 --timeout 0.3", "sleep 30");
    assert_eq!(outcome.code, 124, "{outcome:?}");
    assert!(outcome.err.contains("time limit"), "{}", outcome.err);
    assert!(outcome.took < Duration::from_secs(4));
}

/// Starts ranks that say their numbers and then wait; returns the launcher and the numbers.
fn waiting_job() -> (std::process::Child, Vec<i32>) {
    let mut command = mpiexec("-n 2 sh -c");
    command.arg("echo $$; exec sleep 30").stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
    let mut launcher = command.spawn().unwrap();
    let lines = BufReader::new(launcher.stdout.take().unwrap()).lines();
    let pids = lines.take(2).map(|line| line.unwrap().parse().unwrap()).collect();
    (launcher, pids)
}

fn signal(pid: u32, signal: i32) {
    // SAFETY: a child of this process that was not reaped yet.
    unsafe { libc::kill(pid as i32, signal) };
}

#[test]
fn a_killed_launcher_takes_its_ranks_along() {
    let (mut launcher, pids) = waiting_job();
    assert!(pids.iter().all(|&pid| lives(pid)));
    signal(launcher.id(), libc::SIGKILL);
    launcher.wait().unwrap();
    assert!(all_gone(&pids, Duration::from_secs(5)));
}

/// The program stands in the shell's process group, and the kernel tells only the shell of the launcher's death.
#[test]
fn a_killed_launcher_takes_what_scripts_started_along() {
    let mut command = mpiexec("-n 2 sh -c");
    command.arg("sleep 31 & echo $!; wait").stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
    let mut launcher = command.spawn().unwrap();
    let lines = BufReader::new(launcher.stdout.take().unwrap()).lines();
    let pids: Vec<i32> = lines.take(2).map(|line| line.unwrap().parse().unwrap()).collect();
    signal(launcher.id(), libc::SIGKILL);
    launcher.wait().unwrap();
    assert!(all_gone(&pids, Duration::from_secs(5)));
}

#[test]
fn what_a_killed_rank_wrote_is_not_lost() {
    let outcome = shell("-n 1", "python3 -c 'import os; print(\"before\"); os.kill(os.getpid(), 9)'");
    assert_eq!((outcome.code, outcome.out.as_str()), (137, "before\n"), "{outcome:?}");
}

#[test]
fn an_interrupt_ends_the_job() {
    for (number, code) in [(libc::SIGINT, 130), (libc::SIGTERM, 143)] {
        let (mut launcher, pids) = waiting_job();
        signal(launcher.id(), number);
        let status = wait(&mut launcher, Duration::from_secs(5)).expect("the launcher ends");
        assert_eq!(status.code(), Some(code));
        assert!(all_gone(&pids, Duration::from_secs(1)));
    }
}

/// The state letter of a process, as /proc has it.
fn state(pid: u32) -> char {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    text.rsplit(") ").next().and_then(|rest| rest.chars().next()).unwrap_or('?')
}

/// Whether all are stopped (or none), within a few seconds.
fn all_stopped(pids: &[u32], stopped: bool) -> bool {
    (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        pids.iter().all(|&pid| (state(pid) == 'T') == stopped)
    })
}

#[test]
fn a_stopped_launcher_stops_its_ranks_and_both_go_on() {
    let (mut launcher, pids) = waiting_job();
    let all: Vec<u32> = pids.iter().map(|&pid| pid as u32).chain([launcher.id()]).collect();
    signal(launcher.id(), libc::SIGTSTP);
    assert!(all_stopped(&all, true), "{:?}", all.iter().map(|&pid| state(pid)).collect::<Vec<_>>());
    signal(launcher.id(), libc::SIGCONT);
    assert!(all_stopped(&all, false), "{:?}", all.iter().map(|&pid| state(pid)).collect::<Vec<_>>());
    signal(launcher.id(), libc::SIGTERM);
    assert!(wait(&mut launcher, Duration::from_secs(5)).is_some(), "the launcher ends");
}

#[test]
fn a_program_of_the_working_directory_is_hinted_at() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let mut command = mpiexec("-n 1 Cargo.toml");
    command.current_dir(folder);
    let outcome = run(command, LIMIT);
    assert!(outcome.code != 0 && outcome.err.contains("did you mean ./Cargo.toml?"), "{outcome:?}");
}

#[test]
fn wrong_tunables_are_said_once() {
    let mut command = mpiexec(&format!("-n 3 {} say", meet()));
    command.env("PACELINE_SERVER_LIMIT", "soon");
    let outcome = run(command, LIMIT);
    assert_eq!(outcome.err, "paceline: PACELINE_SERVER_LIMIT=soon is not a number; using 20\n", "{outcome:?}");
}

#[test]
fn mistakes_are_said_before_anything_starts() {
    let outcome = run(mpiexec("-n 2 /no/such/program"), LIMIT);
    assert_ne!(outcome.code, 0);
    assert!(outcome.err.contains("/no/such/program"), "{}", outcome.err);
    let outcome = run(mpiexec("-host elsewhere.example -n 2 true"), LIMIT);
    assert_ne!(outcome.code, 0);
    assert!(outcome.err.contains("elsewhere.example"), "{}", outcome.err);
    assert!(run(mpiexec("--version"), LIMIT).out.contains("Paceline"));
    assert!(run(mpiexec("--help"), LIMIT).out.contains("usage: mpiexec"));
}

#[test]
fn a_closed_output_ends_the_job() {
    let mut command = mpiexec("-n 1 yes");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "y");
    drop(lines);
    let status = wait(&mut child, LIMIT).expect("yes ends when nobody reads");
    assert_eq!(status.code(), Some(128 + libc::SIGPIPE));
}
