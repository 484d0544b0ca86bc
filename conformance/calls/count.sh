#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Instructions of one call on each face and on the peer of that face, counted by callgrind: a table in Markdown. Needs valgrind and
# `make`; run it in the repository's root. The peer of the standard face is the
# library in the wheel of MPICH, which tools/wheels.sh fetches.
set -eu
stage=$PWD/stage work=target/calls wheel=${PACELINE_MPICH_WHEEL:-$PWD/target/wheels/mpich}/lib
mkdir -p $work
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

for cc in mpicc.openmpi mpicc.mpich "$stage/bin/mpicc"; do $cc -O2 conformance/calls/calls.c -o "$work/$(basename "$cc")"; done

# total PATH PROGRAM CALL TIMES: instructions of the whole run. Under valgrind stack and heap are not where the kernel's list has them, so
# buffers look as if they might be a GPU's, and the loader is asked now and then whether CUDA has come: that is taken out.
total() {
    local out=$work/callgrind.out all asked
    all=$(LD_LIBRARY_PATH=$1 timeout 120 valgrind --tool=callgrind --callgrind-out-file=$out "$2" "$3" "$4" 2>&1 | awk '/Collected/ { print $4 }')
    [ -n "$all" ] || return 0
    asked=$(callgrind_annotate --inclusive=yes --threshold=100 --auto=no $out | awk '/watch::look_now/ { gsub(",", "", $1); print $1; exit }')
    echo $((all - ${asked:-0}))
}

# one PATH PROGRAM CALL: instructions of a call, or a dash.
one() {
    local few many
    few=$(total "$1" "$2" "$3" 1000) many=$(total "$1" "$2" "$3" 3000)
    if [ -n "$few" ] && [ -n "$many" ]; then echo $(((many - few + 1000) / 2000)); else echo "–"; fi
}

[ -e "$wheel/libmpi_abi.so.1" ] || wheel=
echo "| | Open MPI's face | Open MPI 4.1.4 | MPICH's face | MPICH 4.0.2 | the standard's face | the wheel's MPICH 5.0.2 |"
echo "|---|---|---|---|---|---|---|"
for row in "rank:MPI_Comm_rank" "size:MPI_Type_size" "send_recv:MPI_Irecv, MPI_Send, MPI_Wait to oneself" \
    "send_recv_unexpected:MPI_Send, MPI_Recv to oneself"; do
    call=${row%%:*} line="| \`${row#*:}\` |"
    line+=" $(one "$stage/lib" $work/mpicc.openmpi "$call") | $(one "" $work/mpicc.openmpi "$call") |"
    line+=" $(one "$stage/lib" $work/mpicc.mpich "$call") | $(one "" $work/mpicc.mpich "$call") |"
    line+=" $(one "$stage/lib" $work/mpicc "$call") | $([ -z "$wheel" ] && echo – || one "$wheel" $work/mpicc "$call") |"
    echo "$line"
done
