// SPDX-License-Identifier: MIT OR Apache-2.0
// Sixteen transfers of 256 KiB to 2 MiB between device buffers at once, in both directions, completed in another order than
// they were started: staging buffers run out and must not be mixed up.
#include "cuda.h"

#define MANY 16

static size_t length(int i) {
    return ((size_t)256 << 10) * (1 + i % 8) + i;
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    Memory out[MANY], in[MANY];
    MPI_Request requests[2 * MANY];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            out[i] = cuda_filled(length(i), rank * 16 + i + round);
            in[i] = cuda_alloc(cuda_kind(rank), length(i));
        }
        for (int i = 0; i < MANY; i++)
            DO(MPI_Isend(out[i].at, (int)length(i), MPI_BYTE, next, i, MPI_COMM_WORLD, &requests[i]));
        for (int i = MANY - 1; i >= 0; i--)
            DO(MPI_Irecv(in[i].at, (int)length(i), MPI_BYTE, previous, i, MPI_COMM_WORLD, &requests[MANY + i]));
        for (int i = MANY; i < 2 * MANY; i++)
            DO(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
        DO(MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < MANY; i++) {
            CUDA_FILLED(&in[i], length(i), previous * 16 + i + round);
            cuda_free(&out[i]);
            cuda_free(&in[i]);
        }
    }
    return check_finish();
}
