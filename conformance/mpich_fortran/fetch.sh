#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Configures the Fortran part of MPICH's own test suite for $FACE with the peer's compilers, in target/suites/mpich_fortran; its sources are
# those of conformance/mpich/fetch.sh. Nothing is done twice. Exit 77: not possible here.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
source=$root/target/suites/mpich/source
place=$root/target/suites/mpich_fortran/$FACE

bash conformance/fortran/ready.sh
[ -d "$source" ] || bash conformance/mpich/fetch.sh
[ ! -e "$place/complete" ] || exit 0
rm -rf "$place"
mkdir -p "$place"
cd "$place"
# gfortran 10 and newer want it for calls with buffers of several types.
options="-fallow-argument-mismatch"
"$source/configure" MPICC=mpicc.$FACE MPIF77=mpif77.$FACE MPIFC=mpif90.$FACE MPIF90=mpif90.$FACE FFLAGS=$options FCFLAGS=$options \
    --enable-strictmpi --disable-cxx --enable-fortran=f77,f90 > configure.log 2>&1 || { tail -5 configure.log; exit 1; }
# The lists that configure did not write.
(cd "$source" && find f77 f90 -name testlist -exec cp --parents --no-clobber {} "$place" \;)
touch complete
