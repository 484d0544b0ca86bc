// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ways to start a program on some ranks.

use crate::compile::Face;
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
    /// The other launcher, with Paceline put before its library: MPICH's for programs of MPICH, Open MPI's for all others.
    Mpirun,
    /// No launcher: one rank, Paceline first on the library path.
    Alone,
    /// The same launcher with its own library: the peer.
    #[value(aliases = ["openmpi", "mpich"])]
    Peer,
}

impl fmt::Display for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Launcher::Mpiexec => "mpiexec",
            Launcher::Mpirun => "mpirun",
            Launcher::Alone => "alone",
            Launcher::Peer => "the peer",
        })
    }
}

impl Launcher {
    /// The words that stand before `-n N program ...`, which wants these libraries of Open MPI's; none for a program alone.
    pub fn words(self, face: Face, stage: &Path, libraries: &[&str]) -> Vec<String> {
        match self {
            Launcher::Mpiexec => vec![stage.join("bin/mpiexec").display().to_string()],
            Launcher::Mpirun => [vec![mpirun(face)], before(face, stage, libraries)].concat(),
            Launcher::Alone => vec![],
            Launcher::Peer => vec![mpirun(face)],
        }
    }

    /// The command that starts `program` of a face on `ranks` ranks; it wants C's library.
    pub fn command(self, face: Face, stage: &Path, ranks: u32, program: &Path) -> Command {
        self.command_with(face, stage, ranks, program, &C)
    }

    /// The same for a program that wants these libraries of Open MPI's.
    pub fn command_with(self, face: Face, stage: &Path, ranks: u32, program: &Path, libraries: &[&str]) -> Command {
        let words = self.words(face, stage, libraries);
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
        if matches!(self, Launcher::Mpirun | Launcher::Peer) {
            command.envs(OPENMPI);
        }
    }

    /// Why programs of a face cannot be started so.
    pub fn obstacle(self, face: Face) -> Option<&'static str> {
        let mpich = || Path::new(MPICH_MPIRUN).exists();
        match (self, face) {
            (Launcher::Peer, Face::Standard) => Some("there is no peer of the standard ABI here"),
            (Launcher::Mpirun | Launcher::Peer, Face::Mpich) if !mpich() => Some("MPICH's launcher is not installed"),
            _ => None,
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

/// The library of Open MPI's that programs in C want.
pub const C: [&str; 1] = ["libmpi.so.40"];
/// Those that programs in Fortran want.
pub const FORTRAN: [&str; 2] = ["libmpi.so.40", "libmpi_mpifh.so.40"];

/// The library in the staged prefix that replaces Open MPI's.
pub fn library(stage: &Path) -> PathBuf {
    stage.join("lib/libmpi.so.40")
}

/// The options that put our library before the launcher's own. Debian's programs of MPICH ask for another name than the rest:
/// on the path there are both.
fn before(face: Face, stage: &Path, libraries: &[&str]) -> Vec<String> {
    let paths = libraries.iter().map(|name| stage.join("lib").join(name).display().to_string());
    match face {
        Face::Openmpi => vec!["-x".into(), format!("LD_PRELOAD={}", paths.collect::<Vec<_>>().join(":"))],
        Face::Standard => vec!["-x".into(), format!("LD_LIBRARY_PATH={}", stage.join("lib").display())],
        Face::Mpich => vec!["-genv".into(), "LD_LIBRARY_PATH".into(), stage.join("lib").display().to_string()],
    }
}

/// MPICH's launcher, by the name that Debian gives it.
const MPICH_MPIRUN: &str = "/usr/bin/mpirun.mpich";

/// The launcher of a face's peer.
fn mpirun(face: Face) -> String {
    let debian = Path::new("/usr/bin/mpirun.openmpi");
    match face {
        Face::Mpich => MPICH_MPIRUN.into(),
        _ if debian.exists() => debian.display().to_string(),
        _ => "mpirun".into(),
    }
}
