#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# seeds.sh FIRST LAST [ROUNDS]: the random program with these seeds, on 1 to 5 ranks, on Open MPI, MPICH and each face; names each seed whose
# checksums differ. Needs `make`; run it in the repository's root.
set -u
rounds=${3:-10} bin=target/conformance/seeds stage=$PWD/stage different=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl=self,vader OMPI_MCA_plm_ssh_agent=false
mkdir -p $bin
for cc in mpicc.openmpi mpicc.mpich "$stage/bin/mpicc"; do
    $cc -std=gnu11 -O1 conformance/random/random_program.c -o "$bin/$(basename "$cc")" || exit 1
done
said() { timeout 120 "$@" 2>&1 | head -3; }
for seed in $(seq "$1" "$2"); do
    np=$((1 + seed % 5))
    wanted=$(said mpirun.openmpi --oversubscribe -n $np $bin/mpicc.openmpi "$seed" "$rounds")
    compare() { [ "$2" = "$wanted" ] || { echo "seed $seed, $np ranks: Open MPI says [$wanted], $1 [$2]"; different=$((different + 1)); }; }
    compare MPICH "$(said mpirun.mpich -n $np $bin/mpicc.mpich "$seed" "$rounds")"
    for program in mpicc.openmpi mpicc.mpich mpicc; do
        compare "Paceline ($program)" "$(said "$stage/bin/mpiexec" -n $np $bin/$program "$seed" "$rounds")"
    done
done
echo "$different results differ"
[ $different = 0 ]
