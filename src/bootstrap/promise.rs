// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which servers the environment promises. Pure: the environment is a function, so that every launcher's can be tried.
//!
//! MPICH's variables come before PMIx's: a launcher that speaks PMI-1 inside a PMIx job leaves the outer `PMIX_*`
//! standing, while PMIx launchers close inherited descriptors, so that an outer `PMI_FD` no longer answers.

use std::fmt;

/// One thing in the environment that says "you are one of several".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Promise {
    /// `PMI_FD`: an inherited socket to the launcher; `version` is 2 where `PMI_VERSION` asks for it.
    PmiFd {
        /// The descriptor's number.
        fd: i32,
        /// Protocol version to begin with.
        version: u32,
        /// `PMI_RANK`
        rank: Option<u32>,
        /// `PMI_SIZE`
        size: Option<u32>,
        /// `PMI_JOBID`, which version 2 wants to hear.
        job: String,
    },
    /// `PMI_PORT` and `PMI_ID`: where the launcher listens.
    PmiPort {
        /// host:port
        address: String,
        /// The number by which the launcher knows this process.
        id: i32,
    },
    /// `PMIX_NAMESPACE`, `PMIX_RANK`: a PMIx server.
    Pmix {
        /// The server's address as the launcher wrote it; empty when no such variable is set.
        uri: String,
    },
    /// Peers are promised and no server is named at all.
    Nobody {
        /// The variables that promise.
        found: String,
        /// What to do.
        advice: &'static str,
    },
}

type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

/// `PMIX_SERVER_URI…`, newest wire first.
const URIS: [&str; 7] = [
    "PMIX_SERVER_URI51",
    "PMIX_SERVER_URI41",
    "PMIX_SERVER_URI4",
    "PMIX_SERVER_URI3",
    "PMIX_SERVER_URI21",
    "PMIX_SERVER_URI2",
    "PMIX_SERVER_URI",
];

/// Slurm's steps that are no parallel start: interactive, batch script, external (slurm.h).
const PSEUDO_STEPS: [u32; 3] = [0xffff_fffa, 0xffff_fffb, 0xffff_fffc];

/// All promises, innermost first. Empty: nobody started this process as one of several.
pub fn promises(env: Env) -> Vec<Promise> {
    let mut all: Vec<Promise> = [pmi_fd(env), pmi_port(env), pmix(env)].into_iter().flatten().collect();
    if all.is_empty() {
        all.extend([counted_pmi(env), open_mpi(env), slurm(env)].into_iter().flatten().next());
    }
    all
}

fn number<T: std::str::FromStr>(env: Env, name: &str) -> Option<T> {
    env(name)?.trim().parse().ok()
}

fn pmi_fd(env: Env) -> Option<Promise> {
    Some(Promise::PmiFd {
        fd: number(env, "PMI_FD")?,
        version: number(env, "PMI_VERSION").unwrap_or(1),
        rank: number(env, "PMI_RANK"),
        size: number(env, "PMI_SIZE"),
        job: env("PMI_JOBID").unwrap_or_default(),
    })
}

fn pmi_port(env: Env) -> Option<Promise> {
    Some(Promise::PmiPort { address: env("PMI_PORT")?, id: number(env, "PMI_ID")? })
}

fn pmix(env: Env) -> Option<Promise> {
    env("PMIX_NAMESPACE")?;
    env("PMIX_RANK")?;
    Some(Promise::Pmix { uri: URIS.iter().find_map(|name| env(name)).unwrap_or_default() })
}

/// `PMI_SIZE` without a descriptor or a port, as Cray's launcher sets it.
fn counted_pmi(env: Env) -> Option<Promise> {
    let size: u64 = number(env, "PMI_SIZE")?;
    (size > 1).then(|| Promise::Nobody { found: format!("PMI_SIZE={size}"), advice: "there is neither PMI_FD nor PMI_PORT" })
}

fn open_mpi(env: Env) -> Option<Promise> {
    let size: u64 = number(env, "OMPI_COMM_WORLD_SIZE")?;
    (size > 1).then(|| Promise::Nobody {
        found: format!("OMPI_COMM_WORLD_SIZE={size}"),
        advice: "the PMIX_* variables of its server are missing",
    })
}

/// A real step of several tasks. An allocation or a batch script is none, nor a shell on a terminal (`srun --pty`),
/// where a user types single commands.
fn slurm(env: Env) -> Option<Promise> {
    let step: u32 = number(env, "SLURM_STEP_ID").or_else(|| number(env, "SLURM_STEPID"))?;
    let tasks: u64 = number(env, "SLURM_STEP_NUM_TASKS").or_else(|| number(env, "SLURM_NTASKS"))?;
    if tasks <= 1 || PSEUDO_STEPS.contains(&step) || env("SLURM_PTY_PORT").is_some() {
        return None;
    }
    Some(Promise::Nobody {
        found: format!("Slurm step {step} of {tasks} tasks"),
        advice: "srun gave no server: use srun --mpi=pmix or srun --mpi=pmi2",
    })
}

impl Promise {
    /// The protocol's name, as `PACELINE_SERVER` spells it.
    pub fn protocol(&self) -> &'static str {
        match self {
            Promise::PmiFd { version: 2, .. } => "pmi2",
            Promise::PmiFd { .. } | Promise::PmiPort { .. } => "pmi1",
            Promise::Pmix { .. } => "pmix",
            Promise::Nobody { .. } => "nobody",
        }
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Promise::PmiFd { fd, .. } => write!(f, "PMI_FD={fd}"),
            Promise::PmiPort { address, id } => write!(f, "PMI_PORT={address} PMI_ID={id}"),
            Promise::Pmix { uri } if uri.is_empty() => write!(f, "PMIX_NAMESPACE without PMIX_SERVER_URI"),
            Promise::Pmix { uri } => write!(f, "PMIx server {uri}"),
            Promise::Nobody { found, .. } => f.write_str(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(pairs: &[(&str, &str)]) -> Vec<Promise> {
        let pairs: Vec<(String, String)> = pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
        promises(&move |name| pairs.iter().find(|(k, _)| k == name).map(|(_, v)| v.clone()))
    }

    #[test]
    fn nothing_promises_nothing() {
        assert_eq!(given(&[]), []);
        assert_eq!(given(&[("OMPI_COMM_WORLD_SIZE", "1"), ("PMI_SIZE", "1")]), []);
    }

    #[test]
    fn hydra_by_descriptor_and_by_port() {
        let fd = given(&[("PMI_FD", "6"), ("PMI_RANK", "1"), ("PMI_SIZE", "4")]);
        assert_eq!(fd, [Promise::PmiFd { fd: 6, version: 1, rank: Some(1), size: Some(4), job: String::new() }]);
        let port = given(&[("PMI_PORT", "node:77"), ("PMI_ID", "3")]);
        assert_eq!(port, [Promise::PmiPort { address: "node:77".into(), id: 3 }]);
        let two = given(&[("PMI_FD", "6"), ("PMI_VERSION", "2")]);
        assert_eq!(two[0].protocol(), "pmi2");
    }

    #[test]
    fn pmi_before_pmix() {
        let both = given(&[
            ("PMIX_NAMESPACE", "a"),
            ("PMIX_RANK", "0"),
            ("PMIX_SERVER_URI2", "old"),
            ("PMIX_SERVER_URI41", "a.0;tcp4://127.0.0.1:1"),
            ("PMI_FD", "3"),
        ]);
        assert_eq!(both.iter().map(Promise::protocol).collect::<Vec<_>>(), ["pmi1", "pmix"]);
        assert_eq!(both[1], Promise::Pmix { uri: "a.0;tcp4://127.0.0.1:1".into() });
    }

    #[test]
    fn a_step_without_a_server_is_a_promise() {
        let step = given(&[("SLURM_STEP_ID", "0"), ("SLURM_NTASKS", "4"), ("SLURM_PROCID", "2")]);
        assert!(matches!(&step[..], [Promise::Nobody { found, .. }] if found == "Slurm step 0 of 4 tasks"), "{step:?}");
    }

    #[test]
    fn an_allocation_a_batch_script_and_a_shell_are_none() {
        assert_eq!(given(&[("SLURM_JOB_ID", "9"), ("SLURM_NTASKS", "4"), ("SLURM_PROCID", "0")]), []);
        for pseudo in ["4294967290", "4294967291", "4294967292"] {
            assert_eq!(given(&[("SLURM_STEP_ID", pseudo), ("SLURM_NTASKS", "4")]), [], "{pseudo}");
        }
        assert_eq!(given(&[("SLURM_STEP_ID", "0"), ("SLURM_NTASKS", "8"), ("SLURM_PTY_PORT", "999")]), []);
        assert_eq!(given(&[("SLURM_STEP_ID", "0"), ("SLURM_NTASKS", "1")]), []);
        assert_eq!(given(&[("SLURM_STEP_ID", "0"), ("SLURM_NTASKS", "8"), ("SLURM_STEP_NUM_TASKS", "1")]), []);
    }

    #[test]
    fn counts_without_a_server_are_promises() {
        assert_eq!(given(&[("OMPI_COMM_WORLD_SIZE", "2")])[0].to_string(), "OMPI_COMM_WORLD_SIZE=2");
        assert_eq!(given(&[("PMI_SIZE", "3"), ("PMI_RANK", "0")])[0].to_string(), "PMI_SIZE=3");
    }

    #[test]
    fn a_named_server_outranks_bare_counts() {
        let all = given(&[("PMI_FD", "3"), ("OMPI_COMM_WORLD_SIZE", "2"), ("SLURM_STEP_ID", "0"), ("SLURM_NTASKS", "2")]);
        assert_eq!(all.len(), 1);
    }
}
