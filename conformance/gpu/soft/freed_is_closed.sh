# SPDX-License-Identifier: MIT OR Apache-2.0
# Mappings of memory that its owner has freed are closed, each once, and no others: what is in use stays mapped, and is never opened again.
. "$(dirname "$0")/common.sh"
program gpu/programs/freed
$MPIRUN -n "$NP" ./freed 4 24 3
pairs=$((NP * (NP - 1)))
opened=$(calls cuIpcOpenMemHandle_v2) closed=$(calls cuIpcCloseMemHandle)
# Of each other rank: the probe, two buffers that live on, and three buffers in each of the four rounds.
[ "$opened" = $((pairs * 15)) ] || { echo "$opened handles were opened, should be $((pairs * 15))"; exit 1; }
# The two are freed at the end, and may be closed then.
[ "$closed" -ge $((pairs * 12)) ] && [ "$closed" -le $((pairs * 14)) ] || { echo "$closed mappings were closed, should be $((pairs * 12))"; exit 1; }
