# SPDX-License-Identifier: MIT OR Apache-2.0
# GetDP, finite elements over PETSc and MUMPS: the magnet among its own examples has the same fields on one rank and on $NP.
. "$(dirname "$0")/common.sh"

examples=/usr/share/doc/getdp/examples
needs /usr/bin/getdp $examples/demos/magnet.pro

# solve NAME WORD...: started by these words; the fields' files are then in NAME/demos/res.
solve() {
    local name=$1
    shift
    cp -r $examples "$name"
    (cd "$name/demos" && "$@" /usr/bin/getdp magnet.pro -msh magnet.msh -solve Magnetostatics_phi -pos Magnetostatics_phi \
        -ksp_type preonly -pc_type lu -pc_factor_mat_solver_type mumps) 2>&1 | tr '\r' '\n' > "$name.log" || { cat "$name.log"; exit 1; }
    ! grep -i 'error *:' "$name.log" || wrong "an error in $name"
}

# On one rank it ends without MPI_Finalize, which no launcher likes: there it is started by itself.
solve alone env
solve ranks ranks "$NP"
for field in b h phi; do
    numbers() { grep -o '{.*}' "$1/demos/res/$field.pos" | tr -d '{}' | tr ',' '\n'; }
    paste <(numbers alone) <(numbers ranks) | awk '
        { size = $1 < 0 ? -$1 : $1; d = $1 - $2; if (d < 0) d = -d }
        NF != 2 { uneven = 1 }
        size > largest { largest = size }
        d > apart { apart = d }
        END { exit !(!uneven && NR > 1000 && largest > 0 && apart <= 1e-9 * largest) }' || wrong "the field $field is another"
done
