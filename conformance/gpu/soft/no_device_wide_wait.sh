# SPDX-License-Identifier: MIT OR Apache-2.0
# No call waits for a whole context, and streams of the program are never waited for by the host. Mappings of buffers that come and go are
# closed, which waits, but not by the thread that calls MPI.
. "$(dirname "$0")/common.sh"
program gpu/programs/collectives
program gpu/programs/churn
for run in ./collectives "./churn 20"; do
    rm -f counts
    $MPIRUN -n "$NP" $run
    for wait in cuCtxSynchronize cuStreamSynchronize cuEventSynchronize; do
        [ "$(calls $wait)" = 0 ] || { echo "$wait was called by $run"; exit 1; }
    done
    # What the programs themselves free is theirs to wait for.
    waits=$(tr ' ' '\n' < counts | grep '^wait:' | grep -v -e '=0$' -e ':cuMemFree_v2=' -e ':cuMemFreeHost=') || true
    [ -z "$waits" ] || { echo "$run waited for a context:" $waits; exit 1; }
    [ "$(calls cuEventQuery)" -gt 0 ] || { echo "no event was asked for"; exit 1; }
    [ "$(calls cuMemcpyAsync)" -gt 0 ] || [ "$(calls cuLaunchKernel)" -gt 0 ] || { echo "nothing was done on the device"; exit 1; }
done
[ "$(calls cuIpcCloseMemHandle)" -gt 0 ] || { echo "no mapping was closed"; exit 1; }
[ "$(calls wait:cuMemFree_v2)" -gt 0 ] || { echo "the driver counts no waits"; exit 1; }
