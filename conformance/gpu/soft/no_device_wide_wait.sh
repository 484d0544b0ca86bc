# SPDX-License-Identifier: MIT OR Apache-2.0
# No call waits for a whole context, and streams of the program are never waited for by the host.
. "$(dirname "$0")/common.sh"
program gpu/programs/collectives
$MPIRUN -n "$NP" ./collectives
[ "$(calls cuCtxSynchronize)" = 0 ] || { echo "cuCtxSynchronize was called"; exit 1; }
[ "$(calls cuMemcpyAsync)" -gt 0 ] || [ "$(calls cuLaunchKernel)" -gt 0 ] || { echo "nothing was done on the device"; exit 1; }
