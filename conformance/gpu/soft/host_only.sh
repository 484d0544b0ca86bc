# SPDX-License-Identifier: MIT OR Apache-2.0
# A program that does not use CUDA makes no call of the driver, and does not even load it, although it could be found.
. "$(dirname "$0")/common.sh"
program programs/bcast
program gpu/programs/bcast_shapes
PACELINE_REPORT=1 $MPIRUN -n "$NP" ./bcast > report.txt 2>&1 || { cat report.txt; exit 1; }
[ ! -e counts ] || { echo "the driver was loaded: $(cat counts)"; exit 1; }
[ "$(grep -c "libcuda.so.1 is not in this process" report.txt)" = "$NP" ] || { cat report.txt; echo "the report does not say that there is no driver"; exit 1; }
# The same count sees a program that does use it.
$MPIRUN -n "$NP" ./bcast_shapes
[ "$(calls cuInit)" -ge "$NP" ] || { echo "the driver counts nothing"; exit 1; }
