// SPDX-License-Identifier: MIT OR Apache-2.0
// A message longer than its receive: error class MPI_ERR_TRUNCATE, nothing written behind the buffer, and the
// next message is right; in Recv, Wait, Waitall (MPI_ERR_IN_STATUS) and Sendrecv, at every protocol. Argument "self":
// messages to oneself alone (Open MPI 4.1.4 reports success there).
#include "check.h"

static int peer;
static unsigned char *out, *in;

static void send(int bytes, int tag) {
    check_fill(out, bytes, rank + tag);
    DO(MPI_Send(out, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD));
}

static void untouched(int from) {
    for (int i = 0; i < 64; i++)
        CHECK_EQ(in[from + i], 0xEE);
}

static void next_is_right(int bytes) {
    MPI_Status status;
    DO(MPI_Recv(in, bytes, MPI_BYTE, peer, 2, MPI_COMM_WORLD, &status));
    CHECK_STATUS(&status, peer, 2, MPI_BYTE, bytes);
    CHECK_FILLED(in, bytes, peer + 2);
}

static void receive(int bytes, int room) {
    MPI_Status status;
    memset(in, 0xEE, bytes + 64);
    CHECK_ERROR(MPI_Recv(in, room, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE);
    CHECK_EQ(status.MPI_SOURCE, peer);
    CHECK_EQ(status.MPI_TAG, 1);
    untouched(room);
    next_is_right(bytes);
}

static void wait(int bytes, int room) {
    MPI_Request request;
    MPI_Status status;
    memset(in, 0xEE, bytes + 64);
    DO(MPI_Irecv(in, room, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request));
    CHECK_ERROR(MPI_Wait(&request, &status), MPI_ERR_TRUNCATE);
    CHECK(request == MPI_REQUEST_NULL);
    untouched(room);
    next_is_right(bytes);
}

// Only the truncated one carries the error; the others say success.
static void waitall(int bytes, int room) {
    MPI_Request requests[3];
    MPI_Status statuses[3];
    unsigned char *small = check_alloc(2 * bytes);
    memset(in, 0xEE, bytes + 64);
    DO(MPI_Irecv(small, bytes, MPI_BYTE, peer, 3, MPI_COMM_WORLD, &requests[0]));
    DO(MPI_Irecv(in, room, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &requests[1]));
    DO(MPI_Irecv(small + bytes, bytes, MPI_BYTE, peer, 2, MPI_COMM_WORLD, &requests[2]));
    int code = MPI_Waitall(3, requests, statuses);
    if (check_class(code) == MPI_ERR_IN_STATUS) {
        CHECK(check_class(statuses[1].MPI_ERROR) == MPI_ERR_TRUNCATE);
        CHECK(statuses[0].MPI_ERROR == MPI_SUCCESS || statuses[0].MPI_ERROR == MPI_ERR_PENDING);
        CHECK(statuses[2].MPI_ERROR == MPI_SUCCESS || statuses[2].MPI_ERROR == MPI_ERR_PENDING);
    } else {
        CHECK_FAIL("Waitall gave class %d", check_class(code));
    }
    for (int i = 0; i < 3; i++) // those that the call gave up on are still ours to complete
        if (requests[i] != MPI_REQUEST_NULL && statuses[i].MPI_ERROR == MPI_ERR_PENDING)
            DO(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
    CHECK_FILLED(small, bytes, peer + 3);
    CHECK_FILLED(small + bytes, bytes, peer + 2);
    untouched(room);
    free(small);
}

static void sendrecv(int bytes, int room) {
    memset(in, 0xEE, bytes + 64);
    check_fill(out, bytes, rank);
    CHECK_ERROR(MPI_Sendrecv(out, bytes, MPI_BYTE, peer, 4, in, room, MPI_BYTE, peer, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                MPI_ERR_TRUNCATE);
    untouched(room);
    DO(MPI_Sendrecv(out, bytes, MPI_BYTE, peer, 5, in, bytes, MPI_BYTE, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_FILLED(in, bytes, peer);
}

static void to_self(int bytes, int room) {
    MPI_Request request;
    memset(in, 0xEE, bytes + 64);
    check_fill(out, bytes, 1);
    DO(MPI_Irecv(in, room, MPI_BYTE, 0, 6, MPI_COMM_SELF, &request));
    MPI_Send(out, bytes, MPI_BYTE, 0, 6, MPI_COMM_SELF);
    CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    untouched(room);
}

static void pair(int bytes, int room) {
    if (rank < peer) {
        for (int round = 0; round < 2; round++) {
            send(bytes, 1);
            send(bytes, 2);
        }
        send(bytes, 3);
        send(bytes, 1);
        send(bytes, 2);
    } else {
        receive(bytes, room);
        wait(bytes, room);
        waitall(bytes, room);
    }
    sendrecv(bytes, room);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int sizes[] = {2, 100, 5000, 70000, 2000000};
    out = check_alloc(2000064);
    in = check_alloc(2000064);
    peer = rank ^ 1;
    for (int i = 0; i < 5; i++) {
        int rooms[] = {0, 1, sizes[i] / 2, sizes[i] - 1};
        for (int r = 0; r < 4; r++) {
            if (check_option(argc, argv, "self"))
                to_self(sizes[i], rooms[r]);
            else if (peer < size)
                pair(sizes[i], rooms[r]);
        }
    }
    free(out);
    free(in);
    return check_finish();
}
