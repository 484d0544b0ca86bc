// SPDX-License-Identifier: MIT OR Apache-2.0
// Memory of stream-ordered pools: allocated, broadcast and freed right after the call, many times; from the default pool and
// from one that was made without a handle type. Argument: MiB of the buffer (8).
#include "cuda.h"

static Address allocate(void *pool, size_t bytes) {
    Address at;
    if (pool == NULL)
        CU(cuMemAllocAsync(&at, bytes, NULL));
    else
        CU(cuMemAllocFromPoolAsync(&at, bytes, pool, NULL));
    return at;
}

static void round_trip(void *pool, size_t bytes, unsigned seed, int root) {
    Memory data = {.kind = POOL, .bytes = bytes, .base = allocate(pool, bytes)};
    data.at = (char *)data.base;
    if (rank == root)
        cuda_paint(&data, seed);
    DO(MPI_Bcast(data.at, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD));
    if (seed % 4 == 0)
        cuda_painted(&data, seed, seed % 20 == 0);
    CU(cuMemFreeAsync(data.base, NULL));
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    size_t bytes = (size_t)(argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 8) << 20;
    CudaPool properties = {.type = 1, .location = {1, cuda_device}};
    void *pool;
    CU(cuMemPoolCreate(&pool, &properties));
    for (unsigned round = 0; round < 20; round++) {
        round_trip(NULL, bytes, round, round % size);
        round_trip(pool, bytes, round + 1000, round % size);
    }
    CU(cuMemPoolDestroy(pool));
    return check_finish();
}
