# SPDX-License-Identifier: MIT OR Apache-2.0
# mpi4py's own tests on $NP ranks, each rank's report in a file; `counts` says how many tests passed, failed and were skipped.
# The arguments go to its runner.
set -euo pipefail
work=$TARGET/suites/mpi4py
python=$work/wheel/bin/python
case $FACE in
    openmpi | mpich) export MPI4PY_MPIABI=$FACE ;;
    standard) python=$work/standard/bin/python ;;
esac

status=0
$MPIRUN -n "$NP" sh -c 'exec "$@" > rank-${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-0}} 2>&1' rank \
    "$python" "$ROOT/conformance/mpi4py/run.py" "$work/source/test" "$FACE" "$NP" --no-builddir -v "$@" || status=$?

# A test that fails on one rank has failed; all ranks run and skip the same ones.
field() { sed -n "s/.*[( ]$1=\([0-9]*\).*/\1/p" rank-0 | tail -1; }
ran=$(sed -n 's/^Ran \([0-9]*\) tests.*/\1/p' rank-0)
failures=$(cat rank-* | sed -nE 's/^(FAIL|ERROR): ([^[]*[^[ ]).*/\2/p' | sort | uniq -c | sort -rn)
failed=$(printf '%s' "$failures" | grep -c . || true)
skipped=$(field skipped)
if [ -n "$failures" ]; then
    echo "Ranks that failed, and where:"
    echo "$failures"
fi
if [ -z "$ran" ]; then
    echo "The tests did not come to their end; the last lines of each rank:"
    tail -n 15 rank-*
    exit 1
fi
[ $status = 0 ] || [ "$failed" -gt 0 ] || { echo "status $status, though no test failed" && exit 1; }
echo "$((ran - failed - ${skipped:-0})) $failed ${skipped:-0}" > counts
