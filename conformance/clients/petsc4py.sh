# SPDX-License-Identifier: MIT OR Apache-2.0
# PETSc under Debian's petsc4py (its libraries have Fortran's calls too): four solvers, the last of them MUMPS.
. "$(dirname "$0")/common.sh"

folder=$(echo /usr/lib/petscdir/petsc*/x86_64-linux-gnu-real/lib/python3)
needs "$folder"
export PETSC_DIR=${folder%/lib/python3}
ranks "$NP" /usr/bin/python3 "$here/petsc_grid.py" | tee petsc4py.log
[ "$(grep -c ': right$' petsc4py.log)" = 5 ] || wrong "not all five answers are right"
