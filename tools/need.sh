#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# need.sh GROUP...: sees to it that Debian's packages of these groups are installed. As root it installs what is
# missing; otherwise it names the missing packages and stops.
set -euo pipefail

packages_of() {
    case $1 in
        mpi) echo openmpi-bin libopenmpi-dev libpmix2 binutils ;;
        mpich) echo libmpich-dev mpich xz-utils ;;
        clients) echo hpcc netpipe-openmpi lammps python3 python3-venv ;;
        more-clients) echo netpipe-mpich2 scalapack-mpi-test ptscotch scotch freefem++ phyml iqtree form neuron mplrs tree-ppuzzle mumps-test python3-mpi4py python3-petsc4py getdp ;;
        fortran) echo gfortran ;;
        rsmpi) echo libclang-dev ;;
        mpi4py) echo python3-dev python3-venv ;;
        *) echo "need.sh: no group $1" >&2; exit 2 ;;
    esac
}

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

command -v cargo >/dev/null || { echo "Missing: the Rust toolchain (https://rustup.rs)." >&2; exit 1; }
command -v gcc >/dev/null || { echo "Missing: gcc." >&2; exit 1; }
if ! command -v dpkg-query >/dev/null; then
    command -v mpicc >/dev/null && command -v mpirun >/dev/null && exit 0
    echo "Missing: Open MPI 4.1 or 5 with its development files (mpicc, mpirun), and libpmix.so.2." >&2
    exit 1
fi

missing=()
for group in "$@"; do
    for package in $(packages_of "$group"); do installed "$package" || missing+=("$package"); done
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" != 0 ]; then
    echo "Missing packages: ${missing[*]}" >&2
    echo "Install them with: sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
fi
echo "Installing ${missing[*]} ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
    tail -20 "$log" >&2
    echo "Could not install ${missing[*]}." >&2
    exit 1
fi
