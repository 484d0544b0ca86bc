// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every MPI function and data symbol that an installed MPICH (or Intel MPI) exports, this library exports too, the data at the
//! same size; and the constants of its header mean here what they mean there.

#[path = "../../harness/mod.rs"]
mod harness;

use harness::peer::{Face, Peer, debian};
use harness::{constants, exports};

const FACE: Face = Face { package: "paceline-mpich", file: "libmpi_mpich.so", sonames: &["libmpi.so.12", "libmpich.so.12"] };

fn debians() -> Option<Peer> {
    let (library, header) = ("lib/x86_64-linux-gnu/libmpich.so.12", "include/x86_64-linux-gnu/mpich/mpi.h");
    Peer::find("Debian's MPICH", debian(library), debian(header), "apt-get install libmpich-dev")
}

fn wheel() -> Option<Peer> {
    Peer::in_prefix("the wheel's MPICH", "PACELINE_MPICH_WHEEL", "lib/libmpi.so.12", "include/mpi.h")
}

fn intel() -> Option<Peer> {
    Peer::in_prefix("Intel MPI", "PACELINE_IMPI_PREFIX", "lib/libmpi.so.12", "include/mpi.h")
}

#[test]
fn exports_what_the_peers_export() {
    let peers: Vec<Peer> = debians().into_iter().chain(wheel()).chain(intel()).collect();
    exports::functions_of_peers(&FACE, &peers, &["MPI_", "PMPI_", "MPIX_", "PMPIX_", "MPIR_Dup_fn"]);
    // Not those of Fortran's own library (MPIR_F08_MPI_BOTTOM ...), which comes with Fortran's functions.
    exports::data_of_peers(&FACE, &peers, |_, name| name.starts_with("MPI_"));
}

#[test]
fn exports_nothing_else() {
    exports::nothing_else(&FACE, &["MPI_", "PMPI_", "MPIX_", "PMPIX_", "MPIR_"]);
}

/// MPICH 4.0.2 has another class for a null info, and takes `MPI_NO_OP`, whose order cannot matter, for not commutative.
const OTHER_THERE: [&str; 2] = ["MPI_INFO_NULL", "MPI_NO_OP"];

#[test]
fn constants_mean_what_they_mean_on_the_peer() {
    debians().iter().for_each(|peer| constants::mean_the_same(&FACE, peer, &OTHER_THERE));
    wheel().iter().for_each(|peer| constants::mean_the_same(&FACE, peer, &[]));
}
