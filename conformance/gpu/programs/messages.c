// SPDX-License-Identifier: MIT OR Apache-2.0
// Messages between buffers on devices, of any kind on each side: all send modes, nonblocking and persistent ones, Sendrecv,
// probe before the receive, messages to oneself; a shorter message than the buffer leaves the rest alone.
#include "cuda.h"

#define TAG 5

static int next, previous;

typedef int (*Send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int (*Isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int (*Init)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static void blocking(Send send, int bytes) {
    Memory out = cuda_filled(bytes, rank + bytes), in = cuda_alloc(cuda_kind(rank), bytes + 64);
    MPI_Status status;
    if (rank % 2 == 0) {
        DO(send(out.at, bytes, MPI_BYTE, next, TAG, MPI_COMM_WORLD));
        DO(MPI_Recv(in.at, bytes + 64, MPI_BYTE, previous, TAG, MPI_COMM_WORLD, &status));
    } else {
        DO(MPI_Recv(in.at, bytes + 64, MPI_BYTE, previous, TAG, MPI_COMM_WORLD, &status));
        DO(send(out.at, bytes, MPI_BYTE, next, TAG, MPI_COMM_WORLD));
    }
    CHECK_STATUS(&status, previous, TAG, MPI_BYTE, bytes);
    CUDA_FILLED(&in, bytes, previous + bytes);
    unsigned char rest[64];
    cuda_get(rest, &in, bytes, 64);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(rest[i], CUDA_GUARD_BYTE);
    cuda_free(&out);
    cuda_free(&in);
}

// A ready send needs a receive that is posted.
static void ready(int bytes) {
    Memory out = cuda_filled(bytes, rank), in = cuda_alloc(cuda_kind(rank), bytes);
    MPI_Request request;
    DO(MPI_Irecv(in.at, bytes, MPI_BYTE, previous, TAG, MPI_COMM_WORLD, &request));
    DO(MPI_Barrier(MPI_COMM_WORLD));
    DO(MPI_Rsend(out.at, bytes, MPI_BYTE, next, TAG, MPI_COMM_WORLD));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CUDA_FILLED(&in, bytes, previous);
    cuda_free(&out);
    cuda_free(&in);
}

// The receive comes first or after the message; both are driven by Test alone.
static void nonblocking(Isend isend, int bytes, bool early) {
    Memory out = cuda_filled(bytes, rank + 1), in = cuda_alloc(cuda_kind(rank), bytes);
    MPI_Request requests[2];
    int done = 0;
    if (early)
        DO(MPI_Irecv(in.at, bytes, MPI_BYTE, previous, TAG, MPI_COMM_WORLD, &requests[0]));
    DO(isend(out.at, bytes, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &requests[1]));
    if (!early)
        DO(MPI_Irecv(in.at, bytes, MPI_BYTE, previous, TAG, MPI_COMM_WORLD, &requests[0]));
    while (!done)
        DO(MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE));
    CUDA_FILLED(&in, bytes, previous + 1);
    cuda_free(&out);
    cuda_free(&in);
}

static void persistent(Init init, int bytes) {
    Memory out = cuda_alloc(cuda_kind(rank), bytes), in = cuda_alloc(cuda_kind(rank), bytes);
    MPI_Request requests[2];
    DO(MPI_Recv_init(in.at, bytes, MPI_BYTE, previous, TAG, MPI_COMM_WORLD, &requests[0]));
    DO(init(out.at, bytes, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &requests[1]));
    for (int round = 0; round < 3; round++) {
        cuda_fill(&out, bytes, rank + 10 * round);
        DO(MPI_Startall(2, requests));
        DO(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        CUDA_FILLED(&in, bytes, previous + 10 * round);
    }
    DO(MPI_Request_free(&requests[0]));
    DO(MPI_Request_free(&requests[1]));
    cuda_free(&out);
    cuda_free(&in);
}

static void sendrecv(int bytes) {
    Memory out = cuda_filled(bytes, rank), in = cuda_alloc(cuda_kind(rank), bytes);
    DO(MPI_Sendrecv(out.at, bytes, MPI_BYTE, next, TAG, in.at, bytes, MPI_BYTE, previous, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CUDA_FILLED(&in, bytes, previous);
    DO(MPI_Sendrecv_replace(in.at, bytes, MPI_BYTE, next, TAG, previous, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CUDA_FILLED(&in, bytes, (previous + size - 1) % size);
    cuda_free(&out);
    cuda_free(&in);
}

static void probed(int bytes, bool matched) {
    Memory out = cuda_filled(bytes, rank), in;
    MPI_Request request;
    MPI_Message message;
    MPI_Status status;
    int count;
    DO(MPI_Isend(out.at, bytes, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &request));
    if (matched)
        DO(MPI_Mprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &message, &status));
    else
        DO(MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status));
    DO(MPI_Get_count(&status, MPI_BYTE, &count));
    CHECK_EQ(count, bytes);
    in = cuda_alloc(cuda_kind(rank), count);
    if (matched)
        DO(MPI_Mrecv(in.at, count, MPI_BYTE, &message, &status));
    else
        DO(MPI_Recv(in.at, count, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, &status));
    CUDA_FILLED(&in, bytes, previous);
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    DO(MPI_Barrier(MPI_COMM_WORLD)); // the next probe is for the next message
    cuda_free(&out);
    cuda_free(&in);
}

// From every kind of memory to every kind, within one rank.
static void to_oneself(int bytes) {
    for (Kind from = HOST; from <= MANAGED; from++)
        for (Kind to = HOST; to <= MANAGED; to++) {
            Memory out = cuda_alloc(from, bytes), in = cuda_alloc(to, bytes);
            MPI_Request request;
            cuda_fill(&out, bytes, from * 7 + to);
            DO(MPI_Irecv(in.at, bytes, MPI_BYTE, 0, TAG, MPI_COMM_SELF, &request));
            DO(MPI_Send(out.at, bytes, MPI_BYTE, 0, TAG, MPI_COMM_SELF));
            DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CUDA_FILLED(&in, bytes, from * 7 + to);
            cuda_free(&out);
            cuda_free(&in);
        }
}

static void every_mode(int bytes) {
    blocking(MPI_Send, bytes);
    blocking(MPI_Ssend, bytes);
    blocking(MPI_Bsend, bytes);
    ready(bytes);
    for (int early = 0; early < 2; early++) {
        nonblocking(MPI_Isend, bytes, early);
        nonblocking(MPI_Issend, bytes, early);
        nonblocking(MPI_Ibsend, bytes, early);
    }
    persistent(MPI_Send_init, bytes);
    persistent(MPI_Ssend_init, bytes);
    sendrecv(bytes);
    probed(bytes, false);
    probed(bytes, true);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    int lengths[] = {0, 1, 8, 1000, 4096, 65537, 1048576 + 13}, room = 4 << 20;
    void *attached = check_alloc(room);
    DO(MPI_Buffer_attach(attached, room));
    for (int i = 0; i < 7; i++)
        if (size > 1)
            every_mode(lengths[i]);
    to_oneself(3);
    to_oneself(300007);
    DO(MPI_Buffer_detach(&attached, &room));
    free(attached);
    return check_finish();
}
