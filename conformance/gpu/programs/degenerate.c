// SPDX-License-Identifier: MIT OR Apache-2.0
// Collectives without data or without partners while devices are in use: null buffers with count 0, and device buffers on
// MPI_COMM_SELF and a communicator of one while the other ranks wait in a Bcast on device memory.
#include "cuda.h"

#define W MPI_COMM_WORLD

static void no_data(void) {
    EITHER(Allreduce, allreduce, NULL, NULL, 0, MPI_INT, MPI_SUM, W);
    EITHER(Allreduce, allreduce, MPI_IN_PLACE, NULL, 0, MPI_INT, MPI_SUM, W);
    EITHER(Reduce, reduce, NULL, NULL, 0, MPI_INT, MPI_SUM, 0, W);
    EITHER(Bcast, bcast, NULL, 0, MPI_INT, 0, W);
    Memory data = cuda_values(0, 8, 8), result = cuda_values(0, 0, 8);
    EITHER(Reduce, reduce, data.at, rank == 0 ? result.at : NULL, 8, MPI_INT, MPI_MAX, 0, W);
    if (rank == 0)
        CUDA_INTS(&result, 0, 8, cuda_value(size - 1, i));
    cuda_free(&data);
    cuda_free(&result);
}

static void alone(MPI_Comm comm, int n) {
    Memory out = cuda_values(0, n, n), in = cuda_values(0, 0, n);
#define SAME                                                                                                 \
    do {                                                                                                     \
        CUDA_INTS(&in, 0, n, cuda_value(rank, i));                                                           \
        cuda_free(&in);                                                                                      \
        in = cuda_values(0, 0, n);                                                                           \
    } while (0)
    EITHER(Barrier, barrier, comm);
    EITHER(Bcast, bcast, out.at, n, MPI_INT, 0, comm);
    EITHER(Allreduce, allreduce, out.at, in.at, n, MPI_INT, MPI_SUM, comm);
    SAME;
    EITHER(Reduce, reduce, out.at, in.at, n, MPI_INT, MPI_SUM, 0, comm);
    SAME;
    EITHER(Gather, gather, out.at, n, MPI_INT, in.at, n, MPI_INT, 0, comm);
    SAME;
    EITHER(Scatter, scatter, out.at, n, MPI_INT, in.at, n, MPI_INT, 0, comm);
    SAME;
    EITHER(Allgather, allgather, out.at, n, MPI_INT, in.at, n, MPI_INT, comm);
    SAME;
    EITHER(Alltoall, alltoall, out.at, n, MPI_INT, in.at, n, MPI_INT, comm);
    SAME;
    EITHER(Reduce_scatter_block, reduce_scatter_block, out.at, in.at, n, MPI_INT, MPI_SUM, comm);
    SAME;
    EITHER(Scan, scan, out.at, in.at, n, MPI_INT, MPI_SUM, comm);
    SAME;
    EITHER(Allreduce, allreduce, MPI_IN_PLACE, out.at, n, MPI_INT, MPI_SUM, comm);
    CUDA_INTS(&out, 0, n, cuda_value(rank, i));
    cuda_free(&out);
    cuda_free(&in);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm one;
    no_data();
    alone(MPI_COMM_SELF, 3);
    DO(MPI_Comm_split(W, rank, 0, &one));
    if (rank == size - 1)
        for (int i = 0; i < 5; i++)
            alone(one, 1000 + 100000 * i);
    Memory data = rank == size - 1 ? cuda_values(0, 10, 10) : cuda_values(0, 0, 10);
    EITHER(Bcast, bcast, data.at, 10, MPI_INT, size - 1, W);
    CUDA_INTS(&data, 0, 10, cuda_value(size - 1, i));
    cuda_free(&data);
    DO(MPI_Comm_free(&one));
    return check_finish();
}
