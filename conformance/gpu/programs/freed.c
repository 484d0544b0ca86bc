// SPDX-License-Identifier: MIT OR Apache-2.0
// Memory that was sent and freed is free for all: though other ranks have it mapped, it comes back without an MPI call of the
// rank that has freed it, and without its address coming up again. In even rounds all ranks free at once and look, so that those who have
// the memory mapped are in no call either; in odd rounds one after the other, while the others wait in MPI_Recv. Meanwhile a buffer
// that lives on is under way, and one that all have mapped goes on being used. Arguments: rounds (6), MiB of a buffer (48), buffers (3).
#include "cuda.h"
#include <unistd.h>

#define N (1 << 18) // ints of a buffer that are sent
#define W MPI_COMM_WORLD

static size_t whole, slack;
static int buffers;
static Memory *out, in, lasting, late, early;

static int before(int distance) {
    return (rank + size - distance) % size;
}

static size_t free_memory(void) {
    size_t available, total;
    CU(cuMemGetInfo_v2(&available, &total));
    return available;
}

static void put(Memory *memory, int of) {
    int *host = check_alloc(sizeof(int) * N);
    for (int i = 0; i < N; i++)
        host[i] = cuda_value(of, i);
    cuda_put(memory, 0, host, sizeof(int) * N);
    free(host);
}

// Whether so much is free, now or soon.
static void wait_for(size_t wanted, const char *who) {
    for (int tries = 0; tries < 2000 && free_memory() + slack < wanted; tries++)
        usleep(5000);
    size_t available = free_memory();
    if (available + slack < wanted)
        CHECK_FAIL("%s: %zu MiB of what was freed are still allocated", who, (wanted - available) >> 20);
}

// Every rank reads from every other one, so all have all mapped.
static void send_around(Memory *memory, int of, int tag) {
    for (int distance = 1; distance < size; distance++) {
        DO(MPI_Sendrecv(memory->at, N, MPI_INT, (rank + distance) % size, tag, in.at, N, MPI_INT, before(distance), tag, W,
                        MPI_STATUS_IGNORE));
        CUDA_INTS(&in, 0, N, cuda_value(before(distance) + of, i));
    }
}

static void release(void) {
    for (int k = 0; k < buffers; k++)
        cuda_free(&out[k]);
}

static void in_turns(void) {
    for (int turn = 0; turn < size; turn++) {
        int token = turn;
        if (turn == rank) {
            size_t now = free_memory();
            release();
            wait_for(now + buffers * whole, "one rank alone");
            for (int other = 0; other < size; other++)
                if (other != rank)
                    DO(MPI_Send(&token, 1, MPI_INT, other, turn, W));
        } else {
            DO(MPI_Recv(&token, 1, MPI_INT, turn, turn, W, MPI_STATUS_IGNORE));
        }
    }
}

static void round_of(int round, size_t base) {
    MPI_Request requests[2];
    for (int k = 0; k < buffers; k++) {
        out[k] = cuda_alloc(DEVICE, whole);
        put(&out[k], rank + round * 10 + k);
    }
    put(&late, rank + round);
    for (int k = 0; k < buffers; k++)
        send_around(&out[k], round * 10 + k, k);
    // Two that are still under way, or not yet matched, when the others go.
    DO(MPI_Irecv(early.at, N, MPI_INT, before(1), 99, W, &requests[0]));
    DO(MPI_Isend(late.at, N, MPI_INT, (rank + 1) % size, 99, W, &requests[1]));
    if (round % 2 == 1) {
        in_turns();
    } else {
        release();
        wait_for(base, "all ranks at once");
    }
    DO(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CUDA_INTS(&early, 0, N, cuda_value(before(1) + round, i));
    send_around(&lasting, 500, 98);
    DO(MPI_Barrier(W));
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int rounds = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 6;
    whole = (size_t)(argc > 2 && atoi(argv[2]) > 0 ? atoi(argv[2]) : 48) << 20;
    buffers = argc > 3 && atoi(argv[3]) > 0 ? atoi(argv[3]) : 3;
    slack = buffers * whole / 8; // the library, or the driver, may need some itself
    out = check_alloc(sizeof *out * buffers);
    in = cuda_values(0, 0, N), early = cuda_values(0, 0, N), late = cuda_values(0, N, N), lasting = cuda_values(0, 0, N);
    put(&lasting, rank + 500);
    // What the library and the driver need themselves comes with the first calls.
    send_around(&lasting, 500, 98);
    send_around(&late, 0, 97);
    DO(MPI_Barrier(W));
    size_t base = free_memory();
    DO(MPI_Barrier(W));
    for (int round = 0; round < rounds; round++)
        round_of(round, base);
    cuda_free(&lasting), cuda_free(&late), cuda_free(&early), cuda_free(&in);
    free(out);
    return check_finish();
}
