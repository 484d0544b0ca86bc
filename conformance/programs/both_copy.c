// SPDX-License-Identifier: MIT OR Apache-2.0
// Large messages between neighbours, of lengths around the units in which sender and receiver may share a copy: the sender waits, is
// away, or comes late; many at a time, in both directions; truncated; typed on either side. Nothing is written beyond a message.
#include "check.h"
#include <unistd.h>

#define W MPI_COMM_WORLD
#define GUARD 64
#define MOST ((9 << 20) + 1)
#define MANY 100

static const int lengths[] = {(32 << 10) - 1, 32 << 10, (32 << 10) + 1, 64 << 10, (64 << 10) + 1, 100003, 128 << 10, (1 << 20) + 7, 4 << 20, MOST};
#define LENGTHS ((int)(sizeof lengths / sizeof *lengths))

static unsigned char *out, *in, *room; // in: somewhere in the room

static void clean(int len) { memset(in, 0xee, len + 2 * GUARD); }

static void arrived(int len, int seed) {
    CHECK_FILLED(in + GUARD, len, seed);
    for (int i = 0; i < GUARD; i++)
        CHECK(in[i] == 0xee && in[GUARD + len + i] == 0xee);
}

// Even ranks send to the next, which sends back.
static void there_and_back(int len, int synchronous) {
    int first = rank % 2 == 0, mate = first ? rank + 1 : rank - 1;
    MPI_Status status;
    if (mate >= size)
        return;
    for (int turn = 0; turn < 2; turn++) {
        check_fill(out, len, len + rank + turn);
        clean(len);
        if (first == (turn == 0)) {
            DO(synchronous ? MPI_Ssend(out, len, MPI_BYTE, mate, turn, W) : MPI_Send(out, len, MPI_BYTE, mate, turn, W));
        } else {
            DO(MPI_Recv(in + GUARD, len, MPI_BYTE, mate, turn, W, &status));
            CHECK_STATUS(&status, mate, turn, MPI_BYTE, len);
            arrived(len, len + mate + turn);
        }
    }
}

// The sender is not in MPI while the message is fetched.
static void sender_is_away(int len) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Request request;
    check_fill(out, len, rank + 5);
    clean(len);
    if (rank % 2 == 0) {
        DO(MPI_Isend(out, len, MPI_BYTE, next, 3, W, &request));
        usleep(3000);
        DO(MPI_Recv(in + GUARD, len, MPI_BYTE, previous, 3, W, MPI_STATUS_IGNORE));
    } else {
        DO(MPI_Recv(in + GUARD, len, MPI_BYTE, previous, 3, W, MPI_STATUS_IGNORE));
        DO(MPI_Isend(out, len, MPI_BYTE, next, 3, W, &request));
    }
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    arrived(len, previous + 5);
}

// More at a time than there is room for sharing; some receives come late, and in another order.
static void many(int len, int posted) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Request sends[MANY], receives[MANY];
    unsigned char *data = check_alloc((size_t)len * MANY), *got = check_alloc((size_t)len * MANY);
    for (int i = 0; i < MANY; i++)
        check_fill(data + (size_t)i * len, len, i + rank);
    for (int i = 0; i < MANY * posted; i++)
        DO(MPI_Irecv(got + (size_t)i * len, len, MPI_BYTE, previous, i, W, &receives[i]));
    for (int i = 0; i < MANY; i++)
        DO(MPI_Isend(data + (size_t)i * len, len, MPI_BYTE, next, i, W, &sends[i]));
    for (int i = MANY - 1; i >= MANY * posted; i--)
        DO(MPI_Irecv(got + (size_t)i * len, len, MPI_BYTE, previous, i, W, &receives[i]));
    DO(MPI_Waitall(MANY, sends, MPI_STATUSES_IGNORE));
    DO(MPI_Waitall(MANY, receives, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MANY; i++)
        CHECK_FILLED(got + (size_t)i * len, len, i + previous);
    free(data);
    free(got);
}

static void truncated(int len, int room) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Request request;
    check_fill(out, len, rank);
    clean(room);
    DO(MPI_Isend(out, len, MPI_BYTE, next, 4, W, &request));
    CHECK_ERROR(MPI_Recv(in + GUARD, room, MPI_BYTE, previous, 4, W, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < GUARD; i++)
        CHECK(in[i] == 0xee && in[GUARD + room + i] == 0xee);
}

// Every other int on one side, or on both.
static void typed(int ints, int at_sender, int at_receiver) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, *from = (int *)out, *to = (int *)in;
    MPI_Datatype odd;
    MPI_Request request;
    DO(MPI_Type_vector(ints, 1, 2, MPI_INT, &odd));
    DO(MPI_Type_commit(&odd));
    for (int i = 0; i < ints; i++)
        from[i * (1 + at_sender)] = i * 7 + rank;
    memset(to, 0, 8 * (size_t)ints);
    DO(MPI_Isend(out, at_sender ? 1 : ints, at_sender ? odd : MPI_INT, next, 5, W, &request));
    DO(MPI_Recv(in, at_receiver ? 1 : ints, at_receiver ? odd : MPI_INT, previous, 5, W, MPI_STATUS_IGNORE));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    int wrong = 0;
    for (int i = 0; i < ints; i++)
        wrong += to[i * (1 + at_receiver)] != i * 7 + previous || (at_receiver && i + 1 < ints && to[2 * i + 1] != 0);
    CHECK_EQ(wrong, 0);
    DO(MPI_Type_free(&odd));
}

// A request that is given up: the sender's buffer is its own again when the receiver says so.
static void forgotten(int len) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Request request;
    check_fill(out, len, rank);
    clean(len);
    DO(MPI_Isend(out, len, MPI_BYTE, next, 6, W, &request));
    DO(MPI_Request_free(&request));
    DO(MPI_Recv(in + GUARD, len, MPI_BYTE, previous, 6, W, MPI_STATUS_IGNORE));
    arrived(len, previous);
    DO(MPI_Barrier(W));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    DO(MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN));
    out = check_alloc(MOST + 2 * GUARD), in = room = check_alloc(MOST + 3 * GUARD);
    for (int i = 0; i < LENGTHS; i++) {
        for (int round = 0; round < 5; round++)
            there_and_back(lengths[i], round % 2);
        if (size % 2 == 0)
            sender_is_away(lengths[i]);
        truncated(lengths[i] / 4 * 4, lengths[i] / 2);
        forgotten(lengths[i]);
    }
    for (int shift = 0; shift < GUARD; shift += shift < 20 ? 1 : 11) { // the target a little behind the source within a page
        in = room + shift;
        there_and_back(100003, 0);
        there_and_back((1 << 20) + 7, 0);
    }
    in = room;
    many(40000, 0), many(40000, 1), many(100000, 0), many(300001, 1);
    for (int ints = 20000; ints < MOST / 8; ints = ints * 3 + 1)
        typed(ints, 1, 0), typed(ints, 0, 1), typed(ints, 1, 1);
    free(out);
    free(room);
    return check_finish();
}
