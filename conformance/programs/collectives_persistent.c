// SPDX-License-Identifier: MIT OR Apache-2.0
// Persistent collectives as requests: contents change between rounds, ranks start them in different orders, several are under way
// at once, handles are freed before the first start, inactive ones complete at once, in place.
#include "forms.h"

#define N 1000
#define ROUNDS 10
#define KINDS 4

static int sums[N], mine[N], all[N], told[N], place[N];

static void fill(int round) {
    for (int i = 0; i < N; i++) {
        mine[i] = rank + i + round;
        told[i] = rank == 0 ? 7 * i + round : -1;
        place[i] = rank * round;
    }
}

static void verify(int round) {
    for (int i = 0; i < N; i++) {
        CHECK_EQ(sums[i], size * (size - 1) / 2 + size * (i + round));
        CHECK_EQ(told[i], 7 * i + round);
        CHECK_EQ(place[i], round * size * (size - 1) / 2);
    }
    if (rank == size - 1)
        for (int i = 0; i < N; i++)
            CHECK_EQ(all[i], size - 1 + i + round);
}

static void rounds(MPI_Comm comm) {
    MPI_Request requests[KINDS];
    MPI_Datatype type;
    MPI_Info info;
    MPI_Comm mine_only;
    DO(MPI_Comm_dup(comm, &mine_only));
    DO(MPI_Type_contiguous(N, MPI_INT, &type));
    DO(MPI_Type_commit(&type));
    DO(MPI_Info_create(&info));
    DO(MPI_Info_set(info, "mpi_a_hint", "of no meaning"));
    DO(INIT(Allreduce)(mine, sums, N, MPI_INT, MPI_SUM, mine_only, info, &requests[0]));
    DO(INIT(Bcast)(told, 1, type, 0, mine_only, MPI_INFO_NULL, &requests[1]));
    DO(INIT(Reduce)(mine, all, N, MPI_INT, MPI_MAX, size - 1, mine_only, info, &requests[2]));
    DO(INIT(Allreduce)(MPI_IN_PLACE, place, N, MPI_INT, MPI_SUM, mine_only, info, &requests[3]));
    DO(MPI_Info_free(&info));
    DO(MPI_Type_free(&type));
    for (int round = 0; round < ROUNDS; round++) {
        fill(round);
        if (round % 3 == 0) {
            DO(MPI_Startall(KINDS, requests));
        } else {
            for (int i = 0; i < KINDS; i++) // not in the same order everywhere
                DO(MPI_Start(&requests[rank % 2 && round % 3 == 1 ? KINDS - 1 - i : i]));
        }
        if (round % 2) {
            DO(MPI_Waitall(KINDS, requests, MPI_STATUSES_IGNORE));
        } else {
            for (int done = 0, index; done < KINDS; done++)
                DO(MPI_Waitany(KINDS, requests, &index, MPI_STATUS_IGNORE));
        }
        verify(round);
    }
    for (int i = 0; i < KINDS; i++) {
        CHECK(requests[i] != MPI_REQUEST_NULL);
        DO(MPI_Request_free(&requests[i]));
        CHECK(requests[i] == MPI_REQUEST_NULL);
    }
    DO(MPI_Comm_free(&mine_only));
}

// Not started, it is complete with an empty status; it may be freed unused.
static void inactive(void) {
    MPI_Request request;
    MPI_Status status;
    int flag = 0;
    DO(INIT(Barrier)(MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    DO(MPI_Wait(&request, &status));
    CHECK_EMPTY(&status);
    DO(MPI_Test(&request, &flag, &status));
    CHECK_EQ(flag, 1);
    CHECK_EMPTY(&status);
    DO(MPI_Start(&request));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(request != MPI_REQUEST_NULL);
    DO(MPI_Request_free(&request));
    DO(INIT(Barrier)(MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    DO(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    rounds(MPI_COMM_WORLD);
    inactive();
    return check_finish();
}
