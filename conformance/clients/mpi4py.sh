# SPDX-License-Identifier: MIT OR Apache-2.0
# The wheel of mpi4py finds the library by itself, of two when it is told the ABI; its own small benchmarks run on it. For the
# standard's ABI there is no wheel: what its suite has built is taken.
FACES="openmpi mpich standard"
. "$(dirname "$0")/common.sh"

case $FACE in
    standard) python=$TARGET/suites/mpi4py/standard/bin/python3 by="make conformance SUITE=mpi4py FACE=standard" ;;
    *) python=$TARGET/venv/bin/python3 by=tools/wheels.sh ;;
esac
[ -x "$python" ] || skip "no environment with mpi4py in ${python%/bin/python3} ($by makes it)"
[ "$FACE" = standard ] || export MPI4PY_MPIABI=$FACE

ranks "$NP" "$python" -c 'from mpi4py import MPI; print(MPI.Get_library_version())' > version.log
grep -q Paceline version.log || wrong "not our library"
ranks "$NP" "$python" -m mpi4py.bench helloworld | tee hello.log
[ "$(grep -c 'Hello, World! I am process' hello.log)" = "$NP" ] || wrong "not one greeting from each rank"
ranks "$NP" "$python" -m mpi4py.bench ringtest -l 20 | tee ring.log
grep -q 'time for 20 loops' ring.log || wrong "the ring did not turn"
ranks "$NP" "$python" -m mpi4py.bench ringtest -l 20 -n 65536
