// SPDX-License-Identifier: MIT OR Apache-2.0
//! The variables that a rank gets. Programs read several launchers' names for rank and local rank, mostly before
//! MPI_Init, to choose a GPU: all well-known ones are set, and those of an outer launcher are taken away.

use super::command::{App, Job};
use super::face::Lead;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// Where a rank stands in the job.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Its number.
    pub rank: usize,
    /// Ranks in the job.
    pub size: usize,
}

/// An outer launcher's variables about *its* ranks and servers.
const STALE: [&str; 14] = [
    "PMI_",
    "PMIX_",
    "PRTE_",
    "PALS_",
    "OMPI_COMM_WORLD_",
    "OMPI_MCA_ess",
    "OMPI_MCA_orte_",
    "OMPI_MCA_pmix",
    "OMPI_UNIVERSE_SIZE",
    "SLURM_STEP",
    "SLURM_PROCID",
    "SLURM_LOCALID",
    "SLURM_NODEID",
    "SLURM_GTIDS",
];

/// Where mpi4py's wheel looks before the folder of its own virtual environment, which may hold another MPI.
const MPI4PY: &str = "MPI4PY_LIBMPI";

/// Names of ours that an outer launcher also sets without a prefix of its own.
pub fn is_stale(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    STALE.iter().any(|prefix| name.starts_with(prefix))
}

/// The counts, by all their names.
fn counts(place: Place, fd: i32) -> Vec<(&'static str, String)> {
    let (rank, size) = (place.rank.to_string(), place.size.to_string());
    let ranks = ["PMI_RANK", "OMPI_COMM_WORLD_RANK", "RANK"];
    let local_ranks = ["OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_NODE_RANK", "MPI_LOCALRANKID", "LOCAL_RANK"];
    let sizes = ["PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "OMPI_UNIVERSE_SIZE", "WORLD_SIZE"];
    let local_sizes = ["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "LOCAL_WORLD_SIZE"];
    let mut all = vec![("PMI_FD", fd.to_string())];
    all.extend(ranks.iter().chain(&local_ranks).map(|&name| (name, rank.clone())));
    all.extend(sizes.iter().chain(&local_sizes).map(|&name| (name, size.clone())));
    all
}

/// Everything that is set for a rank. `inherited` tells the launcher's own value of a name.
pub fn of_rank(
    job: &Job,
    app: &App,
    place: Place,
    fd: i32,
    lead: &Lead,
    inherited: &dyn Fn(&str) -> Option<OsString>,
) -> Vec<(OsString, OsString)> {
    let mut all: Vec<(OsString, OsString)> = Vec::new();
    for (name, value) in job.env.iter().chain(&app.env) {
        all.push((name.into(), value.into()));
    }
    all.extend(counts(place, fd).into_iter().map(|(name, value)| (name.into(), value.into())));
    let folder: Vec<PathBuf> = lead.folder.iter().cloned().collect();
    for (name, first) in [("LD_LIBRARY_PATH", &folder), ("LD_PRELOAD", &lead.preload)] {
        if !first.is_empty() {
            let last = all.iter().rev().find(|(n, _)| n == name).map(|(_, v)| v.clone());
            all.push((name.into(), before(first, last.or_else(|| inherited(name)))));
        }
    }
    if let Some(folder) = lead.folder.as_ref().filter(|_| inherited(MPI4PY).is_none()) {
        all.insert(0, (MPI4PY.into(), folder.join("libmpi.so").into()));
    }
    all
}

/// `first`, then what was there.
fn before(first: &[PathBuf], rest: Option<OsString>) -> OsString {
    let mut all = first.iter().map(|path| path.as_os_str()).collect::<Vec<_>>().join(OsStr::new(":"));
    if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
        all.push(":");
        all.push(rest);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(all: &[(OsString, OsString)], name: &str) -> Option<String> {
        all.iter().rev().find(|(n, _)| n == name).map(|(_, v)| v.to_string_lossy().into_owned())
    }

    #[test]
    fn a_rank_gets_every_name() {
        let job = Job { env: vec![("A".into(), "1".into())], ..Job::default() };
        let app = App { env: vec![("A".into(), "2".into())], ..App::default() };
        let lead = Lead { folder: Some("/p/lib".into()), ..Lead::default() };
        let all =
            of_rank(&job, &app, Place { rank: 2, size: 4 }, 9, &lead, &|name| (name == "LD_LIBRARY_PATH").then(|| "/old".into()));
        for name in ["PMI_RANK", "RANK", "LOCAL_RANK", "MPI_LOCALRANKID", "OMPI_COMM_WORLD_LOCAL_RANK"] {
            assert_eq!(value(&all, name).as_deref(), Some("2"), "{name}");
        }
        for name in ["PMI_SIZE", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "OMPI_UNIVERSE_SIZE", "MPI_LOCALNRANKS"] {
            assert_eq!(value(&all, name).as_deref(), Some("4"), "{name}");
        }
        assert_eq!(value(&all, "PMI_FD").as_deref(), Some("9"));
        assert_eq!(value(&all, "A").as_deref(), Some("2"), "the program's own comes after the job's");
        assert_eq!(value(&all, "LD_LIBRARY_PATH").as_deref(), Some("/p/lib:/old"));
        assert_eq!(value(&all, "LD_PRELOAD"), None);
        assert_eq!(value(&all, "MPI4PY_LIBMPI").as_deref(), Some("/p/lib/libmpi.so"));
    }

    #[test]
    fn an_outer_launchers_names_are_stale_and_others_are_not() {
        for name in ["PMIX_RANK", "PMI_PORT", "SLURM_STEP_ID", "SLURM_LOCALID", "OMPI_COMM_WORLD_RANK"] {
            assert!(is_stale(OsStr::new(name)), "{name}");
        }
        for name in ["PATH", "SLURM_JOB_ID", "OMPI_MCA_btl", "PACELINE_REPORT"] {
            assert!(!is_stale(OsStr::new(name)), "{name}");
        }
    }
}
