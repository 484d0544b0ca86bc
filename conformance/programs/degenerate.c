// SPDX-License-Identifier: MIT OR Apache-2.0
// Collectives without data and without partners: null buffers with count 0, MPI_COMM_SELF, a communicator of one while
// the other ranks wait in a Bcast. Argument "nonblocking".
#include "check.h"

#define W MPI_COMM_WORLD

static void no_data(void) {
    int zeros[size];
    memset(zeros, 0, sizeof zeros);
    int others = rank != 0;
    EITHER(Allreduce, allreduce, NULL, NULL, 0, MPI_INT, MPI_SUM, W);
    EITHER(Allreduce, allreduce, MPI_IN_PLACE, NULL, 0, MPI_INT, MPI_SUM, W);
    EITHER(Reduce, reduce, NULL, NULL, 0, MPI_INT, MPI_SUM, 0, W);
    EITHER(Reduce, reduce, others ? NULL : MPI_IN_PLACE, NULL, 0, MPI_INT, MPI_SUM, 0, W);
    EITHER(Bcast, bcast, NULL, 0, MPI_INT, size - 1, W);
    EITHER(Gather, gather, NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, W);
    EITHER(Scatter, scatter, NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, W);
    EITHER(Gatherv, gatherv, NULL, 0, MPI_INT, NULL, zeros, zeros, MPI_INT, 0, W);
    EITHER(Scatterv, scatterv, NULL, zeros, zeros, MPI_INT, NULL, 0, MPI_INT, 0, W);
    EITHER(Allgather, allgather, NULL, 0, MPI_INT, NULL, 0, MPI_INT, W);
    EITHER(Allgatherv, allgatherv, NULL, 0, MPI_INT, NULL, zeros, zeros, MPI_INT, W);
    EITHER(Alltoall, alltoall, NULL, 0, MPI_INT, NULL, 0, MPI_INT, W);
    EITHER(Alltoallv, alltoallv, NULL, zeros, zeros, MPI_INT, NULL, zeros, zeros, MPI_INT, W);
    EITHER(Reduce_scatter, reduce_scatter, NULL, NULL, zeros, MPI_INT, MPI_SUM, W);
    EITHER(Reduce_scatter_block, reduce_scatter_block, NULL, NULL, 0, MPI_INT, MPI_SUM, W);
    EITHER(Scan, scan, NULL, NULL, 0, MPI_INT, MPI_SUM, W);
    EITHER(Exscan, exscan, NULL, NULL, 0, MPI_INT, MPI_SUM, W);
}

// Items of a type of size 0 are no data either.
static void empty_type(void) {
    MPI_Datatype nothing;
    char c = 7;
    DO(MPI_Type_contiguous(0, MPI_INT, &nothing));
    DO(MPI_Type_commit(&nothing));
    EITHER(Bcast, bcast, &c, 5, nothing, 0, W);
    EITHER(Allgather, allgather, &c, 3, nothing, &c, 3, nothing, W);
    CHECK_EQ(c, 7);
    DO(MPI_Type_free(&nothing));
}

static void same(int *in, const int *out) {
    CHECK(memcmp(in, out, 3 * sizeof *in) == 0);
    memset(in, 0, 3 * sizeof *in);
}

static void alone(MPI_Comm comm) {
    int out[3] = {1, -2, 3}, in[3] = {0}, count = 3, zero = 0;
    EITHER(Barrier, barrier, comm);
    EITHER(Bcast, bcast, out, 3, MPI_INT, 0, comm);
#define SAME same(in, out)
    EITHER(Allreduce, allreduce, out, in, 3, MPI_INT, MPI_SUM, comm);
    SAME;
    EITHER(Reduce, reduce, out, in, 3, MPI_INT, MPI_MAX, 0, comm);
    SAME;
    EITHER(Gather, gather, out, 3, MPI_INT, in, 3, MPI_INT, 0, comm);
    SAME;
    EITHER(Scatter, scatter, out, 3, MPI_INT, in, 3, MPI_INT, 0, comm);
    SAME;
    EITHER(Gatherv, gatherv, out, 3, MPI_INT, in, &count, &zero, MPI_INT, 0, comm);
    SAME;
    EITHER(Scatterv, scatterv, out, &count, &zero, MPI_INT, in, 3, MPI_INT, 0, comm);
    SAME;
    EITHER(Allgather, allgather, out, 12, MPI_BYTE, in, 3, MPI_INT, comm);
    SAME;
    EITHER(Allgatherv, allgatherv, out, 3, MPI_INT, in, &count, &zero, MPI_INT, comm);
    SAME;
    EITHER(Alltoall, alltoall, out, 3, MPI_INT, in, 3, MPI_INT, comm);
    SAME;
    EITHER(Alltoallv, alltoallv, out, &count, &zero, MPI_INT, in, &count, &zero, MPI_INT, comm);
    SAME;
    EITHER(Reduce_scatter, reduce_scatter, out, in, &count, MPI_INT, MPI_SUM, comm);
    SAME;
    EITHER(Reduce_scatter_block, reduce_scatter_block, out, in, 3, MPI_INT, MPI_SUM, comm);
    SAME;
    EITHER(Scan, scan, out, in, 3, MPI_INT, MPI_SUM, comm);
    SAME;
    EITHER(Exscan, exscan, out, in, 3, MPI_INT, MPI_SUM, comm);
    CHECK_EQ(in[0], 0); // rank 0's result is not defined; nobody writes it
    EITHER(Allreduce, allreduce, MPI_IN_PLACE, out, 3, MPI_INT, MPI_SUM, comm);
    CHECK(out[0] == 1 && out[1] == -2 && out[2] == 3);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    MPI_Comm one;
    int value = rank == size - 1 ? 99 : 0;
    no_data();
    empty_type();
    alone(MPI_COMM_SELF);
    DO(MPI_Comm_split(W, rank, 0, &one));
    if (rank == size - 1) // all others wait in the Bcast meanwhile
        for (int i = 0; i < 100; i++)
            alone(one);
    EITHER(Bcast, bcast, &value, 1, MPI_INT, size - 1, W);
    CHECK_EQ(value, 99);
    DO(MPI_Comm_free(&one));
    return check_finish();
}
