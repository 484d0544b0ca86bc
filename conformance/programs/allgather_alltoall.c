// SPDX-License-Identifier: MIT OR Apache-2.0
// Allgather(v) and Alltoall(v,w): in place, gaps, zero counts, types of equal signature. Argument "nonblocking".
#include "check.h"

static int value(int from, int to, int i) {
    return from * 1000000 + to * 10000 + i % 10000;
}

static void check_block(const int *block, int from, int to, int n, int line) {
    for (int i = 0; i < n; i++)
        if (block[i] != value(from, to, i)) {
            CHECK_FAIL("line %d: n %d: from %d to %d: element %d is %d", line, n, from, to, i, block[i]);
            return;
        }
}

static void fill(int *block, int from, int to, int n) {
    for (int i = 0; i < n; i++)
        block[i] = value(from, to, i);
}

static void allgather(int n) {
    int *mine = check_alloc(n * sizeof *mine), *all = check_alloc(sizeof(int) * n * size);
    fill(mine, rank, 0, n);
    memset(all, 0xFF, sizeof(int) * n * size);
    EITHER(Allgather, allgather, mine, n, MPI_INT, all, n, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        check_block(all + (size_t)r * n, r, 0, n, __LINE__);
    memset(all, 0xFF, sizeof(int) * n * size);
    memcpy(all + (size_t)rank * n, mine, n * sizeof *mine);
    EITHER(Allgather, allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, n, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        check_block(all + (size_t)r * n, r, 0, n, __LINE__);
    free(mine);
    free(all);
}

static int length_of(int r, int n) {
    return (r + 1) % 3 * n; // rank 2 has nothing
}

static void allgatherv(int n) {
    int counts[size], at[size], end = 0;
    for (int r = size - 1; r >= 0; r--) {
        counts[r] = length_of(r, n);
        at[r] = end;
        end += counts[r] + 1;
    }
    int *mine = check_alloc(counts[rank] * sizeof *mine), *all = check_alloc(end * sizeof *all);
    fill(mine, rank, 0, counts[rank]);
    for (int in_place = 0; in_place < 2; in_place++) {
        for (int i = 0; i < end; i++)
            all[i] = -9;
        if (in_place) {
            memcpy(all + at[rank], mine, counts[rank] * sizeof *mine);
            EITHER(Allgatherv, allgatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, at, MPI_INT, MPI_COMM_WORLD);
        } else {
            EITHER(Allgatherv, allgatherv, mine, counts[rank], MPI_INT, all, counts, at, MPI_INT, MPI_COMM_WORLD);
        }
        for (int r = 0; r < size; r++) {
            check_block(all + at[r], r, 0, counts[r], __LINE__);
            CHECK_EQ(all[at[r] + counts[r]], -9);
        }
    }
    free(mine);
    free(all);
}

static void alltoall(int n) {
    size_t bytes = sizeof(int) * n * size;
    int *out = check_alloc(bytes), *in = check_alloc(bytes);
    for (int r = 0; r < size; r++)
        fill(out + (size_t)r * n, rank, r, n);
    memset(in, 0xFF, bytes);
    EITHER(Alltoall, alltoall, out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        check_block(in + (size_t)r * n, r, rank, n, __LINE__);
    EITHER(Alltoall, alltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, n, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        check_block(out + (size_t)r * n, r, rank, n, __LINE__);
    free(out);
    free(in);
}

// From i to j go (i + j) % 4 * n elements; symmetric, so that it can be done in place too.
static void alltoallv(int n) {
    int counts[size], at[size], end = 0;
    for (int r = size - 1; r >= 0; r--) {
        counts[r] = (rank + r) % 4 * n;
        at[r] = end;
        end += counts[r] + 3;
    }
    int *out = check_alloc(end * sizeof *out), *in = check_alloc(end * sizeof *in);
    for (int i = 0; i < end; i++)
        out[i] = in[i] = -9;
    for (int r = 0; r < size; r++)
        fill(out + at[r], rank, r, counts[r]);
    EITHER(Alltoallv, alltoallv, out, counts, at, MPI_INT, in, counts, at, MPI_INT, MPI_COMM_WORLD);
    EITHER(Alltoallv, alltoallv, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, out, counts, at, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++) {
        check_block(in + at[r], r, rank, counts[r], __LINE__);
        check_block(out + at[r], r, rank, counts[r], __LINE__);
        CHECK_EQ(in[at[r] + counts[r]], -9);
        CHECK_EQ(out[at[r] + counts[r]], -9);
    }
    free(out);
    free(in);
}

// Rows go out, columns come in: a distributed transpose with types that differ on the two sides.
static void transpose(int n) {
    int *out = check_alloc(sizeof(int) * n * size), *in = check_alloc(sizeof(int) * n * size);
    MPI_Datatype strided, column;
    DO(MPI_Type_vector(n, 1, size, MPI_INT, &strided));
    DO(MPI_Type_create_resized(strided, 0, sizeof(int), &column));
    DO(MPI_Type_commit(&column));
    for (int r = 0; r < size; r++)
        fill(out + (size_t)r * n, rank, r, n);
    EITHER(Alltoall, alltoall, out, n, MPI_INT, in, 1, column, MPI_COMM_WORLD);
    for (int i = 0; i < n * size; i++)
        CHECK_EQ(in[i], value(i % size, rank, i / size));
    EITHER(Allgather, allgather, out, n, MPI_INT, in, 1, column, MPI_COMM_WORLD);
    for (int i = 0; i < n * size; i++)
        CHECK_EQ(in[i], value(i % size, 0, i / size));
    DO(MPI_Type_free(&strided));
    DO(MPI_Type_free(&column));
    free(out);
    free(in);
}

// Bytes to even ranks and ints to odd ones, at byte displacements.
static void alltoallw(int n) {
    int send_counts[size], receive_counts[size], at[size];
    MPI_Datatype send_types[size], receive_types[size];
    for (int r = 0; r < size; r++) {
        send_counts[r] = r % 2 ? n : 4 * n;
        send_types[r] = r % 2 ? MPI_INT : MPI_BYTE;
        receive_counts[r] = rank % 2 ? n : 4 * n;
        receive_types[r] = rank % 2 ? MPI_INT : MPI_BYTE;
        at[r] = (size - 1 - r) * n * 4;
    }
    int *out = check_alloc(sizeof(int) * n * size), *in = check_alloc(sizeof(int) * n * size);
    for (int r = 0; r < size; r++)
        fill(out + at[r] / 4, rank, r, n);
    EITHER(Alltoallw, alltoallw, out, send_counts, at, send_types, in, receive_counts, at, receive_types, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        check_block(in + at[r] / 4, r, rank, n, __LINE__);
    free(out);
    free(in);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    int lengths[] = {1, 2, 33, 1000, 8000, 100003};
    for (int l = 0; l < 6; l++) {
        allgather(lengths[l]);
        allgatherv(lengths[l]);
        alltoall(lengths[l]);
        alltoallv(lengths[l]);
        transpose(lengths[l]);
        if (check_option(argc, argv, "w"))
            alltoallw(lengths[l]);
    }
    return check_finish();
}
