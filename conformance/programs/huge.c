// SPDX-License-Identifier: MIT OR Apache-2.0
// Messages and broadcasts of 3 GiB: 3072 items of a contiguous type of 1 MiB. Contents are looked at around 0, 2^31 and the
// end, and every 4 KiB. Run on 2 ranks: each has one buffer.
#include "check.h"

#define MIB ((size_t)1 << 20)
#define TOTAL (3072 * MIB)

static unsigned char *data;
static MPI_Datatype mib;

static unsigned char at(size_t i, int seed) {
    return (unsigned char)(i * 31 + (i >> 20) * 7 + (i >> 31) * 101 + seed);
}

static void fill(int seed) {
    for (size_t i = 0; i < TOTAL; i += 4096)
        data[i] = at(i, seed);
    size_t edges[] = {0, (size_t)1 << 31, TOTAL - 2};
    for (int e = 0; e < 3; e++)
        for (int d = -2; d < 2; d++)
            if (edges[e] + d < TOTAL)
                data[edges[e] + d] = at(edges[e] + d, seed);
}

static void check_contents(int seed) {
    size_t edges[] = {0, (size_t)1 << 31, TOTAL - 2};
    for (size_t i = 0; i < TOTAL; i += 4096)
        if (data[i] != at(i, seed)) {
            CHECK_FAIL("byte %zu is wrong", i);
            break;
        }
    for (int e = 0; e < 3; e++)
        for (int d = -2; d < 2; d++)
            if (edges[e] + d < TOTAL)
                CHECK_EQ(data[edges[e] + d], at(edges[e] + d, seed));
}

static void message(void) {
    MPI_Status status;
    int items = -1, bytes = -1;
    MPI_Count elements = -1;
    if (rank == 0) {
        fill(1);
        DO(MPI_Send(data, 3072, mib, 1, 1, MPI_COMM_WORLD));
        DO(MPI_Recv(data, 0, mib, 1, 2, MPI_COMM_WORLD, &status));
    } else if (rank == 1) {
        memset(data, 0, TOTAL);
        DO(MPI_Probe(0, 1, MPI_COMM_WORLD, &status));
        DO(MPI_Get_count(&status, mib, &items));
        CHECK_EQ(items, 3072);
        DO(MPI_Recv(data, 3072, mib, 0, 1, MPI_COMM_WORLD, &status));
        DO(MPI_Get_count(&status, mib, &items));
        CHECK_EQ(items, 3072);
        DO(MPI_Get_count(&status, MPI_BYTE, &bytes));
        CHECK_EQ(bytes, MPI_UNDEFINED); // does not fit in an int
        DO(MPI_Get_elements_x(&status, MPI_BYTE, &elements));
        CHECK_EQ(elements, TOTAL);
        check_contents(1);
        DO(MPI_Send(data, 0, mib, 0, 2, MPI_COMM_WORLD));
    }
}

static void broadcast(void) {
    if (rank == size - 1)
        fill(2);
    else
        memset(data, 0, TOTAL);
    DO(MPI_Bcast(data, 3072, mib, size - 1, MPI_COMM_WORLD));
    check_contents(2);
}

// 2^29 + 5 ints: a count below 2^31 whose bytes are above it.
static void sum(void) {
    int n = (1 << 29) + 5, *ints = (int *)data;
    for (int i = 0; i < n; i++)
        ints[i] = rank + (i & 1023);
    DO(MPI_Allreduce(MPI_IN_PLACE, ints, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        if (ints[i] != size * (size - 1) / 2 + size * (i & 1023)) {
            CHECK_FAIL("sum %d is %d", i, ints[i]);
            break;
        }
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    data = check_alloc(TOTAL);
    DO(MPI_Type_contiguous((int)MIB, MPI_BYTE, &mib));
    DO(MPI_Type_commit(&mib));
    message();
    broadcast();
    sum();
    DO(MPI_Type_free(&mib));
    free(data);
    return check_finish();
}
