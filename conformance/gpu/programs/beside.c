// SPDX-License-Identifier: MIT OR Apache-2.0
// Another library's collective beside MPI's: in a stream of their own all ranks have work that ends only when all have begun it and
// all have ended a broadcast, or an all-reduce, of other memory. MPI may wait for nothing in that stream. Argument: rounds (5);
// "fresh": the buffers are freed and allocated anew before each.
#include "cuda.h"
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#define N 100000
#define W MPI_COMM_WORLD

static struct {
    atomic_int begun, released;
} *shared;
static int round_;

// What a kernel of a collective does: it waits for its peers, on a device that serves other streams meanwhile.
static void meet(void *nothing) {
    (void)nothing;
    int all = size * (round_ + 1);
    atomic_fetch_add(&shared->begun, 1);
    while (atomic_load(&shared->begun) < all || atomic_load(&shared->released) < all)
        usleep(200);
}

static void share(void) {
    char name[64] = "";
    int file = -1;
    if (rank == 0) {
        snprintf(name, sizeof name, "%s/beside.XXXXXX", getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
        file = mkstemp(name);
        CHECK(file >= 0 && ftruncate(file, 4096) == 0);
    }
    DO(MPI_Bcast(name, sizeof name, MPI_CHAR, 0, W));
    if (rank != 0)
        file = open(name, O_RDWR);
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED) {
        perror("mmap");
        exit(9);
    }
    close(file);
    DO(MPI_Barrier(W));
    if (rank == 0)
        unlink(name);
}

static Memory data, out, in;

static void set(Memory *memory, int of) {
    int *host = check_alloc(sizeof(int) * N);
    for (int i = 0; i < N; i++)
        host[i] = of < 0 ? -1 : cuda_value(of, i);
    cuda_put(memory, 0, host, sizeof(int) * N);
    free(host);
}

static void collectives(int root) {
    DO(MPI_Bcast(data.at, N, MPI_INT, root, W));
    DO(MPI_Allreduce(out.at, in.at, N, MPI_INT, MPI_SUM, W));
}

static void both(void *stream, int root) {
    set(&data, rank == root ? root : -1);
    set(&in, -1);
    CU(cuStreamSynchronize(NULL));
    CU(cuLaunchHostFunc(stream, meet, NULL));
    collectives(root);
    CHECK_EQ(cuStreamQuery(stream), 600); // CUDA_ERROR_NOT_READY: it was still busy
    atomic_fetch_add(&shared->released, 1);
    CU(cuStreamSynchronize(stream));
    CUDA_INTS(&data, 0, N, cuda_value(root, i));
    CUDA_INTS(&in, 0, N, cuda_sum(i));
}

static void allocate(void) {
    data = cuda_values(0, N, N), out = cuda_values(0, N, N), in = cuda_values(0, 0, N);
}

static void release(void) {
    cuda_free(&data);
    cuda_free(&out);
    cuda_free(&in);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int rounds = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 5;
    void *stream;
    share();
    allocate();
    CU(cuStreamCreate(&stream, 1));
    // Memory, kernels and handles of other ranks' memory come with the first calls, and the driver may wait for all streams then.
    for (int root = 0; root < size; root++)
        collectives(root);
    for (round_ = 0; round_ < rounds; round_++) {
        if (check_option(argc, argv, "fresh")) {
            release();
            DO(MPI_Barrier(W));
            allocate();
        }
        both(stream, round_ % size);
        DO(MPI_Barrier(W));
    }
    CU(cuStreamDestroy_v2(stream));
    release();
    munmap(shared, 4096);
    return check_finish();
}
