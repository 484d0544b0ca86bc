// SPDX-License-Identifier: MIT OR Apache-2.0
// Reduce and Allreduce: sums at every length that matters, every root, in place, and guard elements behind the result.
// Argument "nonblocking": Ireduce and Iallreduce.
#include "check.h"

#define GUARD -12345

static long value(int of, int i) {
    return (long)of * 1000003 + i * 7L + 1;
}

static long sum(int i) {
    long total = 0;
    for (int r = 0; r < size; r++)
        total += value(r, i);
    return total;
}

static void fill(long *data, int n) {
    for (int i = 0; i < n; i++)
        data[i] = value(rank, i);
    data[n] = GUARD;
}

static void check_sum(long *data, int n, int line) {
    for (int i = 0; i < n; i++)
        if (data[i] != sum(i)) {
            CHECK_FAIL("line %d: n %d: element %d is %ld, should be %ld", line, n, i, data[i], sum(i));
            break;
        }
    CHECK_EQ(data[n], GUARD);
}

static void check_own(long *data, int n, int line) {
    for (int i = 0; i < n; i++)
        if (data[i] != value(rank, i)) {
            CHECK_FAIL("line %d: n %d: the send buffer changed at %d", line, n, i);
            break;
        }
}

static void allreduce(int n) {
    long *out = check_alloc((n + 1) * sizeof *out), *in = check_alloc((n + 1) * sizeof *in);
    fill(out, n);
    memset(in, 0, n * sizeof *in);
    in[n] = GUARD;
    EITHER(Allreduce, allreduce, out, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    check_sum(in, n, __LINE__);
    check_own(out, n, __LINE__);
    EITHER(Allreduce, allreduce, MPI_IN_PLACE, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    check_sum(out, n, __LINE__);
    free(out);
    free(in);
}

static void reduce(int n, int root) {
    long *out = check_alloc((n + 1) * sizeof *out), *in = check_alloc((n + 1) * sizeof *in);
    fill(out, n);
    memset(in, 0, n * sizeof *in);
    in[n] = GUARD;
    EITHER(Reduce, reduce, out, rank == root ? in : NULL, n, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD);
    if (rank == root)
        check_sum(in, n, __LINE__);
    check_own(out, n, __LINE__);
    if (rank == root)
        EITHER(Reduce, reduce, MPI_IN_PLACE, out, n, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD);
    else
        EITHER(Reduce, reduce, out, NULL, n, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD);
    if (rank == root)
        check_sum(out, n, __LINE__);
    else
        check_own(out, n, __LINE__);
    free(out);
    free(in);
}

// The same bits on all ranks, also where addition is not associative.
static void equal_bits(int n) {
    double *data = check_alloc(n * sizeof *data), *of_first = check_alloc(n * sizeof *of_first);
    for (int i = 0; i < n; i++)
        data[i] = (rank % 2 ? -1 : 1) * 1e16 / (1 + (i * 37 + rank * 101) % 1000) + 0.1 * i;
    EITHER(Allreduce, allreduce, MPI_IN_PLACE, data, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    memcpy(of_first, data, n * sizeof *data);
    DO(MPI_Bcast(of_first, n, MPI_DOUBLE, 0, MPI_COMM_WORLD));
    CHECK_EQ(memcmp(data, of_first, n * sizeof *data), 0);
    free(data);
    free(of_first);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    int lengths[] = {0, 1, 2, 3, 5, 8, 127, 128, 511, 512, 513, 1000, 1024, 4095, 4096, 8191, 8193, 65536, 100003, 600001};
    for (int l = 0; l < (int)(sizeof lengths / sizeof *lengths); l++) {
        allreduce(lengths[l]);
        if (lengths[l] <= 1024)
            for (int root = 0; root < size; root++)
                reduce(lengths[l], root);
        else
            reduce(lengths[l], l % size);
    }
    for (int i = 0; i < 500; i++)
        allreduce(i % 40);
    equal_bits(7);
    equal_bits(1000);
    equal_bits(300000);
    return check_finish();
}
