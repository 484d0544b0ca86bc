// SPDX-License-Identifier: MIT OR Apache-2.0
// Probe, Iprobe, Mprobe, Improbe, Mrecv, Imrecv: what is probed is what is received.
#include "check.h"

static void send(int to, int tag, int bytes) {
    unsigned char *data = check_alloc(bytes);
    check_fill(data, bytes, rank + tag);
    DO(MPI_Send(data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD));
    free(data);
}

static void receive_probed(MPI_Status *probed) {
    int bytes;
    MPI_Status status;
    DO(MPI_Get_count(probed, MPI_BYTE, &bytes));
    unsigned char *data = check_alloc(bytes);
    DO(MPI_Recv(data, bytes, MPI_BYTE, probed->MPI_SOURCE, probed->MPI_TAG, MPI_COMM_WORLD, &status));
    CHECK_STATUS(&status, probed->MPI_SOURCE, probed->MPI_TAG, MPI_BYTE, bytes);
    CHECK_FILLED(data, bytes, status.MPI_SOURCE + status.MPI_TAG);
    free(data);
}

static int length_of(int tag) {
    static const int lengths[] = {0, 1, 77, 4096, 50000, 1000000};
    return lengths[tag % 6];
}

// Rank 0 gathers what the others sent, by probing for anything.
static void probe_anything(int nonblocking) {
    if (rank != 0) {
        for (int tag = 0; tag < 12; tag++)
            send(0, tag, length_of(tag));
        return;
    }
    int next_tag[size];
    memset(next_tag, 0, sizeof next_tag);
    for (int left = 12 * (size - 1); left > 0; left--) {
        MPI_Status status;
        int flag = !nonblocking;
        if (!nonblocking)
            DO(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        while (!flag)
            DO(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
        CHECK_EQ(status.MPI_TAG, next_tag[status.MPI_SOURCE]); // a sender's messages are found in its order
        next_tag[status.MPI_SOURCE]++;
        receive_probed(&status);
    }
}

// By tag, in the reverse order of sending.
static void probe_by_tag(void) {
    int last = size - 1;
    if (rank == last) {
        MPI_Request requests[6];
        unsigned char *data[6];
        for (int tag = 0; tag < 6; tag++) {
            data[tag] = check_alloc(length_of(tag));
            check_fill(data[tag], length_of(tag), rank + tag);
            DO(MPI_Isend(data[tag], length_of(tag), MPI_BYTE, 0, tag, MPI_COMM_WORLD, &requests[tag]));
        }
        DO(MPI_Waitall(6, requests, MPI_STATUSES_IGNORE));
        for (int tag = 0; tag < 6; tag++)
            free(data[tag]);
    }
    if (rank == 0)
        for (int tag = 5; tag >= 0; tag--) {
            MPI_Status status;
            DO(MPI_Probe(last, tag, MPI_COMM_WORLD, &status));
            CHECK_STATUS(&status, last, tag, MPI_BYTE, length_of(tag));
            receive_probed(&status);
        }
}

// A matched message is out of the queue: a receive that would have matched it gets the next one.
static void matched(int nonblocking, int bytes) {
    if (rank == 1) {
        MPI_Request first;
        unsigned char *data = check_alloc(bytes);
        check_fill(data, bytes, 1 + 7);
        DO(MPI_Isend(data, bytes, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &first)); // is received last
        send(0, 7, bytes + 1);
        DO(MPI_Wait(&first, MPI_STATUS_IGNORE));
        free(data);
    } else if (rank == 0) {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        MPI_Request request;
        int flag = !nonblocking;
        unsigned char *data = check_alloc(bytes + 1);
        if (!nonblocking)
            DO(MPI_Mprobe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status));
        while (!flag)
            DO(MPI_Improbe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, &message, &status));
        CHECK(message != MPI_MESSAGE_NULL);
        CHECK_STATUS(&status, 1, 7, MPI_BYTE, bytes);
        DO(MPI_Recv(data, bytes + 1, MPI_BYTE, 1, 7, MPI_COMM_WORLD, &status));
        CHECK_STATUS(&status, 1, 7, MPI_BYTE, bytes + 1);
        CHECK_FILLED(data, bytes + 1, 1 + 7);
        memset(data, 0, bytes + 1);
        if (nonblocking) {
            DO(MPI_Imrecv(data, bytes, MPI_BYTE, &message, &request));
            DO(MPI_Wait(&request, &status));
        } else {
            DO(MPI_Mrecv(data, bytes, MPI_BYTE, &message, &status));
        }
        CHECK(message == MPI_MESSAGE_NULL);
        CHECK_STATUS(&status, 1, 7, MPI_BYTE, bytes);
        CHECK_FILLED(data, bytes, 1 + 7);
        free(data);
    }
}

static void nobody(void) {
    int flag = 1;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    DO(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
    CHECK_EQ(flag, 0);
    flag = 1;
    DO(MPI_Improbe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &flag, &message, &status));
    CHECK_EQ(flag, 0);
    DO(MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status));
    CHECK_STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_BYTE, 0);
    DO(MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &message, &status));
    CHECK(message == MPI_MESSAGE_NO_PROC);
    CHECK_STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_BYTE, 0);
    DO(MPI_Mrecv(NULL, 0, MPI_BYTE, &message, &status));
    CHECK(message == MPI_MESSAGE_NULL);
    CHECK_STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_BYTE, 0);
}

// Probing does not look at a message that a posted receive has taken.
static void posted_first(void) {
    int value = rank, flag = 1;
    char token;
    MPI_Request request;
    if (rank == 0) {
        DO(MPI_Irecv(&value, 1, MPI_INT, 1, 15, MPI_COMM_WORLD, &request));
        DO(MPI_Ssend(&token, 0, MPI_CHAR, 1, 16, MPI_COMM_WORLD));
        DO(MPI_Recv(&token, 0, MPI_CHAR, 1, 17, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        DO(MPI_Iprobe(1, 15, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        CHECK_EQ(flag, 0);
        DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_EQ(value, 1);
    } else if (rank == 1) {
        DO(MPI_Recv(&token, 0, MPI_CHAR, 0, 16, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        DO(MPI_Send(&value, 1, MPI_INT, 0, 15, MPI_COMM_WORLD));
        DO(MPI_Send(&token, 0, MPI_CHAR, 0, 17, MPI_COMM_WORLD));
    }
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    nobody();
    DO(MPI_Barrier(MPI_COMM_WORLD));
    if (size > 1) {
        int sizes[] = {1, 1000, 9000, 200000};
        for (int round = 0; round < 4; round++) {
            probe_anything(round % 2);
            DO(MPI_Barrier(MPI_COMM_WORLD));
            probe_by_tag();
            matched(0, sizes[round]);
            DO(MPI_Barrier(MPI_COMM_WORLD));
            matched(1, sizes[round]);
            posted_first();
            DO(MPI_Barrier(MPI_COMM_WORLD));
        }
    }
    return check_finish();
}
