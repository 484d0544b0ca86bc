#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Checks and measures device buffers with what pack.sh has put into gpu-kit/; no network, no compiler, under four minutes on
# one GPU. --simulated: the same checks on the simulated driver, with small sizes and no peers.
# It writes results.json and table.txt into $OUT (gpu-results/) and closes with "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/../.."
kit=$PWD/${KIT:-gpu-kit}
out=${OUT:-gpu-results}
[ -d "$kit" ] || [ ! -f "$kit.tar.xz" ] || xz -dc "$kit.tar.xz" | tar -ixf -
mkdir -p "$out"
lines=$out/lines.txt
: > "$lines"
passed=0 failed=0 skipped=0
simulated=no largest=$((1 << 30)) budget=60 limit=60 deadline=225
churn="200 64" pools=64 rounds=1000
if [ "${1:-}" = --simulated ]; then
    simulated=yes largest=65536 budget=5 limit=240 deadline=3600
    churn="20 3" pools=2 rounds=20
    export LD_LIBRARY_PATH=$kit/stage/simcuda SIMCUDA_DELAY_US=50
fi
mpiexec=$kit/stage/bin/mpiexec

# verdict NAME STATUS: counts one check.
verdict() {
    if [ "$2" = 0 ]; then
        passed=$((passed + 1)) && echo "ok   $1"
    else
        failed=$((failed + 1)) && echo "FAIL $1 (status $2)" && tail -5 "$out/last.txt"
    fi
}

skip() {
    skipped=$((skipped + 1)) && echo "skip $1: $2"
}

# late WHAT: whether the time is up; then it is skipped, so that the results are written within four minutes whatever hangs.
late() {
    [ $SECONDS -ge $deadline ] && skip "$1" "the time is up"
}

# What is left of the time for one check.
left() {
    echo $((deadline - SECONDS < limit ? deadline - SECONDS + 1 : limit))
}

# check RANKS KINDS PROGRAM ARGUMENTS...
check() {
    local ranks=$1 kinds=$2
    shift 2
    late "$* np=$ranks kinds=$kinds" && return
    GPU_KINDS=$kinds timeout -k 2 $(left) "$mpiexec" -n "$ranks" "$kit/openmpi/$1" "${@:2}" > "$out/last.txt" 2>&1
    verdict "$* np=$ranks kinds=$kinds" $?
}

# keep LIBRARY COMMAND...: its lines of results, with the library's name in front.
keep() {
    local name=$1 status
    shift
    late "$name" && return
    timeout -k 2 $(left) "$@" > "$out/last.txt" 2>&1
    status=$?
    grep -E '^(measured|ceiling|fact) ' "$out/last.txt" | sed "s/^/$name /" >> "$lines"
    verdict "$name: $(basename "${!#}" 2> /dev/null)" $status
}

correctness() {
    local ranks
    for ranks in 2 4 8; do
        check $ranks device collectives
        check $ranks device,host collectives nonblocking
        check $ranks pool,mapped,managed,device bcast_shapes
    done
    for ranks in 2 4; do
        check $ranks device messages
        check $ranks mapped,pinned,pool messages
        check $ranks device types
        check $ranks device user_op
        check $ranks device degenerate
        check $ranks device streams $rounds
        check $ranks device threads
        check $ranks device in_flight
        check $ranks device churn $churn
        check $ranks pool pools $pools
    done
    for ranks in 2 4; do
        check $ranks device,host bottom
        check $ranks device beside
    done
    check 2 device local
    check 8 device sixteen_bit
    check 2 device reset
    check 2 device query
    check 3 device aliasing
    [ $simulated = yes ] || check 2 device halo timed
}

measurements() {
    local ranks
    keep facts "$mpiexec" -n 2 "$kit/openmpi/facts" $([ $simulated = yes ] && echo 2 8 || echo 1024 1024)
    for ranks in 2 4 8; do
        keep paceline "$mpiexec" -n $ranks "$kit/openmpi/measure" $largest $budget "$kit/kernels"
    done
}

intel() {
    local home=$kit/peers/impi ranks
    [ -d "$home" ] || { skip "Intel MPI" "not packed"; return; }
    for ranks in 2 4 8; do
        keep intel env I_MPI_ROOT="$home" I_MPI_FABRICS=shm I_MPI_PIN=0 I_MPI_OFFLOAD=1 I_MPI_OFFLOAD_MODE=cuda \
            I_MPI_OFFLOAD_CUDA_LIBRARY=libcuda.so.1 LD_LIBRARY_PATH="$home/lib:${LD_LIBRARY_PATH:-}" \
            "$home/bin/mpiexec.hydra" -n $ranks "$kit/mpich/measure" $largest $budget
    done
}

# Blocking calls alone: its nonblocking reductions take no device pointers.
openmpi() {
    local home=$kit/peers/openmpi ucx=$kit/peers/ucx/lib ranks
    [ -d "$home" ] && [ -d "$ucx" ] || { skip "Open MPI with UCX" "not packed"; return; }
    for ranks in 2 4 8; do
        keep openmpi env OPAL_PREFIX="$home" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 LD_LIBRARY_PATH="$home/lib:${LD_LIBRARY_PATH:-}" \
            "$home/bin/mpirun" -n $ranks --bind-to none --oversubscribe --mca pml ucx --mca pml_ucx_tls any --mca pml_ucx_devices any \
            --mca coll ^sm,han -x UCX_TLS=self,sm,cuda_copy,cuda_ipc -x LD_LIBRARY_PATH \
            -x LD_PRELOAD="$ucx/libucm.so.0:$ucx/libucs.so.0:$ucx/libuct.so.0:$ucx/libucp.so.0" \
            "$kit/openmpi/measure" $largest $budget none blocking
    done
}

nccl() {
    [ -f "$kit/peers/nccl/libnccl.so.2" ] || { skip NCCL "not packed"; return; }
    keep nccl env NCCL_MULTI_RANK_GPU_ENABLE=1 NCCL_MAX_CTAS=4 LD_LIBRARY_PATH="$kit/peers/nccl:${LD_LIBRARY_PATH:-}" \
        "$mpiexec" -n 2 "$kit/openmpi/nccl" $largest $budget
}

# The layout of nccl-tests, one block for each library, operation and number of ranks.
table() {
    awk '$2 == "measured" {
        key = $1 " " $3 " np=" $4
        if (key != last) printf "\n# %s\n#%12s %12s %8s %6s %12s %8s %8s %7s\n", key, "size", "count", "type", "redop", "time", "algbw", "busbw", "#wrong"
        last = key
        reduces = $3 ~ /allreduce/
        algbw = $6 > 0 ? $5 / $6 / 1e3 : 0
        busbw = reduces ? algbw * 2 * ($4 - 1) / $4 : algbw
        printf "%13d %12d %8s %6s %12.2f %8.2f %8.2f %7d\n", $5, $5 / 4, "float", reduces ? "sum" : "none", $6, algbw, busbw, $7
    }' <(sort -s -k1,1 -k3,3 -k4,4n "$lines")
}

json() {
    awk 'BEGIN { printf "{\n  \"results\": [" }
        $2 == "measured" { printf "%s\n    {\"library\": \"%s\", \"operation\": \"%s\", \"ranks\": %d, \"bytes\": %d, \"us\": %s, \"wrong\": %d}", n++ ? "," : "", $1, $3, $4, $5, $6, $7 }
        $2 == "ceiling" { ceilings = ceilings sprintf("%s\n    {\"what\": \"%s\", \"ranks\": %d, \"bytes\": %d, \"gbps\": %s}", c++ ? "," : "", $3, $4, $5, $6) }
        $2 == "fact" { value = $4; for (i = 5; i <= NF; i++) value = value " " $i
            facts = facts sprintf("%s\n    {\"name\": \"%s\", \"value\": \"%s\"}", f++ ? "," : "", $3, value) }
        END { printf "\n  ],\n  \"ceilings\": [%s\n  ],\n  \"facts\": [%s\n  ]\n}\n", ceilings, facts }' "$lines"
}

correctness
measurements
if [ $simulated = no ]; then
    command -v nvidia-smi > /dev/null && nvidia-smi -L
    intel
    openmpi
    nccl
else
    skip peers "they need a real device"
fi
table > "$out/table.txt"
json > "$out/results.json"
cat "$out/table.txt"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
