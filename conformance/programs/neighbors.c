// SPDX-License-Identifier: MIT OR Apache-2.0
// Neighborhood collectives on grids, graphs and distributed graphs, in the form that the argument says. What comes along an edge
// is computed from the edge alone: who sends it, and which of his edges it is there. Argument "crossing": grids with periodic
// dimensions of 1 or 2 places, where both neighbours are one process and what goes up comes from below (Open MPI 4.1.4
// gets it right in blocking calls alone, MPICH 4.0.2 in some). Argument "twice": a graph with edges that occur twice (MPICH
// 4.0.2 meets them in the other order). Argument "without": a communicator without neighbours (Open MPI gives another class).
#include "forms.h"

#define N 4
#define MOST 64
#define DEGREE 16

typedef struct {
    int from, slot; // the sender and which of his edges this is; MPI_PROC_NULL: none
} Edge;

static Edge incoming[DEGREE];
static int ins, outs;
static int in[MOST * N], out[MOST * N];
static int counts[DEGREE], displs[DEGREE], scounts[DEGREE], sdispls[DEGREE];
static MPI_Aint sbytes[DEGREE], rbytes[DEGREE];
static MPI_Datatype types[DEGREE];

static void clear(void) { memset(out, -1, sizeof out); }

// Elements along the edge `slot` of a sender, in the vector forms.
static int length(int from, int slot) { return (from + slot) % N; }

static void check_blocks(int vector, int each, int line) {
    for (int s = 0; s < ins; s++)
        for (int i = 0; i < N; i++) {
            Edge e = incoming[s];
            int slot = each ? e.slot : 0, there = e.from != MPI_PROC_NULL;
            int n = there && vector ? length(e.from, slot) : N;
            int want = there && i < n ? VALUE(e.from, slot, i) : -1;
            if (out[s * N + i] != want)
                CHECK_FAIL("line %d: block %d, element %d is %d, should be %d", line, s, i, out[s * N + i], want);
        }
}

static void all(MPI_Comm comm) {
    for (int k = 0; k < outs * N || k < N; k++)
        in[k] = VALUE(rank, k / N, k % N);
    for (int s = 0; s < ins; s++)
        displs[s] = s * N, rbytes[s] = s * N * (MPI_Aint)sizeof(int), types[s] = MPI_INT;
    for (int s = 0; s < outs; s++)
        scounts[s] = length(rank, s), sdispls[s] = s * N, sbytes[s] = s * N * (MPI_Aint)sizeof(int), types[s] = MPI_INT;

    clear();
    FORM(Neighbor_allgather, neighbor_allgather, in, N, MPI_INT, out, N, MPI_INT, comm);
    check_blocks(0, 0, __LINE__);
    for (int s = 0; s < ins; s++)
        counts[s] = incoming[s].from == MPI_PROC_NULL ? N : length(incoming[s].from, 0);
    clear();
    FORM(Neighbor_allgatherv, neighbor_allgatherv, in, length(rank, 0), MPI_INT, out, counts, displs, MPI_INT, comm);
    check_blocks(1, 0, __LINE__);
    clear();
    FORM(Neighbor_alltoall, neighbor_alltoall, in, N, MPI_INT, out, N, MPI_INT, comm);
    check_blocks(0, 1, __LINE__);
    for (int s = 0; s < ins; s++)
        counts[s] = incoming[s].from == MPI_PROC_NULL ? N : length(incoming[s].from, incoming[s].slot);
    clear();
    FORM(Neighbor_alltoallv, neighbor_alltoallv, in, scounts, sdispls, MPI_INT, out, counts, displs, MPI_INT, comm);
    check_blocks(1, 1, __LINE__);
    clear();
    FORM(Neighbor_alltoallw, neighbor_alltoallw, in, scounts, sbytes, types, out, counts, rbytes, types, comm);
    check_blocks(1, 1, __LINE__);
}

// What comes from below has gone up there, and the other way round.
static void grid(int ndims, int *dims, int *periods) {
    MPI_Comm comm;
    int cells = 1;
    for (int d = 0; d < ndims; d++)
        cells *= dims[d];
    if (cells > size)
        return;
    DO(MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 0, &comm));
    if (comm == MPI_COMM_NULL)
        return;
    ins = outs = 2 * ndims;
    for (int d = 0; d < ndims; d++) {
        int below, above;
        DO(MPI_Cart_shift(comm, d, 1, &below, &above));
        incoming[2 * d] = (Edge){below, 2 * d + 1};
        incoming[2 * d + 1] = (Edge){above, 2 * d};
    }
    all(comm);
    DO(MPI_Comm_free(&comm));
}

static void grids(int crossing) {
    int open[3] = {0, 0, 0}, ring[3] = {1, 1, 1}, mixed[2] = {1, 0};
    if (!crossing) {
        grid(1, (int[]){size}, open);
        if (size > 2)
            grid(1, (int[]){size}, ring);
        grid(2, (int[]){size, 1}, open);
        grid(2, (int[]){3, size / 3 ? size / 3 : 1}, mixed);
        grid(2, (int[]){2, size / 2 ? size / 2 : 1}, open);
        return;
    }
    grid(1, (int[]){1}, ring);
    grid(1, (int[]){2}, ring);
    grid(2, (int[]){2, 2}, ring);
    grid(3, (int[]){1, 2, size / 2 ? size / 2 : 1}, ring);
    grid(2, (int[]){size, 1}, ring);
}

// A star with rank 0 in the middle, whose ends also know themselves.
static void graph(void) {
    MPI_Comm comm;
    int index[MOST], edges[2 * MOST], at = 0;
    for (int r = 1; r < size; r++)
        edges[at++] = r;
    index[0] = at;
    for (int r = 1; r < size; r++) {
        edges[at++] = 0;
        edges[at++] = r;
        index[r] = at;
    }
    DO(MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm));
    ins = outs = rank == 0 ? size - 1 : 2;
    if (rank == 0)
        for (int r = 1; r < size; r++)
            incoming[r - 1] = (Edge){r, 0};
    else
        incoming[0] = (Edge){0, rank - 1}, incoming[1] = (Edge){rank, 1};
    all(comm);
    DO(MPI_Comm_free(&comm));
}

// Every rank sends twice to the next one, once to itself, and nobody but rank 0 to the last but one.
static void distributed(void) {
    MPI_Comm comm;
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, far = size > 2 ? size - 2 : -1;
    int sources[4] = {previous, rank, previous, 0}, destinations[4] = {next, next, rank, far};
    incoming[0] = (Edge){previous, 0}, incoming[1] = (Edge){rank, 2}, incoming[2] = (Edge){previous, 1};
    ins = outs = 3;
    if (size < 3)
        return;
    if (rank == far) {
        incoming[3] = (Edge){0, 3};
        ins = 4;
    }
    outs += rank == 0;
    DO(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, ins, sources, MPI_UNWEIGHTED, outs, destinations, MPI_UNWEIGHTED,
                                      MPI_INFO_NULL, 0, &comm));
    // From rank 0 to rank 1 there may be three edges, the last of them the far one: still in order.
    all(comm);
    DO(MPI_Comm_free(&comm));
}

static void without(void) {
    int a = 1, b = 0;
    DO(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_ERROR(MPI_Neighbor_allgather(&a, 1, MPI_INT, &b, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_TOPOLOGY);
    DO(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    check_form(argc, argv);
    int crossing = check_option(argc, argv, "crossing");
    if (check_option(argc, argv, "without")) {
        without();
    } else if (check_option(argc, argv, "twice")) {
        distributed();
    } else if (size <= DEGREE) {
        grids(crossing);
        if (!crossing)
            graph();
    }
    return check_finish();
}
