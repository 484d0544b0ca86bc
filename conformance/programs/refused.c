// SPDX-License-Identifier: MIT OR Apache-2.0
// One rank gives a blocking collective an argument that is no good, while the others, which return errors, make right calls: it gets the
// error that all would get, the others get that class or success, and nobody waits for ever. Where every rank waits for every
// other, all get the error. The communicator is as good as before. The argument "all": every rank gives it. "alone": the others do
// not make the call, or the rank makes up for it.
#include "check.h"

enum { LARGE = 300000 };
static int *out, *in, *counts, *negative, *displs;
static MPI_Datatype raw, *types, *bad_types;
static MPI_Comm cart;

typedef struct {
    const char *name;
    int class;     // of the error
    int everybody; // whether all ranks wait for all
    int only;      // which rank can be wrong: the root (0), another (1), any (-1)
} Case;

static const Case cases[] = {
    { "Bcast: root", MPI_ERR_ROOT, 0, -1 },
    { "Bcast: count", MPI_ERR_COUNT, 0, -1 },
    { "Bcast: null buffer", MPI_ERR_BUFFER, 0, -1 },
    { "Bcast: null type", MPI_ERR_TYPE, 0, -1 },
    { "Bcast: uncommitted type", MPI_ERR_TYPE, 0, -1 },
    { "Bcast: in place", MPI_ERR_BUFFER, 0, -1 },
    { "Reduce: root", MPI_ERR_ROOT, 0, -1 },
    { "Reduce: same buffer", MPI_ERR_BUFFER, 0, 0 },
    { "Reduce: in place off the root", MPI_ERR_BUFFER, 0, 1 },
    { "Reduce: count", MPI_ERR_COUNT, 0, -1 },
    { "Allreduce: null op", MPI_ERR_OP, 1, -1 },
    { "Allreduce: same buffer", MPI_ERR_BUFFER, 1, -1 },
    { "Allreduce: op of another type", MPI_ERR_OP, 1, -1 },
    { "Allreduce: null recvbuf", MPI_ERR_BUFFER, 1, -1 },
    { "Gather: root", MPI_ERR_ROOT, 0, -1 },
    { "Gather: sendcount", MPI_ERR_COUNT, 0, -1 },
    { "Gatherv: a negative recvcount", MPI_ERR_COUNT, 0, 0 },
    { "Gatherv: no recvcounts", MPI_ERR_ARG, 0, 0 },
    { "Scatter: null sendbuf", MPI_ERR_BUFFER, 0, 0 },
    { "Scatter: type", MPI_ERR_TYPE, 0, -1 },
    { "Scatterv: a negative sendcount", MPI_ERR_COUNT, 0, 0 },
    { "Allgather: sendcount", MPI_ERR_COUNT, 1, -1 },
    { "Allgather: null recvbuf", MPI_ERR_BUFFER, 1, -1 },
    { "Allgatherv: no displs", MPI_ERR_ARG, 1, -1 },
    { "Alltoall: type", MPI_ERR_TYPE, 1, -1 },
    { "Alltoallv: a negative sendcount", MPI_ERR_COUNT, 1, -1 },
    { "Alltoallw: a null type", MPI_ERR_TYPE, 1, -1 },
    { "Reduce_scatter: a negative recvcount", MPI_ERR_COUNT, 1, -1 },
    { "Reduce_scatter_block: null op", MPI_ERR_OP, 1, -1 },
    { "Scan: same buffer", MPI_ERR_BUFFER, 0, -1 },
    { "Exscan: count", MPI_ERR_COUNT, 0, -1 },
    { "Neighbor_allgather: recvcount", MPI_ERR_COUNT, 0, -1 },
#ifndef OPEN_MPI // which takes these
    { "Alltoall: same block", MPI_ERR_BUFFER, 1, -1 },
    { "Allgather: same block", MPI_ERR_BUFFER, 1, -1 },
#endif
};
enum { CASES = sizeof cases / sizeof *cases };

// The collectives with one root; small and large sums.
static int attempt_rooted(int which, int wrong, int n, MPI_Comm c) {
    MPI_Datatype I = MPI_INT;
    switch (which) {
    case 0: return MPI_Bcast(in, n, I, wrong ? size : 0, c);
    case 1: return MPI_Bcast(in, wrong ? -1 : n, I, 0, c);
    case 2: return MPI_Bcast(wrong ? NULL : in, n, I, 0, c);
    case 3: return MPI_Bcast(in, n, wrong ? MPI_DATATYPE_NULL : I, 0, c);
    case 4: return MPI_Bcast(in, n, wrong ? raw : I, 0, c);
    case 5: return MPI_Bcast(wrong ? MPI_IN_PLACE : in, n, I, 0, c);
    case 6: return MPI_Reduce(out, in, n, I, MPI_SUM, wrong ? -7 : 0, c);
    case 7: return MPI_Reduce(out, wrong ? out : in, n, I, MPI_SUM, 0, c);
    case 8: return MPI_Reduce(wrong ? MPI_IN_PLACE : out, in, n, I, MPI_SUM, 0, c);
    case 9: return MPI_Reduce(out, in, wrong ? -1 : n, I, MPI_SUM, 0, c);
    case 14: return MPI_Gather(out, n, I, in, n, I, wrong ? size : 0, c);
    case 15: return MPI_Gather(out, wrong ? -1 : n, I, in, n, I, 0, c);
    case 16: return MPI_Gatherv(out, 1, I, in, wrong ? negative : counts, displs, I, 0, c);
    case 17: return MPI_Gatherv(out, 1, I, in, wrong ? NULL : counts, displs, I, 0, c);
    case 18: return MPI_Scatter(wrong ? NULL : out, n, I, in, n, I, 0, c);
    case 19: return MPI_Scatter(out, n, wrong ? MPI_DATATYPE_NULL : I, in, n, wrong ? MPI_DATATYPE_NULL : I, 0, c);
    default: return MPI_Scatterv(out, wrong ? negative : counts, displs, I, in, 1, I, 0, c);
    }
}

static int attempt(int which, int wrong, int n, MPI_Comm c) {
    MPI_Datatype I = MPI_INT;
    switch (which) {
    case 10: return MPI_Allreduce(out, in, n, I, wrong ? MPI_OP_NULL : MPI_SUM, c);
    case 11: return MPI_Allreduce(out, wrong ? out : in, n, I, MPI_SUM, c);
    case 12: return MPI_Allreduce(out, in, n / 2, wrong ? MPI_DOUBLE : I, MPI_BAND, c);
    case 13: return MPI_Allreduce(out, wrong ? NULL : in, n, I, MPI_SUM, c);
    case 21: return MPI_Allgather(out, wrong ? -1 : n, I, in, n, I, c);
    case 22: return MPI_Allgather(out, n, I, wrong ? NULL : in, n, I, c);
    case 23: return MPI_Allgatherv(out, 1, I, in, counts, wrong ? NULL : displs, I, c);
    case 24: return MPI_Alltoall(out, n, wrong ? raw : I, in, n, I, c);
    case 25: return MPI_Alltoallv(out, wrong ? negative : counts, displs, I, in, counts, displs, I, c);
    case 26: return MPI_Alltoallw(out, counts, displs, types, in, counts, displs, wrong ? bad_types : types, c);
    case 27: return MPI_Reduce_scatter(out, in, wrong ? negative : counts, I, MPI_SUM, c);
    case 28: return MPI_Reduce_scatter_block(out, in, n, I, wrong ? MPI_OP_NULL : MPI_SUM, c);
    case 29: return MPI_Scan(out, wrong ? out : in, n, I, MPI_SUM, c);
    case 30: return MPI_Exscan(out, in, wrong ? -1 : n, I, MPI_SUM, c);
    case 31: return MPI_Neighbor_allgather(out, n, I, in, wrong ? -1 : n, I, cart);
    case 32: return MPI_Alltoall(wrong ? in : out, n, I, in, n, I, c);
    case 33: return MPI_Allgather(wrong ? in + rank * n : out, n, I, in, n, I, c);
    default: return attempt_rooted(which, wrong, n, c);
    }
}

// Nobody leaves before all have ended a call: by messages, which no collective counts.
static void meet(void) {
    int word = 0;
    for (int r = 1; r < size; r++) {
        if (rank == 0)
            DO(MPI_Recv(&word, 1, MPI_INT, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        if (rank == r)
            DO(MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD));
    }
    for (int r = 1; r < size; r++) {
        if (rank == 0)
            DO(MPI_Send(&word, 1, MPI_INT, r, 2, MPI_COMM_WORLD));
        if (rank == r)
            DO(MPI_Recv(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
}

// Right calls of all kinds.
static void go_on(MPI_Comm comm) {
    int sum = 0, all = size * (size - 1) / 2;
    MPI_Comm other;
    DO(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_EQ(sum, all);
    for (int i = 0; i < LARGE; i++)
        out[i] = rank + i;
    DO(MPI_Allgather(out, 2, MPI_INT, in, 2, MPI_INT, comm));
    CHECK_EQ(in[2 * (size - 1) + 1], size);
    DO(MPI_Allreduce(out, in, LARGE, MPI_INT, MPI_SUM, comm));
    CHECK_EQ(in[LARGE - 1], all + size * (LARGE - 1));
    DO(MPI_Bcast(out, LARGE, MPI_INT, size - 1, comm));
    CHECK_EQ(out[7], size - 1 + 7);
    DO(MPI_Comm_dup(comm, &other));
    DO(MPI_Barrier(other));
    DO(MPI_Comm_free(&other));
}

static void judge(const Case *a, int code, int odd) {
    int class = check_class(code), wrong = odd < 0 || rank == odd;
    if (wrong && class != a->class)
        CHECK_FAIL("%s gave class %d, should be %d", a->name, class, a->class);
    if (!wrong && class != a->class && (a->everybody || class != MPI_SUCCESS))
        CHECK_FAIL("%s, wrong at rank %d, gave class %d, should be %d", a->name, odd, class, a->class);
    if (wrong || class != MPI_ERR_BUFFER)
        return;
    char text[MPI_MAX_ERROR_STRING], who[32];
    int length = 0;
    DO(MPI_Error_string(code, text, &length));
    snprintf(who, sizeof who, "rank %d was refused", odd);
    if (strstr(text, who) == NULL)
        CHECK_FAIL("%s: \"%s\" does not say that %s", a->name, text, who);
}

// A negative rank: all are odd.
static void one(int which, int n, int odd, MPI_Comm comm) {
    const Case *a = &cases[which];
    if ((a->only == 0 && odd != 0) || (a->only == 1 && odd <= 0))
        return;
    judge(a, attempt(which, odd < 0 || rank == odd, n, comm), odd);
    meet();
}

static void within(int odd) {
    static const int lengths[] = { 4, 5000, LARGE };
    MPI_Comm comm;
    for (int i = 0; i < 3; i++) {
        DO(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        for (int which = 0; which < CASES; which++)
            one(which, lengths[i], odd, comm);
        go_on(comm);
        for (int again = 0; again < 70; again++)
            one(again % 10, lengths[i], odd, comm), one(10, lengths[i], odd, comm);
        go_on(comm);
        DO(MPI_Comm_free(&comm));
        DO(MPI_Barrier(cart));
    }
}

// A right call that a rank makes next takes the place of one that was refused and that nobody waits for, as on the peers.
static void make_up(void) {
    int mine = 10 + rank, sum = -1, all = 10 * size + size * (size - 1) / 2;
    MPI_Comm comm;
    DO(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (rank == 0)
        CHECK_ERROR(MPI_Reduce(&mine, NULL, 1, MPI_INT, MPI_SUM, 0, comm), MPI_ERR_BUFFER);
    DO(MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, 0, comm));
    if (rank == 0)
        CHECK_EQ(sum, all);
    if (rank == 0)
        CHECK_ERROR(MPI_Gather(&mine, 1, MPI_INT, NULL, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER);
    DO(MPI_Gather(&mine, 1, MPI_INT, in, 1, MPI_INT, 0, comm));
    if (rank == 0)
        CHECK_EQ(in[size - 1], 9 + size);
    mine = 77;
    if (rank == size - 1)
        CHECK_ERROR(MPI_Bcast(NULL, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER);
    DO(MPI_Bcast(&mine, 1, MPI_INT, 0, comm));
    CHECK_EQ(mine, 77);
    go_on(comm);
    DO(MPI_Comm_free(&comm));
}

// Calls that one rank makes alone, to see the error, change nothing.
static void alone(int odd) {
    MPI_Comm comm;
    DO(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int again = 0; again < 3; again++) {
        if (rank == odd) {
            CHECK_ERROR(attempt(1, 1, 4, comm), MPI_ERR_COUNT);
            CHECK_ERROR(attempt(14, 1, 4, comm), MPI_ERR_ROOT);
            CHECK_ERROR(attempt(24, 1, 4, comm), MPI_ERR_TYPE);
        }
        go_on(comm);
    }
    DO(MPI_Comm_free(&comm));
}

static void prepare(void) {
    int dims[1] = { size }, periods[1] = { 1 };
    size_t bytes = (size_t)LARGE * size * sizeof(int);
    out = check_alloc(bytes), in = check_alloc(bytes);
    memset(out, 0, bytes), memset(in, 0, bytes);
    counts = check_alloc(size * sizeof(int)), negative = check_alloc(size * sizeof(int));
    displs = check_alloc(size * sizeof(int));
    types = check_alloc(size * sizeof *types), bad_types = check_alloc(size * sizeof *types);
    for (int r = 0; r < size; r++) {
        counts[r] = 1, negative[r] = r == size - 1 ? -1 : 1, displs[r] = 4 * r;
        types[r] = MPI_INT, bad_types[r] = r == size - 1 ? MPI_DATATYPE_NULL : MPI_INT;
    }
    MPI_Type_contiguous(1, MPI_INT, &raw);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart);
    MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    prepare();
    if (check_option(argc, argv, "all"))
        within(-1);
    else if (check_option(argc, argv, "alone"))
        make_up(), alone(0), alone(size - 1);
    else
        within(0), within(size - 1);
    MPI_Comm_free(&cart);
    MPI_Type_free(&raw);
    free(out), free(in), free(counts), free(negative), free(displs), free(types), free(bad_types);
    return check_finish();
}
