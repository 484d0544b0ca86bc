// SPDX-License-Identifier: MIT OR Apache-2.0
// The calls with large counts do what the others do, and take what is beyond an int: messages in all their forms, collectives,
// constructors, packing. Types beyond 2^31 elements are made and asked about; nothing of that size is moved.
#include "check.h"

#define W MPI_COMM_WORLD
#define N 1000

static void messages(void) {
    int out[N], in[N], next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Message message;
    MPI_Count count = -1;
    for (int i = 0; i < N; i++)
        out[i] = rank * N + i;
    DO(MPI_Sendrecv_c(out, N, MPI_INT, next, 1, in, N, MPI_INT, previous, 1, W, &status));
    DO(MPI_Get_count_c(&status, MPI_INT, &count));
    CHECK(count == N && in[N - 1] == previous * N + N - 1);
    DO(MPI_Irecv_c(in, N, MPI_INT, previous, 2, W, &requests[0]));
    DO(MPI_Isend_c(out, N / 2, MPI_INT, next, 2, W, &requests[1]));
    DO(MPI_Wait(&requests[0], &status));
    DO(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    DO(MPI_Get_elements_c(&status, MPI_INT, &count));
    CHECK_EQ(count, N / 2);
    DO(MPI_Send_init_c(out, N, MPI_INT, next, 3, W, &requests[0]));
    DO(MPI_Recv_init_c(in, N, MPI_INT, previous, 3, W, &requests[1]));
    DO(MPI_Startall(2, requests));
    DO(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_EQ(in[7], previous * N + 7);
    DO(MPI_Request_free(&requests[0]));
    DO(MPI_Request_free(&requests[1]));
    DO(MPI_Isend_c(out, 3, MPI_INT, next, 4, W, &requests[0]));
    DO(MPI_Mprobe(previous, 4, W, &message, &status));
    DO(MPI_Mrecv_c(in, N, MPI_INT, &message, &status));
    DO(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    DO(MPI_Get_count_c(&status, MPI_INT, &count));
    CHECK_EQ(count, 3);
    CHECK_ERROR(MPI_Send_c(out, -1, MPI_INT, next, 5, W), MPI_ERR_COUNT);
}

static void collectives(void) {
    int data[N], sum[N];
    MPI_Count *counts = check_alloc(size * sizeof *counts);
    MPI_Aint *places = check_alloc(size * sizeof *places);
    int *all = check_alloc(size * (size + 1) / 2 * sizeof *all);
    MPI_Request request;
    for (int i = 0; i < N; i++)
        data[i] = i + rank;
    DO(MPI_Allreduce_c(data, sum, N, MPI_INT, MPI_SUM, W));
    CHECK_EQ(sum[9], 9 * size + size * (size - 1) / 2);
    DO(MPI_Bcast_c(data, N, MPI_INT, size - 1, W));
    CHECK_EQ(data[5], 5 + size - 1);
    for (int r = 0, at = 0; r < size; at += ++r) // r + 1 elements of rank r
        counts[r] = r + 1, places[r] = at;
    for (int i = 0; i <= rank; i++)
        data[i] = rank;
    for (int later = 0; later < 2; later++) {
        memset(all, -1, size * (size + 1) / 2 * sizeof *all);
        if (later) {
            DO(MPI_Iallgatherv_c(data, rank + 1, MPI_INT, all, counts, places, MPI_INT, W, &request));
            DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
        } else {
            DO(MPI_Allgatherv_c(data, rank + 1, MPI_INT, all, counts, places, MPI_INT, W));
        }
        for (int r = 0; r < size; r++)
            for (int i = 0; i <= r; i++)
                CHECK_EQ(all[places[r] + i], r);
    }
    free(counts), free(places), free(all);
}

// Beyond an int: what the narrow calls cannot say they call undefined.
static void wide_types(void) {
    const MPI_Count many = (MPI_Count)5 << 30;
    MPI_Count bytes = -1, lb = -1, extent = -1, two[2] = {many, 1}, places[2] = {0, many + 8};
    int narrow = 0;
    MPI_Datatype type, other;
    DO(MPI_Type_contiguous_c(many, MPI_BYTE, &type));
    DO(MPI_Type_size_c(type, &bytes));
    CHECK(bytes == many);
    DO(MPI_Type_get_extent_c(type, &lb, &extent));
    CHECK(lb == 0 && extent == many);
    DO(MPI_Type_size(type, &narrow));
    CHECK_EQ(narrow, MPI_UNDEFINED);
    DO(MPI_Type_free(&type));
    DO(MPI_Type_vector_c(3, 1, many, MPI_BYTE, &type));
    DO(MPI_Type_get_true_extent_c(type, &lb, &extent));
    CHECK(extent == 2 * many + 1);
    DO(MPI_Type_free(&type));
    DO(MPI_Type_create_hindexed_c(2, two, places, MPI_BYTE, &other));
    DO(MPI_Type_size_c(other, &bytes));
    CHECK(bytes == many + 1);
    DO(MPI_Type_free(&other));
}

static void packing(void) {
    int out[3] = {rank, 5, 6}, in[3] = {0};
    char packed[100];
    MPI_Count size_of = 0, at = 0;
    DO(MPI_Pack_size_c(3, MPI_INT, W, &size_of));
    CHECK(size_of >= 3 * (MPI_Count)sizeof(int) && size_of <= 100);
    DO(MPI_Pack_c(out, 3, MPI_INT, packed, sizeof packed, &at, W));
    CHECK(at > 0 && at <= size_of);
    at = 0;
    DO(MPI_Unpack_c(packed, sizeof packed, &at, in, 3, MPI_INT, W));
    CHECK(in[0] == rank && in[2] == 6);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    messages();
    collectives();
    wide_types();
    packing();
    return check_finish();
}
