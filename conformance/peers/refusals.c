// SPDX-License-Identifier: MIT OR Apache-2.0
// Wrong calls of many kinds: the class of each call's error must be the peers', where Open MPI and MPICH agree.
#include "said.h"

static int x[8], y[8], flag, n;
static MPI_Comm c;

static void communicators(void) {
    MPI_Group g, h;
    MPI_Comm_group(W, &g);
    CLASS(MPI_Comm_dup(MPI_COMM_NULL, &c));
    CLASS(MPI_Comm_split_type(W, -77, 0, MPI_INFO_NULL, &c));
    CLASS(MPI_Comm_create(W, MPI_GROUP_NULL, &c));
    CLASS(MPI_Comm_group(MPI_COMM_NULL, &h));
    CLASS(MPI_Comm_set_name(MPI_COMM_NULL, "x"));
    CLASS(MPI_Comm_compare(W, MPI_COMM_NULL, &n));
    CLASS(MPI_Comm_free(&(MPI_Comm){MPI_COMM_NULL}));
    CLASS(MPI_Comm_set_errhandler(MPI_COMM_NULL, MPI_ERRORS_RETURN));
    CLASS(MPI_Errhandler_free(&(MPI_Errhandler){MPI_ERRHANDLER_NULL}));
    CLASS(MPI_Group_incl(g, 1, (int[]){size}, &h));
    CLASS(MPI_Group_excl(g, 1, (int[]){-1}, &h));
    CLASS(MPI_Group_union(g, MPI_GROUP_NULL, &h));
    CLASS(MPI_Group_translate_ranks(g, 1, (int[]){MPI_PROC_NULL}, g, y));
    CLASS(MPI_Group_free(&(MPI_Group){MPI_GROUP_NULL}));
    MPI_Group_free(&g);
}

static void topologies(void) {
    MPI_Comm line;
    CLASS(MPI_Cart_create(W, -1, x, x, 0, &c));
    CLASS(MPI_Cart_create(W, 1, (int[]){size + 1}, x, 0, &c));
    CLASS(MPI_Cart_coords(W, 0, 1, y));
    CLASS(MPI_Cart_rank(W, x, &n));
    CLASS(MPI_Cart_shift(W, 0, 1, &n, &flag));
    CLASS(MPI_Cart_sub(W, x, &c));
    CLASS(MPI_Cartdim_get(W, &n));
    CLASS(MPI_Dims_create(7, 2, (int[]){2, 0}));
    CLASS(MPI_Dims_create(6, 2, (int[]){-1, 0}));
    CLASS(MPI_Graph_create(W, size + 1, x, x, 0, &c));
    CLASS(MPI_Graph_neighbors_count(W, 0, &n));
    CLASS(MPI_Graphdims_get(W, &n, &flag));
    CLASS(MPI_Dist_graph_neighbors_count(W, &n, &n, &flag));
    CLASS(MPI_Topo_test(MPI_COMM_NULL, &n));
    MPI_Cart_create(W, 1, (int[]){size}, x, 0, &line);
    CLASS(MPI_Cart_rank(line, (int[]){size}, &n));
    CLASS(MPI_Neighbor_alltoall(x, 1, MPI_INT, y, 1, MPI_DATATYPE_NULL, line));
    MPI_Comm_free(&line);
}

static void types(void) {
    MPI_Datatype t = MPI_INT;
    CLASS(MPI_Type_commit(&(MPI_Datatype){MPI_DATATYPE_NULL}));
    CLASS(MPI_Type_free(&(MPI_Datatype){MPI_DATATYPE_NULL}));
    CLASS(MPI_Type_free(&(MPI_Datatype){MPI_INT}));
    CLASS(MPI_Type_vector(-1, 1, 1, MPI_INT, &t));
    CLASS(MPI_Type_create_subarray(0, x, x, x, MPI_ORDER_C, MPI_INT, &t));
    CLASS(MPI_Type_create_subarray(1, (int[]){4}, (int[]){2}, (int[]){0}, 99, MPI_INT, &t));
    CLASS(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &t));
    CLASS(MPI_Type_size(MPI_DATATYPE_NULL, &n));
    CLASS(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &t));
    CLASS(MPI_Type_match_size(99, 4, &t));
    MPI_Type_contiguous(2, MPI_INT, &t); // and not committed
    CLASS(MPI_Send(x, 1, t, MPI_PROC_NULL, 0, W));
    CLASS(MPI_Send(x, 1, t, rank, 0, W));
    CLASS(MPI_Bcast(x, 1, t, 0, W));
    MPI_Type_free(&t);
}

static void messages(void) {
    MPI_Request r;
    MPI_Status s = {0};
    CLASS(MPI_Isend(x, 1, MPI_INT, size, 0, W, &r));
    CLASS(MPI_Irecv(x, -1, MPI_INT, 0, 0, W, &r));
    CLASS(MPI_Irecv(x, 1, MPI_INT, 0, -7, W, &r));
    CLASS(MPI_Probe(size, 0, W, &s));
    CLASS(MPI_Iprobe(0, -9, W, &flag, &s));
    CLASS(MPI_Sendrecv(x, 1, MPI_INT, rank, 0, y, 1, MPI_INT, size, 0, W, &s));
    CLASS(MPI_Wait(&(MPI_Request){MPI_REQUEST_NULL}, &s));
    CLASS(MPI_Start(&(MPI_Request){MPI_REQUEST_NULL}));
    CLASS(MPI_Request_free(&(MPI_Request){MPI_REQUEST_NULL}));
    CLASS(MPI_Cancel(&(MPI_Request){MPI_REQUEST_NULL}));
    CLASS(MPI_Buffer_attach(NULL, -1));
    CLASS(MPI_Get_count(&s, MPI_DATATYPE_NULL, &n));
}

static void collectives(void) {
    CLASS(MPI_Gather(x, 1, MPI_INT, y, 1, MPI_INT, -1, W));
    CLASS(MPI_Scatter(x, 1, MPI_INT, y, 1, MPI_INT, size, W));
    CLASS(MPI_Reduce(x, y, 1, MPI_INT, MPI_SUM, -3, W));
    CLASS(MPI_Allreduce(x, y, 1, MPI_INT, MPI_MINLOC, W));
    CLASS(MPI_Allreduce(x, y, 1, MPI_2INT, MPI_SUM, W));
    CLASS(MPI_Allreduce(x, y, 1, MPI_FLOAT, MPI_BAND, W));
    CLASS(MPI_Barrier(MPI_COMM_NULL));
    CLASS(MPI_Reduce(x, y, 1, MPI_DATATYPE_NULL, MPI_SUM, 0, W));
    CLASS(MPI_Scan(x, y, 1, MPI_DATATYPE_NULL, MPI_SUM, W));
    CLASS(MPI_Exscan(x, y, 1, MPI_DATATYPE_NULL, MPI_SUM, W));
    CLASS(MPI_Reduce_local(x, y, 1, MPI_DATATYPE_NULL, MPI_SUM));
    CLASS(MPI_Reduce_scatter_block(x, y, 1, MPI_DATATYPE_NULL, MPI_SUM, W));
    CLASS(MPI_Bcast(x, 1, MPI_DATATYPE_NULL, 0, W));
    CLASS(MPI_Op_free(&(MPI_Op){MPI_SUM}));
    CLASS(MPI_Op_free(&(MPI_Op){MPI_OP_NULL}));
    CLASS(MPI_Op_commutative(MPI_OP_NULL, &n));
}

static void environment(void) {
    MPI_Info i;
    void *p;
    char v[64];
    CLASS(MPI_Comm_get_attr(W, MPI_KEYVAL_INVALID, &p, &flag));
    MPI_Info_create(&i);
    char long_key[400];
    memset(long_key, 'k', sizeof long_key);
    long_key[sizeof long_key - 1] = 0;
    CLASS(MPI_Info_set(i, "", ""));
    CLASS(MPI_Info_set(i, long_key, "v"));
    long_key[MPI_MAX_INFO_KEY - 1] = 0;
    CLASS(MPI_Info_set(i, long_key, "v"));
    long_key[MPI_MAX_INFO_KEY - 1] = 'k';
    long_key[MPI_MAX_INFO_KEY] = 0;
    CLASS(MPI_Info_set(i, long_key, "v"));
    MPI_Info_get_nkeys(i, &n);
    for (int k = 0; k < n; k++) {
        char key[MPI_MAX_INFO_KEY + 64];
        memset(key, '#', sizeof key);
        CLASS(MPI_Info_get_nthkey(i, k, key));
        CHECK(key[MPI_MAX_INFO_KEY] == '#'); // the program's buffer ends there
        SAY("  key %d has %d characters\n", k, (int)strlen(key));
    }
    CLASS(MPI_Info_delete(i, "no"));
    CLASS(MPI_Info_get(i, "k", -1, v, &flag));
    MPI_Info_free(&i);
}

int main(int argc, char **argv) {
    say_start(&argc, &argv);
    communicators();
    topologies();
    types();
    messages();
    collectives();
    environment();
    return say_finish();
}
