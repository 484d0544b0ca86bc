// SPDX-License-Identifier: MIT OR Apache-2.0
// Makes one call (argument 1) as often as argument 2 says. callgrind counts inside of `calls` alone: what it finds for two numbers
// tells the instructions of one call, free of what starting, ending and a library's own threads take.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static int calls(const char *what, int times) {
    int rank, bytes;
    double out = 1, in = 0;
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
    return in == 5;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int wrong = argc > 2 ? calls(argv[1], atoi(argv[2])) : 2;
    MPI_Finalize();
    return wrong;
}
