// SPDX-License-Identifier: MIT OR Apache-2.0
// Groups: incl, excl, ranges, union, intersection, difference, compare, translate_ranks, the empty group; no communication.
#include "check.h"

static MPI_Group world;

// The members of `group` must be these world ranks in this order.
static void check_members(MPI_Group group, const int *wanted, int n, int line) {
    int found = -1, me = -2, position = MPI_UNDEFINED;
    DO(MPI_Group_size(group, &found));
    if (found != n) {
        CHECK_FAIL("line %d: size %d, should be %d", line, found, n);
        return;
    }
    for (int i = 0; i < n; i++) {
        int in_world = -5;
        DO(MPI_Group_translate_ranks(group, 1, &i, world, &in_world));
        if (in_world != wanted[i])
            CHECK_FAIL("line %d: member %d is %d, should be %d", line, i, in_world, wanted[i]);
        if (wanted[i] == rank)
            position = i;
    }
    DO(MPI_Group_rank(group, &me));
    CHECK_EQ(me, position);
}

static MPI_Group include(const int *list, int n) {
    MPI_Group group;
    DO(MPI_Group_incl(world, n, list, &group));
    return group;
}

static int compare(MPI_Group a, MPI_Group b) {
    int result = -1;
    DO(MPI_Group_compare(a, b, &result));
    return result;
}

// Evens ascending and the upper half descending, with all set operations: members keep the first group's order.
static void sets(void) {
    int evens[size], upper[size], n = 0, m = 0, all[2 * size], k = 0;
    for (int r = 0; r < size; r += 2)
        evens[n++] = r;
    for (int r = size - 1; r >= size / 2; r--)
        upper[m++] = r;
    MPI_Group a = include(evens, n), b = include(upper, m), result;
    check_members(a, evens, n, __LINE__);
    check_members(b, upper, m, __LINE__);
    DO(MPI_Group_union(a, b, &result));
    for (int i = 0; i < n; i++)
        all[k++] = evens[i];
    for (int i = 0; i < m; i++)
        if (upper[i] % 2)
            all[k++] = upper[i];
    check_members(result, all, k, __LINE__);
    DO(MPI_Group_free(&result));
    DO(MPI_Group_intersection(a, b, &result));
    k = 0;
    for (int i = 0; i < n; i++)
        if (evens[i] >= size / 2)
            all[k++] = evens[i];
    check_members(result, all, k, __LINE__);
    DO(MPI_Group_free(&result));
    DO(MPI_Group_difference(b, a, &result));
    k = 0;
    for (int i = 0; i < m; i++)
        if (upper[i] % 2)
            all[k++] = upper[i];
    check_members(result, all, k, __LINE__);
    DO(MPI_Group_free(&result));
    DO(MPI_Group_difference(a, a, &result));
    check_members(result, NULL, 0, __LINE__);
    CHECK_EQ(compare(result, MPI_GROUP_EMPTY), MPI_IDENT);
    if (result != MPI_GROUP_EMPTY)
        DO(MPI_Group_free(&result));
    DO(MPI_Group_free(&a));
    DO(MPI_Group_free(&b));
}

static void ranges(void) {
    int last = size - 1, wanted[size], n = 0;
    MPI_Group group;
    DO(MPI_Group_range_incl(world, 1, (int[][3]){{last, 0, -2}}, &group));
    for (int r = last; r >= 0; r -= 2)
        wanted[n++] = r;
    check_members(group, wanted, n, __LINE__);
    DO(MPI_Group_free(&group));
    DO(MPI_Group_range_excl(world, 1, (int[][3]){{0, last, 2}}, &group));
    n = 0;
    for (int r = 1; r <= last; r += 2)
        wanted[n++] = r;
    check_members(group, wanted, n, __LINE__);
    if (group != MPI_GROUP_EMPTY)
        DO(MPI_Group_free(&group));
    DO(MPI_Group_excl(world, 1, &last, &group));
    n = 0;
    for (int r = 0; r < last; r++)
        wanted[n++] = r;
    check_members(group, wanted, n, __LINE__);
    if (group != MPI_GROUP_EMPTY)
        DO(MPI_Group_free(&group));
    DO(MPI_Group_excl(world, 0, NULL, &group));
    CHECK_EQ(compare(world, group), MPI_IDENT);
    DO(MPI_Group_free(&group));
}

static void comparing(void) {
    int list[size];
    for (int i = 0; i < size; i++)
        list[i] = size - 1 - i;
    MPI_Group reversed = include(list, size), none = include(NULL, 0), first = include((int[]){0}, 1);
    CHECK_EQ(compare(world, reversed), size > 1 ? MPI_SIMILAR : MPI_IDENT);
    CHECK_EQ(compare(world, first), size > 1 ? MPI_UNEQUAL : MPI_IDENT);
    CHECK_EQ(compare(world, none), MPI_UNEQUAL);
    CHECK_EQ(compare(none, MPI_GROUP_EMPTY), MPI_IDENT);
    int ranks[3] = {0, MPI_PROC_NULL, size - 1}, found[3];
    DO(MPI_Group_translate_ranks(reversed, 3, ranks, first, found));
    CHECK_EQ(found[0], size > 1 ? MPI_UNDEFINED : 0);
    CHECK_EQ(found[1], MPI_PROC_NULL);
    CHECK_EQ(found[2], 0);
    DO(MPI_Group_free(&reversed));
    DO(MPI_Group_free(&first));
    CHECK(reversed == MPI_GROUP_NULL);
    if (none != MPI_GROUP_EMPTY)
        DO(MPI_Group_free(&none));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    MPI_Group again;
    DO(MPI_Comm_group(MPI_COMM_WORLD, &world));
    DO(MPI_Comm_group(MPI_COMM_WORLD, &again));
    CHECK_EQ(compare(world, again), MPI_IDENT);
    sets();
    ranges();
    comparing();
    DO(MPI_Group_free(&world));
    DO(MPI_Group_free(&again));
    return check_finish();
}
