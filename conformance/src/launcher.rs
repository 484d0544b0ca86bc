// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ways to start a program on some ranks.

use serde::Deserialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Who starts the ranks, and whose library they get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Launcher {
    /// Paceline's own `mpiexec`.
    Mpiexec,
    /// Open MPI's `mpirun`, with Paceline preloaded into the ranks.
    Mpirun,
    /// No launcher: one rank, Paceline first on the library path.
    Alone,
    /// Open MPI's `mpirun` and Open MPI's library: the peer.
    Openmpi,
}

impl fmt::Display for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Launcher::Mpiexec => "mpiexec",
            Launcher::Mpirun => "mpirun",
            Launcher::Alone => "alone",
            Launcher::Openmpi => "openmpi",
        })
    }
}

impl Launcher {
    /// The words that stand before `-n N program ...`; none for a program alone.
    pub fn words(self, stage: &Path) -> Vec<String> {
        match self {
            Launcher::Mpiexec => vec![stage.join("bin/mpiexec").display().to_string()],
            Launcher::Mpirun => vec![mpirun(), "-x".into(), format!("LD_PRELOAD={}", library(stage).display())],
            Launcher::Alone => vec![],
            Launcher::Openmpi => vec![mpirun()],
        }
    }

    /// The command that starts `program` on `ranks` ranks.
    pub fn command(self, stage: &Path, ranks: u32, program: &Path) -> Command {
        let words = self.words(stage);
        let mut command = match words.split_first() {
            None => Command::new(program),
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg("-n").arg(ranks.to_string()).arg(program);
                command
            }
        };
        self.prepare(stage, &mut command);
        command
    }

    /// Sets what the launcher needs in the environment.
    pub fn prepare(self, stage: &Path, command: &mut Command) {
        if self == Launcher::Alone {
            command.env("LD_LIBRARY_PATH", stage.join("lib"));
        }
        if matches!(self, Launcher::Mpirun | Launcher::Openmpi) {
            command.envs(OPENMPI);
        }
    }
}

/// What Open MPI needs to run as root in a container, on fewer cores than ranks, without a remote shell.
const OPENMPI: [(&str, &str); 6] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
    ("OMPI_MCA_mpi_yield_when_idle", "1"),
    ("OMPI_MCA_btl", "self,vader"),
    ("OMPI_MCA_plm_ssh_agent", "false"),
];

/// The library in the staged prefix that replaces Open MPI's.
pub fn library(stage: &Path) -> PathBuf {
    stage.join("lib/libmpi.so.40")
}

fn mpirun() -> String {
    let debian = Path::new("/usr/bin/mpirun.openmpi");
    if debian.exists() { debian.display().to_string() } else { "mpirun".into() }
}
