// SPDX-License-Identifier: MIT OR Apache-2.0
// Many waits, in pairs: no thread is bound to a core afterwards that was free before, and one that the program has bound
// stays where it is.
#define _GNU_SOURCE
#include "check.h"
#include <sched.h>

static cpu_set_t mine(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        CHECK_FAIL("%s", "sched_getaffinity failed");
    return set;
}

static void ping_pong(void) {
    int mate = rank ^ 1, value = 0;
    for (int i = 0; i < 5000; i++) {
        if (rank & 1)
            DO(MPI_Recv(&value, 1, MPI_INT, mate, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        DO(MPI_Send(&i, 1, MPI_INT, mate, 0, MPI_COMM_WORLD));
        if (!(rank & 1))
            DO(MPI_Recv(&value, 1, MPI_INT, mate, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(value, i);
    }
}

static void check_unchanged(cpu_set_t before, const char *what) {
    cpu_set_t now = mine();
    if (!CPU_EQUAL(&before, &now))
        CHECK_FAIL("%s: the processors of this thread have changed", what);
}

int main(int argc, char **argv) {
    cpu_set_t start = mine(), one;
    check_start(&argc, &argv);
    check_unchanged(start, "MPI_Init");
    if (size % 2 == 0)
        ping_pong();
    check_unchanged(start, "ping-pong of free threads");

    int cpu = CPU_SETSIZE - 1;
    while (!CPU_ISSET(cpu, &start))
        cpu--;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        CHECK_FAIL("%s", "sched_setaffinity failed");
    if (size % 2 == 0)
        ping_pong();
    check_unchanged(one, "ping-pong of bound threads");
    return check_finish();
}
