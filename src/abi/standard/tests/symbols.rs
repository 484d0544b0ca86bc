// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every MPI function of another library of the standard ABI is exported here too; constants mean here what they mean there,
//! with that library's header and with ours.

#[path = "../../harness/mod.rs"]
mod harness;

use std::path::Path;

use harness::peer::{Face, Peer};
use harness::{constants, exports};

const FACE: Face = Face { package: "paceline-standard", file: "libmpi_standard.so", sonames: &["libmpi_abi.so.1"] };

fn wheel() -> Option<Peer> {
    Peer::in_prefix("the wheel's standard ABI", "PACELINE_MPICH_WHEEL", "lib/libmpi_abi.so.1", "include/mpi_abi.h")
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

#[test]
fn constants_mean_what_they_mean_on_the_peer() {
    wheel().iter().for_each(|peer| constants::mean_the_same(&FACE, peer, &[]));
}

#[test]
fn our_header_says_the_same() {
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../include/mpi.h");
    if let Some(peer) = wheel() {
        constants::mean_the_same(&FACE, &Peer { name: "our header", header, ..peer }, &[]);
    }
}
