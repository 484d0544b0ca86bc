// SPDX-License-Identifier: MIT OR Apache-2.0
// Intercommunicators: create, remote size and group, messages and probes across, dup, merge in both orders.
#include "check.h"

static MPI_Comm half, across;
static int mine, members, others; // rank in my half, its size, the other half's size

static int world_of_other(int r) {
    return 2 * r + (rank % 2 == 0);
}

static void basics(void) {
    int flag = 0, n = -1, me = -1, same = -1;
    MPI_Group local, remote, world;
    DO(MPI_Comm_test_inter(across, &flag));
    CHECK_EQ(flag, 1);
    DO(MPI_Comm_test_inter(half, &flag));
    CHECK_EQ(flag, 0);
    DO(MPI_Comm_size(across, &n));
    CHECK_EQ(n, members);
    DO(MPI_Comm_rank(across, &me));
    CHECK_EQ(me, mine);
    DO(MPI_Comm_remote_size(across, &n));
    CHECK_EQ(n, others);
    DO(MPI_Comm_group(across, &local));
    DO(MPI_Comm_remote_group(across, &remote));
    DO(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int r = 0; r < others; r++) {
        int in_world = -1;
        DO(MPI_Group_translate_ranks(remote, 1, &r, world, &in_world));
        CHECK_EQ(in_world, world_of_other(r));
    }
    DO(MPI_Group_rank(remote, &me));
    CHECK_EQ(me, MPI_UNDEFINED);
    DO(MPI_Comm_compare(across, across, &same));
    CHECK_EQ(same, MPI_IDENT);
    DO(MPI_Group_free(&local));
    DO(MPI_Group_free(&remote));
    DO(MPI_Group_free(&world));
}

// Everybody sends to everybody on the other side; ranks mean the remote group's.
static void messages(MPI_Comm comm, int bytes) {
    unsigned char *out = check_alloc(bytes), *in = check_alloc(bytes);
    MPI_Request requests[others];
    check_fill(out, bytes, rank);
    for (int r = 0; r < others; r++)
        DO(MPI_Isend(out, bytes, MPI_BYTE, r, 10 + mine, comm, &requests[r]));
    for (int i = 0; i < others; i++) {
        MPI_Status status;
        DO(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
        int from = status.MPI_SOURCE;
        CHECK(from >= 0 && from < others);
        CHECK_STATUS(&status, from, 10 + from, MPI_BYTE, bytes);
        DO(MPI_Recv(in, bytes, MPI_BYTE, from, 10 + from, comm, &status));
        CHECK_FILLED(in, bytes, world_of_other(from));
    }
    DO(MPI_Waitall(others, requests, MPI_STATUSES_IGNORE));
    DO(MPI_Barrier(MPI_COMM_WORLD));
    free(out);
    free(in);
}

static void merge(int even_is_high) {
    MPI_Comm all;
    int high = (rank % 2 == 0) == even_is_high, me, n, sum = 0;
    DO(MPI_Intercomm_merge(across, high, &all));
    DO(MPI_Comm_rank(all, &me));
    DO(MPI_Comm_size(all, &n));
    CHECK_EQ(n, size);
    CHECK_EQ(me, high ? others + mine : mine);
    DO(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all));
    CHECK_EQ(sum, size * (size - 1) / 2);
    DO(MPI_Comm_free(&all));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    if (size > 1) {
        MPI_Comm copy;
        int same = -1;
        DO(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half));
        DO(MPI_Comm_rank(half, &mine));
        DO(MPI_Comm_size(half, &members));
        others = size - members;
        DO(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 == 0, 17, &across));
        basics();
        messages(across, 4);
        messages(across, 300000);
        DO(MPI_Comm_dup(across, &copy));
        DO(MPI_Comm_compare(across, copy, &same));
        CHECK_EQ(same, MPI_CONGRUENT);
        messages(copy, 100);
        DO(MPI_Comm_free(&copy));
        merge(0);
        merge(1);
        DO(MPI_Comm_free(&across));
        DO(MPI_Comm_free(&half));
    }
    return check_finish();
}
