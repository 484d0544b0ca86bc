// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every MPI function and data symbol that an installed MPICH (or Intel MPI) exports, this library exports too, the data at the
//! same size; and the constants of its header mean here what they mean there.

#[path = "../../harness/mod.rs"]
mod harness;

use harness::peer::{Face, Peer, debian};
use harness::{constants, exports, layouts, values};

const FACE: Face = Face { package: "paceline-mpich", file: "libmpi_mpich.so", sonames: &["libmpi.so.12", "libmpich.so.12"] };

fn debians() -> Option<Peer> {
    let (library, header) = ("lib/x86_64-linux-gnu/libmpich.so.12", "include/x86_64-linux-gnu/mpich/mpi.h");
    Peer::find("Debian's MPICH", debian(library), debian(header), "apt-get install libmpich-dev")
}

fn wheel() -> Option<Peer> {
    Peer::fetched("the wheel's MPICH", "mpich", "lib/libmpi.so.12", "include/mpi.h")
}

fn intel() -> Option<Peer> {
    Peer::fetched("Intel MPI", "impi", "lib/libmpi.so.12", "include/mpi.h")
}

#[test]
fn exports_what_the_peers_export() {
    let peers: Vec<Peer> = debians().into_iter().chain(wheel()).chain(intel()).collect();
    exports::functions_of_peers(&FACE, &peers, &["MPI_", "PMPI_", "MPIX_", "PMPIX_", "MPIR_Dup_fn", "QMPI_"]);
    // Not those of Fortran's own library (MPIR_F08_MPI_BOTTOM ...), which comes with Fortran's functions.
    exports::data_of_peers(&FACE, &peers, |_, name| name.starts_with("MPI_"));
}

#[test]
fn exports_nothing_else() {
    exports::nothing_else(&FACE, &["MPI_", "PMPI_", "MPIX_", "PMPIX_", "MPIR_", "QMPI_"]);
}

/// MPICH 5 and Intel MPI count on in these; then a type that Debian's MPICH was built without, and what a buffered send takes: less in
/// Intel MPI, with which the library is content.
const GROWN: [&str; 5] = ["MPI_VERSION", "MPI_SUBVERSION", "MPI_ERR_LASTCODE", "MPI_INTEGER16", "MPI_BSEND_OVERHEAD"];

#[test]
fn the_peers_headers_agree_and_a_status_is_as_they_say() {
    let Some(debian) = debians() else { return };
    for other in wheel().into_iter().chain(intel()) {
        layouts::are_the_same(&FACE, &debian, &other, 300, &GROWN);
    }
}

fn each_header(check: impl Fn(&Peer)) {
    debians().iter().chain(&wheel()).for_each(check);
}

#[test]
fn constants_mean_what_they_mean_on_the_peer() {
    each_header(|peer| constants::mean_the_same(&FACE, peer, &constants::OTHERWISE_ON_MPICH));
}

#[test]
fn numbers_are_the_headers() {
    let check = |peer: &Peer| values::are_the_headers(&FACE, peer, &["src/constant.rs", "src/handle.rs"], 240);
    each_header(check);
    intel().iter().for_each(check);
}
