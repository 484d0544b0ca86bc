#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Checks and measures device buffers with what pack.sh has put into gpu-kit/; no network, no compiler, under four minutes on
# one GPU. --simulated: the same checks on the simulated driver, with small sizes and no peers.
# DEADLINE: the seconds it may take (225). PARTS: some of "core figures peers forced extras" (all). Each part has a share of the time; what does
# not fit in it comes later, before the extras, and what does not fit at all is counted as skipped, by name.
# It writes into $OUT (gpu-results/): checks.txt (verdict, seconds, name, reason), failures.txt (the last 40 lines of each that failed), lines.txt
# (what was measured, as printed), table.txt (the same in nccl-tests' layout), results.json (all of it) and logs.tar.gz (every output). The output is
# short, with the failures and "N passed, N failed, N skipped" last.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.."
kit=$PWD/${KIT:-gpu-kit}
. conformance/gpu/peers.sh
. conformance/gpu/report.sh
unxz() {
    if command -v xz > /dev/null; then xz -dc; else python3 -c 'import lzma, shutil, sys; shutil.copyfileobj(lzma.open(sys.stdin.buffer), sys.stdout.buffer)'; fi
}
[ -d "$kit" ] || [ ! -f "$kit.tar.xz" ] || unxz < "$kit.tar.xz" | tar -C "$(dirname "$kit")" -ixf -
mkdir -p "${OUT:-gpu-results}" && out=$(cd "${OUT:-gpu-results}" && pwd)
lines=$out/lines.txt checks=$out/checks.txt failures=$out/failures.txt
for file in "$lines" "$checks" "$failures"; do : > "$file"; done
logs=$(mktemp -d)
# What the driver compiles serves all checks, whether there is a home to keep it or not.
export SESSIONS=$logs CUDA_CACHE_PATH=${CUDA_CACHE_PATH:-$logs/compiled}
passed=0 failed=0 skipped=0 number=0
postponed=()
mps= # whether a daemon of this run is there
simulated=no largest=$((1 << 30)) large=$((256 << 20)) budget=60 limit=40 deadline=${DEADLINE:-225}
churn="200 64" freed="6 1024" pools=64 rounds=1000 points=0
if [ "${1:-}" = --simulated ]; then
    simulated=yes largest=65536 large=65536 budget=5 limit=300 deadline=${DEADLINE:-5400}
    churn="40 6" freed="2 12" pools=2 rounds=20 points=4
    export LD_LIBRARY_PATH=$kit/stage/simcuda SIMCUDA_DELAY_US=50
fi
# A check that hangs says who is waited for before its limit.
export PACELINE_STUCK=${PACELINE_STUCK:-$((limit / 2))}
until=$deadline
mpiexec=$kit/stage/bin/mpiexec

# verdict NAME WORD [REASON]: counts one check and keeps it.
verdict() {
    case $2 in
        ok) passed=$((passed + 1)) ;;
        FAIL) failed=$((failed + 1)) ;;
        skip | absent) skipped=$((skipped + 1)) ;;
    esac
    printf '%s\t%s\t%s\t%s\n' "$2" "$took" "$1" "${3:-}" >> "$checks"
    case $2 in
        FAIL)
            { echo "== $1 (${3:-}, $took s)" && tail -40 "$log" && echo; } | tr -cd '\11\12\40-\176' >> "$failures"
            tail -40 "$log" | tr -cd '\11\12\40-\176' > "$logs/$passed.$failed.tail"
            printf '%s\t%s\n' "$1" "$logs/$passed.$failed.tail" >> "$logs/tails"
            ;;
    esac
    [ "$2" = ran ] || [ "$2" = absent ] || printf '%-4s %5s s  %s%s\n' "$2" "$took" "$1" "${3:+: $3}"
}

skip() {
    took=0 && verdict "$1" skip "$2"
}

# part NAME SECONDS: begins a part, if it is asked for; its share of the time ends then.
part() {
    until=$(($2 < deadline ? $2 : deadline))
    [ $simulated = no ] || until=$deadline
    [[ " ${PARTS:-core figures peers forced extras} " == *" $1 "* ]]
}

# later NAME COMMAND...: whether the time of the part is up. Then the command, a function here, comes later, or never.
later() {
    [ $SECONDS -ge $until ] || return 1
    if [ $until -lt $deadline ]; then
        postponed+=("$(printf '%q ' "${@:2}")")
    else
        skip "$1" "the time is up ($deadline s)"
    fi
}

# What was postponed, as far as there is time.
catch_up() {
    local todo=("${postponed[@]}") one
    postponed=()
    until=$deadline
    for one in "${todo[@]}"; do eval "$one"; done
}

# run COMMAND...: its output becomes $log, its seconds $took; a function (of a peer) has $LIMIT.
run() {
    local start=$EPOCHREALTIME status
    number=$((number + 1)) log=$logs/$(printf '%03d' $number).txt
    LIMIT=$((deadline - SECONDS < limit ? deadline - SECONDS + 1 : limit))
    if [ "$(type -t "$1")" = function ]; then
        "$@" > "$log" 2>&1 < /dev/null
    else
        timeout -k 2 $LIMIT "$@" > "$log" 2>&1 < /dev/null
    fi
    status=$?
    took=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    return $status
}

# reason STATUS: why a run failed, in a word.
reason() {
    case $1 in
        124 | 137) echo "ended after its limit of $LIMIT s" ;;
        *) echo "status $1" ;;
    esac
}

# check [VARIABLE=VALUE...] RANKS PROGRAM ARGUMENTS...: PROGRAM may name the ABI; "fails" before the ranks: it must end with a failure.
check() {
    local with=() wanted=0 abi=openmpi name status=0 given=("$@")
    while [[ $1 == *=* || $1 == fails ]]; do
        if [ "$1" = fails ]; then wanted=1; else with+=("$1"); fi
        shift
    done
    name="${*:2} np=$1${with[*]:+ ${with[*]}}"
    later "$name" check "${given[@]}" && return
    [[ $2 != *:* ]] || abi=${2%:*}
    run env "${with[@]}" "$mpiexec" -n "$1" "$kit/$abi/${2#*:}" "${@:3}" || status=$?
    case $wanted,$status in
        0,0) verdict "$name" ok ;;
        1,0) verdict "$name" FAIL "it should have ended with a failure" ;;
        0,* | 1,124 | 1,126 | 1,127 | 1,137) verdict "$name" FAIL "$(reason $status)" ;;
        *) verdict "$name" ok ;;
    esac
}

# gather LIBRARY: what the last run measured.
gather() {
    grep -aE '^(measured|ceiling|fact) ' "$log" | sed "s|^|$1 |" >> "$lines"
}

# figures LIBRARY [VARIABLE=VALUE...] RANKS ARGUMENTS...: our own; one that fails is a failed check.
figures() {
    local library=$1 with=() status=0 given=("$@")
    shift
    while [[ $1 == *=* ]]; do with+=("$1") && shift; done
    local name="measure np=$1 ${*:2}${with[*]:+ ${with[*]}}"
    [ "$library" = paceline ] || name="$library: $name"
    later "$name" figures "${given[@]}" && return
    run env "${with[@]}" "$mpiexec" -n "$1" "$kit/openmpi/measure" $largest $budget "$kit/kernels" "${@:2}" || status=$?
    gather "$library"
    if [ $status = 0 ]; then verdict "$name" ok; else verdict "$name" FAIL "$(reason $status)"; fi
}

# peer LIBRARY WHAT COMMAND...: one that fails is no failed check of ours; what it had measured before, with right contents, counts.
peer() {
    local name="$1 $2" status=0 said
    later "$name" peer "$@" && return
    run "${@:3}" || status=$?
    gather "$1"
    said=$(grep -acE '^measured ' "$log")
    if [ $status = 0 ] && [ "$said" != 0 ]; then
        verdict "$name" ran "$said figures"
    else
        local last
        last=$(grep -avE '^(measured|ceiling|fact|OK)|^[[:space:]]*$|^[=-]+$' "$log" | grep -aiE -m 1 'error|fail|signal|segmentation|cannot|not found|undefined|no lib' | tr -cd '\40-\176' | cut -c1-160)
        verdict "$name" absent "peer $([ "$said" = 0 ] && echo "did not run" || echo "ended early, after $said figures"): $(reason $status)${last:+: $last}"
    fi
}

# The most telling checks, each once.
core() {
    local ranks
    for ranks in 2 4; do
        check GPU_KINDS=device $ranks collectives
        check GPU_KINDS=device $ranks messages
        check GPU_KINDS=device $ranks types
    done
    check GPU_KINDS=pool,mapped,managed,device 4 bcast_shapes
    check GPU_KINDS=mapped,pinned,pool 2 messages
    check GPU_KINDS=device 2 local
    check GPU_KINDS=device,host 2 bottom
    check GPU_KINDS=device 2 degenerate
    check 3 aliasing
    check GPU_KINDS=device 2 user_op
    check GPU_KINDS=device 8 sixteen_bit
    check GPU_KINDS=device 2 mpich:sixteen_bit
    check GPU_KINDS=device 2 mpich:coverage
    check GPU_KINDS=device 3 agreed
    check 2 streams $rounds
    check 2 beside
    check GPU_KINDS=device 2 threads
    check GPU_KINDS=device 2 in_flight
    check GPU_KINDS=device 2 churn $churn
    check GPU_KINDS=device 2 freed $freed
    check 2 pools $pools
    check GPU_KINDS=device 2 reset
    check 2 query
    if [ $simulated = no ]; then check 2 halo timed; fi
}

own_figures() {
    local ranks status=0
    if ! later "facts np=2" own_figures; then
        run "$mpiexec" -n 2 "$kit/openmpi/facts" $([ $simulated = yes ] && echo 2 8 || echo 1024 1024) || status=$?
        gather facts
        if [ $status = 0 ]; then verdict "facts np=2" ok; else verdict "facts np=2" FAIL "$(reason $status)"; fi
        ways
        for ranks in 2 8 4; do figures paceline $ranks; done
    fi
}

# What the library says of itself here: which ways messages took, what is staged and why.
ways() {
    local status=0
    later "report np=2" ways && return
    run env PACELINE_REPORT=1 "$mpiexec" -n 2 "$kit/openmpi/measure" $((large < 16777216 ? large : 16777216)) 2 none only=bcast,allreduce,pingpong from=4096 || status=$?
    grep -aE '^  (note:|path|device|reduce|bcast|allreduce) ' "$log" | sort -u | tr -s ' ' | sed 's/^/facts fact report/' >> "$lines"
    if [ $status = 0 ]; then verdict "report np=2" ok; else verdict "report np=2" FAIL "$(reason $status)"; fi
}

# Calls that can crash come last, in a run of their own.
peers() {
    local ranks intel=$kit/mpich/measure ours=$kit/openmpi/measure
    if [ -d "$kit/peers/impi" ]; then
        for ranks in 2 8 4; do
            peer intel "np=$ranks bcast, pingpong" with_intel $ranks "$intel" $large $budget none only=bcast,pingpong,window
            peer intel "np=$ranks allreduce" with_intel $ranks "$intel" $large $budget none only=allreduce
        done
        peer intel "np=2 iallreduce" with_intel 2 "$intel" $large $budget none only=iallreduce
    else
        skip "Intel MPI" "not packed"
    fi
    if [ -d "$kit/peers/openmpi" ] && [ -d "$kit/peers/ucx" ]; then
        for ranks in 2 8 4; do peer openmpi "np=$ranks bcast" with_openmpi $ranks "$ours" $large $budget none only=bcast; done
        peer openmpi "np=2 pingpong" with_openmpi 2 "$ours" $large $budget none only=pingpong,window
        peer openmpi "np=2 allreduce" with_openmpi 2 "$ours" $large $budget none only=allreduce
    else
        skip "Open MPI with UCX" "not packed"
    fi
    if [ -f "$kit/peers/nccl/libnccl.so.2" ]; then
        peer nccl "np=2" env NCCL_MULTI_RANK_GPU_ENABLE=1 NCCL_MAX_CTAS=4 LD_LIBRARY_PATH="$kit/peers/nccl:${LD_LIBRARY_PATH:-}" \
            "$mpiexec" -n 2 "$kit/openmpi/nccl" $large $budget
    else
        skip NCCL "not packed"
    fi
}

# Every algorithm that can serve a broadcast or a reduction on devices: what the table would not choose here must be right all the
# same, also in pieces that cut often, and is measured beside what it chooses. Those of one line run together. ("cuda": the ranks agree on where
# their buffers lie, as they do when the table chooses.)
right="star one_shot star
chain/64K two_shot two_shot
ring ring/16K chain/16K"
timed="star one_shot
chain/4M two_shot/inf
ring ring/4M"

forced() {
    local ranks bcast allreduce reduce with
    while read -r bcast allreduce reduce; do
        with="PACELINE_COLL=bcast:*:cuda:*:@$bcast,allreduce:*:cuda:*:@$allreduce,reduce:*:cuda:*:@$reduce"
        for ranks in 2 4 8; do check GPU_KINDS=device "$with" $ranks collectives; done
    done <<< "$right"
    while read -r bcast allreduce; do
        for ranks in 2 8 4; do by_force "$ranks" "$bcast" "$allreduce"; done
    done <<< "$timed"
}

# by_force RANKS BCAST ALLREDUCE: figures whose library is their algorithm.
by_force() {
    later "measure np=$1 bcast:@$2 allreduce:@$3" by_force "$@" && return
    figures paceline@ "PACELINE_COLL=bcast:*:cuda:*:@$2,allreduce:*:cuda:*:@$3" "$1" only=bcast,allreduce from=$((large < 1048576 ? large / 4 : 1048576))
    sed -i "s|^paceline@ measured bcast |paceline@$2 measured bcast |; s|^paceline@ measured allreduce |paceline@$3 measured allreduce |" "$lines"
}

# Figures where processes run on the device at the same time. The daemon is our own, in folders of its own, and ends here.
under_mps() {
    local ranks
    if ! command -v nvidia-cuda-mps-control > /dev/null; then
        skip "under MPS" "there is no nvidia-cuda-mps-control here"
        return
    fi
    mps_before=$(export -p | grep -E ' CUDA_MPS_(PIPE|LOG)_DIRECTORY=')
    export CUDA_MPS_PIPE_DIRECTORY=$logs/mps CUDA_MPS_LOG_DIRECTORY=$logs/mps
    mkdir -p "$logs/mps"
    if timeout 10 nvidia-cuda-mps-control -d > /dev/null 2>&1 < /dev/null; then
        mps=started
        check UNDER=mps GPU_KINDS=device 2 collectives
        for ranks in 2 8; do figures paceline-mps $ranks only=ceilings,bcast,allreduce,pingpong from=4096; done
        end_mps
    else
        skip "under MPS" "nvidia-cuda-mps-control did not start"
    fi
    unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
    eval "$mps_before"
}

# Ends the daemon that this run has started, if any.
end_mps() {
    [ -n "$mps" ] || return 0
    echo quit | CUDA_MPS_PIPE_DIRECTORY=$logs/mps timeout 10 nvidia-cuda-mps-control > /dev/null 2>&1
    mps=
}

frameworks() {
    command -v python3 > /dev/null || { skip "pointers of CuPy and PyTorch" "there is no python3 here"; return; }
    later "pointers of CuPy and PyTorch" frameworks && return
    if run python3 conformance/gpu/frameworks.py; then
        gather facts && verdict "pointers of CuPy and PyTorch" ok
    else
        verdict "pointers of CuPy and PyTorch" FAIL "status $?"
    fi
}

extras() {
    local ranks
    check GPU_KINDS=device 3 large
    check GPU_KINDS=device 3 mpich:large
    if [ $simulated = no ]; then under_mps; fi
    check GPU_KINDS=device 2 broken
    if [ $points != 0 ]; then check 3 middle $points; else skip middle "only the simulated driver can be told to fail within a call"; fi
    for ranks in 2 8; do check GPU_KINDS=device,host $ranks collectives nonblocking; done
    check GPU_KINDS=device 8 collectives
    check GPU_KINDS=device 8 messages
    check GPU_KINDS=device 3 mpich:coverage
    check GPU_KINDS=device,host 4 mpich:coverage
    check GPU_KINDS=device 8 mpich:sixteen_bit
    check GPU_KINDS=device 3 mpich:agreed
    for ranks in 2 8; do check GPU_KINDS=pool,mapped,managed,device $ranks bcast_shapes; done
    check GPU_KINDS=device 4 user_op
    check 4 beside
    check GPU_KINDS=device,host 4 bottom
    check 4 pools $pools
    check GPU_KINDS=device 4 threads
    check GPU_KINDS=device 4 in_flight
    check GPU_KINDS=device 4 churn $churn
    check GPU_KINDS=device 4 freed $freed
    check GPU_KINDS=device 4 degenerate
    check GPU_KINDS=mapped,pinned,pool 4 messages
    check 4 streams $rounds
    check GPU_KINDS=device 2 reset release
    check GPU_KINDS=device 2 reset again
    check GPU_KINDS=device fails 2 reset exit
    if [ $simulated = no ]; then frameworks; fi
}

# A machine that is of no use is said to be so at once.
ready() {
    local served='' line
    if command -v nvidia-cuda-mps-control > /dev/null && echo get_server_list | timeout 5 nvidia-cuda-mps-control > /dev/null 2>&1; then served=served; fi
    [ -x "$kit/openmpi/ready" ] || { echo "no kit in $kit: conformance/gpu/pack.sh makes it" && exit 4; }
    if run env LD_LIBRARY_PATH="$kit/stage/lib:${LD_LIBRARY_PATH:-}" "$kit/openmpi/ready" $served; then
        gather facts
        return
    fi
    line=$(grep -am 1 '^no usable' "$log" || tail -1 "$log")
    printf 'FAIL\t%s\tready\t%s\n' "$took" "$line" >> "$checks"
    cp "$log" "$failures"
    echo "$line"
    exit 3
}

# Without a persistence daemon the driver shuts a device down with its last user and starts it with the next, which takes seconds: this run is
# a user from start to end. It changes no setting.
hold() {
    local node
    for node in /dev/nvidia[0-9]*; do
        if [ -r "$node" ]; then exec {held}< "$node"; fi
    done 2> /dev/null
}

main() {
    part core 75 && core
    part figures 110 && own_figures
    if part peers 165 && [ $simulated = no ]; then
        peers
    elif [ $simulated = yes ]; then
        skip peers "they need a real device"
    fi
    catch_up
    part forced 205 && forced
    catch_up
    part extras $deadline && extras
}

# Whatever ends the run, what there is by then is written.
finish() {
    trap - EXIT
    end_mps
    report
    rm -f "$logs"/*.tail "$logs/tails"
    (cd "$logs" && tar -czf "$out/logs.tar.gz" -- *.txt)
    rm -rf "$logs"
    [ "${1:-}" != early ] || echo "it was ended early, after $SECONDS s"
    echo "$passed passed, $failed failed, $skipped skipped"
}

trap 'rm -rf "$logs"' EXIT
if [ $simulated = no ]; then hold; fi
ready
trap 'exit 130' TERM INT
trap 'finish early' EXIT
main
finish
[ $failed = 0 ]
