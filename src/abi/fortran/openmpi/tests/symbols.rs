// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every function that Debian's Fortran library of Open MPI exports, this library exports too, under all its names.

#[path = "../../../harness/mod.rs"]
mod harness;

use harness::exports;
use harness::peer::{Face, Peer, debian};

const FACE: Face =
    Face { package: "paceline-openmpi-fortran", file: "libmpi_openmpi_fortran.so", sonames: &["libmpi_mpifh.so.40"] };

/// A mark of one of Open MPI's extensions, which nobody calls.
const MARK: &str = "mpiext_pcollreq_mpifh_dummy";

fn peers() -> Vec<Peer> {
    let folder = "lib/x86_64-linux-gnu";
    let (library, header) = (format!("{folder}/libmpi_mpifh.so.40"), format!("{folder}/openmpi/include/mpif.h"));
    let found = Peer::find("Debian's Open MPI", debian(&library), debian(&header), "apt-get install libopenmpi-dev");
    found.into_iter().collect()
}

#[test]
fn exports_what_the_peer_exports() {
    exports::functions_of_peers_that(&FACE, &peers(), |name| name != MARK);
}

#[test]
fn exports_nothing_else() {
    exports::nothing_else(&FACE, &["MPI_", "PMPI_", "MPIX_", "PMPIX_", "mpi_", "pmpi_", "mpix_", "pmpix_", "ompi_", "ompix_"]);
}
