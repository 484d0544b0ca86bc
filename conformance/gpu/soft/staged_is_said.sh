# SPDX-License-Identifier: MIT OR Apache-2.0
# Messages that go through the host are said to, with the reason, and no rank says a reason twice; memory with handles has no such line.
. "$(dirname "$0")/common.sh"
program gpu/programs/pools
program gpu/programs/bcast_shapes
export PACELINE_REPORT=1

# says RANKS REASON VARIABLE=VALUE PROGRAM...: the report of a run has the reason, once a rank at most.
says() {
    local lines
    env "$3" $MPIRUN -n "$1" "${@:4}" > report.txt 2>&1 || { cat report.txt; exit 1; }
    lines=$(grep -c "are staged through the host: $2" report.txt) || true
    [ "$lines" -ge 1 ] && [ "$lines" -le "$1" ] || { echo "$lines lines of the report say: $2 ($3)"; cat report.txt; exit 1; }
}

says 2 "memory of a stream-ordered pool" GPU_KINDS=pool ./pools 1
says 2 "managed memory has no handle" GPU_KINDS=managed ./bcast_shapes
says 2 "a virtual mapping" GPU_KINDS=mapped ./bcast_shapes
says 2 "cuIpcOpenMemHandle failed" SIMCUDA_IPC=off ./bcast_shapes
says 2 "PACELINE_GPU_IPC is off" PACELINE_GPU_IPC=off ./bcast_shapes
GPU_KINDS=device $MPIRUN -n 2 ./bcast_shapes > report.txt 2>&1 || { cat report.txt; exit 1; }
! grep "are staged" report.txt || exit 1
