// SPDX-License-Identifier: MIT OR Apache-2.0
// 100 000 unexpected messages from each sender, then drained: first those of one odd tag, then the rest in order.
#include "check.h"

static int messages = 100000;

static void flood(void) {
    int words[4];
    for (int m = 0; m < messages; m++) {
        for (int w = 0; w < 4; w++)
            words[w] = m * 4 + w + rank;
        DO(MPI_Send(words, 1 + m % 4, MPI_INT, 0, m % 1000 == 999 ? 2 : 1, MPI_COMM_WORLD));
    }
    DO(MPI_Send(NULL, 0, MPI_INT, 0, 3, MPI_COMM_WORLD));
}

static void take(int from, int tag, int m) {
    int words[4] = {0};
    MPI_Status status;
    DO(MPI_Recv(words, 4, MPI_INT, from, tag, MPI_COMM_WORLD, &status));
    CHECK_STATUS(&status, from, tag, MPI_INT, 1 + m % 4);
    for (int w = 0; w <= m % 4; w++)
        CHECK_EQ(words[w], m * 4 + w + from);
}

static void drain(int from) {
    DO(MPI_Recv(NULL, 0, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)); // all of its messages are here
    for (int m = 999; m < messages; m += 1000)
        take(from, 2, m);
    for (int m = 0; m < messages; m++)
        if (m % 1000 != 999)
            take(from, 1, m);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    if (argc > 1)
        messages = atoi(argv[1]);
    if (rank != 0)
        flood();
    else
        for (int from = size - 1; from > 0; from--)
            drain(from);
    int flag = 1;
    DO(MPI_Barrier(MPI_COMM_WORLD));
    DO(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK_EQ(flag, 0);
    return check_finish();
}
