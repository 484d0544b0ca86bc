// SPDX-License-Identifier: MIT OR Apache-2.0
// MPI_PROC_NULL in every two-sided call: success at once, nothing moved, the status of section 3.10 of MPI 4.1.
#include "check.h"

#define NOBODY MPI_PROC_NULL, 4, MPI_COMM_WORLD

static int value = 42;

static void nobody(MPI_Status *status, int line) {
    check_status(status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0, line);
    CHECK_EQ(value, 42);
}

static void blocking(void) {
    MPI_Status status;
    char space[MPI_BSEND_OVERHEAD + 64];
    void *at;
    int length;
    DO(MPI_Buffer_attach(space, sizeof space));
    DO(MPI_Send(&value, 1, MPI_INT, NOBODY));
    DO(MPI_Ssend(&value, 1, MPI_INT, NOBODY));
    DO(MPI_Rsend(&value, 1, MPI_INT, NOBODY));
    DO(MPI_Bsend(&value, 1, MPI_INT, NOBODY));
    DO(MPI_Recv(&value, 1, MPI_INT, NOBODY, &status));
    nobody(&status, __LINE__);
    DO(MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, &value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
    nobody(&status, __LINE__);
    DO(MPI_Sendrecv_replace(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
    nobody(&status, __LINE__);
    DO(MPI_Buffer_detach(&at, &length));
}

static void nonblocking(void) {
    MPI_Request r[5];
    MPI_Status s[5];
    DO(MPI_Isend(&value, 1, MPI_INT, NOBODY, &r[0]));
    DO(MPI_Issend(&value, 1, MPI_INT, NOBODY, &r[1]));
    DO(MPI_Irsend(&value, 1, MPI_INT, NOBODY, &r[2]));
    DO(MPI_Irecv(&value, 1, MPI_INT, NOBODY, &r[3]));
    DO(MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &r[4]));
    for (int i = 0; i < 5; i++)
        CHECK(r[i] != MPI_REQUEST_NULL);
    DO(MPI_Waitall(5, r, s));
    nobody(&s[3], __LINE__);
    nobody(&s[4], __LINE__);
}

static void persistent(void) {
    MPI_Request r[2];
    MPI_Status s[2];
    DO(MPI_Send_init(&value, 1, MPI_INT, NOBODY, &r[0]));
    DO(MPI_Recv_init(&value, 1, MPI_INT, NOBODY, &r[1]));
    for (int round = 0; round < 3; round++) {
        DO(MPI_Startall(2, r));
        DO(MPI_Waitall(2, r, s));
        nobody(&s[1], __LINE__);
    }
    DO(MPI_Request_free(&r[0]));
    DO(MPI_Request_free(&r[1]));
}

static void probing(void) {
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    int flag = 0;
    DO(MPI_Probe(NOBODY, &status));
    nobody(&status, __LINE__);
    DO(MPI_Iprobe(NOBODY, &flag, &status));
    CHECK_EQ(flag, 1);
    nobody(&status, __LINE__);
    flag = 0;
    DO(MPI_Improbe(NOBODY, &flag, &message, &status));
    CHECK_EQ(flag, 1);
    CHECK(message == MPI_MESSAGE_NO_PROC);
    DO(MPI_Imrecv(&value, 1, MPI_INT, &message, &request));
    CHECK(message == MPI_MESSAGE_NULL);
    DO(MPI_Wait(&request, &status));
    nobody(&status, __LINE__);
}

// A line without ends: neighbours beyond the ends are MPI_PROC_NULL.
static void shift(void) {
    int left = rank == 0 ? MPI_PROC_NULL : rank - 1, right = rank == size - 1 ? MPI_PROC_NULL : rank + 1, in = -5;
    MPI_Status status;
    DO(MPI_Sendrecv(&rank, 1, MPI_INT, right, 8, &in, 1, MPI_INT, left, 8, MPI_COMM_WORLD, &status));
    CHECK_EQ(in, rank == 0 ? -5 : left);
    CHECK_EQ(status.MPI_SOURCE, left);
    in = rank;
    DO(MPI_Sendrecv_replace(&in, 1, MPI_INT, left, 9, right, 9, MPI_COMM_WORLD, &status));
    CHECK_EQ(in, rank == size - 1 ? rank : right);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    blocking();
    nonblocking();
    persistent();
    probing();
    shift();
    return check_finish();
}
