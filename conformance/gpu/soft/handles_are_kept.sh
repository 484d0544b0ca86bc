# SPDX-License-Identifier: MIT OR Apache-2.0
# Handles of other processes are opened once, not in each call: the times of a program that repeats its calls on two buffers.
. "$(dirname "$0")/common.sh"
program gpu/programs/measure
$MPIRUN -n "$NP" ./measure 1048576 20
opened=$(calls cuIpcOpenMemHandle_v2)
# Two buffers of each rank in each other rank, and what the library shares for itself.
most=$((NP * (NP - 1) * 6 + 8))
[ "$opened" -le "$most" ] || { echo "$opened handles were opened, $most would do"; exit 1; }
