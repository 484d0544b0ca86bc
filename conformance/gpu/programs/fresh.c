// SPDX-License-Identifier: MIT OR Apache-2.0
// Buffers that are allocated anew for every call, of sizes that go by handles, beside work in a stream of its own that has nothing to do
// with them and ends only after the calls: a call that waits for it never ends. Other ranks' old mappings have to be closed meanwhile.
// Arguments: rounds (3), buffers of a round that go round the ranks (12).
#include "cuda.h"
#include <stdatomic.h>
#include <unistd.h>

#define N 100000
#define FEW 30000
#define W MPI_COMM_WORLD

static atomic_int through;

static void until_through(void *nothing) {
    (void)nothing;
    while (!through)
        usleep(1000);
}

// One collective of each way of moving, and many messages.
static void calls(Memory *data, Memory *sum, Memory *out, Memory *in, int buffers, int root) {
    DO(MPI_Bcast(data->at, N, MPI_INT, root, W));
    DO(MPI_Allreduce(MPI_IN_PLACE, sum->at, N, MPI_INT, MPI_SUM, W));
    for (int k = 0; k < buffers; k++)
        DO(MPI_Sendrecv(out[k].at, FEW, MPI_INT, (rank + 1) % size, k, in[k].at, FEW, MPI_INT, (rank + size - 1) % size, k, W,
                        MPI_STATUS_IGNORE));
}

static void round_of(void *busy, int round, int buffers) {
    int root = round % size;
    Memory data = cuda_values(0, N, N), sum = cuda_values(0, N, N);
    Memory *out = check_alloc(sizeof *out * buffers), *in = check_alloc(sizeof *in * buffers);
    for (int k = 0; k < buffers; k++)
        out[k] = cuda_values(k, FEW, FEW), in[k] = cuda_values(0, 0, FEW);
    CU(cuStreamSynchronize(NULL));
    DO(MPI_Barrier(W));
    // The first round takes memory, kernels and the first handles.
    through = 0;
    if (round > 0)
        CU(cuLaunchHostFunc(busy, until_through, NULL));
    calls(&data, &sum, out, in, buffers, root);
    if (round > 0)
        CHECK_EQ(cuStreamQuery(busy), 600); // CUDA_ERROR_NOT_READY: it is still busy
    through = 1;
    CU(cuStreamSynchronize(busy));
    CUDA_INTS(&data, 0, N, cuda_value(root, i));
    CUDA_INTS(&sum, 0, N, cuda_sum(i));
    for (int k = 0; k < buffers; k++) {
        CUDA_INTS(&in[k], 0, FEW, cuda_value((rank + size - 1) % size, k + i));
        cuda_free(&in[k]);
        cuda_free(&out[k]);
    }
    DO(MPI_Barrier(W));
    cuda_free(&data);
    cuda_free(&sum);
    free(out);
    free(in);
    DO(MPI_Barrier(W));
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int rounds = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 3, buffers = argc > 2 ? atoi(argv[2]) : 12;
    void *busy;
    CU(cuStreamCreate(&busy, 1));
    for (int round = 0; round < rounds; round++)
        round_of(busy, round, buffers);
    CU(cuStreamDestroy_v2(busy));
    return check_finish();
}
