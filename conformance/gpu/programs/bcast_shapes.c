// SPDX-License-Identifier: MIT OR Apache-2.0
// Bcast whose root gives the data in another shape than the receivers (10 n ints against n items of ten ints), and lengths
// around multiples of 64 KiB and 1 MiB, where pipelines cut.
#include "cuda.h"

static void tens(int n, int root) {
    MPI_Datatype ten;
    DO(MPI_Type_contiguous(10, MPI_INT, &ten));
    DO(MPI_Type_commit(&ten));
    Memory data = rank == root ? cuda_values(0, 10 * n, 10 * n) : cuda_values(0, 0, 10 * n);
    if (rank == root)
        EITHER(Bcast, bcast, data.at, 10 * n, MPI_INT, root, MPI_COMM_WORLD);
    else
        EITHER(Bcast, bcast, data.at, n, ten, root, MPI_COMM_WORLD);
    CUDA_INTS(&data, 0, 10 * n, cuda_value(root, i));
    cuda_free(&data);
    DO(MPI_Type_free(&ten));
}

static void bytes(size_t length, int root) {
    Memory data = cuda_alloc(cuda_kind(rank), length);
    if (rank == root)
        cuda_fill(&data, length, length);
    EITHER(Bcast, bcast, data.at, (int)length, MPI_BYTE, root, MPI_COMM_WORLD);
    CUDA_FILLED(&data, length, length);
    cuda_free(&data);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int root = 1 % size, counts[] = {1, 7, 100003};
    for (int i = 0; i < 3; i++)
        tens(counts[i], root);
    if (check_option(argc, argv, "large"))
        tens(2000000, root);
    for (size_t chunk = 65536; chunk <= 1 << 20; chunk *= 16) {
        bytes(chunk - 1, root);
        bytes(chunk, 0);
        bytes(chunk + 1, size - 1);
        bytes(7 * chunk + 13, root);
    }
    return check_finish();
}
