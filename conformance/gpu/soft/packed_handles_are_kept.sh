# SPDX-License-Identifier: MIT OR Apache-2.0
# The packed forms of messages lie in allocations of the library's own: their handles are opened once, too, whatever was packed.
. "$(dirname "$0")/common.sh"
program gpu/programs/packed
opened() {
    rm -f counts
    $MPIRUN -n "$NP" ./packed "$1" >&2
    calls cuIpcOpenMemHandle_v2
}
few=$(opened 2) many=$(opened 8)
[ "$few" -gt 0 ] && [ "$few" = "$many" ] || { echo "$few handles were opened, and $many with more repetitions"; exit 1; }
