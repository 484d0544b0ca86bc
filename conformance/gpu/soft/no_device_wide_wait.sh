# SPDX-License-Identifier: MIT OR Apache-2.0
# No call waits for a whole context, and streams of the program are never waited for by the host.
. "$(dirname "$0")/common.sh"
program gpu/programs/collectives
$MPIRUN -n "$NP" ./collectives
for wait in cuCtxSynchronize cuStreamSynchronize cuEventSynchronize; do
    [ "$(calls $wait)" = 0 ] || { echo "$wait was called"; exit 1; }
done
[ "$(calls cuEventQuery)" -gt 0 ] || { echo "no event was asked for"; exit 1; }
[ "$(calls cuMemcpyAsync)" -gt 0 ] || [ "$(calls cuLaunchKernel)" -gt 0 ] || { echo "nothing was done on the device"; exit 1; }
