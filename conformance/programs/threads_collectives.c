// SPDX-License-Identifier: MIT OR Apache-2.0
// MPI_THREAD_MULTIPLE: collectives of four threads at once, each on its communicator, blocking and nonblocking, with
// messages between; communicators duplicated and freed at the same time from different parents, and intercommunicators made of them.
#include "threads.h"

static MPI_Comm own[THREADS];

static void one_of_each(MPI_Comm comm, int n, int seed) {
    int *data = check_alloc(sizeof(int) * n), *all = check_alloc(sizeof(int) * n * size), root = seed % size;
    MPI_Request request;
    for (int i = 0; i < n; i++)
        data[i] = rank == root ? seed + i : -1;
    DO(MPI_Bcast(data, n, MPI_INT, root, comm));
    for (int i = 0; i < n; i++)
        CHECK_EQ(data[i], seed + i);
    for (int i = 0; i < n; i++)
        data[i] = rank + i;
    DO(MPI_Allreduce(MPI_IN_PLACE, data, n, MPI_INT, MPI_SUM, comm));
    for (int i = 0; i < n; i++)
        CHECK_EQ(data[i], size * (size - 1) / 2 + size * i);
    for (int i = 0; i < n; i++)
        data[i] = rank * 7 + seed;
    DO(MPI_Iallgather(data, n, MPI_INT, all, n, MPI_INT, comm, &request));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < n * size; i++)
        CHECK_EQ(all[i], i / n * 7 + seed);
    DO(MPI_Ibarrier(comm, &request));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    free(data);
    free(all);
}

static void *collectives(void *thread) {
    int t = (int)(intptr_t)thread, lengths[] = {1, 100, 5000, 40000};
    for (int round = 0; round < 40; round++)
        one_of_each(own[t], lengths[(round + t) % 4], t * 100 + round);
    return NULL;
}

// Thread t passes a token around the ring on its communicator while the others run collectives.
static void *mixed(void *thread) {
    int t = (int)(intptr_t)thread, next = (rank + 1) % size, previous = (rank + size - 1) % size;
    for (int round = 0; round < 40; round++) {
        if ((t + round) % 2) {
            one_of_each(own[t], 50, round);
        } else {
            int token = rank;
            DO(MPI_Sendrecv_replace(&token, 1, MPI_INT, next, t, previous, t, own[t], MPI_STATUS_IGNORE));
            CHECK_EQ(token, previous);
        }
    }
    return NULL;
}

static void *duplicates(void *thread) {
    int t = (int)(intptr_t)thread;
    for (int round = 0; round < 15; round++) {
        MPI_Comm comm, half;
        DO(MPI_Comm_dup(own[t], &comm));
        one_of_each(comm, 10, round);
        DO(MPI_Comm_split(comm, 0, -rank, &half));
        int me = -1;
        DO(MPI_Comm_rank(half, &me));
        CHECK_EQ(me, size - 1 - rank);
        DO(MPI_Comm_free(&comm));
        DO(MPI_Comm_free(&half));
    }
    return NULL;
}

// Each thread makes intercommunicators of the same processes, with the same tag, over its own communicator.
static void *between(void *thread) {
    int t = (int)(intptr_t)thread, low = rank < (size + 1) / 2, leader = low ? (size + 1) / 2 : 0;
    for (int round = 0; size > 1 && round < 60; round++) {
        MPI_Comm half, inter, merged;
        DO(MPI_Comm_split(own[t], low, rank, &half));
        DO(MPI_Intercomm_create(half, 0, own[t], leader, 99, &inter));
        int there = -1, me = -1;
        DO(MPI_Comm_remote_size(inter, &there));
        CHECK_EQ(there, low ? size / 2 : (size + 1) / 2);
        DO(MPI_Intercomm_merge(inter, !low, &merged));
        DO(MPI_Comm_rank(merged, &me));
        CHECK_EQ(me, rank);
        DO(MPI_Comm_free(&half));
        DO(MPI_Comm_free(&inter));
        one_of_each(merged, 10, round);
        DO(MPI_Comm_free(&merged));
    }
    return NULL;
}

int main(int argc, char **argv) {
    threads_start(&argc, &argv);
    for (int t = 0; t < THREADS; t++)
        DO(MPI_Comm_dup(MPI_COMM_WORLD, &own[t]));
    threads_run(collectives);
    threads_run(mixed);
    threads_run(duplicates);
    threads_run(between);
    for (int t = 0; t < THREADS; t++)
        DO(MPI_Comm_free(&own[t]));
    return check_finish();
}
