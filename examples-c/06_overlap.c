// SPDX-License-Identifier: MIT OR Apache-2.0
// Lesson 6: overlap. Start the communication, compute, and only then wait.
//
// MPI_Isend and MPI_Irecv return at once with a request; the buffers belong to MPI until the request is complete.
// Between start and wait a rank may compute on everything else. Some calls to MPI_Testall on the way give the library
// the chance to move long messages along.
//
// Each rank sends a block to every other rank and receives one from each, all at the same time, while it counts primes.
#include "check.h"

enum { BLOCK = 200000, LIMIT = 200000 };

// What `from` sends to `to` in place `i`.
static int value(int from, int to, int i) { return from * 1000003 + to * 1009 + i; }

static int is_prime(int n) {
    for (int d = 2; d * d <= n; d++)
        if (n % d == 0) return 0;
    return n > 1;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);

    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int *outgoing = allocate((size_t)size * BLOCK * sizeof(int)), *incoming = allocate((size_t)size * BLOCK * sizeof(int));
    MPI_Request *requests = allocate(2 * (size_t)size * sizeof *requests);
    for (int to = 0; to < size; to++)
        for (int i = 0; i < BLOCK; i++) outgoing[to * BLOCK + i] = value(rank, to, i);

    // Receives first: a message that finds its receive posted need not be kept anywhere.
    for (int r = 0; r < size; r++)
        MPI_Irecv(incoming + r * BLOCK, BLOCK, MPI_INT, r, 0, MPI_COMM_WORLD, &requests[r]);
    for (int r = 0; r < size; r++)
        MPI_Isend(outgoing + r * BLOCK, BLOCK, MPI_INT, r, 0, MPI_COMM_WORLD, &requests[size + r]);

    // The computation: the primes below LIMIT, each rank its share; now and then a look at the messages.
    int primes = 0, done = 0;
    for (int n = rank; n < LIMIT; n += size) {
        primes += is_prime(n);
        if (!done && n % 1024 == rank % 1024) MPI_Testall(2 * size, requests, &done, MPI_STATUSES_IGNORE);
    }
    MPI_Waitall(2 * size, requests, MPI_STATUSES_IGNORE);

    for (int r = 0; r < 2 * size; r++) CHECK(requests[r] == MPI_REQUEST_NULL);
    for (int from = 0; from < size; from++)
        for (int i = 0; i < BLOCK; i++) CHECK(incoming[from * BLOCK + i] == value(from, rank, i));

    int total;
    MPI_Reduce(&primes, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        CHECK(total == 17984);
        printf("%d blocks a rank arrived while we found %d primes below %d\n", size, total, LIMIT);
    }

    free(requests);
    free(outgoing);
    free(incoming);
    MPI_Finalize();
    return 0;
}
