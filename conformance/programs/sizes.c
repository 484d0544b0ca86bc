// SPDX-License-Identifier: MIT OR Apache-2.0
// Every message length around every power of two from 1 byte to 4 MiB (the borders of all protocols), expected and
// unexpected, from every rank to the next, with guard bytes behind the buffer.
#include "check.h"

#define GUARD 16
#define LARGEST ((4 << 20) + 1)

static unsigned char *out, *in;
static int next, previous;

static void clear(int bytes) {
    memset(in, 0xEE, bytes + GUARD);
}

static void check_message(int bytes, int seed) {
    CHECK_FILLED(in, bytes, seed);
    for (int i = 0; i < GUARD; i++)
        CHECK_EQ(in[bytes + i], 0xEE);
}

static void exchange(int bytes, int expected) {
    MPI_Request request;
    MPI_Status status;
    check_fill(out, bytes, rank + bytes);
    clear(bytes);
    if (expected) {
        DO(MPI_Irecv(in, bytes, MPI_BYTE, previous, 1, MPI_COMM_WORLD, &request));
        DO(MPI_Send(out, bytes, MPI_BYTE, next, 1, MPI_COMM_WORLD));
        DO(MPI_Wait(&request, &status));
    } else {
        DO(MPI_Isend(out, bytes, MPI_BYTE, next, 1, MPI_COMM_WORLD, &request));
        DO(MPI_Probe(previous, 1, MPI_COMM_WORLD, &status));
        CHECK_STATUS(&status, previous, 1, MPI_BYTE, bytes);
        DO(MPI_Recv(in, bytes, MPI_BYTE, previous, 1, MPI_COMM_WORLD, &status));
        DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    CHECK_STATUS(&status, previous, 1, MPI_BYTE, bytes);
    check_message(bytes, previous + bytes);
}

// Into a larger buffer: the status tells the true length and the rest is untouched.
static void into_larger(int bytes) {
    MPI_Status status;
    check_fill(out, bytes, rank + bytes);
    clear(bytes);
    DO(MPI_Sendrecv(out, bytes, MPI_BYTE, next, 2, in, LARGEST, MPI_BYTE, previous, 2, MPI_COMM_WORLD, &status));
    CHECK_STATUS(&status, previous, 2, MPI_BYTE, bytes);
    check_message(bytes, previous + bytes);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    out = check_alloc(LARGEST + GUARD);
    in = check_alloc(LARGEST + GUARD);
    exchange(0, 0);
    exchange(0, 1);
    for (int power = 1; power <= 4 << 20; power *= 2)
        for (int bytes = power - 1; bytes <= power + 1; bytes++) {
            exchange(bytes, 1);
            exchange(bytes, 0);
            into_larger(bytes);
        }
    free(out);
    free(in);
    return check_finish();
}
