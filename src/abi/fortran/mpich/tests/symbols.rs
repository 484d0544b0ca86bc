// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every function that Debian's Fortran library of MPICH exports, this library exports too, under all its names, and the common blocks at
//! the same size: all but what belongs to its module `mpi_f08`.

#[path = "../../../harness/mod.rs"]
mod harness;

use harness::exports;
use harness::peer::{Face, Peer, debian};

const FACE: Face = Face {
    package: "paceline-mpich-fortran",
    file: "libmpi_mpich_fortran.so",
    sonames: &["libmpifort.so.12", "libmpichfort.so.12"],
};

fn peers() -> Vec<Peer> {
    let (library, header) = ("lib/x86_64-linux-gnu/libmpichfort.so.12", "include/x86_64-linux-gnu/mpich/mpif.h");
    let found = Peer::find("Debian's MPICH", debian(library), debian(header), "apt-get install libmpich-dev");
    found.into_iter().collect()
}

/// What programs with `mpif.h` or `use mpi` call: not the functions of `mpi_f08`, nor what MPICH's own parts call in each other.
fn public(name: &str) -> bool {
    let inner = name.contains("f08") || name.starts_with("pmpir_") || name.starts_with("mpirinit");
    let of_modules =
        name.starts_with("__mpi_sizeofs_MOD_") || name.starts_with("__mpi_constants_MOD_mpi") || name.ends_with("eq");
    !inner && (of_modules || !name.starts_with("__"))
}

#[test]
fn exports_what_the_peer_exports() {
    exports::functions_of_peers_that(&FACE, &peers(), |name| public(name) && !name.starts_with("MPIR_"));
    exports::data_of_peers(&FACE, &peers(), |_, name| name.starts_with("mpipriv") || name.starts_with("mpifcmb"));
}

#[test]
fn exports_nothing_else() {
    exports::nothing_else(
        &FACE,
        &["MPI_", "PMPI_", "MPIX_", "PMPIX_", "mpi_", "pmpi_", "mpix_", "pmpix_", "mpipriv", "mpifcmb", "__mpi_"],
    );
}
