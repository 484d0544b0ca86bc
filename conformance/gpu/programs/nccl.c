// SPDX-License-Identifier: MIT OR Apache-2.0
// The same times with NCCL (loaded at run time; its id goes round by MPI): Bcast and Allreduce of floats on device buffers.
// Arguments as in measure.c. Without libnccl.so.2 it says so and succeeds.
#include "cuda.h"

typedef struct {
    char bytes[128];
} Id;

static int (*get_id)(Id *);
static int (*init_rank)(void **, int, Id, int);
static int (*all_reduce)(const void *, void *, size_t, int, int, void *, void *);
static int (*broadcast)(const void *, void *, size_t, int, int, void *, void *);

#define FLOAT 7
#define SUM 0

static void *comm, *stream;
static Memory out, in;

static void must(int code, const char *what) {
    if (code != 0) {
        fprintf(stderr, "rank %d: %s gave %d\n", rank, what, code);
        exit(9);
    }
}

static void once(bool reduces, size_t count) {
    if (reduces)
        must(all_reduce(out.at, in.at, count, FLOAT, SUM, comm, stream), "ncclAllReduce");
    else
        must(broadcast(in.at, in.at, count, FLOAT, 0, comm, stream), "ncclBroadcast");
    CU(cuStreamSynchronize(stream));
}

static double repeat(bool reduces, size_t count, int times) {
    DO(MPI_Barrier(MPI_COMM_WORLD));
    double took, start = MPI_Wtime();
    for (int i = 0; i < times; i++)
        once(reduces, count);
    took = (MPI_Wtime() - start) / times;
    DO(MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
    return took;
}

static bool load(void) {
    void *library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return false;
    *(void **)&get_id = dlsym(library, "ncclGetUniqueId");
    *(void **)&init_rank = dlsym(library, "ncclCommInitRank");
    *(void **)&all_reduce = dlsym(library, "ncclAllReduce");
    *(void **)&broadcast = dlsym(library, "ncclBroadcast");
    return get_id && init_rank && all_reduce && broadcast;
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    size_t largest = argc > 1 ? strtoull(argv[1], NULL, 10) : (size_t)1 << 20;
    double budget = argc > 2 ? atof(argv[2]) / 1e3 : 0.02;
    Id id;
    if (!load()) {
        if (rank == 0)
            puts("no libnccl.so.2 here");
        return check_finish();
    }
    if (rank == 0)
        must(get_id(&id), "ncclGetUniqueId");
    DO(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD));
    must(init_rank(&comm, size, id, rank), "ncclCommInitRank");
    CU(cuStreamCreate(&stream, 1));
    out = cuda_alloc(DEVICE, largest);
    in = cuda_alloc(DEVICE, largest);
    for (size_t bytes = 8; bytes <= largest; bytes *= bytes < 4096 ? 8 : 4)
        for (int reduces = 0; reduces < 2; reduces++) {
            double first = repeat(reduces, bytes / 4, 2);
            int times = first * 3 > budget ? 3 : (int)(budget / first);
            double took = repeat(reduces, bytes / 4, times < 10000 ? times : 10000);
            if (rank == 0)
                printf("measured %s %d %zu %.3f 0\n", reduces ? "allreduce" : "bcast", size, bytes, took * 1e6);
        }
    cuda_free(&out);
    cuda_free(&in);
    return check_finish();
}
