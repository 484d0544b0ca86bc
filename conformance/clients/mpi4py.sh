# SPDX-License-Identifier: MIT OR Apache-2.0
# The wheel of mpi4py finds the library by itself, of two when it is told the ABI; its own small benchmarks run on it.
FACES="openmpi mpich"
. "$(dirname "$0")/common.sh"

python=$TARGET/venv/bin/python3
[ -x "$python" ] || skip "no environment with mpi4py in target/venv (tools/wheels.sh makes it)"

export MPI4PY_MPIABI=$FACE

ranks "$NP" "$python" -c 'from mpi4py import MPI; print(MPI.Get_library_version())' > version.log
grep -q Paceline version.log || wrong "not our library"
ranks "$NP" "$python" -m mpi4py.bench helloworld | tee hello.log
[ "$(grep -c 'Hello, World! I am process' hello.log)" = "$NP" ] || wrong "not one greeting from each rank"
ranks "$NP" "$python" -m mpi4py.bench ringtest -l 20 | tee ring.log
grep -q 'time for 20 loops' ring.log || wrong "the ring did not turn"
ranks "$NP" "$python" -m mpi4py.bench ringtest -l 20 -n 65536
