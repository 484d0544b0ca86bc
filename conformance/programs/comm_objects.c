// SPDX-License-Identifier: MIT OR Apache-2.0
// Making and unmaking communicators: dup, split, split_type, create, create_group, idup, compare, names, free.
#include "check.h"

#define W MPI_COMM_WORLD

static int compare(MPI_Comm a, MPI_Comm b) {
    int result = -1;
    DO(MPI_Comm_compare(a, b, &result));
    return result;
}

// A sum over the communicator's members and a message around its ring: it works as a whole.
static void use(MPI_Comm comm) {
    int me, n, sum = 0, mine, in = -1;
    MPI_Status status;
    DO(MPI_Comm_rank(comm, &me));
    DO(MPI_Comm_size(comm, &n));
    mine = me;
    DO(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_EQ(sum, n * (n - 1) / 2);
    DO(MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % n, 3, &in, 1, MPI_INT, (me + n - 1) % n, 3, comm, &status));
    CHECK_STATUS(&status, (me + n - 1) % n, 3, MPI_INT, 1);
    CHECK_EQ(in, (me + n - 1) % n);
}

static void release(MPI_Comm *comm) {
    DO(MPI_Comm_free(comm));
    CHECK(*comm == MPI_COMM_NULL);
}

static void duplicates(void) {
    MPI_Comm copy, second, later = MPI_COMM_NULL, with_info;
    MPI_Request request;
    DO(MPI_Comm_dup(W, &copy));
    CHECK_EQ(compare(W, W), MPI_IDENT);
    CHECK_EQ(compare(W, copy), MPI_CONGRUENT);
    use(copy);
    DO(MPI_Comm_idup(copy, &later, &request));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    DO(MPI_Comm_dup(copy, &second));
    DO(MPI_Comm_dup_with_info(W, MPI_INFO_NULL, &with_info));
    release(&copy);
    use(second);
    use(later);
    use(with_info);
    release(&second);
    release(&later);
    release(&with_info);
}

static void splits(void) {
    MPI_Comm half, reversed, some, node;
    int n, me, root = -1;
    DO(MPI_Comm_split(W, rank % 2, rank, &half));
    DO(MPI_Comm_size(half, &n));
    DO(MPI_Comm_rank(half, &me));
    CHECK_EQ(n, (size + 1 - rank % 2) / 2);
    CHECK_EQ(me, rank / 2);
    use(half);
    DO(MPI_Comm_split(W, 0, -rank, &reversed));
    DO(MPI_Comm_rank(reversed, &me));
    CHECK_EQ(me, size - 1 - rank);
    CHECK_EQ(compare(W, reversed), size > 1 ? MPI_SIMILAR : MPI_CONGRUENT);
    use(reversed);
    root = rank;
    DO(MPI_Bcast(&root, 1, MPI_INT, 0, reversed));
    CHECK_EQ(root, size - 1);
    DO(MPI_Comm_split(W, rank == 0 ? MPI_UNDEFINED : 1, 0, &some)); // equal keys: old order
    CHECK((some == MPI_COMM_NULL) == (rank == 0));
    if (some != MPI_COMM_NULL) {
        DO(MPI_Comm_rank(some, &me));
        CHECK_EQ(me, rank - 1);
        use(some);
        CHECK_EQ(compare(W, some), MPI_UNEQUAL);
        release(&some);
    }
    DO(MPI_Comm_split_type(W, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    DO(MPI_Comm_size(node, &n));
    CHECK_EQ(n, size);
    use(node);
    release(&node);
    DO(MPI_Comm_split_type(W, MPI_UNDEFINED, 0, MPI_INFO_NULL, &node));
    CHECK(node == MPI_COMM_NULL);
    release(&half);
    release(&reversed);
}

static void from_groups(void) {
    MPI_Group world, part;
    MPI_Comm comm;
    int me, members = (size + 1) / 2, list[size];
    for (int i = 0; i < members; i++)
        list[i] = size - 1 - 2 * i; // every second, backwards
    DO(MPI_Comm_group(W, &world));
    DO(MPI_Group_incl(world, members, list, &part));
    int inside = (size - 1 - rank) % 2 == 0;
    DO(MPI_Comm_create(W, part, &comm));
    CHECK((comm != MPI_COMM_NULL) == inside);
    if (inside) {
        DO(MPI_Comm_rank(comm, &me));
        CHECK_EQ(list[me], rank);
        use(comm);
        release(&comm);
        for (int tag = 0; tag < 3; tag++) { // only the members take part
            DO(MPI_Comm_create_group(W, part, tag, &comm));
            DO(MPI_Comm_rank(comm, &me));
            CHECK_EQ(list[me], rank);
            use(comm);
            release(&comm);
        }
    }
    DO(MPI_Comm_create(W, MPI_GROUP_EMPTY, &comm));
    CHECK(comm == MPI_COMM_NULL);
    DO(MPI_Group_free(&world));
    DO(MPI_Group_free(&part));
}

// Disjoint groups in one call.
static void disjoint(void) {
    MPI_Group world, mine;
    MPI_Comm comm;
    int n = 0, list[size], me;
    for (int r = rank % 2; r < size; r += 2)
        list[n++] = r;
    DO(MPI_Comm_group(W, &world));
    DO(MPI_Group_incl(world, n, list, &mine));
    DO(MPI_Comm_create(W, mine, &comm));
    DO(MPI_Comm_rank(comm, &me));
    CHECK_EQ(me, rank / 2);
    use(comm);
    release(&comm);
    DO(MPI_Comm_create_group(W, mine, 9, &comm));
    use(comm);
    release(&comm);
    DO(MPI_Group_free(&world));
    DO(MPI_Group_free(&mine));
}

static void names(void) {
    char name[MPI_MAX_OBJECT_NAME], longest[MPI_MAX_OBJECT_NAME];
    int length = -1;
    MPI_Comm comm;
    DO(MPI_Comm_get_name(W, name, &length));
    CHECK_STR(name, "MPI_COMM_WORLD");
    CHECK_EQ(length, 14);
    DO(MPI_Comm_get_name(MPI_COMM_SELF, name, &length));
    CHECK_STR(name, "MPI_COMM_SELF");
    DO(MPI_Comm_dup(W, &comm));
    DO(MPI_Comm_get_name(comm, name, &length));
    CHECK_EQ(length, 0); // names are not copied
    DO(MPI_Comm_set_name(comm, "the duplicate"));
    DO(MPI_Comm_get_name(comm, name, &length));
    CHECK_STR(name, "the duplicate");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    DO(MPI_Comm_set_name(comm, longest));
    DO(MPI_Comm_get_name(comm, name, &length));
    CHECK_EQ(length, MPI_MAX_OBJECT_NAME - 1);
    CHECK_STR(name, longest);
    release(&comm);
}

// An error handler may be set on the handle that MPI_Comm_idup gives before the communicator is ready.
static void early_handler(void) {
    MPI_Comm copy;
    MPI_Request request;
    MPI_Errhandler found;
    DO(MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request));
    DO(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    DO(MPI_Comm_get_errhandler(copy, &found));
    CHECK(found == MPI_ERRORS_RETURN);
    DO(MPI_Comm_free(&copy));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    CHECK_EQ(compare(MPI_COMM_SELF, W), size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
    duplicates();
    splits();
    from_groups();
    if (size > 1)
        disjoint();
    names();
    early_handler();
    return check_finish();
}
