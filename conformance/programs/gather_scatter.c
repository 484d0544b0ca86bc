// SPDX-License-Identifier: MIT OR Apache-2.0
// Gather, Gatherv, Scatter, Scatterv from every root: in place, gaps, reversed order, zero counts, types of equal signature.
// Argument "nonblocking": the nonblocking forms.
#include "check.h"

static int value(int of, int i) {
    return of * 100000 + i;
}

static int *own(int of, int n) {
    int *data = check_alloc(n * sizeof *data);
    for (int i = 0; i < n; i++)
        data[i] = value(of, i);
    return data;
}

static void check_blocks(int *all, int n, int line) {
    for (int r = 0; r < size; r++)
        for (int i = 0; i < n; i++)
            if (all[r * n + i] != value(r, i)) {
                CHECK_FAIL("line %d: n %d: block %d element %d is %d", line, n, r, i, all[r * n + i]);
                return;
            }
}

static void gather(int n, int root) {
    int *mine = own(rank, n), *all = rank == root ? check_alloc(sizeof(int) * n * size) : NULL;
    EITHER(Gather, gather, mine, n, MPI_INT, all, n, MPI_INT, root, MPI_COMM_WORLD);
    if (rank == root) {
        check_blocks(all, n, __LINE__);
        memset(all, 0xFF, sizeof(int) * n * size);
        memcpy(all + n * rank, mine, sizeof(int) * n);
        EITHER(Gather, gather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, n, MPI_INT, root, MPI_COMM_WORLD);
        check_blocks(all, n, __LINE__);
    } else {
        EITHER(Gather, gather, mine, n, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    }
    free(all);
    free(mine);
}

static void scatter(int n, int root) {
    int *mine = check_alloc(n * sizeof *mine), *all = rank == root ? check_alloc(sizeof(int) * n * size) : NULL;
    for (int i = 0; rank == root && i < n * size; i++)
        all[i] = value(i / n, i % n);
    memset(mine, 0xFF, sizeof(int) * n);
    EITHER(Scatter, scatter, all, n, MPI_INT, mine, n, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        CHECK_EQ(mine[i], value(rank, i));
    memset(mine, 0xFF, sizeof(int) * n);
    if (rank == root) {
        EITHER(Scatter, scatter, all, n, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
        check_blocks(all, n, __LINE__);
    } else {
        EITHER(Scatter, scatter, NULL, 0, MPI_DATATYPE_NULL, mine, n, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; i < n; i++)
            CHECK_EQ(mine[i], value(rank, i));
    }
    free(all);
    free(mine);
}

// Rank r has r % 3 * n elements (so some have none); blocks lie in reverse order with a gap behind each.
static int length_of(int r, int n) {
    return r % 3 * n + (r == 3);
}

static int layout(int n, int *counts, int *displacements) {
    int end = 0;
    for (int r = size - 1; r >= 0; r--) {
        counts[r] = length_of(r, n);
        displacements[r] = end;
        end += counts[r] + 2;
    }
    return end;
}

static void vectors(int n, int root) {
    int counts[size], displacements[size], total = layout(n, counts, displacements);
    int *mine = own(rank, counts[rank]), *all = check_alloc(total * sizeof *all);
    for (int i = 0; i < total; i++)
        all[i] = -9;
    EITHER(Gatherv, gatherv, mine, counts[rank], MPI_INT, all, counts, displacements, MPI_INT, root, MPI_COMM_WORLD);
    if (rank == root) {
        for (int r = 0; r < size; r++) {
            for (int i = 0; i < counts[r]; i++)
                CHECK_EQ(all[displacements[r] + i], value(r, i));
            CHECK_EQ(all[displacements[r] + counts[r]], -9);
        }
    }
    memset(mine, 0xFF, counts[rank] * sizeof *mine);
    EITHER(Scatterv, scatterv, all, counts, displacements, MPI_INT, mine, counts[rank], MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < counts[rank]; i++)
        CHECK_EQ(mine[i], value(rank, i));
    if (rank == root) {
        EITHER(Scatterv, scatterv, all, counts, displacements, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, root, MPI_COMM_WORLD);
        EITHER(Gatherv, gatherv, MPI_IN_PLACE, 0, MPI_INT, all, counts, displacements, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; i < counts[0]; i++)
            CHECK_EQ(all[displacements[0] + i], value(0, i));
    } else {
        EITHER(Scatterv, scatterv, NULL, NULL, NULL, MPI_INT, mine, counts[rank], MPI_INT, root, MPI_COMM_WORLD);
        EITHER(Gatherv, gatherv, mine, counts[rank], MPI_INT, NULL, NULL, NULL, MPI_INT, root, MPI_COMM_WORLD);
    }
    free(all);
    free(mine);
}

// Columns at the root, contiguous elsewhere: a matrix is dealt out by columns and collected again.
static void columns(int rows, int root) {
    int *matrix = check_alloc(sizeof(int) * rows * size), *column_data = check_alloc(sizeof(int) * rows);
    MPI_Datatype strided, column;
    DO(MPI_Type_vector(rows, 1, size, MPI_INT, &strided));
    DO(MPI_Type_create_resized(strided, 0, sizeof(int), &column));
    DO(MPI_Type_commit(&column));
    for (int i = 0; i < rows * size; i++)
        matrix[i] = i;
    EITHER(Scatter, scatter, matrix, 1, column, column_data, rows, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < rows; i++) {
        CHECK_EQ(column_data[i], i * size + rank);
        column_data[i] = -column_data[i];
    }
    EITHER(Gather, gather, column_data, rows, MPI_INT, matrix, 1, column, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < rows * size; i++)
        CHECK_EQ(matrix[i], -i);
    DO(MPI_Type_free(&strided));
    DO(MPI_Type_free(&column));
    free(matrix);
    free(column_data);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    int lengths[] = {1, 2, 63, 1000, 5000, 30000, 200003};
    for (int l = 0; l < 7; l++)
        for (int root = 0; root < size; root++) {
            if (l > 3 && root != l % size)
                continue;
            gather(lengths[l], root);
            scatter(lengths[l], root);
            vectors(lengths[l], root);
        }
    for (int root = 0; root < size; root++) {
        columns(10, root);
        columns(20000, root);
    }
    return check_finish();
}
