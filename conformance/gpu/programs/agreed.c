// SPDX-License-Identifier: MIT OR Apache-2.0
// Nonblocking and persistent collectives before and after blocking ones by which the ranks have agreed where their memory lies, and
// after those that were in host memory: the algorithm may change, on all ranks at once, the contents do not. An argument that is a
// number: it asks for blocking calls on devices only, so that the report can be counted.
#include "cuda.h"

#define N 200003
#define W MPI_COMM_WORLD

static Memory out, in;

static void check(void) {
    CUDA_INTS(&in, 0, N, cuda_sum(i));
    cuda_free(&in);
    in = cuda_values(0, 0, N);
}

static void later(void) {
    MPI_Request request;
    DO(MPI_Iallreduce(out.at, in.at, N, MPI_INT, MPI_SUM, W, &request));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check();
    Memory data = rank == 1 ? cuda_values(0, N, N) : cuda_values(0, 0, N);
    DO(MPI_Ibcast(data.at, N, MPI_INT, 1, W, &request));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CUDA_INTS(&data, 0, N, cuda_value(1, i));
    cuda_free(&data);
#if MPI_VERSION >= 4
    DO(MPI_Allreduce_init(out.at, in.at, N, MPI_INT, MPI_SUM, W, MPI_INFO_NULL, &request));
    for (int round = 0; round < 2; round++) {
        DO(MPI_Start(&request));
        DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
        check();
    }
    DO(MPI_Request_free(&request));
#endif
}

static void on_devices(void) {
    DO(MPI_Allreduce(out.at, in.at, N, MPI_INT, MPI_SUM, W));
    check();
}

static void on_hosts(void) {
    int *mine = check_alloc(sizeof(int) * N), *all = check_alloc(sizeof(int) * N);
    for (int i = 0; i < N; i++)
        mine[i] = cuda_value(rank, i);
    DO(MPI_Allreduce(mine, all, N, MPI_INT, MPI_SUM, W));
    CHECK_EQ(all[N - 1], cuda_sum(N - 1));
    free(mine);
    free(all);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    out = cuda_values(0, N, N), in = cuda_values(0, 0, N);
    later();
    on_devices();
    later();
    if (argc < 2) {
        on_hosts();
        later();
    }
    cuda_free(&out);
    cuda_free(&in);
    return check_finish();
}
