// SPDX-License-Identifier: MIT OR Apache-2.0
// A buffered send that finds the buffer full, while the receiver of the message before it is only late, waits for the room.
// The peers report an error.
#include "check.h"
#include <time.h>

enum { BYTES = 1 << 20, MESSAGES = 4 };

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    int room = BYTES + MPI_BSEND_OVERHEAD;
    char *data = check_alloc(BYTES), *buffer = check_alloc(room);
    DO(MPI_Buffer_attach(buffer, room));
    for (int k = 0; k < MESSAGES; k++) {
        memset(data, rank == 0 ? k + 1 : 0, BYTES);
        if (rank == 0)
            DO(MPI_Bsend(data, BYTES, MPI_BYTE, 1, k, MPI_COMM_WORLD));
        if (rank == 1) {
            nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
            DO(MPI_Recv(data, BYTES, MPI_BYTE, 0, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(data[0] == k + 1 && data[BYTES - 1] == k + 1);
        }
    }
    DO(MPI_Buffer_detach(&buffer, &room));
    free(data);
    free(buffer);
    return check_finish();
}
