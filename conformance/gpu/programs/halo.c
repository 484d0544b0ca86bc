// SPDX-License-Identifier: MIT OR Apache-2.0
// The slab of a halo exchange as a vector type on a device, against a contiguous message of as many bytes. Argument "timed":
// it may take three times as long at most (for a real device; the simulated one has no speed).
#include "cuda.h"

#define ROWS 4096
#define WIDTH 16
#define STRIDE 512

static double exchange(char *at, int count, MPI_Datatype type) {
    int peer = rank ^ 1;
    double best = 1e9;
    for (int round = 0; round < 20; round++) {
        double start = MPI_Wtime();
        if (rank % 2 == 0)
            DO(MPI_Send(at, count, type, peer, 1, MPI_COMM_WORLD));
        else
            DO(MPI_Recv(at, count, type, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        DO(MPI_Barrier(MPI_COMM_WORLD));
        double took = MPI_Wtime() - start;
        best = took < best ? took : best;
    }
    return best;
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int n = ROWS * STRIDE;
    Memory data = rank % 2 == 0 ? cuda_values(0, n, n) : cuda_values(0, 0, n);
    MPI_Datatype slab;
    DO(MPI_Type_vector(ROWS, WIDTH, STRIDE, MPI_INT, &slab));
    DO(MPI_Type_commit(&slab));
    if (size % 2 == 0) {
        double typed = exchange(data.at, 1, slab);
        if (rank % 2 == 1)
            CUDA_INTS(&data, 0, n, i % STRIDE < WIDTH ? cuda_value(rank - 1, i) : -1);
        double plain = exchange(data.at, ROWS * WIDTH, MPI_INT);
        if (check_option(argc, argv, "timed"))
            CHECK(typed <= 3 * plain);
    }
    DO(MPI_Type_free(&slab));
    cuda_free(&data);
    return check_finish();
}
