// SPDX-License-Identifier: MIT OR Apache-2.0
// Every collective of an intercommunicator, in the form that the argument says. The first third of the processes is one group.
// Argument "invalid": what has no meaning there is an error (Open MPI 4.1.4 crashes).
#include "forms.h"

#define N 3 // elements a block from the first group; one more from the second
#define MOST 16

static MPI_Comm comm;
static int me, here, there, left; // my rank, sizes of both groups, whether I am in the first
static int in[MOST * 64], out[MOST * 64];
static int counts[MOST], displs[MOST], scounts[MOST], sdispls[MOST], rdispls[MOST];
static MPI_Datatype types[MOST];

// Ranks of the second group count from 50 on in the contents.
static int name(int first, int r) { return first ? r : 50 + r; }
static int blocks(int first) { return first ? N : N + 1; }
static void clear(void) { memset(out, -1, sizeof out); }

// What I say as root: the root is `root` of the first group, or of the second.
static int role(int first, int root) {
    if (left != first)
        return root;
    return me == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void rooted(int first, int root) {
    int as = role(first, root), n = blocks(first), they = name(first, root);
    clear();
    for (int i = 0; i < n && as == MPI_ROOT; i++)
        out[i] = VALUE(they, 0, i);
    FORM(Bcast, bcast, out, n, MPI_INT, as, comm);
    for (int i = 0; i < n && as >= 0; i++)
        CHECK_EQ(out[i], VALUE(they, 0, i));
    CHECK_EQ(out[n], -1);

    clear();
    for (int i = 0; i < 64; i++)
        in[i] = VALUE(name(left, me), 0, i);
    FORM(Reduce, reduce, in, out, n, MPI_INT, MPI_SUM, as, comm);
    int sum = 0;
    for (int r = 0; r < there; r++)
        sum += name(!left, r);
    for (int i = 0; i < n && as == MPI_ROOT; i++)
        CHECK_EQ(out[i], VALUE(sum, 0, there * i));

    clear();
    FORM(Gather, gather, in, n, MPI_INT, out, n, MPI_INT, as, comm);
    for (int i = 0; i < n * there && as == MPI_ROOT; i++)
        CHECK_EQ(out[i], VALUE(name(!left, i / n), 0, i % n));
    CHECK_EQ(out[n * there], -1);

    for (int r = 0, at = 1; r < there; at += counts[r] + 1, r++)
        counts[r] = r % 3, displs[r] = at;
    clear();
    FORM(Gatherv, gatherv, in, me % 3, MPI_INT, out, counts, displs, MPI_INT, as, comm);
    for (int r = 0; r < there && as == MPI_ROOT; r++)
        for (int i = -1; i < counts[r]; i++)
            CHECK_EQ(out[displs[r] + i], i < 0 ? -1 : VALUE(name(!left, r), 0, i));

    clear();
    for (int i = 0; i < 64; i++)
        in[i] = VALUE(they, i / n, i % n);
    FORM(Scatter, scatter, in, n, MPI_INT, out, n, MPI_INT, as, comm);
    for (int i = 0; i < n && as >= 0; i++)
        CHECK_EQ(out[i], VALUE(they, me, i));
    CHECK_EQ(out[n], -1);

    clear();
    FORM(Scatterv, scatterv, in, counts, displs, MPI_INT, out, me % 3, MPI_INT, as, comm);
    if (as >= 0) {
        int at = 1;
        for (int r = 0; r < me; r++)
            at += r % 3 + 1;
        for (int i = 0; i < me % 3; i++)
            CHECK_EQ(out[i], in[at + i]);
    }
    CHECK_EQ(out[me % 3], -1);
}

static void gathers(void) {
    int mine = blocks(left), theirs = blocks(!left);
    clear();
    for (int i = 0; i < 64; i++)
        in[i] = VALUE(name(left, me), 0, i);
    FORM(Allgather, allgather, in, mine, MPI_INT, out, theirs, MPI_INT, comm);
    for (int i = 0; i < theirs * there; i++)
        CHECK_EQ(out[i], VALUE(name(!left, i / theirs), 0, i % theirs));
    CHECK_EQ(out[theirs * there], -1);

    for (int r = 0, at = 1; r < there; at += counts[r] + 1, r++)
        counts[r] = r % 3, displs[r] = at;
    clear();
    FORM(Allgatherv, allgatherv, in, me % 3, MPI_INT, out, counts, displs, MPI_INT, comm);
    for (int r = 0; r < there; r++)
        for (int i = -1; i < counts[r]; i++)
            CHECK_EQ(out[displs[r] + i], i < 0 ? -1 : VALUE(name(!left, r), 0, i));
}

static void exchanges(void) {
    int mine = blocks(left), theirs = blocks(!left);
    clear();
    for (int i = 0; i < mine * there; i++)
        in[i] = VALUE(name(left, me), i / mine, i % mine);
    FORM(Alltoall, alltoall, in, mine, MPI_INT, out, theirs, MPI_INT, comm);
    for (int i = 0; i < theirs * there; i++)
        CHECK_EQ(out[i], VALUE(name(!left, i / theirs), me, i % theirs));
    CHECK_EQ(out[theirs * there], -1);

    // A pair exchanges (a + b) % 4 elements, blocks 4 apart.
    for (int r = 0; r < there; r++) {
        counts[r] = scounts[r] = (me + r) % 4;
        sdispls[r] = rdispls[r] = r * 4;
        for (int i = 0; i < 4; i++)
            in[4 * r + i] = VALUE(name(left, me), r, i);
    }
    clear();
    FORM(Alltoallv, alltoallv, in, scounts, sdispls, MPI_INT, out, counts, rdispls, MPI_INT, comm);
    for (int i = 0; i < 4 * there; i++)
        CHECK_EQ(out[i], i % 4 < counts[i / 4] ? VALUE(name(!left, i / 4), me, i % 4) : -1);

    for (int r = 0; r < there; r++) {
        types[r] = MPI_INT;
        sdispls[r] = rdispls[r] = r * 4 * (int)sizeof(int);
    }
    clear();
    FORM(Alltoallw, alltoallw, in, scounts, sdispls, types, out, counts, rdispls, types, comm);
    for (int i = 0; i < 4 * there; i++)
        CHECK_EQ(out[i], i % 4 < counts[i / 4] ? VALUE(name(!left, i / 4), me, i % 4) : -1);
}

static void reductions(void) {
    int sum = 0, total = here * there * 2;
    for (int r = 0; r < there; r++)
        sum += name(!left, r);
    for (int i = 0; i < total; i++)
        in[i] = VALUE(name(left, me), 0, i);
    clear();
    FORM(Allreduce, allreduce, in, out, N, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < N; i++)
        CHECK_EQ(out[i], VALUE(sum, 0, there * i));
    CHECK_EQ(out[N], -1);

    clear();
    int n = total / here;
    FORM(Reduce_scatter_block, reduce_scatter_block, in, out, n, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < n; i++)
        CHECK_EQ(out[i], VALUE(sum, 0, there * (me * n + i)));
    CHECK_EQ(out[n], -1);

    // Everything but one element each to the last rank.
    for (int r = 0; r < here; r++)
        counts[r] = r < here - 1 ? 1 : total - here + 1;
    clear();
    FORM(Reduce_scatter, reduce_scatter, in, out, counts, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < counts[me]; i++)
        CHECK_EQ(out[i], VALUE(sum, 0, there * (me + i)));
    CHECK_EQ(out[counts[me]], -1);
}

// Nobody leaves before all of the other group have come.
static void barriers(void) {
    for (int k = 0; k < 20; k++)
        FORM(Barrier, barrier, comm);
}

// The one-group operations are invalid.
static void invalid(void) {
    int one = 1, two = 0;
    DO(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    CHECK_ERROR(MPI_Scan(&one, &two, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Exscan(&one, &two, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_COMM);
    DO(MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL));
}

static void all(void) {
    DO(MPI_Comm_rank(comm, &me));
    DO(MPI_Comm_size(comm, &here));
    DO(MPI_Comm_remote_size(comm, &there));
    barriers();
    for (int first = 0; first < 2; first++) {
        rooted(first, 0);
        rooted(first, (left == first ? here : there) - 1);
    }
    gathers();
    exchanges();
    reductions();
    barriers();
}

// The communicators that are made of one: each works like it.
static void children(MPI_Comm inter) {
    MPI_Request request;
    MPI_Group group;
    int flag = 0, total, found;
    DO(MPI_Comm_dup(inter, &comm));
    all();
    DO(MPI_Comm_free(&comm));
    DO(MPI_Comm_idup(inter, &comm, &request));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    all();
    DO(MPI_Comm_free(&comm));
    DO(MPI_Comm_split(inter, 0, -me, &comm)); // the other way round
    DO(MPI_Comm_rank(comm, &found));
    CHECK_EQ(found, here - 1 - me);
    all();
    DO(MPI_Comm_free(&comm));
    DO(MPI_Comm_rank(inter, &me));
    DO(MPI_Comm_group(inter, &group));
    DO(MPI_Comm_create(inter, group, &comm));
    DO(MPI_Comm_test_inter(comm, &flag));
    CHECK_EQ(flag, 1);
    all();
    DO(MPI_Comm_free(&comm));
    DO(MPI_Group_free(&group));
    DO(MPI_Intercomm_merge(inter, left, &comm));
    DO(MPI_Comm_size(comm, &total));
    DO(MPI_Comm_rank(comm, &found));
    CHECK_EQ(total, size);
    CHECK_EQ(found, left ? there + me : me);
    DO(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
    MPI_Comm half, inter;
    check_start(&argc, &argv);
    check_form(argc, argv);
    if (size > 1) {
        int third = (size + 2) / 3;
        left = rank < third;
        DO(MPI_Comm_split(MPI_COMM_WORLD, left, 0, &half));
        DO(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, left ? third : 0, 7, &inter));
        comm = inter;
        if (check_option(argc, argv, "invalid")) {
            invalid();
        } else {
            all();
            children(inter);
        }
        DO(MPI_Comm_free(&inter));
        DO(MPI_Comm_free(&half));
    }
    return check_finish();
}
