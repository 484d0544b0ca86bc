// SPDX-License-Identifier: MIT OR Apache-2.0
// Hints on communicators: given when one is made or later, told by MPI_Comm_get_info as far as the library knows them, not passed on by
// MPI_Comm_dup_with_info; a hint that is not known changes nothing.
#include "check.h"

#define W MPI_COMM_WORLD

int main(int argc, char **argv) {
    MPI_Info hints, told;
    MPI_Comm comm, other;
    MPI_Request request;
    char value[100];
    int flag, keys, sum = 0;
    check_start(&argc, &argv);
    DO(MPI_Info_create(&hints));
    DO(MPI_Info_set(hints, "mpi_assert_no_any_tag", "true"));
    DO(MPI_Info_set(hints, "nobody_knows_this", "value"));
    DO(MPI_Comm_dup_with_info(W, hints, &comm));
    DO(MPI_Comm_get_info(comm, &told));
    DO(MPI_Info_get_nkeys(told, &keys));
    DO(MPI_Info_get(told, "mpi_assert_no_any_tag", 99, value, &flag));
    CHECK(keys >= 0 && (!flag || !strcmp(value, "true") || !strcmp(value, "false")));
    DO(MPI_Info_free(&told));
    DO(MPI_Comm_set_info(comm, hints));
    DO(MPI_Comm_get_info(comm, &told));
    DO(MPI_Info_free(&told));
#if MPI_VERSION >= 4
    DO(MPI_Comm_idup_with_info(comm, hints, &other, &request));
#else
    DO(MPI_Comm_idup(comm, &other, &request));
#endif
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    DO(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, other));
    CHECK_EQ(sum, size * (size - 1) / 2);
    DO(MPI_Comm_free(&other));
    DO(MPI_Comm_free(&comm));
    DO(MPI_Comm_split_type(W, MPI_COMM_TYPE_SHARED, 0, hints, &comm));
    DO(MPI_Comm_free(&comm));
    DO(MPI_Info_free(&hints));
    return check_finish();
}
