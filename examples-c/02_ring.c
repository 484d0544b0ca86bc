// SPDX-License-Identifier: MIT OR Apache-2.0
// Lesson 2: a token goes round a ring.
//
// Every rank knows its neighbours: the previous and the next rank, counted modulo the size. Rank 0 starts the token;
// each rank adds its own number and passes it on. After ROUNDS rounds rank 0 knows what the token must be worth.
//
// Receiving before sending matters: if all ranks called a blocking receive first, nobody would ever send. Rank 0 sends
// first, so the ring turns.
#include "check.h"

enum { ROUNDS = 5, TAG = 7 };

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);

    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int previous = (rank + size - 1) % size;
    int next = (rank + 1) % size;

    long token = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (rank == 0) {
            // Alone in the job, rank 0 is its own neighbour. A blocking send to oneself may wait for a receive that
            // never comes, so the receive is posted first.
            MPI_Request request;
            long back;
            MPI_Irecv(&back, 1, MPI_LONG, previous, TAG, MPI_COMM_WORLD, &request);
            MPI_Send(&token, 1, MPI_LONG, next, TAG, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            token = back;
            printf("round %d: the token is worth %ld\n", round + 1, token);
        } else {
            MPI_Recv(&token, 1, MPI_LONG, previous, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            token += rank;
            MPI_Send(&token, 1, MPI_LONG, next, TAG, MPI_COMM_WORLD);
        }
    }

    // Each round added 0 + 1 + ... + (size - 1).
    if (rank == 0) {
        CHECK(token == (long)ROUNDS * size * (size - 1) / 2);
    }
    MPI_Finalize();
    return 0;
}
