// SPDX-License-Identifier: MIT OR Apache-2.0
// Nonblocking reductions in place on device buffers, driven by MPI_Test alone, and user-defined operations in all reductions, which must get
// pointers that the host can read.
#include "cuda.h"

static int calls;

static void add_and_look(void *in, void *inout, int *count, MPI_Datatype *type) {
    int *a = in, *b = inout;
    (void)type;
    calls++;
    for (int i = 0; i < *count; i++)
        b[i] += a[i];
}

static void drive(MPI_Request *request) {
    int done = 0;
    while (!done)
        DO(MPI_Test(request, &done, MPI_STATUS_IGNORE));
}

static void started(int n, MPI_Op op) {
    MPI_Request request;
    Memory data = cuda_values(0, n, n);
    DO(MPI_Iallreduce(MPI_IN_PLACE, data.at, n, MPI_INT, op, MPI_COMM_WORLD, &request));
    drive(&request);
    CUDA_INTS(&data, 0, n, cuda_sum(i));
    cuda_free(&data);
    data = cuda_values(0, n, n);
    DO(MPI_Ireduce(rank == 0 ? MPI_IN_PLACE : data.at, data.at, n, MPI_INT, op, 0, MPI_COMM_WORLD, &request));
    drive(&request);
    if (rank == 0)
        CUDA_INTS(&data, 0, n, cuda_sum(i));
    DO(MPI_Ibcast(data.at, n, MPI_INT, 0, MPI_COMM_WORLD, &request));
    drive(&request);
    CUDA_INTS(&data, 0, n, cuda_sum(i));
    cuda_free(&data);
}

static void waited(int n, MPI_Op op) {
    Memory out = cuda_values(0, n, n), in = cuda_values(0, 0, n);
    DO(MPI_Allreduce(out.at, in.at, n, MPI_INT, op, MPI_COMM_WORLD));
    CUDA_INTS(&in, 0, n, cuda_sum(i));
    DO(MPI_Reduce_local(out.at, in.at, n, MPI_INT, op));
    CUDA_INTS(&in, 0, n, cuda_sum(i) + cuda_value(rank, i));
    DO(MPI_Reduce(out.at, in.at, n, MPI_INT, op, size - 1, MPI_COMM_WORLD));
    if (rank == size - 1)
        CUDA_INTS(&in, 0, n, cuda_sum(i));
    cuda_free(&out);
    cuda_free(&in);
}

// What ranks below `end` have, together.
static int partial(int end, int i) {
    int all = 0;
    for (int r = 0; r < end; r++)
        all += cuda_value(r, i);
    return all;
}

static void others(int n, MPI_Op op) {
    int *counts = check_alloc(sizeof(int) * size), part = n / size;
    for (int r = 0; r < size; r++)
        counts[r] = part;
    Memory out = cuda_values(0, n, n), in = cuda_values(0, 0, n);
    DO(MPI_Scan(out.at, in.at, n, MPI_INT, op, MPI_COMM_WORLD));
    CUDA_INTS(&in, 0, n, partial(rank + 1, i));
    DO(MPI_Exscan(out.at, in.at, n, MPI_INT, op, MPI_COMM_WORLD));
    if (rank > 0)
        CUDA_INTS(&in, 0, n, partial(rank, i));
    DO(MPI_Reduce_scatter_block(out.at, in.at, part, MPI_INT, op, MPI_COMM_WORLD));
    CUDA_INTS(&in, 0, part, cuda_sum(rank * part + i));
    cuda_free(&in);
    in = cuda_values(0, 0, n);
    DO(MPI_Reduce_scatter(out.at, in.at, counts, MPI_INT, op, MPI_COMM_WORLD));
    CUDA_INTS(&in, 0, part, cuda_sum(rank * part + i));
    cuda_free(&out);
    cuda_free(&in);
    free(counts);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Op ops[2] = {MPI_SUM};
    DO(MPI_Op_create(add_and_look, 1, &ops[1]));
    int lengths[] = {1, 1000, 300001};
    for (int i = 0; i < 3; i++)
        for (int o = 0; o < 2; o++) {
            started(lengths[i], ops[o]);
            waited(lengths[i], ops[o]);
            others(lengths[i], ops[o]);
        }
    CHECK(calls > 0);
    DO(MPI_Op_free(&ops[1]));
    return check_finish();
}
