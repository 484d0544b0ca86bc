// SPDX-License-Identifier: MIT OR Apache-2.0
// User-defined operations: non-commutative ones are applied in rank order, on derived types too (gaps, a negative lower
// bound), in every reducing collective; the function may ask about its datatype. Argument "nonblocking".
#include "check.h"

#define PRIME 10007

typedef struct {
    long a[2][2];
} Matrix;

static MPI_Datatype matrix_type;
static int calls;

static Matrix times(Matrix x, Matrix y) {
    Matrix z;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            z.a[i][j] = (x.a[i][0] * y.a[0][j] + x.a[i][1] * y.a[1][j]) % PRIME;
    return z;
}

// The function is told the very type of the call and may ask for its size and extent.
static void multiply(void *left, void *right, int *count, MPI_Datatype *type) {
    int bytes = 0;
    MPI_Aint lb = 0, extent = 0;
    calls++;
    MPI_Type_size(*type, &bytes);
    MPI_Type_get_extent(*type, &lb, &extent);
    if (bytes != (int)sizeof(Matrix) || extent < bytes)
        CHECK_FAIL("the operation got a type of %d bytes and extent %ld", bytes, (long)extent);
    for (int i = 0; i < *count; i++) {
        Matrix *x = (Matrix *)((char *)left + i * extent), *y = (Matrix *)((char *)right + i * extent);
        *y = times(*x, *y);
    }
}

static Matrix matrix(int of, int i) {
    return (Matrix){{{1 + of + i % 5, 2 + i % 3}, {of * of + 1, 3 + of}}};
}

static Matrix product(int last, int i) {
    Matrix all = matrix(0, i);
    for (int r = 1; r <= last; r++)
        all = times(all, matrix(r, i));
    return all;
}

// Items lie `extent` bytes apart.
static void fill(char *data, int n, int from, MPI_Aint extent) {
    for (int i = 0; i < n; i++)
        *(Matrix *)(data + i * extent) = matrix(rank, from + i);
}

static void check_product(char *data, int n, int from, int last, MPI_Aint extent, const char *what) {
    for (int i = 0; i < n; i++) {
        Matrix wanted = product(last, from + i);
        if (memcmp(data + i * extent, &wanted, sizeof wanted) != 0) {
            CHECK_FAIL("%s, n %d: wrong product at %d", what, n, i);
            return;
        }
    }
}

static void every_collective(int n, MPI_Op op, MPI_Datatype type) {
    MPI_Aint lb, x;
    DO(MPI_Type_get_extent(type, &lb, &x));
    char *out = check_alloc(n * size * x), *in = check_alloc(n * size * x);
    fill(out, n, 0, x);
    memset(in, 0, n * size * x);
    EITHER(Allreduce, allreduce, out, in, n, type, op, MPI_COMM_WORLD);
    check_product(in, n, 0, size - 1, x, "Allreduce");
    for (int root = 0; root < size; root++) {
        memset(in, 0, n * size * x);
        EITHER(Reduce, reduce, out, in, n, type, op, root, MPI_COMM_WORLD);
        if (rank == root)
            check_product(in, n, 0, size - 1, x, "Reduce");
    }
    EITHER(Scan, scan, out, in, n, type, op, MPI_COMM_WORLD);
    check_product(in, n, 0, rank, x, "Scan");
    EITHER(Exscan, exscan, out, in, n, type, op, MPI_COMM_WORLD);
    if (rank > 0)
        check_product(in, n, 0, rank - 1, x, "Exscan");
    EITHER(Allreduce, allreduce, MPI_IN_PLACE, out, n, type, op, MPI_COMM_WORLD);
    check_product(out, n, 0, size - 1, x, "Allreduce in place");
    fill(out, n * size, 0, x);
    EITHER(Reduce_scatter_block, reduce_scatter_block, out, in, n, type, op, MPI_COMM_WORLD);
    check_product(in, n, rank * n, size - 1, x, "Reduce_scatter_block");
    int counts[size], from = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = r % 2 ? 0 : n;
        from += r < rank ? counts[r] : 0;
    }
    EITHER(Reduce_scatter, reduce_scatter, out, in, counts, type, op, MPI_COMM_WORLD);
    check_product(in, counts[rank], from, size - 1, x, "Reduce_scatter");
    free(out);
    free(in);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    MPI_Op op;
    MPI_Datatype gapped, negative;
    int commutes = 1;
    DO(MPI_Op_create(multiply, 0, &op));
    DO(MPI_Op_commutative(op, &commutes));
    CHECK_EQ(commutes, 0);
    DO(MPI_Op_commutative(MPI_SUM, &commutes));
    CHECK_EQ(commutes, 1);
    DO(MPI_Type_contiguous(4, MPI_LONG, &matrix_type));
    DO(MPI_Type_create_resized(matrix_type, 0, 56, &gapped));
    DO(MPI_Type_create_resized(matrix_type, -24, 64, &negative));
    DO(MPI_Type_commit(&matrix_type));
    DO(MPI_Type_commit(&gapped));
    DO(MPI_Type_commit(&negative));
    int lengths[] = {1, 3, 100, 3000};
    for (int l = 0; l < 4; l++) {
        every_collective(lengths[l], op, matrix_type);
        every_collective(lengths[l], op, gapped);
        every_collective(lengths[l], op, negative);
    }
    CHECK(size == 1 || calls > 0);
    DO(MPI_Type_free(&matrix_type));
    DO(MPI_Type_free(&gapped));
    DO(MPI_Type_free(&negative));
    DO(MPI_Op_free(&op));
    CHECK(op == MPI_OP_NULL);
    return check_finish();
}
