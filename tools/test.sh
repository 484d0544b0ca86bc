#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# All tests that need no GPU: the tests of cargo, then the suites. Closes with "N passed, N failed, N skipped".
set -uo pipefail
cd "$(dirname "$0")/.."

passed=0 failed=0 skipped=0
mkdir -p target/test

# Adds the counts of a run of cargo's tests; a binary that ended without its result line counts as a failure.
count_cargo() {
    local counts
    counts=$(awk '/^test result:/ { p += $4; f += $6; s += $8 } END { print p + 0, f + 0, s + 0 }' "$1")
    set -- $counts "$2"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    if [ "$4" != 0 ] && [ "$2" = 0 ]; then failed=$((failed + 1)); fi
}

# The limits catch what hangs; they leave room for a machine that is slow or shared.
cargo test --workspace --quiet --no-run > target/test/cargo.log 2>&1 </dev/null &&
    timeout --kill-after=10 1200 cargo test --workspace --quiet --no-fail-fast > target/test/cargo.log 2>&1 </dev/null
status=$?
if [ $status != 0 ]; then cat target/test/cargo.log; fi
count_cargo target/test/cargo.log $status
echo "cargo test: $passed passed, $failed failed, $skipped skipped"

# suites NAME SECONDS ARGUMENT...: a run of the conformance program, within a time.
suites() {
    local name=$1 limit=$2 p f s
    shift 2
    rm -f target/test/counts
    timeout --kill-after=10 "$limit" "$OUT"/conformance "$@" --counts target/test/counts </dev/null
    if read -r p f s < target/test/counts; then
        passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    else
        echo "FAIL $name did not end within its time"
        failed=$((failed + 1))
    fi
}

suites "the suites" 2400 "$@"
# The engine is the same on all faces, so on the others each program runs once.
for face in mpich standard; do
    echo "On the face of $face:"
    suites "the programs on the face of $face" 600 programs examples clients --face $face --np 2 --on mpiexec --quick
    # Their headers are of MPI 4, Open MPI's that is installed is not.
    suites "the calls of MPI 4 on devices, on the face of $face" 200 gpu --face $face --np 3 --quick --only coverage
done
# It alone has a type for bf16.
suites "16-bit floats on devices, on the face of MPICH" 200 gpu --face mpich --np 2 --quick --only sixteen_bit

suites "the programs in Fortran on the face of MPICH" 300 fortran --face mpich --quick

echo "Suites of others:"
suites "a part of MPICH's suite" 900 mpich --face mpich --quick
suites "a part of the Intel MPI Benchmarks" 300 imb --face mpich --np 2 --quick
suites "a part of mpi4py's tests" 400 mpi4py --face openmpi --quick

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
