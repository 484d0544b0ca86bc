// SPDX-License-Identifier: MIT OR Apache-2.0
//! The same program under every launcher that this machine has, and under environments that promise too much.

use crate::common::{Outcome, command, meet, run};
use std::net::TcpListener;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// Runs `meet` on 3 ranks under a launcher; skipped where it is not installed.
fn under(launcher: &str, variables: &[(&str, &str)], server: &str) {
    let (program, options) = launcher.split_once(' ').unwrap_or((launcher, ""));
    if !command("which", program).output().unwrap().status.success() {
        eprintln!("skipped: no {program}");
        return;
    }
    let mut job = command(program, &format!("{options} -n 3 {}", meet()));
    job.envs(variables.iter().copied());
    let outcome = run(job, LIMIT);
    assert_eq!(outcome.code, 0, "{outcome:?}");
    let mut lines: Vec<&str> = outcome.out.lines().collect();
    lines.sort_unstable();
    let all: Vec<String> = (0..3).map(|rank| format!("{rank} of 3 by {server}: r0 r1 r2")).collect();
    assert_eq!(lines, all, "{}", outcome.err);
}

#[test]
fn under_hydra_by_descriptor() {
    under("mpiexec.mpich", &[], "pmi1");
}

#[test]
fn under_hydra_by_port() {
    under("mpiexec.mpich -pmi-port", &[], "pmi1");
}

#[test]
fn under_hydra_in_version_2() {
    under("mpiexec.mpich", &[("PMI_VERSION", "2")], "pmi2");
}

#[test]
fn under_open_mpi() {
    under("mpirun.openmpi --allow-run-as-root --oversubscribe", &[], "pmix");
}

/// Every launcher tells which program of an MPMD job a process runs.
#[test]
fn programs_of_a_job_are_numbered() {
    let ours = env!("CARGO_BIN_EXE_mpiexec");
    for launcher in [ours, "mpiexec.mpich", "mpirun.openmpi --allow-run-as-root --oversubscribe"] {
        let (program, options) = launcher.split_once(' ').unwrap_or((launcher, ""));
        if !command("which", program).output().unwrap().status.success() {
            eprintln!("skipped: no {program}");
            continue;
        }
        let one = format!("{} application", meet());
        let outcome = run(command(program, &format!("{options} -n 1 {one} : -n 2 {one}")), LIMIT);
        let mut lines: Vec<&str> = outcome.out.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["0 0", "1 1", "2 1"], "{launcher}: {outcome:?}");
    }
}

/// An inner PMI launcher wins over the outer PMIx one whose variables are still there, and the other way round.
#[test]
fn under_two_launchers() {
    let stale = [("PMIX_NAMESPACE", "gone"), ("PMIX_RANK", "0"), ("PMIX_SERVER_URI41", "gone.0;tcp4://127.0.0.1:1")];
    under("mpiexec.mpich", &stale, "pmi1");
    let stale = [("PMI_FD", "77"), ("PMI_RANK", "0"), ("PMI_SIZE", "2")];
    under("mpirun.openmpi --allow-run-as-root --oversubscribe -x PMI_FD -x PMI_RANK -x PMI_SIZE", &stale, "pmix");
}

/// Both servers live: the inner one's answer counts.
#[test]
fn launchers_within_launchers() {
    let open_mpi = "mpirun.openmpi --allow-run-as-root --oversubscribe";
    let ours = env!("CARGO_BIN_EXE_mpiexec");
    under(&format!("{open_mpi} -n 1 mpiexec.mpich"), &[], "pmi1");
    under(&format!("{open_mpi} -n 1 {ours}"), &[], "pmi1");
    // Open MPI's launcher refuses to start where it sees this name.
    under(&format!("{ours} -n 1 env -u OMPI_UNIVERSE_SIZE {open_mpi}"), &[], "pmix");
    under(&format!("{ours} -n 1 mpiexec.mpich"), &[], "pmi1");
}

/// `meet` alone in an environment.
fn alone(variables: &[(&str, &str)]) -> Outcome {
    let mut program = command(meet(), "");
    program.envs(variables.iter().copied());
    run(program, LIMIT)
}

fn refused(variables: &[(&str, &str)], found: &str) {
    let outcome = alone(variables);
    assert_eq!(outcome.code, 9, "{outcome:?}");
    assert!(outcome.err.contains(found) && outcome.err.contains("PACELINE_SERVER=singleton"), "{}", outcome.err);
    assert_eq!(outcome.out, "");
}

#[test]
fn alone_and_inside_an_allocation_it_is_one_of_one() {
    let expected = "0 of 1 by singleton: r0\n";
    assert_eq!(alone(&[]).out, expected);
    assert_eq!(alone(&[("SLURM_JOB_ID", "7"), ("SLURM_NTASKS", "4"), ("SLURM_PROCID", "0")]).out, expected);
    assert_eq!(alone(&[("SLURM_STEP_ID", "0"), ("SLURM_NTASKS", "8"), ("SLURM_PTY_PORT", "9")]).out, expected);
    assert_eq!(alone(&[("PMI_FD", "77"), ("PACELINE_SERVER", "singleton")]).out, expected);
}

#[test]
fn promises_without_an_answer_are_refused() {
    refused(&[("SLURM_STEP_ID", "0"), ("SLURM_NTASKS", "4")], "Slurm step 0 of 4 tasks");
    refused(&[("PMI_FD", "77"), ("PMI_RANK", "0"), ("PMI_SIZE", "2")], "PMI_FD=77");
    refused(&[("OMPI_COMM_WORLD_SIZE", "2")], "OMPI_COMM_WORLD_SIZE=2");
    let dead = [("PMIX_NAMESPACE", "gone"), ("PMIX_RANK", "0"), ("PMIX_SERVER_URI41", "gone.0;tcp4://127.0.0.1:1")];
    refused(&dead, "nobody listens at 127.0.0.1:1");
}

/// Servers that accept and then say nothing: the wait is bounded, and the message has the address.
#[test]
fn silent_servers_are_not_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let uri = format!("silent.0;tcp4://{address}");
    refused(&[("PMI_PORT", &address), ("PMI_ID", "0"), ("PACELINE_SERVER_LIMIT", "1")], &address);
    let silent = [("PMIX_NAMESPACE", "s"), ("PMIX_RANK", "0"), ("PMIX_SERVER_URI41", &*uri), ("PACELINE_SERVER_LIMIT", "1")];
    let outcome = alone(&silent);
    assert!(outcome.took < Duration::from_secs(10), "{outcome:?}");
    assert!(outcome.code == 9 && outcome.err.contains(&address), "{outcome:?}");
}
