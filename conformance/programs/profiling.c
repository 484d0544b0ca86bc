// SPDX-License-Identifier: MIT OR Apache-2.0
// The profiling interface: a tool defines MPI_ functions of its own and calls PMPI_ ones; it sees each call of the program, and none
// that the library makes for itself.
#include "check.h"

#define W MPI_COMM_WORLD

static int sends, receives, sums, levels[3], asked;

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    sends++;
    return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status) {
    receives++;
    return PMPI_Recv(data, count, type, from, tag, comm, status);
}

int MPI_Allreduce(const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    sums++;
    return PMPI_Allreduce(out, in, count, type, op, comm);
}

int MPI_Pcontrol(const int level, ...) {
    if (asked < 3)
        levels[asked++] = level;
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    int token = 5, sum = 0, got = 0;
    MPI_Comm copy, half;
    check_start(&argc, &argv);
    // These may use messages inside.
    DO(MPI_Comm_dup(W, &copy));
    DO(MPI_Comm_split(W, rank % 2, rank, &half));
    DO(MPI_Barrier(half));
    DO(MPI_Bcast(&token, 1, MPI_INT, 0, copy));
    DO(MPI_Reduce(&token, &sum, 1, MPI_INT, MPI_SUM, 0, W));
    CHECK(sends == 0 && receives == 0 && sums == 0);
    DO(MPI_Allreduce(&token, &sum, 1, MPI_INT, MPI_SUM, W));
    CHECK_EQ(sum, 5 * size);
    DO(MPI_Send(&token, 1, MPI_INT, rank, 1, copy));
    DO(MPI_Recv(&got, 1, MPI_INT, rank, 1, copy, MPI_STATUS_IGNORE));
    CHECK(sends == 1 && receives == 1 && sums == 1 && got == 5);
    DO(MPI_Pcontrol(0));
    DO(MPI_Pcontrol(1));
    DO(MPI_Pcontrol(2, "more", 3));
    CHECK(asked == 3 && levels[0] == 0 && levels[1] == 1 && levels[2] == 2);
    DO(PMPI_Pcontrol(1));
    double now = PMPI_Wtime();
    CHECK(MPI_Wtime() >= now);
    DO(MPI_Comm_free(&copy));
    DO(MPI_Comm_free(&half));
    return check_finish();
}
