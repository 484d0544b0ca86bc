// SPDX-License-Identifier: MIT OR Apache-2.0
// Wait and Test with their any, some and all forms: null requests, empty statuses, partial completion, order.
#include "check.h"

#define N 6

static int peer;

// An empty status says MPI_SUCCESS (MPI 4.1, section 3.7.3); Open MPI leaves the field as it was.
static void check_no_error(const MPI_Status *status) {
#ifndef OPEN_MPI
    CHECK_EQ(status->MPI_ERROR, MPI_SUCCESS);
#else
    (void)status;
#endif
}

static void nothing_to_do(void) {
    MPI_Request nulls[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status, statuses[3];
    int flag = 0, index = 0, count = 0, indices[3];
    memset(&status, 55, sizeof status);
    DO(MPI_Wait(&nulls[0], &status));
    CHECK_EMPTY(&status);
    check_no_error(&status);
    memset(&status, 55, sizeof status);
    DO(MPI_Test(&nulls[0], &flag, &status));
    CHECK_EQ(flag, 1);
    CHECK_EMPTY(&status);
    memset(&status, 55, sizeof status);
    DO(MPI_Waitany(3, nulls, &index, &status));
    CHECK_EQ(index, MPI_UNDEFINED);
    CHECK_EMPTY(&status);
    flag = index = 0;
    memset(&status, 55, sizeof status);
    DO(MPI_Testany(3, nulls, &index, &flag, &status));
    CHECK_EQ(index, MPI_UNDEFINED);
    CHECK_EQ(flag, 1);
    CHECK_EMPTY(&status);
    DO(MPI_Waitsome(3, nulls, &count, indices, statuses));
    CHECK_EQ(count, MPI_UNDEFINED);
    count = 0;
    DO(MPI_Testsome(3, nulls, &count, indices, statuses));
    CHECK_EQ(count, MPI_UNDEFINED);
    memset(statuses, 55, sizeof statuses);
    DO(MPI_Waitall(3, nulls, statuses));
    for (int i = 0; i < 3; i++)
        CHECK_EMPTY(&statuses[i]);
    flag = 0;
    DO(MPI_Testall(3, nulls, &flag, MPI_STATUSES_IGNORE));
    CHECK_EQ(flag, 1);
    DO(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
    DO(MPI_Waitany(0, NULL, &index, MPI_STATUS_IGNORE));
    CHECK_EQ(index, MPI_UNDEFINED);
    flag = 0;
    DO(MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE));
    CHECK_EQ(flag, 1);
}

// Waitall says in each status that nothing failed, as both peers do, though the standard asks for it after an error only.
static void waitall_says_success(void) {
    int in[2], out[2] = {1, 2};
    MPI_Request requests[4];
    MPI_Status statuses[4];
    memset(statuses, 55, sizeof statuses);
    for (int i = 0; i < 2; i++) {
        DO(MPI_Irecv(&in[i], 1, MPI_INT, rank, 70 + i, MPI_COMM_WORLD, &requests[i]));
        DO(MPI_Isend(&out[i], 1, MPI_INT, rank, 70 + i, MPI_COMM_WORLD, &requests[2 + i]));
    }
    DO(MPI_Waitall(4, requests, statuses));
    for (int i = 0; i < 4; i++)
        CHECK_EQ(statuses[i].MPI_ERROR, MPI_SUCCESS);
}

static void post(int *in, MPI_Request *requests) {
    for (int i = 0; i < N; i++) {
        in[i] = -1;
        DO(MPI_Irecv(&in[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[i]));
    }
}

static void send_one(int tag) {
    int value = 1000 * rank + tag;
    DO(MPI_Send(&value, 1, MPI_INT, peer, tag, MPI_COMM_WORLD));
}

static void swap_tokens(void) {
    int token = 0;
    DO(MPI_Sendrecv_replace(&token, 1, MPI_INT, peer, 99, peer, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

// Only request 3 has its message: nobody else may complete.
static void partial(void) {
    int in[N], flag, index, count, indices[N];
    MPI_Request requests[N];
    MPI_Status status, statuses[N];
    post(in, requests);
    DO(MPI_Testany(N, requests, &index, &flag, &status));
    CHECK_EQ(flag, 0);
    CHECK_EQ(index, MPI_UNDEFINED);
    DO(MPI_Testsome(N, requests, &count, indices, statuses));
    CHECK_EQ(count, 0);
    swap_tokens(); // the peer too has looked at its requests
    send_one(3);
    DO(MPI_Waitany(N, requests, &index, &status));
    CHECK_EQ(index, 3);
    CHECK_STATUS(&status, peer, 3, MPI_INT, 1);
    CHECK_EQ(in[3], 1000 * peer + 3);
    DO(MPI_Testall(N, requests, &flag, statuses));
    CHECK_EQ(flag, 0);
    for (int i = 0; i < N; i++)
        CHECK((requests[i] == MPI_REQUEST_NULL) == (i == 3));
    swap_tokens();
    send_one(5);
    send_one(1);
    swap_tokens();
    // both messages came before the token, so at least one is found; the two finds together are the two
    int found = 0;
    while (found != 0x22) {
        DO(MPI_Waitsome(N, requests, &count, indices, statuses));
        CHECK(count >= 1 && count <= 2);
        for (int i = 0; i < count; i++) {
            CHECK_STATUS(&statuses[i], peer, indices[i], MPI_INT, 1);
            CHECK((found & 1 << indices[i]) == 0);
            found |= 1 << indices[i];
        }
    }
    swap_tokens();
    send_one(0), send_one(2), send_one(4);
    for (flag = 0; !flag;)
        DO(MPI_Testall(N, requests, &flag, statuses));
    for (int i = 0; i < N; i++) {
        CHECK_EQ(in[i], 1000 * peer + i);
        if (i % 2 == 0)
            CHECK_STATUS(&statuses[i], peer, i, MPI_INT, 1);
        else
            CHECK_EMPTY(&statuses[i]);
    }
}

// Complete one by one with each single form.
static void singles(void) {
    int in[N], flag, index;
    MPI_Request requests[N];
    MPI_Status status;
    post(in, requests);
    for (int i = N - 1; i >= 0; i--)
        send_one(i);
    for (int i = 0; i < N; i++) {
        flag = 0;
        if (i % 3 == 0)
            DO(MPI_Wait(&requests[i], &status));
        else if (i % 3 == 1)
            while (!flag)
                DO(MPI_Test(&requests[i], &flag, &status));
        else
            while (!flag)
                DO(MPI_Testany(1, &requests[i], &index, &flag, &status));
        CHECK_STATUS(&status, peer, i, MPI_INT, 1);
        CHECK(requests[i] == MPI_REQUEST_NULL);
        CHECK_EQ(in[i], 1000 * peer + i);
    }
}

// Request_get_status does not free; the error field of a single status stays untouched.
static void get_status(void) {
    int in = -1, flag = 0;
    MPI_Request request;
    MPI_Status status;
    DO(MPI_Irecv(&in, 1, MPI_INT, peer, 40, MPI_COMM_WORLD, &request));
    DO(MPI_Request_get_status(request, &flag, &status));
    CHECK_EQ(flag, 0);
    swap_tokens();
    send_one(40);
    for (flag = 0; !flag;)
        DO(MPI_Request_get_status(request, &flag, &status));
    CHECK_STATUS(&status, peer, 40, MPI_INT, 1);
    CHECK(request != MPI_REQUEST_NULL);
    DO(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
    CHECK_EQ(flag, 1);
    memset(&status, 0, sizeof status);
    status.MPI_ERROR = 12345;
    DO(MPI_Wait(&request, &status));
    CHECK_EQ(status.MPI_ERROR, 12345);
    CHECK_STATUS(&status, peer, 40, MPI_INT, 1);
    status.MPI_ERROR = 12345;
    DO(MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status));
    check_no_error(&status);
    CHECK_EQ(flag, 1);
    CHECK_EMPTY(&status);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    nothing_to_do();
    waitall_says_success();
    peer = rank ^ 1;
    if (peer < size) {
        for (int round = 0; round < 20; round++) {
            partial();
            singles();
            get_status();
        }
    }
    return check_finish();
}
