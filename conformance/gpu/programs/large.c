// SPDX-License-Identifier: MIT OR Apache-2.0
// More bytes than an int can count on devices: Bcast by count of a large type, and Send/Recv of it; Get_count says
// MPI_UNDEFINED where the count does not fit. With an ABI of MPI 4 the same with counts that fit.
#include "cuda.h"

#define MIB ((size_t)1 << 20)
#define TOTAL (3072 * MIB)

static const size_t places[] = {0, ((size_t)1 << 31) - 1, (size_t)1 << 31, ((size_t)1 << 31) + 1, TOTAL - 1};

static void mark(Memory *data, int seed) {
    for (int i = 0; i < 5; i++) {
        unsigned char byte = seed + i;
        cuda_put(data, places[i], &byte, 1);
    }
}

static void check(const Memory *data, int seed) {
    for (int i = 0; i < 5; i++) {
        unsigned char byte = 0;
        cuda_get(&byte, data, places[i], 1);
        CHECK_EQ(byte, seed + i);
    }
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    Memory data = cuda_alloc(cuda_kind(rank), TOTAL);
    MPI_Datatype mib;
    MPI_Status status;
    int count = 0;
    DO(MPI_Type_contiguous(MIB, MPI_BYTE, &mib));
    DO(MPI_Type_commit(&mib));
    mark(&data, rank == 0 ? 10 : 90);
    DO(MPI_Bcast(data.at, 3072, mib, 0, MPI_COMM_WORLD));
    check(&data, 10);
    if (rank == size - 1) {
        mark(&data, 50);
        DO(MPI_Send(data.at, 3072, mib, 0, 3, MPI_COMM_WORLD));
    } else if (rank == 0) {
        DO(MPI_Recv(data.at, 3072, mib, size - 1, 3, MPI_COMM_WORLD, &status));
        check(&data, 50);
        DO(MPI_Get_count(&status, mib, &count));
        CHECK_EQ(count, 3072);
        DO(MPI_Get_count(&status, MPI_BYTE, &count));
        CHECK_EQ(count, MPI_UNDEFINED);
    }
#if MPI_VERSION >= 4
    MPI_Count many = 0;
    mark(&data, rank == 0 ? 110 : 90);
    DO(MPI_Bcast_c(data.at, TOTAL, MPI_BYTE, 0, MPI_COMM_WORLD));
    check(&data, 110);
    if (rank == size - 1) {
        mark(&data, 150);
        DO(MPI_Send_c(data.at, TOTAL, MPI_BYTE, 0, 4, MPI_COMM_WORLD));
    } else if (rank == 0) {
        DO(MPI_Recv_c(data.at, TOTAL, MPI_BYTE, size - 1, 4, MPI_COMM_WORLD, &status));
        check(&data, 150);
        DO(MPI_Get_count_c(&status, MPI_BYTE, &many));
        CHECK_EQ(many, TOTAL);
    }
#endif
    DO(MPI_Type_free(&mib));
    cuda_free(&data);
    return check_finish();
}
