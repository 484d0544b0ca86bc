// SPDX-License-Identifier: MIT OR Apache-2.0
// A job that ends badly while all ranks loop over a large Allreduce. The argument says how, and the last rank but one (rank 0
// for "exit" and "early") does it: "kill" SIGKILL; "segfault"; "exit" exit(3) before its collective; "early" exit(0) without
// MPI_Finalize; "abort" MPI_Abort(54), then prints "after", which nobody may see; "error" a wrong root under the fatal handler;
// "launcher" SIGKILL to the launcher; "hang" nothing (somebody else kills the launcher). Everybody prints its process id first.
#include "../programs/check.h"
#include <signal.h>
#include <unistd.h>

enum { INTS = 4 << 20 };

static void die(const char *how) {
    if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(how, "launcher") == 0)
        kill(getppid(), SIGKILL);
    if (strcmp(how, "segfault") == 0)
        *(volatile int *)8 = 1;
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "early") == 0)
        exit(0);
    if (strcmp(how, "abort") == 0) {
        MPI_Abort(MPI_COMM_WORLD, 54); // also the number of an error class
        puts("after");
        fflush(stdout);
    }
    if (strcmp(how, "error") == 0)
        MPI_Bcast(&(int){0}, 1, MPI_INT, size + 5, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    const char *how = argc > 1 ? argv[1] : "kill";
    int *data = check_alloc(INTS * sizeof *data), victim = size > 1 ? size - 2 : 0;
    if (strcmp(how, "exit") == 0 || strcmp(how, "early") == 0)
        victim = 0;
    memset(data, 0, INTS * sizeof *data);
    printf("rank %d is process %d\n", rank, (int)getpid());
    fflush(stdout);
    for (int round = 0;; round++) {
        if (round == 5 && rank == victim)
            die(how);
        DO(MPI_Allreduce(MPI_IN_PLACE, data, INTS, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    }
}
