# SPDX-License-Identifier: MIT OR Apache-2.0
# ScaLAPACK's own test of its LU factorisation, which Debian has for Open MPI and for MPICH; it checks the residuals itself.
FACES="openmpi mpich"
. "$(dirname "$0")/common.sh"

program=/usr/lib/x86_64-linux-gnu/scalapack/$FACE-tests/xdlu
needs $program
rows="1 $NP" columns="$NP 1"
[ "$NP" -lt 4 ] || rows="1 2 4" columns="4 2 1"
cat > LU.dat <<INPUT
'ScaLAPACK, LU factorization'
'MPI'
'LU.out'             output file
6                    device out
3                    number of problem sizes
4 10 17              values of M
4 12 13              values of N
2                    number of NBs
2 3                  values of NB
2                    number of NRHSs
1 3                  values of NRHS
2                    number of NBRHSs
1 3                  values of NBRHS
$(wc -w <<< "$rows")                    number of process grids
$rows                values of P
$columns                values of Q
1.0                  threshold
T                    also the condition estimate and the iterative refinement
INPUT
ranks "$NP" $program | tee lu.log
grep -q 'tests completed and passed residual checks' lu.log || wrong "no summary"
! grep -q '[1-9][0-9]* tests completed and failed' lu.log || wrong "a residual is too large"
