# SPDX-License-Identifier: MIT OR Apache-2.0
# A driver that is mapped but of no use (a stub, broken, ancient, without devices) leaves programs with host memory as they are.
. "$(dirname "$0")/common.sh"
program programs/bcast
for driver in SIMCUDA_FAIL=cuInit=34 SIMCUDA_FAIL=cuInit=999 SIMCUDA_FAIL=cuDeviceGetCount=999 SIMCUDA_VERSION=9020 SIMCUDA_DEVICES=0; do
    env "$driver" LD_PRELOAD=libcuda.so.1 $MPIRUN -n "$NP" ./bcast || { echo "failed with $driver"; exit 1; }
done
