// SPDX-License-Identifier: MIT OR Apache-2.0
// Lesson 1: hello. Who am I, and how many are we?
//
// A job is N copies of one program. Each copy (a "rank") gets its number from MPI_Comm_rank and the size of the job
// from MPI_Comm_size; all that they do differently follows from that number.
//
//     mpicc.openmpi 01_hello.c -o 01_hello
//     mpiexec -n 4 ./01_hello
//
// The ranks run at the same time, so lines that they print by themselves come in any order. Here every rank sends its
// line to rank 0, which prints them in order: the output is the same in every run.
#include "check.h"
#include <string.h>

enum { LINE = 64, TAG = 1 };

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);

    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size >= 1);
    CHECK(rank >= 0 && rank < size);

    char line[LINE];
    snprintf(line, LINE, "Hello from rank %d of %d", rank, size);

    if (rank != 0) {
        MPI_Send(line, (int)strlen(line) + 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
    } else {
        printf("%s\n", line);
        for (int source = 1; source < size; source++) {
            char expected[LINE];
            snprintf(expected, LINE, "Hello from rank %d of %d", source, size);

            MPI_Status status;
            MPI_Recv(line, LINE, MPI_CHAR, source, TAG, MPI_COMM_WORLD, &status);

            // The status tells what arrived: from whom, under which tag, and how much of it.
            int count;
            MPI_Get_count(&status, MPI_CHAR, &count);
            CHECK(status.MPI_SOURCE == source && status.MPI_TAG == TAG);
            CHECK(count == (int)strlen(expected) + 1);
            CHECK(strcmp(line, expected) == 0);
            printf("%s\n", line);
        }
    }

    MPI_Finalize();
    return 0;
}
