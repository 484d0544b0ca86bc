# SPDX-License-Identifier: MIT OR Apache-2.0
# NEURON's ParallelContext: ranks, a barrier and a sum.
. "$(dirname "$0")/common.sh"

needs /usr/bin/nrniv
cat > sum.hoc <<'INPUT'
objref pc
pc = new ParallelContext()
{printf("rank %d of %d\n", pc.id, pc.nhost)}
{pc.barrier()}
x = pc.allreduce(pc.id+1, 1)
if (pc.id==0) {printf("sum %g\n", x)}
{pc.runworker()}
{pc.done()}
quit()
INPUT
ranks "$NP" /usr/bin/nrniv -mpi -nobanner -nogui sum.hoc | tee neuron.log
[ "$(grep -c '^rank' neuron.log)" = "$NP" ] || wrong "not one line from each rank"
grep -q "sum $((NP * (NP + 1) / 2))$" neuron.log || wrong "the sum is wrong"
