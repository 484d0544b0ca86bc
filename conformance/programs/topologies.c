// SPDX-License-Identifier: MIT OR Apache-2.0
// Topologies without messages along them: grids (dims, coordinates, shifts, slices), graphs, distributed graphs of which each rank tells
// a part that need not be its own, with weights and without; what kind a communicator has; wrong arguments.
#include "check.h"

#define W MPI_COMM_WORLD

static void grid(void) {
    int dims[2] = {0, 0}, periods[2] = {1, 0}, found[2], around[2], place[2], back, kind, dimensions, me, from, to;
    MPI_Comm comm, row;
    DO(MPI_Dims_create(size, 2, dims));
    CHECK(dims[0] * dims[1] == size && dims[0] >= dims[1]);
    DO(MPI_Cart_create(W, 2, dims, periods, 0, &comm));
    DO(MPI_Topo_test(comm, &kind));
    DO(MPI_Cartdim_get(comm, &dimensions));
    CHECK(kind == MPI_CART && dimensions == 2);
    DO(MPI_Cart_get(comm, 2, found, around, place));
    CHECK(found[0] == dims[0] && found[1] == dims[1] && around[0] && !around[1]);
    DO(MPI_Comm_rank(comm, &me));
    DO(MPI_Cart_rank(comm, place, &back));
    CHECK_EQ(back, me);
    CHECK(me == rank && place[0] == rank / dims[1] && place[1] == rank % dims[1]); // not reordered: row-major
    place[0] += dims[0]; // a periodic dimension goes round
    DO(MPI_Cart_rank(comm, place, &back));
    CHECK_EQ(back, me);
    DO(MPI_Cart_shift(comm, 0, 1, &from, &to));
    CHECK_EQ(to, (rank + dims[1]) % size);
    CHECK_EQ(from, (rank + size - dims[1]) % size);
    DO(MPI_Cart_shift(comm, 1, 1, &from, &to));
    CHECK_EQ(to, rank % dims[1] == dims[1] - 1 ? MPI_PROC_NULL : rank + 1);
    CHECK_EQ(from, rank % dims[1] == 0 ? MPI_PROC_NULL : rank - 1);
    DO(MPI_Cart_sub(comm, (int[]){0, 1}, &row));
    DO(MPI_Cartdim_get(row, &dimensions));
    DO(MPI_Comm_size(row, &back));
    DO(MPI_Comm_rank(row, &me));
    CHECK(dimensions == 1 && back == dims[1] && me == rank % dims[1]);
    DO(MPI_Comm_free(&row));
    DO(MPI_Comm_free(&comm));
    dims[0] = size + 1, dims[1] = 1;
    CHECK(MPI_Cart_create(W, 2, dims, periods, 0, &comm) != MPI_SUCCESS); // too many places
    dims[0] = 1;
    DO(MPI_Cart_create(W, 2, dims, periods, 1, &comm)); // one place: the others get none
    int in = comm != MPI_COMM_NULL, all = 0;
    DO(MPI_Allreduce(&in, &all, 1, MPI_INT, MPI_SUM, W));
    CHECK_EQ(all, 1);
    if (in)
        DO(MPI_Comm_free(&comm));
    CHECK_ERROR(MPI_Cart_rank(W, place, &back), MPI_ERR_TOPOLOGY);
}

static void graph(void) {
    int index[size], edges[size], nodes, all, found_index[size], found[size], kind;
    MPI_Comm comm;
    for (int r = 0; r < size; r++) // each points to the next
        index[r] = r + 1, edges[r] = (r + 1) % size;
    DO(MPI_Graph_create(W, size, index, edges, 0, &comm));
    DO(MPI_Topo_test(comm, &kind));
    DO(MPI_Graphdims_get(comm, &nodes, &all));
    CHECK(kind == MPI_GRAPH && nodes == size && all == size);
    DO(MPI_Graph_get(comm, size, size, found_index, found));
    for (int r = 0; r < size; r++)
        CHECK(found_index[r] == index[r] && found[r] == edges[r]);
    DO(MPI_Comm_free(&comm));
}

// The last rank tells all edges of a ring, the others nothing.
static void distributed(int weighted) {
    int sources[size], degrees[size], targets[size], weights[size], in, out, has, from[1], to[1], in_weight[1], out_weight[1], kind;
    MPI_Comm comm;
    for (int r = 0; r < size; r++)
        sources[r] = r, degrees[r] = 1, targets[r] = (r + 1) % size, weights[r] = 10 + r;
    DO(MPI_Dist_graph_create(W, rank == size - 1 ? size : 0, sources, degrees, targets, weighted ? weights : MPI_UNWEIGHTED,
                             MPI_INFO_NULL, 0, &comm));
    DO(MPI_Topo_test(comm, &kind));
    CHECK_EQ(kind, MPI_DIST_GRAPH);
    DO(MPI_Dist_graph_neighbors_count(comm, &in, &out, &has));
    CHECK(in == 1 && out == 1 && !!has == weighted);
    DO(MPI_Dist_graph_neighbors(comm, 1, from, weighted ? in_weight : MPI_UNWEIGHTED, 1, to, weighted ? out_weight : MPI_UNWEIGHTED));
    int previous = (rank + size - 1) % size;
    CHECK(from[0] == previous && to[0] == (rank + 1) % size);
    if (weighted)
        CHECK(in_weight[0] == 10 + previous && out_weight[0] == 10 + rank);
    DO(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
    int kind;
    check_start(&argc, &argv);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    DO(MPI_Topo_test(W, &kind));
    CHECK_EQ(kind, MPI_UNDEFINED);
    grid();
    graph();
    distributed(0);
    distributed(1);
    return check_finish();
}
