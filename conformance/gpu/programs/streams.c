// SPDX-License-Identifier: MIT OR Apache-2.0
// Streams: a write that is pending in the legacy default stream is honoured; one in another stream counts once that has been
// synchronised; work that runs long in an unrelated stream is not waited for. Argument: rounds (50).
#include "cuda.h"
#include <unistd.h>

#define N 3000
#define LARGE 100000

static void a_little(void *nothing) {
    (void)nothing;
    usleep(2000);
}

static void three_seconds(void *nothing) {
    (void)nothing;
    sleep(3);
}

// Every rank contributes rank + round; the write comes late in the stream.
static void pending(Memory *data, void *stream, bool synchronised, int round) {
    if (round % 4 == 0)
        CU(cuLaunchHostFunc(stream, a_little, NULL));
    CU(cuMemsetD32Async((Address)data->at, rank + round, N, stream));
    if (synchronised)
        CU(cuStreamSynchronize(stream));
    DO(MPI_Allreduce(MPI_IN_PLACE, data->at, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CUDA_INTS(data, 0, N, size * (size - 1) / 2 + size * round);
}

static void pending_message(Memory *data, int round) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    if (round % 4 == 0)
        CU(cuLaunchHostFunc(NULL, a_little, NULL));
    CU(cuMemsetD32Async((Address)data->at, rank * 100 + round, N, NULL));
    DO(MPI_Sendrecv_replace(data->at, N, MPI_INT, next, 1, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CUDA_INTS(data, 0, N, previous * 100 + round);
}

// What the program still writes to the place of the result comes before the result, whoever writes that.
static void pending_result(Memory *out, Memory *in, int round) {
    if ((round + rank) % 3 == 0)
        CU(cuLaunchHostFunc(NULL, a_little, NULL));
    CU(cuMemsetD32Async((Address)in->at, -7, LARGE, NULL));
    if (round % 2 == 0)
        DO(MPI_Allreduce(out->at, in->at, LARGE, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    else
        DO(MPI_Reduce(out->at, in->at, LARGE, MPI_INT, MPI_SUM, round % size, MPI_COMM_WORLD));
    CUDA_INTS(in, 0, LARGE, round % 2 == 1 && rank != round % size ? -7 : size * (size + 1) / 2);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int rounds = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 50;
    Memory data = cuda_alloc(DEVICE, N * sizeof(int));
    Memory out = cuda_alloc(DEVICE, LARGE * sizeof(int)), in = cuda_alloc(DEVICE, LARGE * sizeof(int));
    void *own, *busy;
    CU(cuStreamCreate(&own, 1));
    CU(cuStreamCreate(&busy, 1));
    for (int round = 0; round < rounds; round++) {
        pending(&data, NULL, false, round);
        pending(&data, own, true, round);
        pending_message(&data, round);
    }
    CU(cuMemsetD32Async((Address)out.at, rank + 1, LARGE, NULL));
    for (int round = 0; round < rounds; round++)
        pending_result(&out, &in, round);
    CU(cuStreamSynchronize(NULL));
    CU(cuLaunchHostFunc(busy, three_seconds, NULL));
    double start = MPI_Wtime();
    pending(&data, own, true, 1);
    DO(MPI_Allreduce(MPI_IN_PLACE, data.at, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CHECK(MPI_Wtime() - start < 2.5);
    CHECK_EQ(cuStreamQuery(busy), 600); // CUDA_ERROR_NOT_READY: it was still busy
    CU(cuStreamSynchronize(busy));
    cuda_free(&data);
    cuda_free(&out);
    cuda_free(&in);
    return check_finish();
}
