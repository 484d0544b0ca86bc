# SPDX-License-Identifier: MIT OR Apache-2.0
# Where the buffers lie chooses the algorithm, on all ranks alike, and kernels read operands where the other ranks have them.
. "$(dirname "$0")/common.sh"
program gpu/programs/measure
export PACELINE_REPORT=1

# says WHAT: a report of the last run does.
says() {
    grep -q "$1" report.txt || { echo "no report says: $1"; cat report.txt; exit 1; }
}

$MPIRUN -n 4 ./measure 4194304 20 > report.txt 2>&1
says "bcast  *star"
says "allreduce  *two_shot"
says "read by the kernel at the sender"
GPU_SPREAD=1 SIMCUDA_DEVICES=4 $MPIRUN -n 4 ./measure 4194304 20 > report.txt 2>&1
says "bcast  *chain"
says "allreduce  *two_shot"
says "read by the kernel at the sender"
GPU_SPREAD=1 SIMCUDA_DEVICES=2 $MPIRUN -n 2 ./measure 1048576 20 > report.txt 2>&1
says "allreduce  *one_shot"

# Nonblocking and persistent ones follow what the ranks agreed on last.
program gpu/programs/agreed
export PACELINE_COLL="allreduce:*:cuda:*:@tree,bcast:*:cuda:*:@ring"
$MPIRUN -n 2 ./agreed 1 > report.txt 2>&1
says "allreduce  *two_shot"
says "allreduce  *tree"
says "bcast  *star"
says "bcast  *ring"
