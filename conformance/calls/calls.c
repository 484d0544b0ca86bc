// SPDX-License-Identifier: MIT OR Apache-2.0
// Makes one call (argument 1) as often as argument 2 says: what callgrind counts for two numbers tells the instructions of one call.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "rank";
    int times = argc > 2 ? atoi(argv[2]) : 1000, rank, bytes;
    double out = 1, in = 0;
    MPI_Init(&argc, &argv);
    if (!strcmp(what, "send_recv"))
        for (int i = 0; i < times; i++) {
            MPI_Request request;
            MPI_Irecv(&in, 1, MPI_DOUBLE, 0, 5, MPI_COMM_SELF, &request);
            MPI_Send(&out, 1, MPI_DOUBLE, 0, 5, MPI_COMM_SELF);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    else if (!strcmp(what, "send_recv_unexpected"))
        for (int i = 0; i < times; i++) {
            MPI_Send(&out, 1, MPI_DOUBLE, 0, 5, MPI_COMM_SELF);
            MPI_Recv(&in, 1, MPI_DOUBLE, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        }
    else if (!strcmp(what, "rank"))
        for (int i = 0; i < times; i++)
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    else if (!strcmp(what, "size"))
        for (int i = 0; i < times; i++)
            MPI_Type_size(MPI_DOUBLE, &bytes);
    else
        return 2;
    MPI_Finalize();
    return in == 5;
}
