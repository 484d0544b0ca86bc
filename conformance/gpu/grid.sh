#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Scenarios on simulated devices, each forced over every algorithm that can serve it, with 2, 4 and 8 ranks, on one device and on
# four: a table with one line for a scenario and its algorithms. What CI runs of it are the rows "forced" of the suite gpu.
# Needs a staged library (make) and mpicc. Arguments: names of scenarios (all when none); RANKS and DEVICES choose columns.
# FULL=1: buffers as large, and rounds as many, as T11, T13 and T15 name (256 MiB, 200 and 1000); it takes hours with all columns.
# A cell says ok, or FAIL and the exit status; the outputs of those that failed lie in gpu-grid/. LIMIT: seconds of a run, for a busy machine.
set -u
cd "$(dirname "$0")/../.."
stage=$PWD/${STAGE:-stage} out=${OUT:-gpu-grid}
ranks=${RANKS:-2 4 8} devices=${DEVICES:-1 4} limit=${LIMIT:-120}
mkdir -p "$out"

# Name, what it calls (all: bcast, allreduce and reduce; reductions: the calls that reduce; none: neither; paths: messages, by each way that they can take), program and
# arguments. A program may name the ABI that it is compiled for; "fails:" before it: the job must end with a failure, in time.
scenarios='T01 bcast bcast_shapes
T03 bcast large
T03_c bcast standard:large
T05 all degenerate
T06 none aliasing
T09 all collectives nonblocking
T09op reductions user_op
T11 bcast pools 2
T13 bcast,allreduce churn 40 6
T14 bcast,allreduce threads
T15 allreduce streams 20
T16 bcast reset
T16release bcast reset release
T16again bcast reset again
T16exit bcast fails:reset exit
T23 allreduce,reduce sixteen_bit stepwise
T23bf16 allreduce,reduce mpich:sixteen_bit stepwise
T26 paths in_flight
T27 all bottom
T27mpich all mpich:bottom
T27std all standard:bottom
T28 bcast,allreduce beside
T29 paths halo
every all collectives
agreed all agreed'

bcast=(binomial chain/64K ring star star)
allreduce=(one_shot recursive_doubling ring/16K tree two_shot/inf)
reduce=(binomial chain/16K star two_shot two_shot/inf)
reduce_scatter=(direct ring direct ring direct)
reduce_scatter_block=("${reduce_scatter[@]}")
scan=(linear recursive_doubling linear recursive_doubling linear)
exscan=("${scan[@]}")

# The smallest pieces that staged messages go in, and ranks that may not read each other.
paths=('' SIMCUDA_IPC=off 'SIMCUDA_IPC=off PACELINE_GPU_CHUNK=1' 'SIMCUDA_IPC=off PACELINE_GPU_CHUNK=1 PACELINE_CMA=off')

# full SCENARIO WORDS...: the words of a program at the size that the scenario names.
full() {
    case $1 in
        T11) echo pools 256 ;;
        T13) echo churn 200 256 ;;
        T15) echo streams 1000 ;;
        *) echo "${@:2}" ;;
    esac
}

# compile ABI SOURCE PROGRAM
compile() {
    local mpicc=mpicc.$1
    [ "$1" != standard ] || mpicc=$stage/bin/mpicc
    command -v "$mpicc" > /dev/null || mpicc=mpicc
    "$mpicc" -std=gnu11 -O2 -w "$2" -o "$3" -lm -lpthread
}

# rules CALLS NUMBER: the rules that force the calls' algorithms of that number. Sums of 16 bits are rounded once by any algorithm
# if they are small: they keep theirs. The last are for ranks that have agreed on where their buffers lie, as they do where the table chooses.
rules() {
    local call calls=$1 from=0 memory='*'
    [ "$2" != 4 ] || memory=cuda
    [ "$calls" != all ] || calls=bcast,allreduce,reduce
    [ "$calls" != reductions ] || calls=allreduce,reduce,reduce_scatter,reduce_scatter_block,scan,exscan
    [[ "$scenario" != T23* ]] || from=65537
    for call in ${calls//,/ }; do
        local -n menu=$call
        echo -n "$call:$from-inf:$memory:*:@${menu[$2]},"
    done
}

# once RANKS DEVICES OUTPUT: one run.
once() {
    local spread=0
    [ "$2" = 1 ] || spread=1
    env ${forced:+PACELINE_COLL=${forced%,}} $path GPU_SPREAD=$spread SIMCUDA_DEVICES="$2" SIMCUDA_SEED=$((number * 10 + $1)) SIMCUDA_DELAY_US=100 \
        LD_LIBRARY_PATH="$stage/simcuda" timeout -k 2 "$limit" "$stage/bin/mpiexec" -n "$1" "$out/$binary" "${program[@]:1}" > "$3" 2>&1 < /dev/null
}

# cell RANKS DEVICES
cell() {
    local name="$out/$scenario.$1.$2.$number" status=0
    once "$1" "$2" "$name" || status=$?
    if [ $fails = yes ]; then
        case $status in
            0) status=1 ;;
            124 | 126 | 127 | 137) ;;
            *) status=0 ;;
        esac
    fi
    if [ $status = 0 ]; then
        passed=$((passed + 1)) && rm "$name" && printf ' %9s' ok
    else
        failed=$((failed + 1)) && printf ' %9s' "FAIL $status"
    fi
}

passed=0 failed=0
printf '%-8s %-76s' scenario 'algorithms or path'
for d in $devices; do for n in $ranks; do printf ' %9s' "${n} on $d"; done; done
echo
while read -r scenario calls words; do
    [ $# = 0 ] || [[ " $* " == *" $scenario "* ]] || continue
    read -ra program <<< "$words"
    abi=openmpi source=${program[0]} fails=no
    [[ $source != fails:* ]] || fails=yes source=${source#fails:}
    [[ $source != *:* ]] || abi=${source%:*} source=${source#*:}
    [ -z "${FULL:-}" ] || program=($(full "$scenario" "${program[@]}"))
    binary=$source.$abi
    compile "$abi" "conformance/gpu/programs/$source.c" "$out/$binary" || exit 1
    for number in 0 1 2 3 4; do
        case $calls,$number in none,[1-4] | bcast,4 | paths,4) continue ;; esac
        path='' forced=''
        case $calls in
            none) ;;
            paths) path=${paths[$number]} ;;
            *) forced=$(rules "$calls" $number) ;;
        esac
        printf '%-8s %-76s' "$scenario" "$path$(sed 's/:[^@]*@/ /g; s/,$//' <<< "$forced")"
        for d in $devices; do for n in $ranks; do cell "$n" "$d"; done; done
        echo
    done
done <<< "$scenarios"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
