# SPDX-License-Identifier: MIT OR Apache-2.0
# A program that goes round slightly more buffers than are kept mapped finds most of them mapped, not none.
. "$(dirname "$0")/common.sh"
program gpu/programs/cyclic
PACELINE_GPU_IMPORTS=32 $MPIRUN -n 2 ./cyclic 34 20
opened=$(calls cuIpcOpenMemHandle_v2)
[ "$opened" -gt 34 ] && [ "$opened" -lt 340 ] || { echo "$opened handles were opened for 680 messages from 34 buffers"; exit 1; }
