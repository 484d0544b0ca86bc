// SPDX-License-Identifier: MIT OR Apache-2.0
// Lesson 3: ping-pong. Two ranks throw a message back and forth; its length grows from nothing to 16 MiB.
//
// This is how the speed of a link is measured: half of the time of a round trip is the latency, bytes over time the
// bandwidth. A library treats short and long messages differently (a short one is copied at once, for a long one the
// receiver is asked first), so a test should cross all the lengths. The contents are checked at both ends.
//
// Ranks pair up (0 with 1, 2 with 3, ...); an odd one out, or a rank alone, plays with itself by MPI_Sendrecv.
#include "check.h"
#include <string.h>

enum { TURNS = 4, LONGEST = 16 << 20 };

// Byte `i` of what `rank` sends in `turn`.
static unsigned char byte_of(int rank, int turn, size_t i) { return (unsigned char)(i * 31 + (size_t)rank * 7 + (size_t)turn); }

static void fill(unsigned char *ball, size_t length, int rank, int turn) {
    for (size_t i = 0; i < length; i++) ball[i] = byte_of(rank, turn, i);
}

static int is_from(const unsigned char *ball, size_t length, int rank, int turn) {
    for (size_t i = 0; i < length; i++)
        if (ball[i] != byte_of(rank, turn, i)) return 0;
    return 1;
}

// One throw and its answer.
static void play(unsigned char *ball, unsigned char *caught, size_t length, int rank, int mate, int turn) {
    int n = (int)length;
    MPI_Status status;
    fill(ball, length, rank, turn);
    memset(caught, 0, length);
    if (mate == rank) {
        MPI_Sendrecv(ball, n, MPI_BYTE, rank, turn, caught, n, MPI_BYTE, rank, turn, MPI_COMM_WORLD, &status);
    } else if (rank < mate) {
        MPI_Send(ball, n, MPI_BYTE, mate, turn, MPI_COMM_WORLD);
        MPI_Recv(caught, n, MPI_BYTE, mate, turn, MPI_COMM_WORLD, &status);
    } else {
        MPI_Recv(caught, n, MPI_BYTE, mate, turn, MPI_COMM_WORLD, &status);
        MPI_Send(ball, n, MPI_BYTE, mate, turn, MPI_COMM_WORLD);
    }
    int count;
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK(count == n);
    CHECK(status.MPI_SOURCE == mate && status.MPI_TAG == turn);
    CHECK(is_from(caught, length, mate, turn));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);

    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mate = (rank ^ 1) < size ? rank ^ 1 : rank;

    unsigned char *ball = allocate(LONGEST), *caught = allocate(LONGEST);
    for (size_t length = 0; length <= LONGEST; length = length ? length * 8 : 1) {
        for (int turn = 0; turn < TURNS; turn++) play(ball, caught, length, rank, mate, turn);
        if (rank == 0) printf("%8zu bytes: %d round trips, contents right\n", length, TURNS);
    }

    free(ball);
    free(caught);
    MPI_Finalize();
    return 0;
}
