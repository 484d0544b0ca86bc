# SPDX-License-Identifier: MIT OR Apache-2.0
# Sourced by the scripts beside it. Each starts an installed program on $NP ranks by `ranks`, in an empty folder, and
# checks what it did; the status says whether it was right, 77 that it cannot run here.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# A script sets FACES before, when its program exists for other ABIs than Open MPI's.
case " ${FACES-openmpi} " in
    *" $FACE "*) ;;
    *) echo "there is no such program for the face $FACE"; exit 77 ;;
esac
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

# ranks N PROGRAM ARGUMENT...
ranks() {
    local n=$1
    shift
    $MPIRUN -n "$n" "$@"
}

skip() {
    echo "$*"
    exit 77
}

# needs PATH...: skips when one is not installed.
needs() {
    for path; do [ -e "$path" ] || skip "$path is not installed"; done
}

# wrong TEXT: says what is wrong and ends.
wrong() {
    echo "wrong: $*" >&2
    exit 1
}

# near VALUE REFERENCE TOLERANCE (relative)
near() {
    awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { if (a == "") exit 1; d = a - b; if (d < 0) d = -d; if (b < 0) b = -b; exit !(d <= t * b) }'
}
