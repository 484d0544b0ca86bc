// SPDX-License-Identifier: MIT OR Apache-2.0
// Sendrecv and Sendrecv_replace: rings, large messages, different lengths and types in the two directions, derived types.
#include "check.h"

static int next, previous;

static void replace_large(void) {
    size_t bytes = 8 << 20;
    unsigned char *data = check_alloc(bytes);
    MPI_Status status;
    check_fill(data, bytes, rank);
    for (int step = 1; step <= size; step++) {
        DO(MPI_Sendrecv_replace(data, (int)bytes, MPI_BYTE, next, 1, previous, 1, MPI_COMM_WORLD, &status));
        CHECK_STATUS(&status, previous, 1, MPI_BYTE, (int)bytes);
        CHECK_FILLED(data, bytes, (rank + size * 2 - step) % size);
    }
    free(data);
}

// Every second column of a matrix travels; what lies between stays.
static void replace_derived(int rows, int columns) {
    double *matrix = check_alloc(sizeof(double) * rows * columns);
    MPI_Datatype half;
    for (int i = 0; i < rows * columns; i++)
        matrix[i] = rank * 1e7 + i;
    DO(MPI_Type_vector(rows * columns / 2, 1, 2, MPI_DOUBLE, &half));
    DO(MPI_Type_commit(&half));
    DO(MPI_Sendrecv_replace(matrix, 1, half, next, 2, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < rows * columns; i++)
        if (matrix[i] != (i % 2 == 0 ? previous : rank) * 1e7 + i) {
            CHECK_FAIL("element %d is %g", i, matrix[i]);
            break;
        }
    DO(MPI_Type_free(&half));
    free(matrix);
}

static void different_lengths(void) {
    int send_count = 1000 * (rank + 1), receive_count = 1000 * (previous + 1);
    int *out = check_alloc(send_count * sizeof *out), *in = check_alloc((receive_count + 500) * sizeof *in);
    MPI_Status status;
    for (int i = 0; i < send_count; i++)
        out[i] = rank + i;
    DO(MPI_Sendrecv(out, send_count, MPI_INT, next, 3, in, receive_count + 500, MPI_INT, previous, 3, MPI_COMM_WORLD, &status));
    CHECK_STATUS(&status, previous, 3, MPI_INT, receive_count);
    for (int i = 0; i < receive_count; i++)
        CHECK_EQ(in[i], previous + i);
    free(out);
    free(in);
}

// Send with one tag and receive with another, from anyone.
static void different_tags(void) {
    int out = rank, in = -1, to = size - 1 - rank;
    MPI_Status status;
    DO(MPI_Sendrecv(&out, 1, MPI_INT, to, 10 + rank, &in, 1, MPI_INT, MPI_ANY_SOURCE, 10 + to, MPI_COMM_WORLD, &status));
    CHECK_STATUS(&status, to, 10 + to, MPI_INT, 1);
    CHECK_EQ(in, to);
    DO(MPI_Barrier(MPI_COMM_WORLD));
    DO(MPI_Sendrecv_replace(&out, 1, MPI_INT, next, 5, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    CHECK_STATUS(&status, previous, 5, MPI_INT, 1);
    CHECK_EQ(out, previous);
    DO(MPI_Barrier(MPI_COMM_WORLD));
}

// A Sendrecv meets a plain send and a plain receive.
static void with_plain(void) {
    int out = rank * 3, in = -1;
    MPI_Request request;
    if (size < 2)
        return;
    if (rank == 0) {
        DO(MPI_Sendrecv(&out, 1, MPI_INT, 1, 6, &in, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(in, 3);
    } else if (rank == 1) {
        DO(MPI_Irecv(&in, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &request));
        DO(MPI_Send(&out, 1, MPI_INT, 0, 7, MPI_COMM_WORLD));
        DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_EQ(in, 0);
    }
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    replace_large();
    replace_derived(4, 6);
    replace_derived(1000, 500);
    different_lengths();
    different_tags();
    with_plain();
    return check_finish();
}
