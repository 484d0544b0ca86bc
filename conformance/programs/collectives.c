// SPDX-License-Identifier: MIT OR Apache-2.0
// Every collective on one communicator, in the form that the argument says; contents are checked after each.
#include "forms.h"

#define N 5 // elements a rank, in the uniform forms
#define MOST 16

static MPI_Comm comm;
static int in[MOST * MOST * N], out[MOST * MOST * N];
static int counts[MOST], displs[MOST], scounts[MOST], sdispls[MOST], rdispls[MOST];
static MPI_Datatype types[MOST];

static void clear(void) { memset(out, -1, sizeof out); }

static void rooted(int root) {
    clear();
    for (int i = 0; i < N; i++)
        out[i] = rank == root ? VALUE(root, 0, i) : -1;
    FORM(Bcast, bcast, out, N, MPI_INT, root, comm);
    for (int i = 0; i < N; i++)
        CHECK_EQ(out[i], VALUE(root, 0, i));

    clear();
    for (int i = 0; i < N; i++)
        in[i] = VALUE(rank, 0, i);
    FORM(Reduce, reduce, in, out, N, MPI_INT, MPI_SUM, root, comm);
    for (int i = 0; i < N && rank == root; i++)
        CHECK_EQ(out[i], VALUE(size * (size - 1) / 2, 0, size * i));

    clear();
    FORM(Gather, gather, in, N, MPI_INT, out, N, MPI_INT, root, comm);
    for (int i = 0; i < N * size && rank == root; i++)
        CHECK_EQ(out[i], VALUE(i / N, 0, i % N));

    clear();
    for (int r = 0, at = 1; r < size; at += r + 2, r++)
        counts[r] = r + 1, displs[r] = at;
    FORM(Gatherv, gatherv, in, rank < N ? rank + 1 : N, MPI_INT, out, counts, displs, MPI_INT, root, comm);
    for (int r = 0; r < size && rank == root; r++) {
        CHECK_EQ(out[displs[r] - 1], -1);
        for (int i = 0; i <= r; i++)
            CHECK_EQ(out[displs[r] + i], VALUE(r, 0, i));
    }

    clear();
    for (int i = 0; i < N * size; i++)
        in[i] = VALUE(root, i / N, i % N);
    FORM(Scatter, scatter, in, N, MPI_INT, out, N, MPI_INT, root, comm);
    for (int i = 0; i < N; i++)
        CHECK_EQ(out[i], VALUE(root, rank, i));
    CHECK_EQ(out[N], -1);

    clear();
    FORM(Scatterv, scatterv, in, counts, displs, MPI_INT, out, rank + 1, MPI_INT, root, comm);
    for (int i = 0; i <= rank; i++)
        CHECK_EQ(out[i], in[displs[rank] + i]);
    CHECK_EQ(out[rank + 1], -1);
}

static void gathers(void) {
    clear();
    for (int i = 0; i < N * size; i++)
        in[i] = VALUE(rank, i / N, i % N);
    FORM(Allgather, allgather, in, N, MPI_INT, out, N, MPI_INT, comm);
    for (int i = 0; i < N * size; i++)
        CHECK_EQ(out[i], VALUE(i / N, 0, i % N));

    clear();
    for (int r = 0, at = 1; r < size; at += r % N + 1, r++)
        counts[r] = r % N, displs[r] = at;
    FORM(Allgatherv, allgatherv, in, counts[rank], MPI_INT, out, counts, displs, MPI_INT, comm);
    for (int r = 0; r < size; r++)
        for (int i = -1; i < counts[r]; i++)
            CHECK_EQ(out[displs[r] + i], i < 0 ? -1 : VALUE(r, 0, i));
}

static void exchanges(void) {
    clear();
    for (int i = 0; i < N * size; i++)
        in[i] = VALUE(rank, i / N, i % N);
    FORM(Alltoall, alltoall, in, N, MPI_INT, out, N, MPI_INT, comm);
    for (int i = 0; i < N * size; i++)
        CHECK_EQ(out[i], VALUE(i / N, rank, i % N));

    // Rank a sends (a + b) % N elements to rank b.
    for (int r = 0; r < size; r++) {
        counts[r] = scounts[r] = (rank + r) % N;
        sdispls[r] = rdispls[r] = r * N;
    }
    clear();
    FORM(Alltoallv, alltoallv, in, scounts, sdispls, MPI_INT, out, counts, rdispls, MPI_INT, comm);
    for (int i = 0; i < N * size; i++)
        CHECK_EQ(out[i], i % N < counts[i / N] ? VALUE(i / N, rank, i % N) : -1);

    for (int r = 0; r < size; r++) {
        types[r] = MPI_INT;
        sdispls[r] = rdispls[r] = r * N * (int)sizeof(int);
    }
    clear();
    FORM(Alltoallw, alltoallw, in, scounts, sdispls, types, out, counts, rdispls, types, comm);
    for (int i = 0; i < N * size; i++)
        CHECK_EQ(out[i], i % N < counts[i / N] ? VALUE(i / N, rank, i % N) : -1);
}

static void reductions(void) {
    int sum = size * (size - 1) / 2;
    clear();
    for (int i = 0; i < N * size; i++)
        in[i] = VALUE(rank, 0, i);
    FORM(Allreduce, allreduce, in, out, N, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < N; i++)
        CHECK_EQ(out[i], VALUE(sum, 0, size * i));

    clear();
    FORM(Reduce_scatter_block, reduce_scatter_block, in, out, N, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < N; i++)
        CHECK_EQ(out[i], VALUE(sum, 0, size * (rank * N + i)));

    int before = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = (r + 1) % N;
        before += r < rank ? counts[r] : 0;
    }
    clear();
    FORM(Reduce_scatter, reduce_scatter, in, out, counts, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < N; i++)
        CHECK_EQ(out[i], i < counts[rank] ? VALUE(sum, 0, size * (before + i)) : -1);

    clear();
    FORM(Scan, scan, in, out, N, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < N; i++)
        CHECK_EQ(out[i], VALUE(rank * (rank + 1) / 2, 0, (rank + 1) * i));

    clear();
    FORM(Exscan, exscan, in, out, N, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < N && rank > 0; i++)
        CHECK_EQ(out[i], VALUE(rank * (rank - 1) / 2, 0, rank * i));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    check_form(argc, argv);
    DO(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    if (size <= N) {
        FORM(Barrier, barrier, comm);
        rooted(0);
        rooted(size - 1);
        gathers();
        exchanges();
        reductions();
    }
    DO(MPI_Comm_free(&comm));
    return check_finish();
}
