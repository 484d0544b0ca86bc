// SPDX-License-Identifier: MIT OR Apache-2.0
//! One C source into one binary with Open MPI's own `mpicc`: the binaries that are tested know nothing of Paceline.

use crate::process;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// Compiles `source` into `folder` and gives the binary's path; nothing is done when the binary is newer than the
/// source and everything in `headers` (the source's own folder).
pub fn program(source: &Path, folder: &Path) -> Result<PathBuf, String> {
    program_with(source, folder, &[])
}

/// The same with further flags of the compiler; `folder` must be theirs alone.
pub fn program_with(source: &Path, folder: &Path, flags: &[String]) -> Result<PathBuf, String> {
    let name = source.file_stem().ok_or_else(|| format!("{} is not a source file", source.display()))?;
    let binary = folder.join(name);
    if !newer(&binary, source) {
        fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        let mut command = Command::new(mpicc());
        command
            .args(["-std=gnu11", "-O2", "-g", "-Wall"])
            .args(flags)
            .arg(source)
            .arg("-o")
            .arg(&binary)
            .args(["-lm", "-lpthread"]);
        process::output_of(command)?;
    }
    Ok(binary)
}

/// Open MPI's compiler wrapper: Debian gives it this name so that it can stand beside MPICH's.
fn mpicc() -> &'static str {
    if Path::new("/usr/bin/mpicc.openmpi").exists() { "mpicc.openmpi" } else { "mpicc" }
}

/// Whether `binary` is newer than `source` and all headers beside it.
fn newer(binary: &Path, source: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    let Some(made) = changed(binary) else { return false };
    let headers = source.parent().into_iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let headers = headers.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "h"));
    headers.chain([source.to_owned()]).all(|path| changed(&path).unwrap_or(SystemTime::UNIX_EPOCH) < made)
}
