// SPDX-License-Identifier: MIT OR Apache-2.0
// Large numbers of open operations: thousands of posted receives, hundreds of unexpected large messages received in
// another order, a thousand synchronous sends, persistent requests by the hundred, completion by Waitsome and Testsome.
#include "check.h"

static int next, previous;

static int shuffled(int i, int n) { // a permutation of 0..n when n is not a multiple of 7919
    return (int)((long)i * 7919 % n);
}

// All receives are posted before the first message goes; they match backwards.
static void posted(int n) {
    int *in = check_alloc(n * sizeof *in), *out = check_alloc(n * sizeof *out);
    MPI_Request *requests = check_alloc(2 * n * sizeof *requests);
    for (int i = 0; i < n; i++)
        DO(MPI_Irecv(&in[i], 1, MPI_INT, previous, i, MPI_COMM_WORLD, &requests[i]));
    DO(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = n - 1; i >= 0; i--) {
        out[i] = rank * n + i;
        DO(MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &requests[n + i]));
    }
    DO(MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < n; i++)
        CHECK_EQ(in[i], previous * n + i);
    free(in);
    free(out);
    free(requests);
}

// Large ones wait at their sender and are fetched in a shuffled order.
static void unexpected(int n, int bytes) {
    unsigned char *out = check_alloc((size_t)n * bytes), *in = check_alloc(bytes);
    MPI_Request *requests = check_alloc(n * sizeof *requests);
    for (int i = 0; i < n; i++) {
        check_fill(out + (size_t)i * bytes, bytes, rank + i);
        DO((i % 2 ? MPI_Issend : MPI_Isend)(out + (size_t)i * bytes, bytes, MPI_BYTE, next, i, MPI_COMM_WORLD, &requests[i]));
    }
    DO(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < n; i++) {
        int tag = shuffled(i, n);
        MPI_Status status;
        DO(MPI_Recv(in, bytes, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status));
        CHECK_STATUS(&status, previous, tag, MPI_BYTE, bytes);
        CHECK_FILLED(in, bytes, previous + tag);
    }
    DO(MPI_Waitall(n, requests, MPI_STATUSES_IGNORE));
    DO(MPI_Barrier(MPI_COMM_WORLD));
    free(out);
    free(in);
    free(requests);
}

// Every rank floods every other one both ways, and takes what comes by Waitsome and Testsome.
static void everybody(int n, int bytes) {
    int all = n * size, left = 2 * all;
    unsigned char *out = check_alloc((size_t)all * bytes), *in = check_alloc((size_t)all * bytes);
    MPI_Request *requests = check_alloc(2 * all * sizeof *requests);
    MPI_Status *statuses = check_alloc(2 * all * sizeof *statuses);
    int *indices = check_alloc(2 * all * sizeof *indices);
    for (int i = 0; i < all; i++) {
        check_fill(out + (size_t)i * bytes, bytes, rank * 7 + i / size);
        DO(MPI_Irecv(in + (size_t)i * bytes, bytes, MPI_BYTE, i % size, 2000, MPI_COMM_WORLD, &requests[i]));
        DO(MPI_Isend(out + (size_t)i * bytes, bytes, MPI_BYTE, i % size, 2000, MPI_COMM_WORLD, &requests[all + i]));
    }
    for (int turn = 0; left > 0; turn++) {
        int done = 0;
        if (turn % 2)
            DO(MPI_Waitsome(2 * all, requests, &done, indices, statuses));
        else
            DO(MPI_Testsome(2 * all, requests, &done, indices, statuses));
        CHECK(done != MPI_UNDEFINED);
        for (int d = 0; d < done; d++)
            if (indices[d] < all) {
                int i = indices[d];
                CHECK_STATUS(&statuses[d], i % size, 2000, MPI_BYTE, bytes);
                CHECK_FILLED(in + (size_t)i * bytes, bytes, i % size * 7 + i / size);
            }
        left -= done;
    }
    free(out), free(in), free(requests), free(statuses), free(indices);
}

static void persistent(int n, int rounds) {
    int *in = check_alloc(n * sizeof *in), *out = check_alloc(n * sizeof *out);
    MPI_Request *requests = check_alloc(2 * n * sizeof *requests);
    for (int i = 0; i < n; i++) {
        DO(MPI_Recv_init(&in[i], 1, MPI_INT, previous, 3000 + i, MPI_COMM_WORLD, &requests[i]));
        DO(MPI_Send_init(&out[i], 1, MPI_INT, next, 3000 + i, MPI_COMM_WORLD, &requests[n + i]));
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < n; i++)
            out[i] = rank + i * 3 + round;
        DO(MPI_Startall(2 * n, requests));
        DO(MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < n; i++)
            CHECK_EQ(in[i], previous + i * 3 + round);
    }
    for (int i = 0; i < 2 * n; i++)
        DO(MPI_Request_free(&requests[i]));
    free(in), free(out), free(requests);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    posted(5000);
    unexpected(1000, 100);
    unexpected(300, 100000);
    everybody(100, 500);
    everybody(30, 50000);
    persistent(300, 20);
    return check_finish();
}
