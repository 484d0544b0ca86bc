// SPDX-License-Identifier: MIT OR Apache-2.0
//! One source into one binary: with Open MPI's or MPICH's own `mpicc` or `mpif90`, so that the binaries know nothing of Paceline, or
//! with our `mpicc`, which is for the standard ABI.

use crate::process;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// An ABI that programs are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Face {
    /// Open MPI's.
    Openmpi,
    /// MPICH's.
    Mpich,
    /// The standard's.
    Standard,
}

impl Face {
    /// Its name as the lists and scripts have it.
    pub fn name(self) -> &'static str {
        match self {
            Face::Openmpi => "openmpi",
            Face::Mpich => "mpich",
            Face::Standard => "standard",
        }
    }

    /// The face whose peer says what is right: no library of the standard's ABI is installed, and Open MPI's prints the same.
    pub fn of_peer(self) -> Face {
        if self == Face::Standard { Face::Openmpi } else { self }
    }

    /// The compiler wrapper. Debian gives the peers' these names so that they can stand beside each other.
    fn mpicc(self, stage: &Path) -> PathBuf {
        match self {
            Face::Openmpi if !Path::new("/usr/bin/mpicc.openmpi").exists() => "mpicc".into(),
            Face::Openmpi => "mpicc.openmpi".into(),
            Face::Mpich => "mpicc.mpich".into(),
            Face::Standard => stage.join("bin/mpicc"),
        }
    }

    /// The same for Fortran, which the standard's ABI does not have.
    fn mpif90(self) -> &'static str {
        match self {
            Face::Mpich => "mpif90.mpich",
            _ if Path::new("/usr/bin/mpif90.openmpi").exists() => "mpif90.openmpi",
            _ => "mpif90",
        }
    }

    /// The compiler of a source, with its options.
    fn compiler(self, stage: &Path, source: &Path) -> Command {
        let fortran = is_fortran(source);
        let mut command = Command::new(if fortran { self.mpif90().into() } else { self.mpicc(stage) });
        command.args(["-O2", "-g", "-Wall"]).args((!fortran).then_some("-std=gnu11"));
        command
    }
}

fn is_fortran(source: &Path) -> bool {
    source.extension().is_some_and(|ending| ending == "f90")
}

/// Compiles `source` for Open MPI into `folder` and gives the binary's path; nothing is done when the binary is newer than the
/// source and everything in `headers` (the source's own folder).
pub fn program(source: &Path, folder: &Path) -> Result<PathBuf, String> {
    program_with(Path::new(""), Face::Openmpi, source, folder, &[])
}

/// The same for a face, ours being in the prefix `stage`, with further flags of the compiler; `folder` must be theirs alone.
pub fn program_with(stage: &Path, face: Face, source: &Path, folder: &Path, flags: &[String]) -> Result<PathBuf, String> {
    let name = source.file_stem().ok_or_else(|| format!("{} is not a source file", source.display()))?;
    let binary = folder.join(name);
    if !newer(&binary, source) {
        // Modules of a Fortran source are files, too; two sources may give theirs the same name.
        let modules = binary.with_extension("modules");
        let made = if is_fortran(source) { &modules } else { folder };
        fs::create_dir_all(made).map_err(|error| format!("cannot create {}: {error}", made.display()))?;
        let mut command = face.compiler(stage, source);
        if is_fortran(source) {
            command.arg("-J").arg(&modules);
        }
        command.args(flags).arg(source).arg("-o").arg(&binary).args(["-lm", "-lpthread"]);
        process::output_of(command)?;
    }
    Ok(binary)
}

/// Whether `binary` is newer than `source` and all headers beside it.
fn newer(binary: &Path, source: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    let Some(made) = changed(binary) else { return false };
    let headers = source.parent().into_iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let headers = headers.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "h"));
    headers.chain([source.to_owned()]).all(|path| changed(&path).unwrap_or(SystemTime::UNIX_EPOCH) < made)
}
