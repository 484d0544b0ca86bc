# SPDX-License-Identifier: MIT OR Apache-2.0
# The launcher gives each program the face that it was compiled for: the program itself, a script that starts it, one with a path
# of its own to its library (DT_RPATH), an interpreter that loads the library by name, two programs in one job.
FACES="openmpi mpich standard"
. "$(dirname "$0")/common.sh"

case $FACE in
    openmpi) compiler=mpicc.openmpi name=libmpi.so.40 ;;
    mpich) compiler=mpicc.mpich name=libmpi.so.12 ;;
    standard) compiler=$STAGE/bin/mpicc name=libmpi_abi.so.1 ;;
esac
cat > version.c <<'SOURCE'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, ranks;
    MPI_Init(&argc, &argv);
    MPI_Get_library_version(text, &length);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    printf("%d ranks on %s\n", ranks, text);
    return MPI_Finalize();
}
SOURCE
$compiler version.c -o version

# ours HOW COMMAND...: each rank runs on Paceline and knows of all.
ours() {
    local how=$1
    shift
    ranks "$NP" "$@" > said.log
    [ "$(grep -c "^$NP ranks on Paceline" said.log)" = "$NP" ] || wrong "$how: $(head -1 said.log)"
}

ours "the program" ./version
printf '#!/bin/sh\nexec ./version\n' > script && chmod +x script
ours "a script" ./script
ours "a shell" sh -c './version; true'
ours "by way of env" env A=b ./version
if [ "$FACE" != standard ]; then
    # Such a path comes before LD_LIBRARY_PATH.
    $compiler version.c -o bound -Wl,--disable-new-dtags -Wl,-rpath,/usr/lib/x86_64-linux-gnu
    case $MPIRUN in *mpiexec) ours "a program with a path" ./bound ;; esac
fi
cp version other
ranks 1 ./version : -n $((NP - 1)) ./other > pair.log
[ "$(grep -c "^$NP ranks on Paceline" pair.log)" = "$NP" ] || wrong "two programs in a job: $(head -1 pair.log)"

cat > version.py <<'SOURCE'
import ctypes, sys
mpi = ctypes.CDLL(sys.argv[1])
text, length = ctypes.create_string_buffer(8192), ctypes.c_int()
mpi.MPI_Init(None, None)
mpi.MPI_Get_library_version(text, ctypes.byref(length))
print(text.value.decode().split()[0])
mpi.MPI_Finalize()
SOURCE
ranks "$NP" python3 version.py $name > python.log
[ "$(grep -c '^Paceline' python.log)" = "$NP" ] || wrong "an interpreter: $(head -1 python.log)"

# Two libraries in one process: it says so, also when the other came later.
other=/usr/lib/x86_64-linux-gnu/libmpi.so.40
[ "$FACE" != openmpi ] || other=/usr/lib/x86_64-linux-gnu/libmpich.so.12
if [ -e $other ]; then
    ranks 1 python3 -c 'import ctypes, sys
for name in sys.argv[1:]: last = ctypes.CDLL(name)
last.MPI_Init(None, None); last.MPI_Finalize()' $other $name > two.log 2>&1
    grep -q 'two MPI libraries are in this process' two.log || wrong "no word of two libraries: $(head -3 two.log)"
    ranks 1 python3 -c 'import ctypes, sys
first = ctypes.CDLL(sys.argv[2]); first.MPI_Init(None, None)
other = ctypes.CDLL(sys.argv[1]); first.MPI_Finalize()' $other $name > later.log 2>&1
    grep -q 'two MPI libraries are in this process' later.log || wrong "no word of a second library: $(head -3 later.log)"
fi
