// SPDX-License-Identifier: MIT OR Apache-2.0
// Buffers that come and go: allocated, broadcast, reduced, freed, again and again with other sizes. An address that comes
// back is another buffer, and nothing of the old ones may stay allocated, nor mapped by who has read it: at the end as much memory is free
// as early on, as soon as who has mapped them has noticed and closed that; but for 64 MiB. Arguments: rounds (60), MiB of the largest (6), which
// together must be more than that by far.
#include "cuda.h"
#include <unistd.h>

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int rounds = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 60;
    size_t most = (size_t)(argc > 2 && atoi(argv[2]) > 0 ? atoi(argv[2]) : 6) << 20, early = 0, free_now, total;
    for (int round = 0; round < rounds; round++) {
        size_t bytes = most - (size_t)(round % 5) * (most / 8) + round;
        int root = round % size, n = 20000 + round;
        Memory data = cuda_alloc(cuda_kind(rank), bytes), ints = cuda_values(0, n, n);
        cuda_paint(&data, rank == root ? round : 255);
        DO(MPI_Bcast(data.at, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD));
        DO(MPI_Allreduce(MPI_IN_PLACE, ints.at, n, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
        cuda_painted(&data, round, round % 20 == 0);
        CUDA_INTS(&ints, 0, n, cuda_value(size - 1, i));
        cuda_free(&ints);
        cuda_free(&data);
        DO(MPI_Barrier(MPI_COMM_WORLD));
        CU(cuMemGetInfo_v2(&free_now, &total));
        if (round == 3)
            early = free_now;
    }
    size_t allowed = (size_t)64 << 20;
    for (int tries = 0; tries < 2000 && free_now + allowed < early; tries++) {
        usleep(5000);
        CU(cuMemGetInfo_v2(&free_now, &total));
    }
    if (free_now + allowed < early)
        CHECK_FAIL("%zu MiB less are free than after round 3", (early - free_now) >> 20);
    return check_finish();
}
