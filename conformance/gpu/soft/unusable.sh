# SPDX-License-Identifier: MIT OR Apache-2.0
# A driver that is mapped but of no use (a stub, broken, ancient, without devices) leaves programs with host memory as they
# are, and the report says so in one line of each rank: whether the program asks for devices (query) or not (bcast).
. "$(dirname "$0")/common.sh"
program programs/bcast
program gpu/programs/query

# run DRIVER PROGRAM LINE: the report has the line once for each rank.
run() {
    env "$1" PACELINE_REPORT=1 LD_PRELOAD=libcuda.so.1 $MPIRUN -n "$NP" ./$2 > report.txt 2>&1 || { cat report.txt; echo "$2 failed with $1"; exit 1; }
    lines=$(grep -c "note: CUDA: .*must be in host memory: $3" report.txt) || true
    all=$(grep -c "note: CUDA" report.txt) || true
    [ "$lines" = "$NP" ] && [ "$all" = "$NP" ] || { cat report.txt; echo "$2 with $1: $lines lines of the report say \"$3\""; exit 1; }
}

for of_no_use in cuDriverGetVersion=34/stub cuDriverGetVersion=999/999; do
    for program in bcast "query no"; do run "SIMCUDA_FAIL=${of_no_use%/*}" "$program" ".*${of_no_use#*/}"; done
done
for program in bcast "query no"; do run SIMCUDA_VERSION=9020 "$program" "its version 9.2"; done
for broken in SIMCUDA_FAIL=cuInit=34 SIMCUDA_FAIL=cuInit=999 SIMCUDA_FAIL=cuDeviceGetCount=999 SIMCUDA_DEVICES=0; do
    run "$broken" bcast "the program has not started it"
done
run SIMCUDA_FAIL=cuInit=34 "query no" "cuInit failed: CUDA_ERROR_STUB_LIBRARY"
run SIMCUDA_FAIL=cuInit=999 "query no" "cuInit failed: CUDA_ERROR_UNKNOWN"
run SIMCUDA_FAIL=cuDeviceGetCount=999 "query no" "cuDeviceGetCount failed: CUDA_ERROR_UNKNOWN"
run SIMCUDA_DEVICES=0 "query no" "cuInit failed: CUDA_ERROR_NO_DEVICE"
