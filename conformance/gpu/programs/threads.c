// SPDX-License-Identifier: MIT OR Apache-2.0
// Threads and contexts: one thread allocates; another, which never called CUDA, communicates on that memory; a third has
// pushed another context. After the calls the second still has no context and the third its own.
#include "cuda.h"
#include <pthread.h>

#define N 50000

static Memory data[3];
static MPI_Comm comms[3];

static void communicate(int t) {
    for (int round = 0; round < 5; round++) {
        DO(MPI_Bcast(data[t].at, N, MPI_INT, round % size, comms[t]));
        DO(MPI_Allreduce(MPI_IN_PLACE, data[t].at, N, MPI_INT, MPI_MAX, comms[t]));
    }
}

static void *without_context(void *nothing) {
    CHECK(cuda_current() == NULL);
    communicate(1);
    CHECK(cuda_current() == NULL);
    return nothing;
}

static void *with_another(void *nothing) {
    void *other = NULL;
    CU(cuCtxCreate_v2(&other, 0, cuda_device));
    communicate(2);
    CHECK(cuda_current() == other);
    return nothing;
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_MULTIPLE);
    pthread_t threads[2];
    for (int t = 0; t < 3; t++) {
        data[t] = cuda_values(0, N, N);
        DO(MPI_Comm_dup(MPI_COMM_WORLD, &comms[t]));
    }
    pthread_create(&threads[0], NULL, without_context, NULL);
    pthread_create(&threads[1], NULL, with_another, NULL);
    communicate(0);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    for (int t = 0; t < 3; t++) {
        CUDA_INTS(&data[t], 0, N, cuda_value(0, i)); // the first Bcast makes all equal
        cuda_free(&data[t]);
        DO(MPI_Comm_free(&comms[t]));
    }
    return check_finish();
}
