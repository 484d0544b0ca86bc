#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# seeds.sh FIRST COUNT [random_program|random_traffic [ROUNDS]]: seeds on 1 to 4 ranks (NP="2 4": on these) on Open MPI, MPICH and each
# face; prints each line that is not Open MPI's. PEERS= leaves MPICH out. Needs `make`; run it in the repository's root.
set -u
first=$1 count=$2 program=${3:-random_program} rounds=${4:-10} bin=target/conformance/seeds stage=$PWD/stage different=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl=self,vader OMPI_MCA_plm_ssh_agent=false
mkdir -p $bin
for cc in mpicc.openmpi mpicc.mpich "$stage/bin/mpicc"; do
    $cc -std=gnu11 -O1 -w "conformance/random/$program.c" -o "$bin/$(basename "$cc")" || exit 1
done
# says NAME LAUNCHER PROGRAM: what it says, into a file of its name.
says() { timeout 600 $2 -n $np "$bin/$3" "$first" "$rounds" "$count" > "$bin/$1.said" 2>&1; }
for np in ${NP:-1 2 3 4}; do
    says peer "mpirun.openmpi --oversubscribe" mpicc.openmpi
    [ -z "${PEERS-all}" ] || says MPICH mpirun.mpich mpicc.mpich
    for program in mpicc.openmpi mpicc.mpich mpicc; do says "Paceline_$program" "$stage/bin/mpiexec" $program; done
    for said in "$bin"/[MP]*.said; do
        [ ! -e "$said" ] || diff "$bin/peer.said" "$said" > "$bin/difference" && continue
        echo "$np ranks, Open MPI (<) and $(basename "$said" .said) (>):"
        head -20 "$bin/difference"
        different=$((different + 1))
    done
    rm -f "$bin"/*.said
done
echo "$different results differ"
[ $different = 0 ]
