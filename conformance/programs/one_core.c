// SPDX-License-Identifier: MIT OR Apache-2.0
// All ranks on one core from the start, as in a container with one: large messages of every length around the limits, between buffers
// that lie anywhere, many at a time in both directions, expected and not, of derived types, cut off, and with programs' own looks at them.
#define _GNU_SOURCE
#include "check.h"
#include <sched.h>

#define LARGEST ((4 << 20) + 4096)
#define GUARD 64
#define MANY 5

static unsigned char *out, *in;
static int to, from;

static void one_core(void) {
    cpu_set_t all, one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        CHECK_FAIL("sched_getaffinity");
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        CHECK_FAIL("sched_setaffinity");
}

static void guard(int bytes) {
    memset(in, 0xEE, bytes + GUARD);
}

static void guarded(unsigned char *at, int bytes, int seed) {
    CHECK_FILLED(at, bytes, seed);
    for (int i = 0; i < GUARD; i++)
        CHECK_EQ(at[bytes + i], 0xEE);
}

// Around the ring, `late` ones when the message has come.
static void around(int bytes, int out_at, int in_at, int late) {
    MPI_Request requests[2];
    MPI_Status status;
    guard(in_at + bytes);
    check_fill(out + out_at, bytes, rank + bytes);
    if (!late)
        DO(MPI_Irecv(in + in_at, bytes, MPI_BYTE, from, 1, MPI_COMM_WORLD, &requests[0]));
    DO(MPI_Isend(out + out_at, bytes, MPI_BYTE, to, 1, MPI_COMM_WORLD, &requests[1]));
    if (late) {
        DO(MPI_Probe(from, 1, MPI_COMM_WORLD, &status));
        DO(MPI_Irecv(in + in_at, bytes, MPI_BYTE, from, 1, MPI_COMM_WORLD, &requests[0]));
    }
    DO(MPI_Wait(&requests[0], &status));
    CHECK_STATUS(&status, from, 1, MPI_BYTE, bytes);
    DO(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    guarded(in + in_at, bytes, from + bytes);
}

static void many(int bytes) {
    MPI_Request requests[2 * MANY];
    guard(MANY * (bytes + GUARD));
    for (int i = 0; i < MANY; i++) {
        check_fill(out + i * bytes, bytes, rank + i);
        DO(MPI_Irecv(in + i * (bytes + GUARD), bytes, MPI_BYTE, from, i, MPI_COMM_WORLD, &requests[MANY - 1 - i]));
    }
    for (int i = 0; i < MANY; i++)
        DO(MPI_Isend(out + i * bytes, bytes, MPI_BYTE, to, i, MPI_COMM_WORLD, &requests[MANY + i]));
    DO(MPI_Waitall(2 * MANY, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MANY; i++)
        guarded(in + i * (bytes + GUARD), bytes, from + i);
}

// A vector with holes to bytes, and back.
static void typed(int blocks) {
    MPI_Datatype vector;
    DO(MPI_Type_vector(blocks, 3, 5, MPI_SHORT, &vector));
    DO(MPI_Type_commit(&vector));
    int bytes = blocks * 6, spread = blocks * 10;
    check_fill(out, bytes, rank);
    memset(in, 0xEE, spread);
    DO(MPI_Sendrecv(out, bytes, MPI_BYTE, to, 3, in, 1, vector, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    DO(MPI_Sendrecv(in, 1, vector, from, 4, out, bytes, MPI_BYTE, to, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_FILLED(out, bytes, rank);
    for (int block = 0; block + 1 < blocks; block++)
        CHECK_EQ(in[block * 10 + 7], 0xEE);
    DO(MPI_Type_free(&vector));
}

// Rank 0 has less room than rank 1 sends; what follows is whole.
static void cut(int room, int bytes) {
    MPI_Status status;
    DO(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    if (rank == 0) {
        guard(room);
        CHECK_ERROR(MPI_Recv(in, room, MPI_BYTE, 1, 5, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE);
        for (int i = 0; i < GUARD; i++)
            CHECK_EQ(in[room + i], 0xEE);
        guard(bytes);
        DO(MPI_Recv(in, bytes, MPI_BYTE, 1, 5, MPI_COMM_WORLD, &status));
        guarded(in, bytes, 5);
    } else if (rank == 1) {
        check_fill(out, bytes, 5);
        DO(MPI_Send(out, bytes, MPI_BYTE, 0, 5, MPI_COMM_WORLD));
        DO(MPI_Send(out, bytes, MPI_BYTE, 0, 5, MPI_COMM_WORLD));
    }
    DO(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

// The sender looks whether its message has gone, and then changes it.
static void looked_at(int bytes) {
    MPI_Request request;
    guard(bytes);
    check_fill(out, bytes, rank);
    DO(MPI_Issend(out, bytes, MPI_BYTE, to, 6, MPI_COMM_WORLD, &request));
    DO(MPI_Recv(in, bytes, MPI_BYTE, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int gone = 0; !gone;)
        DO(MPI_Test(&request, &gone, MPI_STATUS_IGNORE));
    memset(out, 0x55, bytes);
    guarded(in, bytes, from);
}

int main(int argc, char **argv) {
    one_core();
    check_start(&argc, &argv);
    to = (rank + 1) % size;
    from = (rank + size - 1) % size;
    out = check_alloc(LARGEST + 2 * GUARD);
    in = check_alloc(LARGEST + 2 * GUARD);
    static const int lengths[] = {32 << 10, (32 << 10) + 1, 100003, (256 << 10) - 1, 256 << 10, (256 << 10) + 1, 700001, 4 << 20};
    static const int places[] = {0, 1, 16, 31, 32, 2048, 4080, 4095};
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int k = 0; k < 8; k++)
            around(lengths[i], places[k], places[(k * 3 + i) % 8], k & 1);
    many(50001);
    many(600000);
    typed(7000);
    typed(60000);
    cut(40000, 300000);
    cut(270000, 1 << 20);
    looked_at(90000);
    looked_at(1 << 20);
    return check_finish();
}
