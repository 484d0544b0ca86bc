// SPDX-License-Identifier: MIT OR Apache-2.0
//! Our library and the installed ones it is compared with.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs, process};

/// The face under test.
pub struct Face {
    /// Its package.
    pub package: &'static str,
    /// The file that cargo makes of it.
    pub file: &'static str,
    /// The names under which programs ask for it.
    pub sonames: &'static [&'static str],
}

impl Face {
    /// The library under test. Cargo does not build a cdylib for the sake of its tests, so this does.
    pub fn library(&self) -> PathBuf {
        static BUILT: OnceLock<PathBuf> = OnceLock::new();
        BUILT.get_or_init(|| self.build()).clone()
    }

    fn build(&self) -> PathBuf {
        // target/PROFILE/deps/this-test
        let own = env::current_exe().expect("the test's own path");
        let folder = own.ancestors().nth(2).expect("the profile's folder");
        let profile = match folder.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => "dev",
            Some(name) => name,
        };
        let cargo =
            Command::new(env!("CARGO")).args(["build", "--quiet", "--package", self.package, "--profile", profile]).status();
        assert!(cargo.expect("cargo runs").success(), "the library does not build");
        folder.join(self.file)
    }
}

/// A library to compare with.
pub struct Peer {
    /// For messages.
    pub name: &'static str,
    /// The library.
    pub library: PathBuf,
    /// Its header.
    pub header: PathBuf,
}

impl Peer {
    /// The peer, if it is there; says on one line if not.
    pub fn find(name: &'static str, library: Option<PathBuf>, header: Option<PathBuf>, advice: &str) -> Option<Peer> {
        match (library.filter(|path| path.exists()), header.filter(|path| path.exists())) {
            (Some(library), Some(header)) => Some(Peer { name, library, header }),
            _ => {
                eprintln!("skipped: {name} is not there: {advice}");
                None
            }
        }
    }

    /// The peer in the prefix of this name that `tools/wheels.sh` makes.
    pub fn fetched(name: &'static str, prefix: &str, library: &str, header: &str) -> Option<Peer> {
        let prefix = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/wheels").join(prefix);
        Peer::find(name, Some(prefix.join(library)), Some(prefix.join(header)), "tools/wheels.sh fetches it")
    }

    /// The text of its header, and of what that includes from the same folder.
    pub fn header_text(&self) -> String {
        fs::read_to_string(&self.header).expect("the peer's header")
    }
}

/// Where Debian puts libraries and headers.
pub fn debian(path: &str) -> Option<PathBuf> {
    Some(Path::new("/usr").join(path))
}

/// A folder that goes away with its value.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new folder in the build folder.
    pub fn new(name: &str) -> Scratch {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", process::id()));
        fs::create_dir_all(&path).expect("a folder in the build folder");
        Scratch(path)
    }

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
