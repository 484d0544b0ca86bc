# SPDX-License-Identifier: MIT OR Apache-2.0
# mpi4py as Debian compiles it against Open MPI, and its small benchmarks.
. "$(dirname "$0")/common.sh"

needs /usr/lib/python3/dist-packages/mpi4py
for words in helloworld "ringtest -l 20" "ringtest -q -l 20 -s 65536"; do
    ranks "$NP" /usr/bin/python3.11 -m mpi4py.bench $words | tee -a bench.log
done
[ "$(grep -c 'Hello, World! I am process' bench.log)" = "$NP" ] || wrong "not one greeting from each rank"
grep -q 'time for 20 loops' bench.log || wrong "the ring did not turn"
