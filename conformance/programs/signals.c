// SPDX-License-Identifier: MIT OR Apache-2.0
// A timer's signal interrupts the process every 200 us from before MPI_Init on, as a profiler's does, and system calls are not
// restarted: starting, messages of all lengths, collectives and sleeping waits bear it.
#include "check.h"
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#define MOST (3 << 20)

static volatile sig_atomic_t ticks;

static void tick(int signal) {
    (void)signal;
    ticks++;
}

static void every(int microseconds) {
    struct itimerval time = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &time, NULL);
}

__attribute__((constructor)) static void interrupt(void) {
    struct sigaction action = {0};
    action.sa_handler = tick;
    sigaction(SIGALRM, &action, NULL);
    every(200);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    unsigned char *out = check_alloc(MOST), *in = check_alloc(MOST);
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, sum = 0;
    for (int bytes = 1; bytes <= MOST; bytes = bytes * 7 + 1) {
        check_fill(out, bytes, rank + bytes);
        DO(MPI_Sendrecv(out, bytes, MPI_BYTE, next, 1, in, bytes, MPI_BYTE, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_FILLED(in, bytes, previous + bytes);
        DO(MPI_Bcast(in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD));
        CHECK_FILLED(in, bytes, size - 1 + bytes);
    }
    if (rank == 0)
        for (int slept = 0; slept < 50; slept++)
            usleep(2000); // each may end early
    DO(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(sum, size * (size - 1) / 2);
    CHECK(ticks > 0);
    free(out);
    free(in);
    DO(MPI_Finalize());
    every(0); // an interrupted write to a terminal, as launchers give one, would lose the verdict
    return check_verdict();
}
