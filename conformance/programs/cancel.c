// SPDX-License-Identifier: MIT OR Apache-2.0
// Cancelling receives: the request completes, the status says so, and the message goes to the next receive.
#include "check.h"

static int peer;

static void swap_tokens(void) {
    int token = 0;
    DO(MPI_Sendrecv_replace(&token, 1, MPI_INT, peer, 99, peer, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void unmatched(int source, int tag) {
    int in = -7, flag = 0;
    MPI_Request request;
    MPI_Status status;
    DO(MPI_Irecv(&in, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &request));
    DO(MPI_Cancel(&request));
    DO(MPI_Wait(&request, &status));
    DO(MPI_Test_cancelled(&status, &flag));
    CHECK_EQ(flag, 1);
    CHECK(request == MPI_REQUEST_NULL);
    CHECK_EQ(in, -7);
}

// Of three receives for the same messages the middle one is cancelled: the others get them in order.
static void middle(void) {
    int in[3] = {-1, -1, -1}, out[2] = {rank, rank + 100}, flag = -1;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    for (int i = 0; i < 3; i++)
        DO(MPI_Irecv(&in[i], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &requests[i]));
    DO(MPI_Cancel(&requests[1]));
    swap_tokens();
    for (int i = 0; i < 2; i++)
        DO(MPI_Send(&out[i], 1, MPI_INT, peer, 5, MPI_COMM_WORLD));
    DO(MPI_Waitall(3, requests, statuses));
    for (int i = 0; i < 3; i++) {
        DO(MPI_Test_cancelled(&statuses[i], &flag));
        CHECK_EQ(flag, i == 1);
    }
    CHECK_EQ(in[0], peer);
    CHECK_EQ(in[1], -1);
    CHECK_EQ(in[2], peer + 100);
}

// The message has been received already: the cancel is without effect.
static void too_late(void) {
    int in = -1, out = rank, flag = -1;
    MPI_Request request;
    MPI_Status status;
    DO(MPI_Irecv(&in, 1, MPI_INT, peer, 6, MPI_COMM_WORLD, &request));
    swap_tokens();
    DO(MPI_Send(&out, 1, MPI_INT, peer, 6, MPI_COMM_WORLD));
    swap_tokens(); // the message came before the token
    DO(MPI_Cancel(&request));
    DO(MPI_Wait(&request, &status));
    DO(MPI_Test_cancelled(&status, &flag));
    CHECK_EQ(flag, 0);
    CHECK_STATUS(&status, peer, 6, MPI_INT, 1);
    CHECK_EQ(in, peer);
}

static void persistent(void) {
    int in = -1, out = rank, flag = 0;
    MPI_Request request;
    MPI_Status status;
    DO(MPI_Recv_init(&in, 1, MPI_INT, peer, 7, MPI_COMM_WORLD, &request));
    for (int round = 0; round < 10; round++) {
        DO(MPI_Start(&request));
        if (round % 2 == 0)
            DO(MPI_Cancel(&request));
        swap_tokens();
        if (round % 2 == 1)
            DO(MPI_Send(&out, 1, MPI_INT, peer, 7, MPI_COMM_WORLD));
        DO(MPI_Wait(&request, &status));
        DO(MPI_Test_cancelled(&status, &flag));
        CHECK_EQ(flag, round % 2 == 0);
        CHECK_EQ(in, round % 2 == 0 ? -1 : peer);
        CHECK(request != MPI_REQUEST_NULL);
        in = -1;
    }
    DO(MPI_Request_free(&request));
}

// Cancel, then free without waiting: nothing of it is left to take a later message.
static void cancel_and_free(void) {
    int stale = -1, in = -1, out = rank;
    MPI_Request request;
    DO(MPI_Irecv(&stale, 1, MPI_INT, peer, 8, MPI_COMM_WORLD, &request));
    DO(MPI_Cancel(&request));
    DO(MPI_Request_free(&request));
    swap_tokens();
    DO(MPI_Sendrecv(&out, 1, MPI_INT, peer, 8, &in, 1, MPI_INT, peer, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_EQ(in, peer);
    CHECK_EQ(stale, -1);
}

// A persistent request that is not active has nothing to cancel (Open MPI 4.1.4 crashes).
static void inactive(void) {
    int value = 0;
    MPI_Request request;
    MPI_Status status;
    DO(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    DO(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    DO(MPI_Recv_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request));
    CHECK_ERROR(MPI_Cancel(&request), MPI_ERR_REQUEST);
    DO(MPI_Wait(&request, &status));
    CHECK_EMPTY(&status);
    DO(MPI_Request_free(&request));
    DO(MPI_Send_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request));
    CHECK_ERROR(MPI_Cancel(&request), MPI_ERR_REQUEST);
    DO(MPI_Request_free(&request));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    if (check_option(argc, argv, "inactive")) {
        inactive();
        return check_finish();
    }
    unmatched(rank, 3);
    unmatched(MPI_ANY_SOURCE, MPI_ANY_TAG);
    peer = rank ^ 1;
    if (peer < size) {
        unmatched(peer, MPI_ANY_TAG);
        for (int round = 0; round < 10; round++) {
            middle();
            too_late();
            persistent();
            cancel_and_free();
        }
    }
    return check_finish();
}
