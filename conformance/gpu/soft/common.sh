# SPDX-License-Identifier: MIT OR Apache-2.0
# What the scripts in this folder share: a program is compiled here, and the simulated driver counts its calls.
set -eu
mpicc=mpicc.openmpi
command -v $mpicc > /dev/null || mpicc=mpicc

# program SOURCE: compiles it into the current folder.
program() {
    $mpicc -std=gnu11 -O2 "$ROOT/conformance/$1.c" -o "$(basename "$1")" -lm -lpthread
}

# calls FUNCTION: how often all processes together called it.
calls() {
    tr ' ' '\n' < counts | awk -F= -v name="$1" '$1 == name { all += $2 } END { print all + 0 }'
}

export SIMCUDA_LOG="$PWD/counts" SIMCUDA_DELAY_US=50 LD_LIBRARY_PATH="$STAGE/simcuda"
