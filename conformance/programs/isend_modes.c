// SPDX-License-Identifier: MIT OR Apache-2.0
// Nonblocking sends in the four modes, to and from everybody; a synchronous send does not complete before its match.
#include "check.h"

typedef int (*Isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static void everybody(Isend isend, int bytes, int tag, int receives_first) {
    MPI_Request *requests = check_alloc(2 * size * sizeof *requests);
    MPI_Status *statuses = check_alloc(2 * size * sizeof *statuses);
    unsigned char *out = check_alloc((size_t)size * bytes), *in = check_alloc((size_t)size * bytes);
    for (int peer = 0; peer < size; peer++)
        check_fill(out + (size_t)peer * bytes, bytes, rank * size + peer + tag);
    for (int phase = 0; phase < 2; phase++) {
        if (phase == receives_first) {
            for (int peer = 0; peer < size; peer++)
                DO(isend(out + (size_t)peer * bytes, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &requests[size + peer]));
        } else {
            for (int peer = 0; peer < size; peer++)
                DO(MPI_Irecv(in + (size_t)peer * bytes, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &requests[peer]));
            DO(MPI_Barrier(MPI_COMM_WORLD));
        }
    }
    DO(MPI_Waitall(2 * size, requests, statuses));
    for (int peer = 0; peer < size; peer++) {
        CHECK_STATUS(&statuses[peer], peer, tag, MPI_BYTE, bytes);
        CHECK_FILLED(in + (size_t)peer * bytes, bytes, peer * size + rank + tag);
        CHECK(requests[peer] == MPI_REQUEST_NULL && requests[size + peer] == MPI_REQUEST_NULL);
    }
    free(requests);
    free(statuses);
    free(out);
    free(in);
}

// The receiver answers twice on another tag before it posts the receive: until then the send may not be complete.
static void synchronous(int bytes) {
    unsigned char *data = check_alloc(bytes);
    char token = 0;
    if (rank == 0) {
        MPI_Request request;
        int done = 0;
        check_fill(data, bytes, 5);
        DO(MPI_Issend(data, bytes, MPI_BYTE, 1, 20, MPI_COMM_WORLD, &request));
        for (int i = 0; i < 2; i++) {
            DO(MPI_Sendrecv_replace(&token, 1, MPI_CHAR, 1, 21, 1, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            DO(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
            CHECK_EQ(done, 0);
            if (done)
                break;
        }
        DO(MPI_Send(&token, 1, MPI_CHAR, 1, 22, MPI_COMM_WORLD));
        if (!done)
            DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else if (rank == 1) {
        for (int i = 0; i < 2; i++)
            DO(MPI_Sendrecv_replace(&token, 1, MPI_CHAR, 0, 21, 0, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        DO(MPI_Recv(&token, 1, MPI_CHAR, 0, 22, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        DO(MPI_Recv(data, bytes, MPI_BYTE, 0, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_FILLED(data, bytes, 5);
    }
    free(data);
}

// A request freed while active: the message still arrives.
static void freed(int bytes) {
    unsigned char *out = check_alloc(bytes), *in = check_alloc(bytes);
    MPI_Request request;
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    check_fill(out, bytes, rank);
    DO(MPI_Isend(out, bytes, MPI_BYTE, next, 30, MPI_COMM_WORLD, &request));
    DO(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
    DO(MPI_Recv(in, bytes, MPI_BYTE, previous, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_FILLED(in, bytes, previous);
    DO(MPI_Barrier(MPI_COMM_WORLD)); // the neighbour has received: the send buffer is free
    free(out);
    free(in);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    int sizes[] = {0, 1, 64, 4096, 65537, 300000};
    char *space = check_alloc(16 << 20);
    void *at;
    int length;
    DO(MPI_Buffer_attach(space, 16 << 20));
    for (int i = 0; i < 6; i++) {
        for (int order = 0; order < 2; order++) {
            everybody(MPI_Isend, sizes[i], 1, order);
            everybody(MPI_Issend, sizes[i], 2, order);
            everybody(MPI_Ibsend, sizes[i], 3, order);
        }
        everybody(MPI_Irsend, sizes[i], 4, 1);
        if (size > 1)
            synchronous(sizes[i]);
        freed(sizes[i]);
    }
    DO(MPI_Buffer_detach(&at, &length));
    free(space);
    return check_finish();
}
