// SPDX-License-Identifier: MIT OR Apache-2.0
// Small messages that leave the ring between two ranks just short of a report of what was read, then a large one in pieces:
// with the smallest ring, a piece that is too long for what is known to be free would wait for ever.
#include "check.h"

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    enum { SMALL = 5000, LARGE = 1 << 20 };
    unsigned char *data = check_alloc(LARGE);
    for (int before = 0; before < 24; before++) {
        if (rank == 0) {
            for (int k = 0; k < before; k++) {
                memset(data, k, SMALL);
                MPI_Send(data, SMALL, MPI_BYTE, 1, k, MPI_COMM_WORLD);
            }
            for (int i = 0; i < LARGE; i++) data[i] = (unsigned char)(i * 7 + before);
            MPI_Send(data, LARGE, MPI_BYTE, 1, before, MPI_COMM_WORLD);
        } else if (rank == 1) {
            for (int k = 0; k < before; k++) {
                MPI_Recv(data, SMALL, MPI_BYTE, 0, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                CHECK_EQ(data[0], k);
                CHECK_EQ(data[SMALL - 1], k);
            }
            MPI_Recv(data, LARGE, MPI_BYTE, 0, before, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            int wrong = 0;
            for (int i = 0; i < LARGE; i++) wrong += data[i] != (unsigned char)(i * 7 + before);
            CHECK_EQ(wrong, 0);
        }
    }
    return check_finish();
}
