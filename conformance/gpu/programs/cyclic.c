// SPDX-License-Identifier: MIT OR Apache-2.0
// More buffers than are kept mapped, sent one after the other, round and round. Arguments: buffers (40), rounds (6).
#include "cuda.h"

#define N 20000

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int buffers = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 40, rounds = argc > 2 && atoi(argv[2]) > 0 ? atoi(argv[2]) : 6;
    Memory *data = check_alloc(sizeof *data * buffers);
    for (int k = 0; k < buffers; k++)
        data[k] = cuda_values(rank == 0 ? k : 0, rank == 0 ? N : 0, N);
    CU(cuStreamSynchronize(NULL));
    for (int round = 0; round < rounds; round++)
        for (int k = 0; k < buffers; k++) {
            if (rank == 0)
                DO(MPI_Send(data[k].at, N, MPI_INT, 1, k, MPI_COMM_WORLD));
            else if (rank == 1)
                DO(MPI_Recv(data[k].at, N, MPI_INT, 0, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
    for (int k = 0; k < buffers && rank == 1; k++)
        CUDA_INTS(&data[k], 0, N, cuda_value(0, k + i));
    DO(MPI_Barrier(MPI_COMM_WORLD));
    for (int k = 0; k < buffers; k++)
        cuda_free(&data[k]);
    free(data);
    return check_finish();
}
