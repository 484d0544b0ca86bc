# SPDX-License-Identifier: MIT OR Apache-2.0
# How a program is started with each peer of the kit: for pack.sh, which tries them on host memory, and check.sh. $kit is the kit's folder; what Open MPI leaves
# goes to $SESSIONS.

# with_intel RANKS PROGRAM ARGUMENTS...
with_intel() {
    local home=$kit/peers/impi
    env I_MPI_ROOT="$home" I_MPI_FABRICS=shm I_MPI_PIN=0 I_MPI_HYDRA_BOOTSTRAP=fork I_MPI_OFFLOAD=${OFFLOAD:-1} I_MPI_OFFLOAD_MODE=cuda \
        I_MPI_OFFLOAD_CUDA_LIBRARY=libcuda.so.1 LD_LIBRARY_PATH="$home/lib:${LD_LIBRARY_PATH:-}" \
        timeout -k 2 "${LIMIT:-60}" "$home/bin/mpiexec.hydra" -n "$@"
}

# with_openmpi RANKS PROGRAM ARGUMENTS...: UCX moves what is on devices, and only that of its collectives which hand pointers on to it.
with_openmpi() {
    local home=$kit/peers/openmpi ucx=$kit/peers/ucx/lib
    env TMPDIR="${SESSIONS:-/tmp}" OPAL_PREFIX="$home" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 LD_LIBRARY_PATH="$home/lib:${LD_LIBRARY_PATH:-}" \
        timeout -k 2 "${LIMIT:-60}" "$home/bin/mpirun" -n "$1" --bind-to none --oversubscribe --mca pml ucx --mca pml_ucx_tls any \
        --mca pml_ucx_devices any --mca coll ^sm,han -x UCX_TLS="${TRANSPORTS:-self,sm,cuda_copy,cuda_ipc}" -x LD_LIBRARY_PATH \
        -x LD_PRELOAD="$ucx/libucm.so.0:$ucx/libucs.so.0:$ucx/libuct.so.0:$ucx/libucp.so.0" "${@:2}"
}
