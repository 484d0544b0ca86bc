// SPDX-License-Identifier: MIT OR Apache-2.0
// Blocking sends in the four modes, in a ring of neighbours; buffer attach and detach.
#include "check.h"

#define TAG 11

static int next, previous;

typedef int (*Send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);

// Rank 0 receives first and all others send first: a chain that no mode can block for ever.
static void ring(Send send, int bytes, int tag) {
    unsigned char *out = check_alloc(bytes), *in = check_alloc(bytes);
    MPI_Status status;
    check_fill(out, bytes, rank + tag);
    memset(in, 0, bytes);
    if (rank != 0) {
        DO(send(out, bytes, MPI_BYTE, next, tag, MPI_COMM_WORLD));
        DO(MPI_Recv(in, bytes, MPI_BYTE, previous, tag, MPI_COMM_WORLD, &status));
    } else {
        DO(MPI_Recv(in, bytes, MPI_BYTE, previous, tag, MPI_COMM_WORLD, &status));
        DO(send(out, bytes, MPI_BYTE, next, tag, MPI_COMM_WORLD));
    }
    CHECK_STATUS(&status, previous, tag, MPI_BYTE, bytes);
    CHECK_FILLED(in, bytes, previous + tag);
    free(out);
    free(in);
}

// A ready send is right only when the receive is posted: the receiver says so first.
static void ready(int bytes) {
    unsigned char *out = check_alloc(bytes), *in = check_alloc(bytes);
    MPI_Request request;
    MPI_Status status;
    check_fill(out, bytes, rank);
    DO(MPI_Irecv(in, bytes, MPI_BYTE, previous, TAG, MPI_COMM_WORLD, &request));
    DO(MPI_Barrier(MPI_COMM_WORLD));
    DO(MPI_Rsend(out, bytes, MPI_BYTE, next, TAG, MPI_COMM_WORLD));
    DO(MPI_Wait(&request, &status));
    CHECK_STATUS(&status, previous, TAG, MPI_BYTE, bytes);
    CHECK_FILLED(in, bytes, previous);
    free(out);
    free(in);
}

// Every rank sends all its messages before anyone receives: only the attached buffer makes this right.
static void buffered(int bytes, int messages) {
    int packed = 0, detached_size = -1;
    DO(MPI_Pack_size(bytes, MPI_BYTE, MPI_COMM_WORLD, &packed));
    int space = messages * (packed + MPI_BSEND_OVERHEAD);
    void *space_memory = check_alloc(space), *detached = NULL;
    unsigned char *data = check_alloc(bytes);
    DO(MPI_Buffer_attach(space_memory, space));
    for (int m = 0; m < messages; m++) {
        check_fill(data, bytes, rank + m);
        DO(MPI_Bsend(data, bytes, MPI_BYTE, next, m, MPI_COMM_WORLD));
        memset(data, 0, bytes); // the buffer is ours again at once
    }
    DO(MPI_Barrier(MPI_COMM_WORLD));
    for (int m = messages - 1; m >= 0; m--) {
        MPI_Status status;
        DO(MPI_Recv(data, bytes, MPI_BYTE, previous, m, MPI_COMM_WORLD, &status));
        CHECK_STATUS(&status, previous, m, MPI_BYTE, bytes);
        CHECK_FILLED(data, bytes, previous + m);
    }
    DO(MPI_Buffer_detach(&detached, &detached_size));
    CHECK(detached == space_memory);
    CHECK_EQ(detached_size, space);
    free(space_memory);
    free(data);
}

// Space is given back as messages leave: many more bytes pass than the buffer holds.
static void buffer_reuse(void) {
    char memory[4096 + MPI_BSEND_OVERHEAD], data[4096], in[4096];
    DO(MPI_Buffer_attach(memory, sizeof memory));
    for (int round = 0; round < 50; round++) {
        check_fill(data, sizeof data, rank + round);
        DO(MPI_Bsend(data, sizeof data, MPI_BYTE, next, round, MPI_COMM_WORLD));
        DO(MPI_Recv(in, sizeof in, MPI_BYTE, previous, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_FILLED(in, sizeof in, previous + round);
        void *at;
        int length;
        DO(MPI_Buffer_detach(&at, &length)); // waits until the buffered message has left
        CHECK(at == (void *)memory);
        DO(MPI_Buffer_attach(memory, sizeof memory));
    }
    void *at;
    int length;
    DO(MPI_Buffer_detach(&at, &length));
}

static void no_space(void) {
    static char data[1 << 20]; // more than any implementation sends without asking
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_Bsend(data, sizeof data, MPI_BYTE, next, TAG, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    int sizes[] = {0, 1, 100, 5000, 70000, 1 << 20};
    for (int i = 0; i < 6; i++) {
        if (size > 1) {
            ring(MPI_Send, sizes[i], 1);
            ring(MPI_Ssend, sizes[i], 2);
        }
        ready(sizes[i]);
        buffered(sizes[i], 5);
    }
    buffer_reuse();
    no_space();
    return check_finish();
}
