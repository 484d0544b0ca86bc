// SPDX-License-Identifier: MIT OR Apache-2.0
// Isendrecv and Isendrecv_replace: rings in both directions at once, with derived types, to oneself and to nobody; the status is the
// receive's.
#include "check.h"

#define W MPI_COMM_WORLD
#define N 20000

static void rings(void) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, *out = check_alloc(N * sizeof(int)), *in[2], *both[2];
    MPI_Request requests[4];
    MPI_Status statuses[4];
    for (int d = 0; d < 2; d++) {
        int to = d ? previous : next, from = d ? next : previous;
        in[d] = check_alloc(N * sizeof(int)), both[d] = check_alloc(N * sizeof(int));
        for (int i = 0; i < N; i++)
            out[i] = rank * 3 + i, both[d][i] = rank * 5 + i + d;
        DO(MPI_Isendrecv(out, N, MPI_INT, to, 10 + d, in[d], N, MPI_INT, from, 10 + d, W, &requests[d]));
        DO(MPI_Isendrecv_replace(both[d], N, MPI_INT, to, 20 + d, MPI_ANY_SOURCE, 20 + d, W, &requests[2 + d]));
    }
    DO(MPI_Waitall(4, requests, statuses));
    for (int d = 0; d < 2; d++) {
        int from = d ? next : previous;
        CHECK_STATUS(&statuses[d], from, 10 + d, MPI_INT, N);
        CHECK_STATUS(&statuses[2 + d], from, 20 + d, MPI_INT, N);
        for (int i = 0; i < N; i += 97)
            CHECK(in[d][i] == from * 3 + i && both[d][i] == from * 5 + i + d);
        free(in[d]), free(both[d]);
    }
    free(out);
}

static void derived(void) {
    int data[8], next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Datatype odd;
    MPI_Request request;
    MPI_Status status;
    DO(MPI_Type_vector(4, 1, 2, MPI_INT, &odd));
    DO(MPI_Type_commit(&odd));
    for (int i = 0; i < 8; i++)
        data[i] = rank * 10 + i;
    DO(MPI_Isendrecv_replace(data, 1, odd, next, 1, previous, 1, W, &request));
    DO(MPI_Wait(&request, &status));
    for (int i = 0; i < 8; i++)
        CHECK_EQ(data[i], (i % 2 ? rank : previous) * 10 + i);
    DO(MPI_Isendrecv(data, 1, MPI_INT, MPI_PROC_NULL, 1, data + 1, 1, MPI_INT, MPI_PROC_NULL, 1, W, &request));
    DO(MPI_Wait(&request, &status));
    CHECK_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
    DO(MPI_Isendrecv(data, 1, MPI_INT, rank, 1, data + 1, 1, MPI_INT, rank, 1, W, &request));
    DO(MPI_Wait(&request, &status));
    CHECK_EQ(data[1], data[0]);
    DO(MPI_Type_free(&odd));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    rings();
    derived();
    return check_finish();
}
