// SPDX-License-Identifier: MIT OR Apache-2.0
// Thousands of communicators made and freed one after the other, most of them never used: no limit is reached.
#include "check.h"

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    for (int round = 0; round < 2000; round++) {
        MPI_Comm comm;
        if (round % 2)
            DO(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        else
            DO(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &comm));
        if (round % 100 == 0) {
            int one = 1, all, members;
            MPI_Comm_size(comm, &members);
            DO(MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm));
            CHECK_EQ(all, members);
        }
        DO(MPI_Comm_free(&comm));
    }
    return check_finish();
}
