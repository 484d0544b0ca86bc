# SPDX-License-Identifier: MIT OR Apache-2.0
# FreeFEM: each rank solves a Poisson problem, then its language's allreduce, broadcast and allgather are checked.
. "$(dirname "$0")/common.sh"

needs /usr/bin/FreeFem++-mpi
cat > check.edp <<'INPUT'
mesh Th = square(20, 20);
fespace Vh(Th, P1);
Vh u, v;
solve Poisson(u, v) = int2d(Th)(dx(u)*dx(v) + dy(u)*dy(v)) - int2d(Th)(1.*v) + on(1, 2, 3, 4, u=0);
real mine = u[].sum * (1 + mpirank), total = 0;
mpiAllReduce(mine, total, mpiCommWorld, mpiSUM);
real expected = u[].sum * mpisize * (mpisize + 1) / 2.;
real[int] root(10), local(10), all(10 * mpisize);
root = mpirank;
broadcast(processor(0), root);
local = mpirank;
mpiAllgather(local, all);
bool right = abs(total - expected) < 1e-9 * abs(expected) && root.linfty == 0
    && abs(all.sum - 10. * mpisize * (mpisize - 1) / 2) < 1e-12;
if (mpirank == 0) cout << (right ? "all right " : "wrong ") << total << endl;
INPUT
ranks "$NP" /usr/bin/FreeFem++-mpi -nw -v 1 check.edp | tee freefem.log
grep -q 'all right' freefem.log || wrong "a sum is wrong"
