// SPDX-License-Identifier: MIT OR Apache-2.0
// Large messages of a strided type, which the library packs, out of two allocations, with pauses in which whoever looks for freed
// memory does. Argument: rounds (6).
#include "cuda.h"
#include <unistd.h>

enum { BLOCKS = 1 << 15, BLOCK = 4, STRIDE = 6, SENT = BLOCKS * BLOCK, WHOLE = BLOCKS * STRIDE }; // ints

static Memory out[2], in;

static void once(MPI_Datatype type, int which) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    DO(MPI_Sendrecv(out[which].at, 1, type, next, which, in.at, SENT, MPI_INT, previous, which, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CUDA_INTS(&in, 0, SENT, cuda_value(previous, which + i / BLOCK * STRIDE + i % BLOCK));
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int rounds = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 6;
    MPI_Datatype type;
    DO(MPI_Type_vector(BLOCKS, BLOCK, STRIDE, MPI_INT, &type));
    DO(MPI_Type_commit(&type));
    out[0] = cuda_values(0, WHOLE, WHOLE), out[1] = cuda_values(1, WHOLE, WHOLE), in = cuda_values(0, SENT, SENT);
    for (int round = 0; round < rounds; round++) {
        // Packed again and again out of one allocation, and the packed forms may be ones of their own.
        for (int again = 0; again < 5; again++)
            once(type, 0);
        once(type, 1);
        usleep(20000);
    }
    DO(MPI_Type_free(&type));
    cuda_free(&out[0]), cuda_free(&out[1]), cuda_free(&in);
    return check_finish();
}
