// SPDX-License-Identifier: MIT OR Apache-2.0
// Rank 0 waits for what rank 1 never does (argument: how), on a communicator called halo; rank 1 ends the job after a while.
#include <mpi.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "recv";
    int rank, x = 0;
    MPI_Comm halo;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &halo);
    MPI_Comm_set_name(halo, "halo");
    if (rank == 0 && !strcmp(how, "recv"))
        MPI_Recv(&x, 1, MPI_INT, 1, 7, halo, MPI_STATUS_IGNORE);
    if (rank == 0 && !strcmp(how, "wait")) {
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 8, halo, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 0 && !strcmp(how, "ssend"))
        MPI_Ssend(&x, 1, MPI_INT, 1, 9, halo);
    if (rank == 0 && !strcmp(how, "iallreduce")) {
        MPI_Iallreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, halo, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 0 && !strcmp(how, "finalize"))
        return MPI_Finalize();
    sleep(5);
    MPI_Abort(MPI_COMM_WORLD, 3);
    return 0;
}
