# SPDX-License-Identifier: MIT OR Apache-2.0
# Handles of other processes are opened once, not in each call: a program that repeats its calls on two buffers opens as many when it
# repeats them eight times as often.
. "$(dirname "$0")/common.sh"
program gpu/programs/measure
opened() {
    rm -f counts
    $MPIRUN -n "$NP" ./measure 262144 "$1" >&2
    calls cuIpcOpenMemHandle_v2
}
few=$(opened 5) many=$(opened 40)
[ "$few" -gt 0 ] && [ "$few" = "$many" ] || { echo "$few handles were opened, and $many with more repetitions"; exit 1; }
