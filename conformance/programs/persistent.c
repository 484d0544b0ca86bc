// SPDX-License-Identifier: MIT OR Apache-2.0
// Persistent requests: the modes, many starts, Startall, inactive requests, freeing. Argument "bsend": the buffered mode alone
// (Open MPI 4.1.4 sends the first start's contents again and again there).
#include "check.h"

#define ROUNDS 20

typedef int (*SendInit)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static int next, previous;

static void rounds(SendInit init, int bytes, int tag, int startall) {
    unsigned char *out = check_alloc(bytes), *in = check_alloc(bytes);
    MPI_Request requests[2];
    MPI_Status statuses[2];
    DO(MPI_Recv_init(in, bytes, MPI_BYTE, previous, tag, MPI_COMM_WORLD, &requests[0]));
    DO(init(out, bytes, MPI_BYTE, next, tag, MPI_COMM_WORLD, &requests[1]));
    for (int round = 0; round < ROUNDS; round++) {
        check_fill(out, bytes, rank + round);
        memset(in, 0, bytes);
        if (startall) {
            DO(MPI_Startall(2, requests));
        } else {
            DO(MPI_Start(&requests[0]));
            DO(MPI_Barrier(MPI_COMM_WORLD)); // a ready send needs the receive
            DO(MPI_Start(&requests[1]));
        }
        DO(MPI_Waitall(2, requests, statuses));
        CHECK(requests[0] != MPI_REQUEST_NULL && requests[1] != MPI_REQUEST_NULL);
        CHECK_STATUS(&statuses[0], previous, tag, MPI_BYTE, bytes);
        if (check_differs(in, bytes, previous + round) != -1)
            CHECK_FAIL("mode %d, %d bytes, round %d: wrong contents", tag, bytes, round);
    }
    DO(MPI_Request_free(&requests[0]));
    DO(MPI_Request_free(&requests[1]));
    CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    free(out);
    free(in);
}

static void buffered(int bytes) {
    int space = ROUNDS * (bytes + MPI_BSEND_OVERHEAD); // a neighbour may lag by several rounds
    void *memory = check_alloc(space), *at;
    DO(MPI_Buffer_attach(memory, space));
    rounds(MPI_Bsend_init, bytes, 3, 0);
    DO(MPI_Buffer_detach(&at, &space)); // waits for the last message
    DO(MPI_Buffer_attach(memory, space));
    rounds(MPI_Bsend_init, bytes, 3, 1);
    DO(MPI_Buffer_detach(&at, &space));
    free(memory);
}

// An inactive request completes at once with an empty status, and stays.
static void inactive(void) {
    int value = 0, flag = 0, index = 0;
    MPI_Request request, kept;
    MPI_Status status;
    DO(MPI_Recv_init(&value, 1, MPI_INT, previous, 50, MPI_COMM_WORLD, &request));
    kept = request;
    memset(&status, 77, sizeof status);
    DO(MPI_Wait(&request, &status));
    CHECK_EMPTY(&status);
    memset(&status, 77, sizeof status);
    DO(MPI_Test(&request, &flag, &status));
    CHECK_EQ(flag, 1);
    CHECK_EMPTY(&status);
    DO(MPI_Waitany(1, &request, &index, &status));
    CHECK_EQ(index, MPI_UNDEFINED);
    CHECK_EMPTY(&status);
    CHECK(request == kept);
    DO(MPI_Request_free(&request));
}

// Active and inactive ones mixed with a plain request; Waitany takes each active one once.
static void mixed(void) {
    int in[3] = {-1, -1, -1}, out = rank * 10, index, seen = 0;
    MPI_Request requests[3];
    MPI_Status status;
    DO(MPI_Recv_init(&in[0], 1, MPI_INT, previous, 60, MPI_COMM_WORLD, &requests[0]));
    DO(MPI_Recv_init(&in[1], 1, MPI_INT, previous, 61, MPI_COMM_WORLD, &requests[1]));
    DO(MPI_Irecv(&in[2], 1, MPI_INT, previous, 62, MPI_COMM_WORLD, &requests[2]));
    DO(MPI_Start(&requests[0]));
    DO(MPI_Send(&out, 1, MPI_INT, next, 62, MPI_COMM_WORLD));
    DO(MPI_Send(&out, 1, MPI_INT, next, 60, MPI_COMM_WORLD));
    for (int i = 0; i < 2; i++) {
        DO(MPI_Waitany(3, requests, &index, &status));
        CHECK(index == 0 || index == 2);
        CHECK_STATUS(&status, previous, 60 + index, MPI_INT, 1);
        seen |= 1 << index;
    }
    CHECK_EQ(seen, 5);
    CHECK_EQ(in[0], previous * 10);
    CHECK_EQ(in[1], -1);
    CHECK_EQ(in[2], previous * 10);
    DO(MPI_Waitany(3, requests, &index, &status));
    CHECK_EQ(index, MPI_UNDEFINED);
    CHECK(requests[2] == MPI_REQUEST_NULL);
    DO(MPI_Request_free(&requests[0]));
    DO(MPI_Request_free(&requests[1]));
}

// Freed while active: the receive is still served.
static void free_active(void) {
    int in = -1, out = rank, sync = 0;
    MPI_Request request;
    DO(MPI_Recv_init(&in, 1, MPI_INT, previous, 70, MPI_COMM_WORLD, &request));
    DO(MPI_Start(&request));
    DO(MPI_Request_free(&request));
    DO(MPI_Send(&out, 1, MPI_INT, next, 70, MPI_COMM_WORLD));
    DO(MPI_Sendrecv(&out, 1, MPI_INT, next, 71, &sync, 1, MPI_INT, previous, 71, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_EQ(in, previous); // the later message of the same sender has come, so the earlier one was matched
}

// The handles of its type and communicator are freed before the first start.
static void handles_freed(void) {
    int in[4] = {-1, -1, -1, -1}, out[4] = {rank, 1, rank + 1, 1};
    MPI_Datatype every_other;
    MPI_Comm comm;
    MPI_Request requests[2];
    DO(MPI_Type_vector(2, 1, 2, MPI_INT, &every_other));
    DO(MPI_Type_commit(&every_other));
    DO(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    DO(MPI_Recv_init(in, 1, every_other, previous, 80, comm, &requests[0]));
    DO(MPI_Send_init(out, 1, every_other, next, 80, comm, &requests[1]));
    DO(MPI_Type_free(&every_other));
    DO(MPI_Comm_free(&comm));
    for (int round = 0; round < 3; round++) {
        in[0] = in[2] = -1;
        DO(MPI_Startall(2, requests));
        DO(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        CHECK(in[0] == previous && in[2] == previous + 1 && in[1] == -1 && in[3] == -1);
    }
    DO(MPI_Request_free(&requests[0]));
    DO(MPI_Request_free(&requests[1]));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    int sizes[] = {0, 8, 4096, 100000, 1 << 20};
    if (check_option(argc, argv, "bsend")) {
        for (int i = 0; i < 5; i++)
            buffered(sizes[i]);
        return check_finish();
    }
    for (int i = 0; i < 5; i++) {
        for (int startall = 0; startall < 2; startall++) {
            rounds(MPI_Send_init, sizes[i], 1, startall);
            rounds(MPI_Ssend_init, sizes[i], 2, startall);
        }
        rounds(MPI_Rsend_init, sizes[i], 4, 0);
    }
    inactive();
    mixed();
    free_active();
    handles_freed();
    return check_finish();
}
