// SPDX-License-Identifier: MIT OR Apache-2.0
// A nonblocking collective passes a blocking one: one rank starts it before, the others after. MPI forbids the different order
// (MPI 5.0, section 6.12), but programs that do it run on Open MPI and MPICH, which keep the messages of
// the two kinds apart.
#include "check.h"
#include <unistd.h>

enum { BARRIER, ALLREDUCE, ALLGATHER, KINDS };

static void blocking(int kind, MPI_Comm comm) {
    int mine = rank + 1, sum = 0, *all = check_alloc(sizeof(int) * size);
    switch (kind) {
    case BARRIER:
        DO(MPI_Barrier(comm));
        break;
    case ALLREDUCE:
        DO(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
        CHECK_EQ(sum, size * (size + 1) / 2);
        break;
    default:
        DO(MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, comm));
        CHECK_EQ(all[size - 1], size);
    }
    free(all);
}

// `early` starts the nonblocking collective first and lets the others wait for it in the blocking one.
static void pass(int kind, int early, MPI_Comm comm) {
    int mine = 1 << rank, bits = 0;
    MPI_Request request;
    if (rank == early) {
        DO(MPI_Iallreduce(&mine, &bits, 1, MPI_INT, MPI_BOR, comm, &request));
        usleep(3000);
        blocking(kind, comm);
    } else {
        blocking(kind, comm);
        DO(MPI_Iallreduce(&mine, &bits, 1, MPI_INT, MPI_BOR, comm, &request));
    }
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQ(bits, (1 << size) - 1);
}

int main(int argc, char **argv) {
    MPI_Comm copy;
    check_start(&argc, &argv);
    DO(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    for (int kind = BARRIER; kind < KINDS; kind++)
        for (int early = 0; early < size; early++) {
            pass(kind, early, MPI_COMM_WORLD);
            pass(kind, early, copy);
        }
    DO(MPI_Comm_free(&copy));
    return check_finish();
}
