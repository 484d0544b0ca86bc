// SPDX-License-Identifier: MIT OR Apache-2.0
// Reductions while the devices have no room left: operands that cannot stay where they are, since they are in host memory, are
// reduced all the same.
#include "cuda.h"

#define COUNT (1 << 16)

static void reduced(const Memory *in, int root) {
    if (root < 0 || root == rank)
        CUDA_INTS(in, 0, COUNT, cuda_sum(i));
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    Memory out = cuda_values(0, COUNT, COUNT), in = cuda_values(0, 0, COUNT);
    int *host = cuda_ints(&out, COUNT);
    // The ranks agree on where their buffers lie.
    DO(MPI_Allreduce(out.at, in.at, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    reduced(&in, -1);
    Address rest;
    for (size_t bytes = (size_t)1 << 30; bytes >= 4096;)
        if (cuMemAlloc_v2(&rest, bytes) != 0)
            bytes /= 2;
    for (int turn = 0; turn < 4 * size; turn++) {
        MPI_Request request;
        int root = turn / 2 % 2 == 0 ? -1 : turn / 4;
        void *from = turn % 2 == 0 && rank == 1 ? (void *)host : out.at;
        cuda_put(&in, 0, host, sizeof(int) * COUNT);
        if (root < 0)
            DO(MPI_Iallreduce(from, in.at, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
        else
            DO(MPI_Ireduce(from, in.at, COUNT, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD, &request));
        DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
        reduced(&in, root);
    }
    free(host);
    cuda_free(&out);
    cuda_free(&in);
    return check_finish();
}
