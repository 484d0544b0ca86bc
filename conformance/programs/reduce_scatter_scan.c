// SPDX-License-Identifier: MIT OR Apache-2.0
// Reduce_scatter(_block), Scan and Exscan: all lengths, unequal and zero counts, in place. Argument "nonblocking".
#include "check.h"

static long value(int of, int i) {
    return (of + 1) * 10007L + i * 3L;
}

static long sum_to(int last, int i) {
    long total = 0;
    for (int r = 0; r <= last; r++)
        total += value(r, i);
    return total;
}

static long *own(int n) {
    long *data = check_alloc(n * sizeof *data);
    for (int i = 0; i < n; i++)
        data[i] = value(rank, i);
    return data;
}

static void check_part(long *part, int from, int n, int line) {
    for (int i = 0; i < n; i++)
        if (part[i] != sum_to(size - 1, from + i)) {
            CHECK_FAIL("line %d: n %d: element %d is %ld, should be %ld", line, n, i, part[i], sum_to(size - 1, from + i));
            return;
        }
}

static void block(int n) {
    long *out = own(n * size), *in = check_alloc((n + 1) * sizeof *in);
    in[n] = -9;
    EITHER(Reduce_scatter_block, reduce_scatter_block, out, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    check_part(in, rank * n, n, __LINE__);
    CHECK_EQ(in[n], -9);
    EITHER(Reduce_scatter_block, reduce_scatter_block, MPI_IN_PLACE, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    check_part(out, rank * n, n, __LINE__);
    free(out);
    free(in);
}

static void unequal(int n, int shape) {
    int counts[size], total = 0, from = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = shape == 0 ? r * n : shape == 1 ? (r == size - 1 ? n : 0) : (r + 1) % 2 * n + r;
        if (r < rank)
            from += counts[r];
        total += counts[r];
    }
    long *out = own(total), *in = check_alloc((counts[rank] + 1) * sizeof *in);
    in[counts[rank]] = -9;
    EITHER(Reduce_scatter, reduce_scatter, out, in, counts, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    check_part(in, from, counts[rank], __LINE__);
    CHECK_EQ(in[counts[rank]], -9);
    EITHER(Reduce_scatter, reduce_scatter, MPI_IN_PLACE, out, counts, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    check_part(out, from, counts[rank], __LINE__);
    free(out);
    free(in);
}

static void scans(int n) {
    long *out = own(n), *in = check_alloc(n * sizeof *in);
    EITHER(Scan, scan, out, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        CHECK_EQ(in[i], sum_to(rank, i));
    for (int i = 0; i < n; i++)
        in[i] = -9;
    EITHER(Exscan, exscan, out, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n && rank > 0; i++)
        CHECK_EQ(in[i], sum_to(rank - 1, i));
    memcpy(in, out, n * sizeof *in);
    EITHER(Scan, scan, MPI_IN_PLACE, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        CHECK_EQ(in[i], sum_to(rank, i));
    memcpy(in, out, n * sizeof *in);
    EITHER(Exscan, exscan, MPI_IN_PLACE, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n && rank > 0; i++)
        CHECK_EQ(in[i], sum_to(rank - 1, i));
    free(out);
    free(in);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    int lengths[] = {0, 1, 2, 5, 100, 1024, 5000, 50001};
    for (int l = 0; l < 8; l++) {
        block(lengths[l]);
        for (int shape = 0; shape < 3; shape++)
            unequal(lengths[l], shape);
        scans(lengths[l]);
    }
    return check_finish();
}
