// SPDX-License-Identifier: MIT OR Apache-2.0
// A buffer for some messages, each with the overhead that Intel MPI's header names, the smallest of all: programs that were compiled
// with it count on that. (On the peers a message takes more.)
#include "check.h"

enum { OVERHEAD = 88, MESSAGES = 7, BYTES = 1000 };

int main(int argc, char **argv) {
    static char room[MESSAGES * (BYTES + OVERHEAD)], out[BYTES], in[BYTES];
    void *back;
    int bytes;
    check_start(&argc, &argv);
    DO(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    DO(MPI_Buffer_attach(room, sizeof room));
    for (int i = 0; i < MESSAGES; i++) {
        check_fill(out, BYTES, i);
        DO(MPI_Bsend(out, BYTES, MPI_CHAR, (rank + 1) % size, i, MPI_COMM_WORLD));
    }
    for (int i = 0; i < MESSAGES; i++) {
        DO(MPI_Recv(in, BYTES, MPI_CHAR, (rank + size - 1) % size, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_FILLED(in, BYTES, i);
    }
    DO(MPI_Buffer_detach(&back, &bytes));
    CHECK(back == room && bytes == sizeof room);
    return check_finish();
}
