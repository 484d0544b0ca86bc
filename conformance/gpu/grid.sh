#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Scenarios on simulated devices, each forced over every algorithm that can serve it, with 2, 4 and 8 ranks, on one device and on
# four: a table with one line for a scenario and its algorithms. What CI runs of it are the rows "forced" of the suite gpu.
# Needs a staged library (make) and mpicc. Arguments: names of scenarios (all when none); RANKS and DEVICES choose columns.
# A cell says ok, or FAIL and the exit status; the outputs of those that failed lie in gpu-grid/.
set -u
cd "$(dirname "$0")/../.."
stage=$PWD/${STAGE:-stage} out=${OUT:-gpu-grid}
ranks=${RANKS:-2 4 8} devices=${DEVICES:-1 4} limit=${LIMIT:-120}
mpicc=mpicc.openmpi
command -v $mpicc > /dev/null || mpicc=mpicc
mkdir -p "$out"

# Name, what it calls (all: bcast, allreduce and reduce; none: messages alone), program and arguments.
scenarios='T01 bcast bcast_shapes
T05 all degenerate
T06 none aliasing
T09 all collectives nonblocking
T09op allreduce user_op
T11 bcast pools 2
T13 bcast,allreduce churn 12 2
T14 bcast,allreduce threads
T15 allreduce streams 20
T16 bcast reset
T23 allreduce sixteen_bit
T26 none in_flight
T29 none halo
every all collectives
agreed all agreed'

bcast=(binomial chain/64K ring star star)
allreduce=(one_shot recursive_doubling ring/16K tree two_shot)
reduce=(binomial chain/16K star two_shot two_shot)

# rules CALLS NUMBER: the rules that force the calls' algorithms of that number. Sums of 16 bits that are promised to be rounded once
# are small: they keep their algorithm.
rules() {
    local call calls=$1 from=0
    [ "$calls" != all ] || calls=bcast,allreduce,reduce
    [ "$scenario" != T23 ] || from=16K
    for call in ${calls//,/ }; do
        local -n menu=$call
        echo -n "$call:$from-inf:*:*:@${menu[$2]},"
    done
}

# cell RANKS DEVICES: one run.
cell() {
    local name="$scenario.$1.$2.$number" spread=0 status
    [ "$2" = 1 ] || spread=1
    PACELINE_COLL=${forced%,} GPU_SPREAD=$spread SIMCUDA_DEVICES=$2 SIMCUDA_SEED=$((number * 10 + $1)) SIMCUDA_DELAY_US=100 \
        LD_LIBRARY_PATH="$stage/simcuda" timeout -k 2 "$limit" "$stage/bin/mpiexec" -n "$1" "$out/${program[0]}" "${program[@]:1}" > "$out/$name" 2>&1 < /dev/null
    status=$?
    if [ $status = 0 ]; then
        passed=$((passed + 1)) && rm "$out/$name" && printf ' %9s' ok
    else
        failed=$((failed + 1)) && printf ' %9s' "FAIL $status"
    fi
}

passed=0 failed=0
printf '%-7s %-62s' scenario algorithms
for d in $devices; do for n in $ranks; do printf ' %9s' "${n} on $d"; done; done
echo
while read -r scenario calls words; do
    [ $# = 0 ] || [[ " $* " == *" $scenario "* ]] || continue
    read -ra program <<< "$words"
    $mpicc -std=gnu11 -O2 -w "conformance/gpu/programs/${program[0]}.c" -o "$out/${program[0]}" -lm -lpthread || exit 1
    for number in 0 1 2 3 4; do
        case $calls,$number in none,[1-4] | bcast,4) continue ;; esac
        forced=$([ "$calls" = none ] || rules "$calls" $number)
        printf '%-7s %-62s' "$scenario" "$(sed 's/:[^@]*@/ /g; s/,$//' <<< "$forced")"
        for d in $devices; do for n in $ranks; do cell "$n" "$d"; done; done
        echo
    done
done <<< "$scenarios"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
