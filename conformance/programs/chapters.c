// SPDX-License-Identifier: MIT OR Apache-2.0
// What the other programs leave out of the chapters, each on every face: types made by size and by Fortran's precision, large
// element counts, generalized requests, the order of attribute callbacks, handlers on every kind of object, Pcontrol, w forms between
// groups, reordered topologies, and names that MPI has removed where the header still has them.
#include "check.h"

#define W MPI_COMM_WORLD

static void types_by_size(void) {
    static const int classes[] = {MPI_TYPECLASS_REAL, MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_COMPLEX};
    static const int sizes[3][4] = {{4, 8}, {1, 2, 4, 8}, {8, 16}};
    for (int c = 0; c < 3; c++)
        for (int s = 0; s < 4 && sizes[c][s]; s++) {
            MPI_Datatype type = MPI_DATATYPE_NULL;
            int bytes = -1, integers, addresses, types, combiner;
            DO(MPI_Type_match_size(classes[c], sizes[c][s], &type));
            DO(MPI_Type_size(type, &bytes));
            CHECK(bytes == sizes[c][s]);
            DO(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
            CHECK(combiner == MPI_COMBINER_NAMED);
        }
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    MPI_Datatype none;
    CHECK(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &none) != MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}

static void types_of_fortran(void) {
    MPI_Datatype real, whole, complex, again;
    int bytes, integers[2], combiner, n, a, t;
    DO(MPI_Type_create_f90_real(15, 307, &real));
    DO(MPI_Type_size(real, &bytes));
    CHECK(bytes == 8);
    DO(MPI_Type_create_f90_real(15, 307, &again));
    CHECK(real == again);
    DO(MPI_Type_get_envelope(real, &n, &a, &t, &combiner));
    CHECK(combiner == MPI_COMBINER_F90_REAL && n == 2 && a == 0 && t == 0);
    DO(MPI_Type_get_contents(real, 2, 0, 0, integers, NULL, NULL));
    CHECK(integers[0] == 15 && integers[1] == 307);
    DO(MPI_Type_create_f90_integer(9, &whole));
    DO(MPI_Type_size(whole, &bytes));
    CHECK(bytes == 4);
    DO(MPI_Type_get_envelope(whole, &n, &a, &t, &combiner));
    CHECK(combiner == MPI_COMBINER_F90_INTEGER && n == 1);
    DO(MPI_Type_create_f90_complex(6, MPI_UNDEFINED, &complex));
    DO(MPI_Type_size(complex, &bytes));
    CHECK(bytes == 8);
    double out = 3 + rank, sum = 0;
    DO(MPI_Allreduce(&out, &sum, 1, real, MPI_SUM, W));
    CHECK(sum == 3 * size + size * (size - 1) / 2);
}

static void array_of_blocks(void) {
    int sizes[2] = {6, 4 * size}, how[2] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC};
    int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, grid[2] = {1, size}, bytes;
    MPI_Aint lb, extent;
    MPI_Datatype part;
    DO(MPI_Type_create_darray(size, rank, 2, sizes, how, arguments, grid, MPI_ORDER_C, MPI_INT, &part));
    DO(MPI_Type_commit(&part));
    DO(MPI_Type_size(part, &bytes));
    DO(MPI_Type_get_extent(part, &lb, &extent));
    CHECK(bytes == 6 * 4 * (int)sizeof(int) && lb == 0 && extent == (MPI_Aint)(6 * 4 * size * sizeof(int)));
    int *whole = check_alloc(extent), *mine = check_alloc(bytes);
    for (int i = 0; i < 24 * size; i++)
        whole[i] = i;
    DO(MPI_Sendrecv(whole, 1, part, rank, 1, mine, 24, MPI_INT, rank, 1, W, MPI_STATUS_IGNORE));
    for (int row = 0, at = 0; row < 6; row++)
        for (int block = 0; block < 2; block++)
            for (int i = 0; i < 2; i++, at++)
                CHECK(mine[at] == row * 4 * size + (block * size + rank) * 2 + i);
    DO(MPI_Type_free(&part));
    free(whole);
    free(mine);
}

static void many_elements(void) {
    MPI_Status status;
    MPI_Count count = -1, bytes = -1, lb = -1, extent = -1;
    MPI_Datatype big;
    int narrow = 0;
    DO(MPI_Type_contiguous(1 << 20, MPI_DOUBLE, &big));
    DO(MPI_Type_commit(&big));
    DO(MPI_Type_size_x(big, &bytes));
    DO(MPI_Type_get_extent_x(big, &lb, &extent));
    CHECK(bytes == 8 << 20 && lb == 0 && extent == bytes);
    memset(&status, 0, sizeof status);
    DO(MPI_Status_set_elements_x(&status, MPI_DOUBLE, (MPI_Count)5 << 30));
    DO(MPI_Get_elements_x(&status, MPI_DOUBLE, &count));
    CHECK(count == (MPI_Count)5 << 30);
    DO(MPI_Get_elements(&status, MPI_DOUBLE, &narrow));
    CHECK(narrow == MPI_UNDEFINED);
    DO(MPI_Type_free(&big));
}

static int queried, freed, cancelled;

static int query(void *state, MPI_Status *status) {
    queried++;
    MPI_Status_set_elements(status, MPI_INT, *(int *)state);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 7;
    status->MPI_TAG = 8;
    return MPI_SUCCESS;
}

static int release(void *state) {
    (void)state;
    freed++;
    return MPI_SUCCESS;
}

static int stop(void *state, int complete) {
    (void)state;
    cancelled += complete ? 100 : 1;
    return MPI_SUCCESS;
}

static void generalized_requests(void) {
    MPI_Request request[2];
    MPI_Status status, statuses[2];
    int state = 3, flag = 5, count;
    DO(MPI_Grequest_start(query, release, stop, &state, &request[0]));
    DO(MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE));
    CHECK(!flag && !queried && !freed);
    DO(MPI_Cancel(&request[0]));
    CHECK(cancelled == 1);
    DO(MPI_Grequest_complete(request[0]));
    DO(MPI_Wait(&request[0], &status));
    DO(MPI_Get_count(&status, MPI_INT, &count));
    CHECK(queried == 1 && freed == 1 && count == 3 && status.MPI_SOURCE == 7 && status.MPI_TAG == 8);
    CHECK(request[0] == MPI_REQUEST_NULL);
    DO(MPI_Grequest_start(query, release, stop, &state, &request[0]));
    DO(MPI_Irecv(&count, 1, MPI_INT, rank, 4, W, &request[1]));
    DO(MPI_Grequest_complete(request[0]));
    DO(MPI_Send(&rank, 1, MPI_INT, rank, 4, W));
    DO(MPI_Waitall(2, request, statuses));
    CHECK(queried == 2 && freed == 2 && statuses[1].MPI_TAG == 4 && count == rank);
    DO(MPI_Grequest_start(query, release, stop, &state, &request[0]));
    MPI_Request kept = request[0];
    DO(MPI_Request_free(&request[0]));
    DO(MPI_Grequest_complete(kept));
    CHECK(freed == 3);
}

static char order[64];

static int copies(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
    (void)comm, (void)key;
    snprintf(order + strlen(order), sizeof order - strlen(order), "c%d", (int)(MPI_Aint)extra);
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int deletes(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm, (void)key, (void)value;
    snprintf(order + strlen(order), sizeof order - strlen(order), "d%d", (int)(MPI_Aint)extra);
    return MPI_SUCCESS;
}

// The standard leaves the order open but for MPI_COMM_SELF at MPI_Finalize; that each runs once is what can be relied upon.
static void attribute_callbacks(void) {
    int keys[3];
    MPI_Comm a, b;
    DO(MPI_Comm_dup(W, &a));
    for (int i = 0; i < 3; i++) {
        DO(MPI_Comm_create_keyval(copies, deletes, &keys[i], (void *)(MPI_Aint)i));
        DO(MPI_Comm_set_attr(a, keys[i], &keys[i]));
    }
    DO(MPI_Comm_set_attr(a, keys[1], &keys[0])); // deletes the old value first
    CHECK(!strcmp(order, "d1"));
    DO(MPI_Comm_dup(a, &b));
    CHECK(strlen(order) == 8 && strstr(order, "c0") && strstr(order, "c1") && strstr(order, "c2"));
    DO(MPI_Comm_free(&b));
    CHECK(strlen(order) == 14 && strstr(order + 8, "d0") && strstr(order + 8, "d1") && strstr(order + 8, "d2"));
    DO(MPI_Comm_delete_attr(a, keys[2]));
    CHECK(!strcmp(order + 14, "d2"));
    DO(MPI_Comm_free(&a));
    CHECK(strlen(order) == 20);
    for (int i = 0; i < 3; i++)
        DO(MPI_Comm_free_keyval(&keys[i]));
}

static int handled;

static void on_comm(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    handled += check_class(*code) == MPI_ERR_RANK;
}

static void on_win(MPI_Win *win, int *code, ...) {
    (void)win, (void)code;
    handled += 10;
}

static void on_file(MPI_File *file, int *code, ...) {
    (void)file, (void)code;
    handled += 100;
}

static void handlers(void) {
    MPI_Errhandler comm, win, file, found;
    MPI_Comm other;
    DO(MPI_Comm_create_errhandler(on_comm, &comm));
    DO(MPI_Win_create_errhandler(on_win, &win));
    DO(MPI_File_create_errhandler(on_file, &file));
    DO(MPI_Comm_dup(W, &other));
    DO(MPI_Comm_set_errhandler(other, comm));
    DO(MPI_Comm_get_errhandler(other, &found));
    CHECK(found == comm);
    DO(MPI_Errhandler_free(&found));
    CHECK(check_class(MPI_Send(&rank, 1, MPI_INT, size, 0, other)) == MPI_ERR_RANK);
    CHECK(handled == 1);
    DO(MPI_Comm_call_errhandler(other, MPI_ERR_RANK));
    CHECK(handled == 2);
    DO(MPI_File_set_errhandler(MPI_FILE_NULL, file));
    DO(MPI_File_get_errhandler(MPI_FILE_NULL, &found));
    CHECK(found == file);
    DO(MPI_Errhandler_free(&found));
    MPI_File none;
    CHECK(MPI_File_open(MPI_COMM_SELF, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &none) != MPI_SUCCESS);
    CHECK(handled == 102);
    DO(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    DO(MPI_Errhandler_free(&comm));
    DO(MPI_Errhandler_free(&win));
    DO(MPI_Errhandler_free(&file));
    CHECK(comm == MPI_ERRHANDLER_NULL);
    DO(MPI_Comm_free(&other));
}

// Two groups, even and odd ranks: each sends rank + 1 ints to each of the others.
static void between_groups(void) {
    MPI_Comm half, inter;
    int others, me;
    if (size < 2)
        return;
    DO(MPI_Comm_split(W, rank % 2, rank, &half));
    DO(MPI_Intercomm_create(half, 0, W, 1 - rank % 2, 5, &inter));
    DO(MPI_Comm_remote_size(inter, &others));
    DO(MPI_Comm_rank(inter, &me));
    int *zero = calloc(others, sizeof(int)), *out_counts = calloc(others, sizeof(int)), *in_counts = calloc(others, sizeof(int));
    int *out_places = calloc(others, sizeof(int)), *in_places = calloc(others, sizeof(int));
    MPI_Datatype *types = calloc(others, sizeof(MPI_Datatype));
    int data[16], total = 0;
    for (int i = 0; i < 16; i++)
        data[i] = rank * 100 + i;
    for (int i = 0; i < others; i++) {
        out_counts[i] = rank + 1, types[i] = MPI_INT;
        in_counts[i] = 2 * i + 1 - rank % 2 + 1;
        in_places[i] = total * (int)sizeof(int);
        total += in_counts[i];
    }
    for (int form = 0; form < 2; form++) {
        int *in = calloc(total, sizeof(int));
        MPI_Request request;
        if (form == 0) {
            DO(MPI_Alltoallw(data, out_counts, zero, types, in, in_counts, in_places, types, inter));
        } else {
            DO(MPI_Ialltoallw(data, out_counts, zero, types, in, in_counts, in_places, types, inter, &request));
            DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        for (int i = 0, at = 0; i < others; i++)
            for (int k = 0; k < in_counts[i]; k++)
                CHECK(in[at++] == (2 * i + 1 - rank % 2) * 100 + k);
        free(in);
    }
    free(zero), free(out_counts), free(in_counts), free(out_places), free(in_places), free(types);
    DO(MPI_Comm_free(&inter));
    DO(MPI_Comm_free(&half));
}

static void reordered(void) {
    MPI_Comm graph, adjacent;
    int index[size], edges[2 * size], neighbors[2], count, kind, in, out, weighted, map;
    for (int i = 0; i < size; i++) {
        index[i] = 2 * (i + 1);
        edges[2 * i] = (i + size - 1) % size, edges[2 * i + 1] = (i + 1) % size;
    }
    DO(MPI_Graph_create(W, size, index, edges, 1, &graph));
    int me;
    DO(MPI_Comm_rank(graph, &me));
    DO(MPI_Topo_test(graph, &kind));
    DO(MPI_Graph_neighbors_count(graph, me, &count));
    DO(MPI_Graph_neighbors(graph, me, 2, neighbors));
    CHECK(kind == MPI_GRAPH && count == 2 && neighbors[0] == (me + size - 1) % size && neighbors[1] == (me + 1) % size);
    DO(MPI_Graph_map(W, size, index, edges, &map));
    CHECK(map >= 0 && map < size);
    int dims[1] = {size}, periods[1] = {1}, sources[1] = {(rank + size - 1) % size}, targets[1] = {(rank + 1) % size};
    DO(MPI_Cart_map(W, 1, dims, periods, &map));
    CHECK(map >= 0 && map < size);
    int w[1] = {3}, v[1] = {4};
    DO(MPI_Dist_graph_create_adjacent(W, 1, sources, w, 1, targets, v, MPI_INFO_NULL, 1, &adjacent));
    DO(MPI_Comm_rank(adjacent, &me));
    DO(MPI_Dist_graph_neighbors_count(adjacent, &in, &out, &weighted));
    CHECK(in == 1 && out == 1 && weighted);
    int sent = me, got = -1;
    DO(MPI_Neighbor_allgather(&sent, 1, MPI_INT, &got, 1, MPI_INT, adjacent));
    DO(MPI_Dist_graph_neighbors(adjacent, 1, sources, w, 1, targets, v));
    CHECK(got == sources[0] && w[0] == 3 && v[0] == 4);
    DO(MPI_Comm_free(&adjacent));
    DO(MPI_Comm_free(&graph));
}

#if defined(MPI_MAX_INFO_VAL) && (!defined(MPI_ABI_VERSION)) && !defined(PACELINE_MPI_H)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static int old_copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
    (void)comm, (void)key, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

// Deprecated, and still in the headers of Open MPI and MPICH.
static void old_names(void) {
    int key, flag, x = 5, *got = NULL;
    DO(MPI_Keyval_create(old_copy, MPI_NULL_DELETE_FN, &key, NULL));
    DO(MPI_Attr_put(W, key, &x));
    DO(MPI_Attr_get(W, key, &got, &flag));
    CHECK(flag && got == &x);
    DO(MPI_Attr_delete(W, key));
    DO(MPI_Attr_get(W, key, &got, &flag));
    CHECK(!flag);
    DO(MPI_Keyval_free(&key));
    CHECK(key == MPI_KEYVAL_INVALID);
}
#else
static void old_names(void) {
}
#endif

static int at_exit;

static int last(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm, (void)key, (void)extra;
    // The last that was set is deleted first (MPI 4.1, section 11.2.4).
    int place = (int)(MPI_Aint)value;
    if (place != 2 - at_exit)
        printf("attribute %d of MPI_COMM_SELF is deleted as number %d\n", place, at_exit), exit(9);
    at_exit++;
    return MPI_SUCCESS;
}

static void order_at_finalize(void) {
    for (int i = 0; i < 3; i++) {
        int key;
        DO(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, last, &key, NULL));
        DO(MPI_Comm_set_attr(MPI_COMM_SELF, key, (void *)(MPI_Aint)i));
    }
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    types_by_size();
    types_of_fortran();
    array_of_blocks();
    many_elements();
    generalized_requests();
    attribute_callbacks();
    handlers();
    between_groups();
    reordered();
    old_names();
    DO(MPI_Pcontrol(0));
    DO(MPI_Pcontrol(2, "anything"));
    DO(MPI_Pcontrol(1));
    order_at_finalize();
    int status = check_finish();
    if (at_exit != 3)
        printf("%d of 3 delete functions ran at MPI_Finalize\n", at_exit), status = 1;
    return status;
}
