#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Fetches MPICH's own test suite (Debian's source package, checked by apt) and configures it, in target/suites/mpich: source/ is
# the suite, configured/ the same once for all faces, openmpi/ mpich/ standard/ are builds. Nothing is done twice.
# Exit 77: not possible here.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
work=$root/target/suites/mpich

# A list of sources and a cache of our own: the machine's configuration of apt stays as it is.
fetch() {
    command -v apt-get > /dev/null || { echo "no apt-get, which fetches MPICH's sources"; exit 77; }
    local apt=$work/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    echo "deb-src http://deb.debian.org/debian bookworm main" > "$apt/sources.list"
    local options=(-qq -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache")
    apt-get "${options[@]}" update && (cd "$apt" && apt-get "${options[@]}" source --download-only mpich) \
        || { echo "cannot fetch MPICH's sources from Debian"; exit 77; }
    tar -C "$apt" -xf "$apt"/mpich_*.orig.tar.xz --wildcards '*/test/mpi'
    mv "$apt"/mpich-*/test/mpi "$work/source"
    rm -rf "$apt"
}

configure() {
    rm -rf "$work/configured"
    mkdir "$work/configured"
    (cd "$work/configured" && MPICC=$root/conformance/mpich/mpicc CFLAGS=-O1 CPPFLAGS=-DHAVE_MPI_INTEGER16=1 ../source/configure \
        --enable-strictmpi --disable-cxx --disable-fortran > configure.log 2>&1) || { tail -5 "$work/configured/configure.log"; exit 1; }
    # The lists that configure did not write.
    (cd "$work/source" && find . -name testlist -exec cp --parents --no-clobber {} "$work/configured" \;)
    touch "$work/configured/complete"
}

$root/conformance/mpich/mpicc --version > /dev/null 2>&1 || { echo "no compiler for the face $FACE"; exit 77; }
[ -d "$work/source" ] || fetch
[ -e "$work/configured/complete" ] || configure
[ -d "$work/$FACE" ] || cp -a "$work/configured" "$work/$FACE"
