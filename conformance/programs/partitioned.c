// SPDX-License-Identifier: MIT OR Apache-2.0
// Partitioned communication: equal and different cuts on both sides, parts marked in any order, singly, by range and list,
// arrival part by part, many rounds, derived types, oneself as the other end, order of matching. Arguments: "roomy" receives, "nobody" as the
// other end (MPICH crashes), "empty" parts, "errors".
#include "check.h"

#define ROUNDS 5
#define LENGTH 5040 // divided by every number of parts below

static int next, previous;

// The parts of a round, marked in an order that the round chooses.
static void mark(MPI_Request request, int parts, int round) {
    int list[LENGTH];
    switch (round % 4) {
    case 0:
        for (int i = 0; i < parts; i++)
            DO(MPI_Pready(i, request));
        break;
    case 1:
        for (int i = parts - 1; i >= 0; i--)
            DO(MPI_Pready(i, request));
        break;
    case 2:
        DO(MPI_Pready_range(parts / 2, parts - 1, request));
        if (parts > 1)
            DO(MPI_Pready_range(0, parts / 2 - 1, request));
        break;
    default:
        for (int i = 0; i < parts; i++)
            list[i] = (i + parts / 2) % parts;
        DO(MPI_Pready_list(parts, list, request));
    }
}

static void exchange(int out_parts, int in_parts, int to, int from, int unit) {
    int bytes = LENGTH * unit, flag;
    unsigned char *out = check_alloc(bytes), *in = check_alloc(bytes);
    MPI_Request requests[2];
    MPI_Status statuses[2];
    DO(MPI_Precv_init(in, in_parts, bytes / in_parts, MPI_BYTE, from, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
    DO(MPI_Psend_init(out, out_parts, bytes / out_parts, MPI_BYTE, to, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    for (int round = 0; round < ROUNDS; round++) {
        memset(in, 0, bytes);
        DO(MPI_Startall(2, requests));
        check_fill(out, bytes, rank + round);
        mark(requests[1], out_parts, round);
        for (int i = in_parts - 1; i >= 0; i--)
            do
                DO(MPI_Parrived(requests[0], i, &flag));
            while (!flag);
        if (check_differs(in, bytes, from + round) != -1)
            CHECK_FAIL("%d parts to %d parts, round %d: wrong contents", out_parts, in_parts, round);
        DO(MPI_Waitall(2, requests, statuses));
        CHECK_STATUS(&statuses[0], from, 5, MPI_BYTE, bytes);
        CHECK(requests[0] != MPI_REQUEST_NULL && requests[1] != MPI_REQUEST_NULL);
        memset(out, 0, bytes);
    }
    DO(MPI_Request_free(&requests[0]));
    DO(MPI_Request_free(&requests[1]));
    CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    free(out);
    free(in);
}

// Parts of a strided type arrive in a dense buffer that is cut otherwise.
static void derived(void) {
    enum { PARTS = 6, EACH = 4 };
    int out[PARTS * EACH * 6], in[PARTS * EACH * 3];
    MPI_Datatype pairs;
    MPI_Request requests[2];
    DO(MPI_Type_vector(3, 1, 2, MPI_INT, &pairs));
    DO(MPI_Type_create_resized(pairs, 0, 6 * sizeof(int), &pairs));
    DO(MPI_Type_commit(&pairs));
    for (int i = 0; i < PARTS * EACH * 6; i++)
        out[i] = i % 2 ? -1 : 1000 * rank + i / 2;
    DO(MPI_Psend_init(out, PARTS, EACH, pairs, next, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
    DO(MPI_Precv_init(in, 4, PARTS * EACH * 3 / 4, MPI_INT, previous, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    DO(MPI_Type_free(&pairs)); // the request keeps it
    DO(MPI_Startall(2, requests));
    DO(MPI_Pready_range(0, PARTS - 1, requests[0]));
    DO(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < PARTS * EACH * 3; i++)
        CHECK_EQ(in[i], 1000 * previous + i);
    DO(MPI_Request_free(&requests[0]));
    DO(MPI_Request_free(&requests[1]));
}

// Requests match in the order in which they were made, whatever the order of their starts; ordinary messages do not meet them.
static void order(void) {
    int out[3] = {10 * rank + 1, 10 * rank + 2, 10 * rank + 3}, in[3] = {0, 0, 0};
    MPI_Request sends[2], receives[2], plain;
    for (int i = 0; i < 2; i++) {
        DO(MPI_Psend_init(&out[i], 1, 1, MPI_INT, next, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &sends[i]));
        DO(MPI_Precv_init(&in[i], 1, 1, MPI_INT, previous, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &receives[i]));
    }
    DO(MPI_Irecv(&in[2], 1, MPI_INT, previous, MPI_ANY_TAG, MPI_COMM_WORLD, &plain));
    for (int i = 1; i >= 0; i--) {
        DO(MPI_Start(&sends[i]));
        DO(MPI_Pready(0, sends[i]));
        DO(MPI_Start(&receives[i]));
    }
    DO(MPI_Send(&out[2], 1, MPI_INT, next, 7, MPI_COMM_WORLD));
    DO(MPI_Waitall(2, sends, MPI_STATUSES_IGNORE));
    DO(MPI_Waitall(2, receives, MPI_STATUSES_IGNORE));
    DO(MPI_Wait(&plain, MPI_STATUS_IGNORE));
    for (int i = 0; i < 3; i++)
        CHECK_EQ(in[i], 10 * previous + i + 1);
    for (int i = 0; i < 2; i++) {
        DO(MPI_Request_free(&sends[i]));
        DO(MPI_Request_free(&receives[i]));
    }
}

// The receive has room for more than is sent: the status tells what came, and parts behind it have nothing to wait for.
static void roomy(void) {
    int out[4] = {rank, rank + 1, rank + 2, rank + 3}, in[6] = {-1, -1, -1, -1, -1, -1}, flag = 0;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    DO(MPI_Precv_init(in, 3, 2, MPI_INT, previous, 10, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
    DO(MPI_Psend_init(out, 4, 1, MPI_INT, next, 10, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    DO(MPI_Startall(2, requests));
    DO(MPI_Pready_range(0, 3, requests[1]));
    for (int i = 0; i < 3; i++)
        do
            DO(MPI_Parrived(requests[0], i, &flag));
        while (!flag);
    DO(MPI_Waitall(2, requests, statuses));
    CHECK_STATUS(&statuses[0], previous, 10, MPI_INT, 4);
    for (int i = 0; i < 6; i++)
        CHECK_EQ(in[i], i < 4 ? previous + i : -1);
    DO(MPI_Request_free(&requests[0]));
    DO(MPI_Request_free(&requests[1]));
}

// Empty parts arrive one by one too.
static void empty(void) {
    int data = 0, flag = 1;
    MPI_Request requests[2];
    DO(MPI_Precv_init(&data, 2, 0, MPI_INT, rank, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
    DO(MPI_Psend_init(&data, 2, 0, MPI_INT, rank, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    DO(MPI_Startall(2, requests));
    DO(MPI_Parrived(requests[0], 1, &flag));
    CHECK_EQ(flag, 0);
    DO(MPI_Pready(1, requests[1]));
    DO(MPI_Parrived(requests[0], 0, &flag));
    CHECK_EQ(flag, 0);
    DO(MPI_Pready(0, requests[1]));
    DO(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    DO(MPI_Request_free(&requests[0]));
    DO(MPI_Request_free(&requests[1]));
}

static void nobody(void) {
    int data[2] = {1, 2};
    MPI_Request requests[2];
    DO(MPI_Psend_init(data, 2, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
    DO(MPI_Precv_init(data, 2, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    DO(MPI_Startall(2, requests));
    DO(MPI_Pready_range(0, 1, requests[0]));
    DO(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_EQ(data[0] + data[1], 3);
    DO(MPI_Request_free(&requests[0]));
    DO(MPI_Request_free(&requests[1]));
}

static void errors(void) {
    int data = 0, out = 4;
    MPI_Request requests[2], other;
    DO(MPI_Psend_init(&out, 1, 1, MPI_INT, rank, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
    DO(MPI_Precv_init(&data, 1, 1, MPI_INT, rank, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    CHECK_ERROR(MPI_Psend_init(&data, -1, 1, MPI_INT, rank, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &other), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Psend_init(&data, 1, 1, MPI_INT, size, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &other), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Pready(0, requests[1]), MPI_ERR_REQUEST);
    DO(MPI_Startall(2, requests));
    DO(MPI_Pready(0, requests[0]));
    DO(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_EQ(data, 4);
    DO(MPI_Request_free(&requests[0]));
    DO(MPI_Request_free(&requests[1]));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    int parts[] = {1, 2, 3, 8, 60};
    for (unsigned i = 0; i < 5; i++)
        for (unsigned j = 0; j < 5; j++)
            exchange(parts[i], parts[j], next, previous, 1);
    exchange(4, 3, next, previous, 200); // beyond what goes without asking
    exchange(7, 5, rank, rank, 1);
    derived();
    order();
    if (check_option(argc, argv, "roomy"))
        roomy();
    if (check_option(argc, argv, "empty"))
        empty();
    if (check_option(argc, argv, "nobody"))
        nobody();
    DO(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    DO(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)); // of calls without a communicator
    if (check_option(argc, argv, "errors"))
        errors();
    return check_finish();
}
