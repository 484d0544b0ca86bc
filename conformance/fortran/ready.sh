#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Whether programs in Fortran can be compiled for $FACE; exit 77 with the reason if not.
case $FACE in
    standard) echo "the standard ABI has no Fortran library"; exit 77 ;;
    mpich) wrapper=mpif90.mpich ;;
    *) wrapper=$(command -v mpif90.openmpi || echo mpif90) ;;
esac
command -v "$wrapper" >/dev/null && "$wrapper" --version >/dev/null 2>&1 || { echo "no Fortran compiler: $wrapper does not run (apt-get install gfortran)"; exit 77; }
