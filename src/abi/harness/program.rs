// SPDX-License-Identifier: MIT OR Apache-2.0
//! C programs compiled with a peer's header and linked with its library, run on it and on ours.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::peer::{Face, Peer, Scratch};

/// A compiled program.
pub struct Program {
    place: Scratch,
    path: PathBuf,
    library: PathBuf,
}

impl Program {
    /// Compiles `source`; its folder goes away with the value.
    pub fn compile(face: &Face, peer: &Peer, source: &Path, options: &[&str]) -> Program {
        let name = source.file_stem().expect("a file").to_string_lossy();
        let place = Scratch::new(&format!("{name}{}{}", options.concat(), peer.name).replace(['/', ' '], "_"));
        face.sonames.iter().for_each(|soname| symlink(face.library(), place.path().join(soname)).expect("a link"));
        // The header may have another name, and needs what lies beside it.
        symlink(&peer.header, place.path().join("mpi.h")).expect("a link");
        let path = place.path().join("program");
        let compiled = Command::new("gcc")
            .args(options)
            .args(["-Wall", "-Werror", "-Wno-deprecated-declarations", "-I"])
            .arg(place.path())
            .arg("-I")
            .arg(peer.header.parent().expect("a folder"))
            .args([source.as_os_str(), "-o".as_ref(), path.as_os_str(), peer.library.as_os_str()])
            // What the peer's library itself needs is not looked at.
            .arg("-Wl,--allow-shlib-undefined")
            .output()
            .expect("gcc runs");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let library = place.path().join(face.sonames[0]);
        Program { place, path, library }
    }

    /// Exit status and everything it said on our library, within a minute.
    pub fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let mut command = self.command(arguments);
        command.env("LD_PRELOAD", &self.library).env("LD_LIBRARY_PATH", self.place.path());
        // Every symbol must be found at start, as in programs that are linked so.
        finish(command.env("LD_BIND_NOW", "1"))
    }

    /// The same on the peer's library.
    pub fn run_on_peer(&self, peer: &Peer, arguments: &[&str]) -> (Option<i32>, String) {
        let folder = peer.library.parent().expect("a folder");
        let mut command = self.command(arguments);
        if !folder.starts_with("/usr") {
            // A wheel's Open MPI finds its files by this.
            command.env("LD_LIBRARY_PATH", folder).env("OPAL_PREFIX", folder.parent().expect("a prefix"));
        }
        finish(&mut command)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("timeout");
        command.arg("60").arg(&self.path).args(arguments);
        command
    }
}

fn finish(command: &mut Command) -> (Option<i32>, String) {
    let ran = command.output().expect("the program starts");
    (ran.status.code(), String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned())
}
