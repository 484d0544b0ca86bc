# SPDX-License-Identifier: MIT OR Apache-2.0
# Our mpicc and mpicxx, and pkg-config, make programs that run; the wrappers say what they do.
FACES="standard"
. "$(dirname "$0")/common.sh"

source=$ROOT/examples-c/01_hello.c
"$STAGE/bin/mpicc" -O1 "$source" -o hello
ranks "$NP" ./hello | tee hello.log
"$STAGE/bin/mpicc" -c "$source" -o hello.o && "$STAGE/bin/mpicc" hello.o -o apart
ranks "$NP" ./apart > apart.log

printf '#include <mpi.h>\nint main(int argc, char **argv) { MPI_Init(&argc, &argv); return MPI_Finalize(); }\n' > plain.cc
"$STAGE/bin/mpicxx" plain.cc -o plain && ranks "$NP" ./plain

"$STAGE/bin/mpicc" -show x.c | grep -q -- '-lmpi_abi' || wrong "-show does not name the library"
[ "$("$STAGE/bin/mpicc" --version)" = "$(cc --version)" ] || wrong "--version is not the compiler's"
# The two halves say enough to do without the wrapper.
cc $("$STAGE/bin/mpicc" -show-compile) "$source" -o halves $("$STAGE/bin/mpicc" -show-link)
ranks "$NP" ./halves > halves.log
if command -v pkg-config > /dev/null; then
    export PKG_CONFIG_PATH=$STAGE/lib/pkgconfig
    cc "$source" -o configured $(pkg-config --cflags --libs mpi)
    ranks "$NP" ./configured > configured.log
fi
