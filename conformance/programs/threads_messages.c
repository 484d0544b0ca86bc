// SPDX-License-Identifier: MIT OR Apache-2.0
// MPI_THREAD_MULTIPLE: four threads of each rank exchange messages on one communicator with their own tags and on
// communicators of their own; one thread waits while others work; one thread completes what another started.
#include "threads.h"

static MPI_Comm own[THREADS];
static int next, previous;

static void exchange(MPI_Comm comm, int tag, int bytes, int seed) {
    unsigned char *out = check_alloc(bytes), *in = check_alloc(bytes);
    MPI_Status status;
    check_fill(out, bytes, rank * 10 + seed);
    DO(MPI_Sendrecv(out, bytes, MPI_BYTE, next, tag, in, bytes, MPI_BYTE, previous, tag, comm, &status));
    CHECK_STATUS(&status, previous, tag, MPI_BYTE, bytes);
    CHECK_FILLED(in, bytes, previous * 10 + seed);
    free(out);
    free(in);
}

static void *shared_communicator(void *thread) {
    int t = (int)(intptr_t)thread, sizes[] = {4, 3000, 70000, 300000};
    for (int round = 0; round < 60; round++)
        exchange(MPI_COMM_WORLD, t, sizes[(round + t) % 4], t + round);
    return NULL;
}

static void *own_communicator(void *thread) {
    int t = (int)(intptr_t)thread, sizes[] = {4, 3000, 70000, 300000};
    for (int round = 0; round < 60; round++)
        exchange(own[t], 0, sizes[(round + t) % 4], t + round);
    return NULL;
}

// Thread t of a rank sends to thread t of the next in a window of nonblocking messages.
static void *windows(void *thread) {
    enum { WINDOW = 32 };
    int t = (int)(intptr_t)thread, out[WINDOW], in[WINDOW];
    MPI_Request requests[2 * WINDOW];
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < WINDOW; i++) {
            out[i] = rank * 1000000 + t * 10000 + round * 100 + i;
            DO(MPI_Irecv(&in[i], 1, MPI_INT, previous, t, MPI_COMM_WORLD, &requests[i]));
            DO(MPI_Isend(&out[i], 1, MPI_INT, next, t, MPI_COMM_WORLD, &requests[WINDOW + i]));
        }
        DO(MPI_Waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < WINDOW; i++)
            CHECK_EQ(in[i], previous * 1000000 + t * 10000 + round * 100 + i);
    }
    return NULL;
}

// Threads 1.. wait in receives that only thread 0's later send to oneself can end.
static void *one_wakes_the_others(void *thread) {
    int t = (int)(intptr_t)thread, in = -1;
    for (int round = 0; round < 50; round++) {
        if (t == 0) {
            for (int i = 1; i < THREADS; i++) {
                int out = round * 10 + i;
                DO(MPI_Send(&out, 1, MPI_INT, rank, 100 + i, MPI_COMM_WORLD));
            }
        } else {
            DO(MPI_Recv(&in, 1, MPI_INT, rank, 100 + t, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_EQ(in, round * 10 + t);
        }
    }
    return NULL;
}

// Messages matched by one thread are received by it though others probe for the same.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static void *matched_probes(void *thread) {
    (void)thread;
    for (int i = 0; i < 50; i++) {
        MPI_Message message;
        MPI_Status status;
        int bytes;
        unsigned char data[8000];
        DO(MPI_Mprobe(MPI_ANY_SOURCE, 200, MPI_COMM_WORLD, &message, &status));
        DO(MPI_Get_count(&status, MPI_BYTE, &bytes));
        DO(MPI_Mrecv(data, bytes, MPI_BYTE, &message, &status));
        CHECK_FILLED(data, bytes, bytes);
        pthread_mutex_lock(&lock);
        taken += bytes;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void probes(void) {
    int total = 0, n = 50 * THREADS;
    unsigned char data[8000];
    MPI_Request requests[n];
    unsigned char *all = check_alloc(n * sizeof data);
    for (int i = 0; i < n; i++) {
        int bytes = 1 + i * 37 % 8000;
        total += bytes;
        check_fill(all + i * sizeof data, bytes, bytes);
        DO(MPI_Isend(all + i * sizeof data, bytes, MPI_BYTE, next, 200, MPI_COMM_WORLD, &requests[i]));
    }
    threads_run(matched_probes);
    DO(MPI_Waitall(n, requests, MPI_STATUSES_IGNORE));
    CHECK_EQ(taken, total);
    free(all);
}

int main(int argc, char **argv) {
    threads_start(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (int t = 0; t < THREADS; t++)
        DO(MPI_Comm_dup(MPI_COMM_WORLD, &own[t]));
    threads_run(shared_communicator);
    threads_run(own_communicator);
    threads_run(windows);
    threads_run(one_wakes_the_others);
    DO(MPI_Barrier(MPI_COMM_WORLD));
    probes();
    for (int t = 0; t < THREADS; t++)
        DO(MPI_Comm_free(&own[t]));
    return check_finish();
}
