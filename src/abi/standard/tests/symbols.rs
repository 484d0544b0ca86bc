// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every MPI function of another library of the standard ABI is exported here too; constants mean here what they mean there,
//! with that library's header and with ours.

#[path = "../../harness/mod.rs"]
mod harness;

use std::path::Path;

use harness::peer::{Face, Peer};
use harness::{constants, exports, layouts, values};

const FACE: Face = Face { package: "paceline-standard", file: "libmpi_standard.so", sonames: &["libmpi_abi.so.1"] };

fn wheel() -> Option<Peer> {
    Peer::fetched("the wheel's standard ABI", "mpich", "lib/libmpi_abi.so.1", "include/mpi_abi.h")
}

#[test]
fn exports_what_the_peer_exports() {
    let peers: Vec<Peer> = wheel().into_iter().collect();
    exports::functions_of_peers(&FACE, &peers, &["MPI_", "PMPI_"]);
    exports::data_of_peers(&FACE, &peers, |_, name| name.starts_with("MPI_"));
}

#[test]
fn exports_nothing_else() {
    exports::nothing_else(&FACE, &["MPI_", "PMPI_"]);
}

fn ours() -> Option<Peer> {
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../include/mpi.h");
    wheel().map(|peer| Peer { name: "our header", header, ..peer })
}

#[test]
fn our_header_is_the_peers() {
    if let (Some(wheel), Some(ours)) = (wheel(), ours()) {
        layouts::are_the_same(&FACE, &wheel, &ours, 350, &[]);
        let missing = layouts::missing(&FACE, &ours, &wheel);
        assert!(missing.is_empty(), "our header lacks {missing:?}");
    }
}

fn each_header(check: impl Fn(&Peer)) {
    wheel().iter().chain(&ours()).for_each(check);
}

#[test]
fn constants_mean_what_they_mean_on_the_peer() {
    each_header(|peer| constants::mean_the_same(&FACE, peer, &constants::OTHERWISE_ON_MPICH));
}

#[test]
fn numbers_are_the_headers() {
    let sources = ["../../object/constant.rs", "../../object/error/mod.rs"];
    each_header(|peer| values::are_the_headers(&FACE, peer, &sources, 300));
}
