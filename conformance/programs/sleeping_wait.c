// SPDX-License-Identifier: MIT OR Apache-2.0
// One rank comes three seconds late; those who wait for it sleep: they use less than 0.3 s of CPU time. In a Bcast, a Recv
// and an Allreduce. (Open MPI and MPICH spin: Paceline alone passes.)
#include "check.h"
#include <sys/resource.h>
#include <time.h>

static double cpu(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static void late(void) {
    struct timespec three = {3, 0};
    if (rank == 0)
        nanosleep(&three, NULL);
}

static void check_cpu(double before, const char *call) {
    double used = cpu() - before;
    if (used > 0.3)
        CHECK_FAIL("%s: %.2f s of CPU time while waiting 3 s", call, used);
}

static void warm_up(void) {
    for (int i = 0; i < 10; i++)
        DO(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    int value = rank == 0 ? 5 : 0, sum = 0;
    warm_up();
    double start = cpu();
    late();
    DO(MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD));
    check_cpu(start, "Bcast");
    CHECK_EQ(value, 5);
    warm_up();
    start = cpu();
    late();
    DO(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    check_cpu(start, "Allreduce");
    CHECK_EQ(sum, 5 * size);
    warm_up();
    start = cpu();
    late();
    if (rank == 0) {
        for (int r = 1; r < size; r++)
            DO(MPI_Send(&value, 1, MPI_INT, r, 1, MPI_COMM_WORLD));
    } else {
        DO(MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    check_cpu(start, "Recv");
    return check_finish();
}
