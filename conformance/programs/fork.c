// SPDX-License-Identifier: MIT OR Apache-2.0
// A child made by fork after MPI_Init does no harm: it ends by _exit, or runs another program, while the parent goes on.
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

static void traffic(int seed) {
    enum { BYTES = 300000 };
    static unsigned char out[BYTES], in[BYTES];
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, sum = 0;
    check_fill(out, BYTES, rank + seed);
    DO(MPI_Sendrecv(out, BYTES, MPI_BYTE, next, 1, in, BYTES, MPI_BYTE, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_FILLED(in, BYTES, previous + seed);
    DO(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(sum, size * (size - 1) / 2);
}

static void ended_well(pid_t child) {
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    for (int round = 0; round < 5; round++) {
        MPI_Request requests[2];
        int in = -1;
        DO(MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 9, MPI_COMM_WORLD, &requests[0]));
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        traffic(round); // while the child may be dying
        DO(MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 9, MPI_COMM_WORLD, &requests[1]));
        DO(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        CHECK_EQ(in, (rank + size - 1) % size);
        ended_well(child);
        traffic(round + 100);
    }
    CHECK_EQ(system("exit 0"), 0);
    FILE *pipe = popen("echo hello", "r");
    char line[20] = "";
    CHECK(pipe != NULL && fgets(line, sizeof line, pipe) != NULL);
    CHECK_STR(line, "hello\n");
    CHECK_EQ(pclose(pipe), 0);
    traffic(1000);
    return check_finish();
}
