// SPDX-License-Identifier: MIT OR Apache-2.0
// Many nonblocking collectives and messages at once on several communicators, started in one order on each communicator
// and completed in another, some by Test alone, with blocking ones between.
#include "check.h"

#define COMMS 4
#define EACH 12

static MPI_Comm comms[COMMS];

struct operation {
    int *out, *in, n, kind, serial;
};

static int value(int of, int serial, int i) {
    return of * 1000 + serial * 10 + i % 7;
}

static int sum(int serial, int i) {
    int total = 0;
    for (int r = 0; r < size; r++)
        total += value(r, serial, i);
    return total;
}

static void start(struct operation *op, int serial, int n, MPI_Comm comm, MPI_Request *request) {
    op->kind = serial % 6;
    op->n = n;
    op->serial = serial;
    op->out = check_alloc(sizeof(int) * n * size);
    op->in = check_alloc(sizeof(int) * n * size);
    for (int i = 0; i < n * size; i++)
        op->out[i] = value(rank, serial, i % n), op->in[i] = -1;
    int root = serial % size;
    switch (op->kind) {
    case 0: DO(MPI_Ibcast(op->out, n, MPI_INT, root, comm, request)); break;
    case 1: DO(MPI_Iallreduce(op->out, op->in, n, MPI_INT, MPI_SUM, comm, request)); break;
    case 2: DO(MPI_Ireduce(op->out, op->in, n, MPI_INT, MPI_SUM, root, comm, request)); break;
    case 3: DO(MPI_Iallgather(op->out, n, MPI_INT, op->in, n, MPI_INT, comm, request)); break;
    case 4: DO(MPI_Ialltoall(op->out, n, MPI_INT, op->in, n, MPI_INT, comm, request)); break;
    default: DO(MPI_Ibarrier(comm, request));
    }
}

static int right(struct operation *op, int i) {
    int root = op->serial % size, wrong = 0;
    switch (op->kind) {
    case 0: return op->out[i] == value(root, op->serial, i);
    case 1: return op->in[i] == sum(op->serial, i);
    case 2: return rank != root || op->in[i] == sum(op->serial, i);
    case 3:
    case 4:
        for (int r = 0; r < size; r++)
            wrong += op->in[r * op->n + i] != value(r, op->serial, i);
        return wrong == 0;
    default: return 1;
    }
}

static void finish(struct operation *op) {
    for (int i = 0; i < op->n; i++)
        if (!right(op, i)) {
            CHECK_FAIL("operation %d of kind %d, n %d: element %d", op->serial, op->kind, op->n, i);
            break;
        }
    free(op->out);
    free(op->in);
}

// All are started; the ranks complete them in different orders.
static void crowd(int n, int how) {
    enum { ALL = COMMS * EACH };
    struct operation ops[ALL];
    MPI_Request requests[ALL];
    for (int i = 0; i < ALL; i++)
        start(&ops[i], i / COMMS * 5 + i % COMMS, n + i % 3, comms[i % COMMS], &requests[i]);
    if (how == 0) {
        DO(MPI_Waitall(ALL, requests, MPI_STATUSES_IGNORE));
    } else if (how == 1) { // the last one first
        for (int i = ALL - 1; i >= 0; i--)
            DO(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
    } else if (how == 2) { // every rank begins elsewhere
        for (int i = 0; i < ALL; i++)
            DO(MPI_Wait(&requests[(i + rank * 11) % ALL], MPI_STATUS_IGNORE));
    } else {
        for (int left = ALL; left > 0;) {
            int index, flag;
            DO(MPI_Testany(ALL, requests, &index, &flag, MPI_STATUS_IGNORE));
            if (flag && index != MPI_UNDEFINED)
                left--;
        }
    }
    for (int i = 0; i < ALL; i++) {
        CHECK(requests[i] == MPI_REQUEST_NULL);
        finish(&ops[i]);
    }
}

// Nonblocking ones stay open across blocking collectives and messages on the same communicator.
static void between(int n) {
    struct operation ops[6];
    MPI_Request requests[6];
    for (int i = 0; i < 6; i++) {
        int one = 1, total = 0, in = -1;
        start(&ops[i], i, n, MPI_COMM_WORLD, &requests[i]);
        DO(MPI_Allreduce(&one, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQ(total, size);
        DO(MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, i, &in, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
        CHECK_EQ(in, (rank + size - 1) % size);
    }
    for (int i = 5; i >= 0; i--) {
        DO(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
        finish(&ops[i]);
    }
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    comms[0] = MPI_COMM_WORLD;
    DO(MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]));
    DO(MPI_Comm_dup(comms[1], &comms[2]));
    DO(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comms[3]));
    for (int how = 0; how < 4; how++) {
        crowd(1, how);
        crowd(700, how);
        crowd(20000, how);
    }
    for (int round = 0; round < 20; round++)
        between(round * 300 + 1);
    for (int c = 1; c < COMMS; c++)
        DO(MPI_Comm_free(&comms[c]));
    return check_finish();
}
