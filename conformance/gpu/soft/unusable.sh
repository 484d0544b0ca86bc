# SPDX-License-Identifier: MIT OR Apache-2.0
# A driver that is mapped but of no use (a stub, broken, ancient, without devices) leaves programs with host memory as they are.
. "$(dirname "$0")/common.sh"
program programs/bcast
for driver in SIMCUDA_FAIL=cuDriverGetVersion=34 SIMCUDA_FAIL=cuDriverGetVersion=999 SIMCUDA_FAIL=cuInit=34 SIMCUDA_FAIL=cuInit=999 SIMCUDA_FAIL=cuDeviceGetCount=999 SIMCUDA_VERSION=9020 SIMCUDA_DEVICES=0; do
    env "$driver" PACELINE_REPORT=1 LD_PRELOAD=libcuda.so.1 $MPIRUN -n "$NP" ./bcast > report.txt 2>&1 || { cat report.txt; echo "failed with $driver"; exit 1; }
    # One line of each rank where the driver itself is of no use; where only devices are not, nobody has asked for one.
    lines=$(grep -c "CUDA: the driver in this process cannot be used" report.txt) || true
    case $driver in
        *cuDriverGetVersion* | *VERSION*) [ "$lines" = "$NP" ] || { cat report.txt; echo "$lines lines of the report say so with $driver"; exit 1; } ;;
        *) [ "$lines" = 0 ] || { cat report.txt; exit 1; } ;;
    esac
done
