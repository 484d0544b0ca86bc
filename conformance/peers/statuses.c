// SPDX-License-Identifier: MIT OR Apache-2.0
// Prints what calls return, as text that every implementation must print byte for byte: contents, statuses (source, tag,
// count, elements, cancelled), error classes by name, results of comparisons.
#include "said.h"

static const char *rank_name(int r) {
    static char text[4][32];
    static int turn;
    char *out = text[turn++ % 4];
    if (r == MPI_ANY_SOURCE)
        return "ANY";
    if (r == MPI_PROC_NULL)
        return "PROC_NULL";
    if (r == MPI_UNDEFINED)
        return "UNDEFINED";
    snprintf(out, 32, "%d", r);
    return out;
}

static void say_status(const char *what, MPI_Status *status, MPI_Datatype type) {
    int count = -9, elements = -9, cancelled = -9;
    MPI_Get_count(status, type, &count);
    MPI_Get_elements(status, type, &elements);
    MPI_Test_cancelled(status, &cancelled);
    SAY("  %s: source %s tag %s count %s elements %s cancelled %d\n", what, rank_name(status->MPI_SOURCE),
        status->MPI_TAG == MPI_ANY_TAG ? "ANY" : rank_name(status->MPI_TAG), rank_name(count), rank_name(elements), cancelled);
}

static void statuses(void) {
    MPI_Status status;
    MPI_Request request;
    MPI_Datatype pair;
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, in[10] = {0}, flag, index;
    DO(MPI_Type_contiguous(2, MPI_INT, &pair));
    DO(MPI_Type_commit(&pair));
    for (int n = 0; n <= 5; n++) {
        int out[5] = {n, n + 1, n + 2, n + 3, n + 4};
        DO(MPI_Sendrecv(out, n, MPI_INT, next, n, in, 5, pair, previous, MPI_ANY_TAG, W, &status));
        say_status("pairs", &status, pair);
        say_status("the same in ints", &status, MPI_INT);
        SAY("  contents %d %d %d %d %d\n", in[0], in[1], in[2], in[3], in[4]);
    }
    DO(MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, 5, W, &status));
    say_status("from nobody", &status, MPI_INT);
    DO(MPI_Probe(MPI_PROC_NULL, 5, W, &status));
    say_status("probe of nobody", &status, MPI_INT);
    request = MPI_REQUEST_NULL;
    DO(MPI_Wait(&request, &status));
    say_status("wait for nothing", &status, MPI_INT);
    DO(MPI_Testany(1, &request, &index, &flag, &status));
    SAY("  testany of nothing: index %s flag %d\n", rank_name(index), flag);
    say_status("its status", &status, MPI_INT);
    DO(MPI_Waitsome(1, &request, &index, &flag, &status));
    SAY("  waitsome of nothing: %s\n", rank_name(index));
    DO(MPI_Irecv(in, 1, MPI_INT, previous, 77, W, &request));
    DO(MPI_Cancel(&request));
    DO(MPI_Wait(&request, &status));
    MPI_Test_cancelled(&status, &flag);
    SAY("  cancelled receive: %d\n", flag);
    DO(MPI_Type_free(&pair));
}

static void classes(void) {
    int x[4] = {0}, y[4], n;
    MPI_Status status;
    MPI_Datatype type;
    CLASS(MPI_Send(x, 1, MPI_INT, size, 0, W));
    CLASS(MPI_Send(x, -1, MPI_INT, 0, 0, W));
    CLASS(MPI_Send(x, 1, MPI_INT, 0, -3, W));
    CLASS(MPI_Send(x, 1, MPI_DATATYPE_NULL, 0, 0, W));
    CLASS(MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
    CLASS(MPI_Recv(x, 1, MPI_INT, size, 0, W, &status));
    CLASS(MPI_Bcast(x, 1, MPI_INT, size, W));
    CLASS(MPI_Allreduce(x, y, 1, MPI_INT, MPI_OP_NULL, W));
    CLASS(MPI_Allreduce(x, y, 1, MPI_DOUBLE, MPI_BXOR, W));
    CLASS(MPI_Allreduce(x, x, 4, MPI_INT, MPI_SUM, W));
    CLASS(MPI_Comm_size(MPI_COMM_NULL, &n));
    CLASS(MPI_Type_contiguous(-1, MPI_INT, &type));
    CLASS(MPI_Group_size(MPI_GROUP_NULL, &n));
}

static void layouts(void) {
    static const struct {
        MPI_Datatype type;
        const char *name;
    } types[] = {
        {MPI_CHAR, "MPI_CHAR"},           {MPI_SHORT, "MPI_SHORT"},         {MPI_INT, "MPI_INT"},
        {MPI_LONG, "MPI_LONG"},           {MPI_LONG_LONG, "MPI_LONG_LONG"}, {MPI_FLOAT, "MPI_FLOAT"},
        {MPI_DOUBLE, "MPI_DOUBLE"},       {MPI_LONG_DOUBLE, "MPI_LONG_DOUBLE"}, {MPI_WCHAR, "MPI_WCHAR"},
        {MPI_BYTE, "MPI_BYTE"},           {MPI_PACKED, "MPI_PACKED"},       {MPI_C_BOOL, "MPI_C_BOOL"},
        {MPI_FLOAT_INT, "MPI_FLOAT_INT"}, {MPI_DOUBLE_INT, "MPI_DOUBLE_INT"}, {MPI_LONG_INT, "MPI_LONG_INT"},
        {MPI_SHORT_INT, "MPI_SHORT_INT"}, {MPI_2INT, "MPI_2INT"},           {MPI_LONG_DOUBLE_INT, "MPI_LONG_DOUBLE_INT"},
        {MPI_C_DOUBLE_COMPLEX, "MPI_C_DOUBLE_COMPLEX"}, {MPI_AINT, "MPI_AINT"}, {MPI_COUNT, "MPI_COUNT"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        int bytes, length;
        MPI_Aint lb, extent, true_lb, true_extent;
        char name[MPI_MAX_OBJECT_NAME];
        MPI_Type_size(types[i].type, &bytes);
        MPI_Type_get_extent(types[i].type, &lb, &extent);
        MPI_Type_get_true_extent(types[i].type, &true_lb, &true_extent);
        MPI_Type_get_name(types[i].type, name, &length);
        SAY("  %s is called %s: size %d lb %ld extent %ld true %ld %ld\n", types[i].name, name, bytes, (long)lb, (long)extent,
            (long)true_lb, (long)true_extent);
    }
}

int main(int argc, char **argv) {
    say_start(&argc, &argv);
    statuses();
    classes();
    if (rank == 0)
        layouts();
    return say_finish();
}
