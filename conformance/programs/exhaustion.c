// SPDX-License-Identifier: MIT OR Apache-2.0
// Communicators until there are no more, of changing parts of the processes: every rank sees the end at the same call, also
// those that would be in none, and when some are freed there are new ones.
#include "check.h"

enum { MOST = 200000 };
static MPI_Comm all[MOST];

// The k-th creation: the first (k % size) + 1 ranks by group, or by colour, or halves.
static int create(int k, MPI_Comm *new) {
    int count = k % size + 1, ranks[64];
    if (k % 3 == 1)
        return MPI_Comm_split(MPI_COMM_WORLD, rank < count ? 0 : MPI_UNDEFINED, -rank, new);
    if (k % 3 == 2)
        return MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, new);
    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = 0; i < count; i++)
        ranks[i] = i;
    MPI_Group_incl(world, count, ranks, &group);
    int code = MPI_Comm_create(MPI_COMM_WORLD, group, new);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return code;
}

static int fill(void) {
    int n = 0;
    while (n < MOST && create(n, &all[n]) == MPI_SUCCESS)
        n++;
    return n;
}

static void drain(int n) {
    for (int i = 0; i < n; i++)
        if (all[i] != MPI_COMM_NULL)
            DO(MPI_Comm_free(&all[i]));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int n = fill(), least, most;
    DO(MPI_Allreduce(&n, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    DO(MPI_Allreduce(&n, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CHECK_EQ(least, most);
    CHECK(n > 1000 && n < MOST);
    drain(n);
    DO(MPI_Barrier(MPI_COMM_WORLD));
    for (n = 0; n < 100; n++)
        DO(create(n, &all[n]));
    drain(n);
    return check_finish();
}
