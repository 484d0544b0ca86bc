// SPDX-License-Identifier: MIT OR Apache-2.0
// A rank whose block to itself has two lengths makes a call that cannot be right. It gets an error, and nobody waits for it: ranks
// that need what it would send get one too, and the communicator is as good as before.
#include "check.h"

static int class_of(int code) {
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    return class;
}

// Calls a collective in which rank 0 takes `n` elements where the others take 10.
static int call(int which, int n, const int *out, int *in, MPI_Comm comm) {
    MPI_Request request;
    int code;
    switch (which) {
    case 0: return MPI_Alltoall(out, n, MPI_INT, in, 10, MPI_INT, comm);
    case 1: return MPI_Allgather(out, n, MPI_INT, in, 10, MPI_INT, comm);
    case 2: return MPI_Scatter(out, 10, MPI_INT, in, n, MPI_INT, 0, comm);
    default:
        code = MPI_Ialltoall(out, n, MPI_INT, in, 10, MPI_INT, comm, &request);
        return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    int *out = check_alloc(40 * size * sizeof *out), *in = check_alloc(40 * size * sizeof *in);
    memset(out, 0, 40 * size * sizeof *out);
    for (int which = 0; which < 4; which++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        CHECK(class_of(call(which, rank == 0 ? 20 : 10, out, in, comm)) == MPI_ERR_TRUNCATE);
        CHECK(MPI_Barrier(comm) == MPI_SUCCESS);
        CHECK(call(which, 10, out, in, comm) == MPI_SUCCESS);
        MPI_Comm_free(&comm);
    }
    return check_finish();
}
