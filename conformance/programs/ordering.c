// SPDX-License-Identifier: MIT OR Apache-2.0
// Messages of one sender do not overtake each other, whatever their sizes, with and without wildcards, posted before or after.
#include "check.h"

#define MESSAGES 120

// Small and large in one stream: a large one must not be passed by the small ones behind it.
static int length_of(int message) {
    static const int lengths[] = {4, 60000, 8, 300000, 4, 4, 4096, 70001, 12, 1000000, 5000, 4};
    return lengths[message % 12];
}

static void number(unsigned char *data, int from, int message) {
    check_fill(data, length_of(message), from + message);
    memcpy(data, &message, sizeof message);
}

static void check_message(unsigned char *data, int from, int message) {
    int found;
    memcpy(&found, data, sizeof found);
    CHECK_EQ(found, message);
    data[0] = check_byte(0, from + message), data[1] = check_byte(1, from + message);
    data[2] = check_byte(2, from + message), data[3] = check_byte(3, from + message);
    CHECK_FILLED(data, length_of(message), from + message);
}

static void send_all(int to, int nonblocking, int same_tag) {
    unsigned char *data[MESSAGES];
    MPI_Request requests[MESSAGES];
    for (int m = 0; m < MESSAGES; m++) {
        int tag = same_tag ? 1 : m % 7;
        data[m] = check_alloc(length_of(m));
        number(data[m], rank, m);
        if (nonblocking)
            DO(MPI_Isend(data[m], length_of(m), MPI_BYTE, to, tag, MPI_COMM_WORLD, &requests[m]));
        else
            DO(MPI_Send(data[m], length_of(m), MPI_BYTE, to, tag, MPI_COMM_WORLD));
    }
    if (nonblocking)
        DO(MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE));
    for (int m = 0; m < MESSAGES; m++)
        free(data[m]);
}

// Any source, any tag: each sender's messages come in its order.
static void receive_wild(int any_tag) {
    int next[size];
    memset(next, 0, sizeof next);
    unsigned char *data = check_alloc(1000000);
    for (int left = MESSAGES * (size - 1); left > 0; left--) {
        MPI_Status status;
        DO(MPI_Recv(data, 1000000, MPI_BYTE, MPI_ANY_SOURCE, any_tag ? MPI_ANY_TAG : 1, MPI_COMM_WORLD, &status));
        int from = status.MPI_SOURCE, message = next[from]++;
        CHECK_STATUS(&status, from, any_tag ? message % 7 : 1, MPI_BYTE, length_of(message));
        check_message(data, from, message);
    }
    free(data);
}

// Posted before the messages come; wildcards and exact ones take turns; receives match in the order of posting.
static void receive_posted(int from) {
    unsigned char *data[MESSAGES];
    MPI_Request requests[MESSAGES];
    MPI_Status statuses[MESSAGES];
    for (int m = 0; m < MESSAGES; m++) {
        data[m] = check_alloc(1000000);
        DO(MPI_Irecv(data[m], 1000000, MPI_BYTE, m % 3 == 0 ? MPI_ANY_SOURCE : from, m % 2 == 0 ? MPI_ANY_TAG : 1,
                     MPI_COMM_WORLD, &requests[m]));
    }
    DO(MPI_Send(NULL, 0, MPI_BYTE, from, 50, MPI_COMM_WORLD));
    DO(MPI_Waitall(MESSAGES, requests, statuses));
    for (int m = 0; m < MESSAGES; m++) {
        CHECK_STATUS(&statuses[m], from, 1, MPI_BYTE, length_of(m));
        check_message(data[m], from, m);
        free(data[m]);
    }
}

// By tag, backwards through the tags: within a tag the order of sending holds.
static void receive_by_tag(int from) {
    unsigned char *data = check_alloc(1000000);
    for (int tag = 6; tag >= 0; tag--)
        for (int m = tag; m < MESSAGES; m += 7) {
            DO(MPI_Recv(data, 1000000, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            check_message(data, from, m);
        }
    free(data);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    for (int variant = 0; variant < 4 && size > 1; variant++) {
        if (rank == 0)
            receive_wild(variant / 2);
        else
            send_all(0, variant % 2, variant / 2 == 0);
        DO(MPI_Barrier(MPI_COMM_WORLD));
    }
    for (int nonblocking = 0; nonblocking < 2 && size > 1; nonblocking++) {
        if (rank == 0) {
            receive_posted(size - 1);
        } else if (rank == size - 1) {
            DO(MPI_Recv(NULL, 0, MPI_BYTE, 0, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            send_all(0, nonblocking, 1);
        }
        DO(MPI_Barrier(MPI_COMM_WORLD));
    }
    if (size > 1 && rank == 0)
        receive_by_tag(1);
    else if (rank == 1)
        send_all(0, 1, 0);
    return check_finish();
}
