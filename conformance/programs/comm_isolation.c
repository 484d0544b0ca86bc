// SPDX-License-Identifier: MIT OR Apache-2.0
// Messages of different communicators do not mix: same ranks, same tags, wildcards, collectives between; a communicator
// freed with traffic on the way still delivers; hundreds of communicators, again and again. Argument "collective": freed
// under a nonblocking collective (Open MPI 4.1.4 crashes there).
#include "check.h"

#define W MPI_COMM_WORLD
#define COMMS 8

static int next, previous;

// Sent on the communicators in one order and received in the reverse order, with full wildcards.
static void reverse_order(int ints) {
    MPI_Comm comms[COMMS];
    MPI_Request requests[COMMS];
    int *out = check_alloc(sizeof(int) * ints * COMMS), *in = check_alloc(sizeof(int) * ints);
    for (int c = 0; c < COMMS; c++)
        DO(MPI_Comm_dup(c == 0 ? W : comms[c - 1], &comms[c]));
    for (int i = 0; i < ints * COMMS; i++)
        out[i] = rank * 1000 + i / ints;
    for (int c = 0; c < COMMS; c++)
        DO(MPI_Isend(out + c * ints, ints, MPI_INT, next, 1, comms[c], &requests[c]));
    for (int c = COMMS - 1; c >= 0; c--) {
        MPI_Status status;
        int flag = 1, sum = 1;
        DO(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comms[c])); // collectives are apart as well
        CHECK_EQ(sum, size);
        DO(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &flag, &status));
        CHECK_EQ(flag, 0);
        DO(MPI_Recv(in, ints, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[c], &status));
        CHECK_STATUS(&status, previous, 1, MPI_INT, ints);
        CHECK_EQ(in[0], previous * 1000 + c);
        CHECK_EQ(in[ints - 1], previous * 1000 + c);
    }
    DO(MPI_Waitall(COMMS, requests, MPI_STATUSES_IGNORE));
    for (int c = 0; c < COMMS; c++)
        DO(MPI_Comm_free(&comms[c]));
    free(out);
    free(in);
}

// Freed while receives and sends are pending: they complete as if nothing had happened.
static void free_pending(int bytes) {
    MPI_Comm comm;
    MPI_Request requests[4];
    MPI_Status statuses[4];
    unsigned char *out = check_alloc(bytes), *in = check_alloc(2 * bytes);
    int sum = 0;
    DO(MPI_Comm_dup(W, &comm));
    check_fill(out, bytes, rank);
    DO(MPI_Irecv(in, bytes, MPI_BYTE, MPI_ANY_SOURCE, 5, comm, &requests[0]));
    DO(MPI_Irecv(in + bytes, bytes, MPI_BYTE, previous, 6, comm, &requests[1]));
    DO(MPI_Isend(out, bytes, MPI_BYTE, next, 6, comm, &requests[2]));
    DO(MPI_Isend(out, bytes, MPI_BYTE, next, 5, comm, &requests[3]));
    DO(MPI_Comm_free(&comm));
    CHECK(comm == MPI_COMM_NULL);
    DO(MPI_Comm_dup(W, &comm)); // may not get the freed one's place in the traffic
    int flag = 1;
    DO(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE));
    CHECK_EQ(flag, 0);
    DO(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_EQ(sum, size * (size - 1) / 2);
    DO(MPI_Waitall(4, requests, statuses));
    CHECK_STATUS(&statuses[0], previous, 5, MPI_BYTE, bytes);
    CHECK_STATUS(&statuses[1], previous, 6, MPI_BYTE, bytes);
    CHECK_FILLED(in, bytes, previous);
    CHECK_FILLED(in + bytes, bytes, previous);
    DO(MPI_Comm_free(&comm));
    free(out);
    free(in);
}

// A nonblocking collective outlives its communicator's handle.
static void free_under_collective(void) {
    MPI_Comm comm;
    MPI_Request request;
    int sum = 0;
    DO(MPI_Comm_dup(W, &comm));
    DO(MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
    DO(MPI_Comm_free(&comm));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQ(sum, size * (size - 1) / 2);
}

static void hundreds(int n) {
    MPI_Comm *comms = check_alloc(n * sizeof *comms);
    int in = -1;
    for (int c = 0; c < n; c++)
        DO(MPI_Comm_split(W, c % 3 == 0 ? 0 : rank % 2, c % 2 ? -rank : rank, &comms[c]));
    for (int c = n - 1; c >= 0; c -= 7) {
        int me, many, sum = 0;
        MPI_Comm_rank(comms[c], &me);
        MPI_Comm_size(comms[c], &many);
        DO(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comms[c]));
        CHECK_EQ(sum, many * (many - 1) / 2);
        int out = 1000 * c + me;
        DO(MPI_Sendrecv(&out, 1, MPI_INT, (me + 1) % many, 0, &in, 1, MPI_INT, (me + many - 1) % many, 0, comms[c],
                        MPI_STATUS_IGNORE));
        CHECK_EQ(in, 1000 * c + (me + many - 1) % many);
    }
    for (int c = 0; c < n; c++)
        DO(MPI_Comm_free(&comms[c]));
    free(comms);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    if (check_option(argc, argv, "collective")) {
        for (int round = 0; round < 10; round++)
            free_under_collective();
        return check_finish();
    }
    reverse_order(1);
    reverse_order(100000);
    for (int round = 0; round < 10; round++) {
        free_pending(8);
        free_pending(500000);
    }
    for (int round = 0; round < 2; round++)
        hundreds(200);
    return check_finish();
}
