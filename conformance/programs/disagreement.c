// SPDX-License-Identifier: MIT OR Apache-2.0
// One rank gives a collective another count or another root than the other ranks, which return errors: the call ends on every
// rank, in all three forms, and some rank gets an error; if the root of a broadcast gives another count, every rank but the root.
// Counts are on both sides of sizes from which other algorithms serve. Other communicators go on.
#include "forms.h"

enum { MOST = 300000 };
static int *out, *in;
static MPI_Comm comm;
/* The rank that gives another count. */
static int odd;

static int done(int code, MPI_Request *request) {
    return code != MPI_SUCCESS ? code : MPI_Wait(request, MPI_STATUS_IGNORE);
}

static int started(int code, MPI_Request *request) {
    if (code != MPI_SUCCESS)
        return code;
    code = done(MPI_Start(request), request);
    MPI_Request_free(request);
    return code;
}

#define TRY(Name, name, ...)                                                                                 \
    do {                                                                                                     \
        MPI_Request request = MPI_REQUEST_NULL;                                                              \
        int code = persistent          ? started(INIT(Name)(__VA_ARGS__, MPI_INFO_NULL, &request), &request) \
                   : check_nonblocking ? done(MPI_I##name(__VA_ARGS__, &request), &request)                  \
                                       : MPI_##Name(__VA_ARGS__);                                            \
        judge(#Name, code);                                                                                  \
    } while (0)

static void judge(const char *name, int code) {
    int failed = code != MPI_SUCCESS, all = 0;
    MPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int wanted = strcmp(name, "Bcast") == 0 && odd == 0 ? size - 1 : 1;
    if (all < wanted)
        CHECK_FAIL("%s failed on %d ranks, at least %d should have seen it", name, all, wanted);
    MPI_Comm_free(&comm);
}

static void fresh(void) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
}

static void counts(int mine, int theirs) {
    int n = rank == odd ? mine : theirs;
    fresh();
    TRY(Bcast, bcast, out, n, MPI_INT, 0, comm);
    fresh();
    TRY(Reduce, reduce, out, in, n, MPI_INT, MPI_SUM, 0, comm);
    fresh();
    TRY(Allreduce, allreduce, out, in, n, MPI_INT, MPI_SUM, comm);
    fresh();
    TRY(Gather, gather, out, n, MPI_INT, in, n, MPI_INT, 0, comm);
    fresh();
    TRY(Scatter, scatter, out, n, MPI_INT, in, n, MPI_INT, 0, comm);
    fresh();
    TRY(Allgather, allgather, out, n, MPI_INT, in, n, MPI_INT, comm);
    fresh();
    TRY(Alltoall, alltoall, out, n, MPI_INT, in, n, MPI_INT, comm);
    fresh();
    TRY(Scan, scan, out, in, n, MPI_INT, MPI_SUM, comm);
}

static void roots(int n) {
    int root = rank == 0 ? 0 : 1;
    fresh();
    TRY(Reduce, reduce, out, in, n, MPI_INT, MPI_SUM, root, comm);
    fresh();
    TRY(Gather, gather, out, n, MPI_INT, in, n, MPI_INT, root, comm);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    check_form(argc, argv);
    out = calloc((size_t)MOST * size, sizeof *out), in = calloc((size_t)MOST * size, sizeof *in);
    counts(1, 10), counts(10, 1);
    counts(1, 20000), counts(20000, 1);
    counts(20000, MOST), counts(MOST, 20000);
    counts(4000, 5000), counts(5000, 4000);
    odd = size - 1;
    counts(1, 10), counts(4000, 5000), counts(5000, 4000);
    if (check_nonblocking || persistent)
        roots(10), roots(20000);
    free(out), free(in);
    return check_finish();
}
