// SPDX-License-Identifier: MIT OR Apache-2.0
// Names of MPI-1 that MPI 3.0 has removed, and that the libraries of Open MPI and MPICH still export: old programs run.
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0 // Open MPI's header declares them when it is asked to
#include "check.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wattributes"
#define W MPI_COMM_WORLD

#ifndef MPI_LB // Open MPI's header withholds these two all the same
extern struct ompi_predefined_datatype_t ompi_mpi_lb, ompi_mpi_ub;
#define MPI_LB OMPI_PREDEFINED_GLOBAL(MPI_Datatype, ompi_mpi_lb)
#define MPI_UB OMPI_PREDEFINED_GLOBAL(MPI_Datatype, ompi_mpi_ub)
#endif

static int told;

static void on_error(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    told = check_class(*code);
}

static void handlers(void) {
    MPI_Errhandler mine, found;
    DO(MPI_Errhandler_create(on_error, &mine));
    DO(MPI_Errhandler_set(W, mine));
    DO(MPI_Errhandler_get(W, &found));
    CHECK(found == mine);
    CHECK_ERROR(MPI_Send(&rank, 1, MPI_INT, size, 0, W), MPI_ERR_RANK);
    CHECK_EQ(told, MPI_ERR_RANK);
    DO(MPI_Errhandler_set(W, MPI_ERRORS_ARE_FATAL));
    DO(MPI_Errhandler_free(&found));
    DO(MPI_Errhandler_free(&mine));
}

// Size, extent and bounds of a type, and what a message of it brings as ints; the type is freed.
static void check_type(MPI_Datatype type, int *memory, int lower, int extent, const int *wanted, int n) {
    MPI_Aint lb, ub, length;
    int in[16];
    DO(MPI_Type_commit(&type));
    DO(MPI_Type_lb(type, &lb));
    DO(MPI_Type_ub(type, &ub));
    DO(MPI_Type_extent(type, &length));
    CHECK_EQ(lb, lower);
    CHECK_EQ(length, extent);
    CHECK_EQ(ub, lower + extent);
    DO(MPI_Sendrecv(memory, 1, type, rank, 3, in, n, MPI_INT, rank, 3, W, MPI_STATUS_IGNORE));
    for (int i = 0; i < n; i++)
        CHECK_EQ(in[i], wanted[i]);
    DO(MPI_Type_free(&type));
}

static void types(void) {
    int memory[16], lengths[2] = {1, 2}, four[4] = {0, 1, 4, 5}, three[3] = {0, 3, 4};
    enum { INT = sizeof(int) };
    MPI_Aint places[2] = {0, 3 * INT}, start, second;
    MPI_Datatype type, pair[2] = {MPI_INT, MPI_INT};
    for (int i = 0; i < 16; i++)
        memory[i] = i;
    DO(MPI_Address(memory, &start));
    DO(MPI_Address(memory + 1, &second));
    CHECK_EQ(second - start, INT);
    DO(MPI_Type_hvector(2, 2, 4 * INT, MPI_INT, &type));
    check_type(type, memory, 0, 6 * INT, four, 4);
    DO(MPI_Type_hindexed(2, lengths, places, MPI_INT, &type));
    check_type(type, memory, 0, 5 * INT, three, 3);
    DO(MPI_Type_struct(2, lengths, places, pair, &type));
    check_type(type, memory, 0, 5 * INT, three, 3);
}

// The pseudo types that set bounds.
static void bounds(void) {
    enum { INT = sizeof(int) };
    int memory[4] = {5, 6, 7, 8}, lengths[3] = {1, 1, 1}, wanted[1] = {6};
    MPI_Aint places[3] = {0, INT, 4 * INT};
    MPI_Datatype types[3] = {MPI_LB, MPI_INT, MPI_UB}, type;
    DO(MPI_Type_struct(3, lengths, places, types, &type));
    check_type(type, memory, 0, 4 * INT, wanted, 1);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    handlers();
    types();
    bounds();
    return check_finish();
}
