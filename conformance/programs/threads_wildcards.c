// SPDX-License-Identifier: MIT OR Apache-2.0
// MPI_THREAD_MULTIPLE: all threads of a rank take from one stream of messages with wildcards; each message is taken once;
// requests made by one thread are completed by another; a thread cancels while others receive.
#include "threads.h"

enum { PER_SENDER = 600, DONE = 9 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *seen; // by sender and number

static int length_of(int number) {
    static const int lengths[] = {4, 100, 20000, 9000, 4, 70000};
    return lengths[number % 6];
}

static void take(unsigned char *data, MPI_Status *status) {
    int number;
    memcpy(&number, data, sizeof number);
    CHECK(number >= 0 && number < PER_SENDER);
    CHECK_STATUS(status, status->MPI_SOURCE, 1, MPI_BYTE, length_of(number));
    pthread_mutex_lock(&lock);
    seen[status->MPI_SOURCE * PER_SENDER + number]++;
    pthread_mutex_unlock(&lock);
}

// Takes messages until a mark comes: rank 1 sends one mark for each thread when all senders have sent everything.
static void *receiver(void *thread) {
    unsigned char *data = check_alloc(70000);
    (void)thread;
    for (;;) {
        MPI_Status status;
        DO(MPI_Recv(data, 70000, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        if (status.MPI_TAG == DONE)
            break;
        take(data, &status);
    }
    free(data);
    return NULL;
}

static void *sender(void *thread) {
    unsigned char *data = check_alloc(70000);
    for (int number = (int)(intptr_t)thread; number < PER_SENDER; number += THREADS) {
        memcpy(data, &number, sizeof number);
        DO(MPI_Ssend(data, length_of(number), MPI_BYTE, 0, 1, MPI_COMM_WORLD));
    }
    free(data);
    return NULL;
}

static void one_stream(void) {
    seen = check_alloc(size * PER_SENDER * sizeof *seen);
    memset(seen, 0, size * PER_SENDER * sizeof *seen);
    MPI_Comm ends;
    DO(MPI_Comm_dup(MPI_COMM_WORLD, &ends));
    if (rank == 0) {
        threads_run(receiver);
        for (int i = PER_SENDER; i < size * PER_SENDER; i++)
            CHECK_EQ(seen[i], 1);
    } else {
        threads_run(sender);
        int token = rank;
        if (rank > 1)
            DO(MPI_Send(&token, 1, MPI_INT, 1, 0, ends));
        for (int r = 2; rank == 1 && r < size; r++)
            DO(MPI_Recv(&token, 1, MPI_INT, r, 0, ends, MPI_STATUS_IGNORE));
        for (int t = 0; rank == 1 && t < THREADS; t++)
            DO(MPI_Send(NULL, 0, MPI_BYTE, 0, DONE, MPI_COMM_WORLD));
    }
    DO(MPI_Barrier(MPI_COMM_WORLD));
    DO(MPI_Comm_free(&ends));
    free(seen);
}

// Each thread completes what its neighbour started.
static MPI_Request handed[THREADS];
static int in[THREADS], out[THREADS];
static pthread_barrier_t meet;

static void *handing_over(void *thread) {
    int t = (int)(intptr_t)thread, other = t ^ 1, nxt = (rank + 1) % size, prv = (rank + size - 1) % size;
    for (int round = 0; round < 200; round++) {
        out[t] = rank * 1000 + round;
        DO(MPI_Irecv(&in[t], 1, MPI_INT, prv, 20 + t, MPI_COMM_WORLD, &handed[t]));
        DO(MPI_Send(&out[t], 1, MPI_INT, nxt, 20 + t, MPI_COMM_WORLD));
        pthread_barrier_wait(&meet);
        DO(MPI_Wait(&handed[other], MPI_STATUS_IGNORE));
        CHECK_EQ(in[other], prv * 1000 + round);
        pthread_barrier_wait(&meet);
    }
    return NULL;
}

// Thread 0 posts and cancels, the others exchange.
static void *cancelling(void *thread) {
    int t = (int)(intptr_t)thread, nxt = (rank + 1) % size, prv = (rank + size - 1) % size;
    for (int round = 0; round < 200; round++) {
        if (t == 0) {
            int value, flag = 0;
            MPI_Request request;
            MPI_Status status;
            DO(MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &request));
            DO(MPI_Cancel(&request));
            DO(MPI_Wait(&request, &status));
            DO(MPI_Test_cancelled(&status, &flag));
            CHECK_EQ(flag, 1);
        } else {
            int token = rank * 10 + t;
            DO(MPI_Sendrecv_replace(&token, 1, MPI_INT, nxt, 30 + t, prv, 30 + t, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_EQ(token, prv * 10 + t);
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    threads_start(&argc, &argv);
    pthread_barrier_init(&meet, NULL, THREADS);
    if (size > 1)
        one_stream();
    threads_run(handing_over);
    threads_run(cancelling);
    return check_finish();
}
