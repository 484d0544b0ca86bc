// SPDX-License-Identifier: MIT OR Apache-2.0
// Lesson 5: all-reduce. Every rank has numbers; everybody needs their sum (or product, least, greatest, ...).
//
// MPI_Allreduce combines the ranks' buffers element by element and leaves the result on all of them. Four things to
// know, each shown below: the operation and the type go together; MPI_IN_PLACE saves the second buffer; any length
// works, also one that the ranks cannot share evenly; an operation of your own is a function that combines two arrays.
#include "check.h"

enum { LONGEST = 1 << 20 };

static int rank, size;

// Sums of whole numbers are exact in double as long as they stay below 2^53, whatever the order of the additions.
static void sum_of_doubles(size_t n) {
    double *mine = allocate(n * sizeof *mine), *sum = allocate(n * sizeof *sum);
    for (size_t i = 0; i < n; i++) mine[i] = (double)((size_t)(rank + 1) * (i % 1000));
    MPI_Allreduce(mine, sum, (int)n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double ranks = size * (size + 1) / 2;
    for (size_t i = 0; i < n; i++) CHECK(sum[i] == ranks * (double)(i % 1000));
    if (rank == 0) printf("sum of %7zu doubles: right, the last is %.0f\n", n, sum[n - 1]);
    free(mine);
    free(sum);
}

// The same buffer is input and output.
static void greatest_in_place(size_t n) {
    int *values = allocate(n * sizeof *values);
    for (size_t i = 0; i < n; i++) values[i] = (int)(i ^ (size_t)rank);
    MPI_Allreduce(MPI_IN_PLACE, values, (int)n, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (size_t i = 0; i < n; i++) {
        int expected = 0;
        for (int r = 0; r < size; r++) expected = (int)(i ^ (size_t)r) > expected ? (int)(i ^ (size_t)r) : expected;
        CHECK(values[i] == expected);
    }
    if (rank == 0) printf("greatest of %7zu ints, in place: right\n", n);
    free(values);
}

// MPI_MINLOC says where the least value is: on which rank.
static void where_is_the_least(void) {
    struct {
        double value;
        int rank;
    } mine = {(double)((rank + size / 2) % size), rank}, least;
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    CHECK(least.value == 0.0 && (least.rank + size / 2) % size == 0);
    if (rank == 0) printf("the least value is on rank %d\n", least.rank);
}

// An operation of our own: a*x + b after c*x + d. Composition is associative but not commutative, so MPI must combine
// the ranks in their order, and the result shows whether it did.
typedef struct {
    long a, b;
} Affine;

static void compose(void *first, void *second, int *count, MPI_Datatype *type) {
    (void)type;
    const Affine *f = first;
    Affine *g = second;
    for (int i = 0; i < *count; i++) {
        Affine both = {g[i].a * f[i].a % 10007, (g[i].a * f[i].b + g[i].b) % 10007};
        g[i] = both;
    }
}

static void own_operation(void) {
    MPI_Datatype affine;
    MPI_Op op;
    MPI_Type_contiguous(2, MPI_LONG, &affine);
    MPI_Type_commit(&affine);
    MPI_Op_create(compose, 0, &op);

    Affine mine = {rank + 2, rank + 1}, all, expected = {1, 0};
    MPI_Allreduce(&mine, &all, 1, affine, op, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++) {
        expected.b = ((r + 2) * expected.b + (r + 1)) % 10007;
        expected.a = (r + 2) * expected.a % 10007;
    }
    CHECK(all.a == expected.a && all.b == expected.b);
    if (rank == 0) printf("own operation, in rank order: %ld x + %ld\n", all.a, all.b);

    MPI_Op_free(&op);
    MPI_Type_free(&affine);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (size_t n = 1; n <= LONGEST; n *= 10) sum_of_doubles(n + (n > 1));
    sum_of_doubles(LONGEST);
    greatest_in_place(10007);
    where_is_the_least();
    own_operation();

    MPI_Finalize();
    return 0;
}
