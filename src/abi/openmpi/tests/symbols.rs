// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every MPI function and every public data symbol that an installed Open MPI exports, this library exports too, the data at
//! the same size. C programs compiled with Open MPI's header, linked with and without PIE, find the handles and errors they expect.

mod peer;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use peer::{Peer, Scratch, peers, scratch};

/// Data sizes by name.
type Data = BTreeMap<String, u64>;

/// What a library exports: names of functions, data with sizes.
fn exports(library: &Path) -> (Vec<String>, Data) {
    let out = Command::new("nm").args(["-D", "-S", "--defined-only"]).arg(library).output().expect("nm runs");
    assert!(out.status.success(), "nm {}: {}", library.display(), String::from_utf8_lossy(&out.stderr));
    let (mut functions, mut data) = (Vec::new(), Data::new());
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        let fields: Vec<_> = line.split_whitespace().collect();
        match fields[..] {
            [_, _, "T" | "W", name] => functions.push(name.to_owned()),
            [_, size, "B" | "D" | "R" | "V", name] => {
                data.insert(name.to_owned(), u64::from_str_radix(size, 16).expect("a size in hexadecimal"));
            }
            _ => {}
        }
    }
    (functions, data)
}

/// Data of the peer that programs may use: what its `mpi.h` names, and Fortran's sentinels.
fn public(peer: &Peer, name: &str) -> bool {
    let header = fs::read_to_string(peer.include.join("mpi.h")).expect("the peer's mpi.h");
    let words = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    name.starts_with("mpi_fortran_") || name.starts_with("MPI_F_STATUS") || (name.starts_with("ompi_") && words(&header))
}

fn is_function_of_mpi(name: &str) -> bool {
    ["MPI_", "PMPI_", "MPIX_", "PMPIX_", "OMPI_C_", "OMPI_Affinity"].iter().any(|prefix| name.starts_with(prefix))
}

/// Sizes that differ between the peers themselves: ours is the larger.
const DIFFERENT: [&str; 2] = ["mpi_fortran_status_ignore_", "mpi_fortran_statuses_ignore_"];

#[test]
fn exports_what_the_peers_export() {
    let (functions, data) = exports(&peer::ours());
    for peer in peers() {
        let (theirs, their_data) = exports(&peer.library);
        let missing: Vec<_> = theirs.iter().filter(|name| is_function_of_mpi(name) && !functions.contains(name)).collect();
        assert!(missing.is_empty(), "{}: functions that we lack: {missing:?}", peer.name);
        let wrong: Vec<_> = their_data
            .iter()
            .filter(|(name, _)| public(&peer, name) && !DIFFERENT.contains(&name.as_str()))
            .filter(|(name, size)| data.get(*name) != Some(size))
            .map(|(name, size)| format!("{name}: {size} bytes there, {:?} here", data.get(name)))
            .collect();
        assert!(wrong.is_empty(), "{}: data symbols: {wrong:#?}", peer.name);
    }
}

#[test]
fn exports_nothing_else() {
    let (functions, data) = exports(&peer::ours());
    let known = ["MPI_", "PMPI_", "MPIX_", "PMPIX_", "ompi_", "OMPI_", "mpi_"];
    let leaks: Vec<_> =
        functions.iter().chain(data.keys()).filter(|name| !known.iter().any(|prefix| name.starts_with(prefix))).collect();
    assert!(leaks.is_empty(), "Rust's internals are visible: {leaks:?}");
}

/// A C program of this folder, compiled with the peer's header and linked with its library; runs on ours.
struct Program {
    place: Scratch,
    path: PathBuf,
}

impl Program {
    fn compile(peer: &Peer, name: &str, options: &[&str]) -> Program {
        let place = scratch(&format!("{name}{}", options.concat().replace('/', "_")));
        std::os::unix::fs::symlink(peer::ours(), place.path().join("libmpi.so.40")).expect("a link to our library");
        let (source, path) = (Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/{name}.c")), place.path().join(name));
        let compiled = Command::new("gcc")
            .args(options)
            .args(["-Wall", "-Werror", "-Wno-deprecated-declarations", "-I"])
            .arg(&peer.include)
            .args([source.as_os_str(), "-o".as_ref(), path.as_os_str(), peer.library.as_os_str()])
            .output()
            .expect("gcc runs");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        Program { place, path }
    }

    /// Exit status and everything it said, within a minute.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new("timeout");
        command.arg("60").arg(&self.path).args(arguments).env("LD_PRELOAD", self.place.path().join("libmpi.so.40"));
        // Every symbol must be found at start, as in programs that are linked so.
        command.env("LD_BIND_NOW", "1");
        let ran = command.output().expect("the program starts");
        (ran.status.code(), String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned())
    }
}

#[test]
fn handles_are_the_same_in_a_program_with_and_without_pie() {
    if let Some(peer) = peers().first() {
        for pie in [&["-fPIE", "-pie"][..], &["-fno-pie", "-no-pie"][..]] {
            let (status, said) = Program::compile(peer, "handles", pie).run(&[]);
            assert_eq!(status, Some(0), "{pie:?}: {said}");
            assert!(said.contains("Paceline") && said.contains("handles agree"), "{pie:?}: {said}");
        }
    }
}

#[test]
fn errors_go_to_the_handler_with_the_peers_classes() {
    if let Some(peer) = peers().first() {
        let program = Program::compile(peer, "errors", &[]);
        let (status, said) = program.run(&[]);
        assert!(status == Some(0) && said.contains("errors as expected"), "{said}");
        let (status, said) = program.run(&["early"]);
        assert!(status == Some(1) && said.contains("MPI_Comm_rank: called before MPI_Init"), "{status:?}: {said}");
    }
}

#[test]
fn programs_linked_to_the_cxx_bindings_start() {
    let bindings = "/usr/lib/x86_64-linux-gnu/libmpi_cxx.so.40";
    match peers().first() {
        Some(peer) if Path::new(bindings).exists() => {
            let (status, said) = Program::compile(peer, "handles", &["-Wl,--no-as-needed", bindings]).run(&[]);
            assert!(status == Some(0) && said.contains("handles agree"), "{status:?}: {said}");
        }
        _ => eprintln!("skipped: no {bindings}"),
    }
}
