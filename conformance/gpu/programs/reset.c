// SPDX-License-Identifier: MIT OR Apache-2.0
// The program resets the device, or lets go of its context, before MPI_Finalize: that ends well, quietly and soon. Argument
// "release": the primary context is released; "again": the device is used anew before that; "exit": exit without MPI_Finalize, which must
// end the job with a failure.
#include "cuda.h"
#include <time.h>

// Large and small, by every way.
static Memory use(int n) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    Memory data = cuda_values(0, n, n);
    DO(MPI_Bcast(data.at, n, MPI_INT, 0, MPI_COMM_WORLD));
    DO(MPI_Allreduce(MPI_IN_PLACE, data.at, n, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CUDA_INTS(&data, 0, n, cuda_value(0, i));
    DO(MPI_Allreduce(MPI_IN_PLACE, data.at, 100, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    DO(MPI_Sendrecv_replace(data.at, 100, MPI_INT, next, 1, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CUDA_INTS(&data, 0, n, cuda_value(0, i));
    DO(MPI_Barrier(MPI_COMM_WORLD));
    return data;
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    Memory data = use(300000);
    time_t start = time(NULL);
    if (check_option(argc, argv, "release")) {
        cuda_free(&data);
        CU(cuCtxSetCurrent(NULL));
        CU(cuDevicePrimaryCtxRelease_v2(cuda_device));
    } else {
        CU(cuDevicePrimaryCtxReset_v2(cuda_device));
        CU(cuCtxSetCurrent(NULL));
    }
    if (check_option(argc, argv, "again")) {
        DO(MPI_Barrier(MPI_COMM_WORLD));
        CU(cuDevicePrimaryCtxRetain(&cuda_context, cuda_device));
        CU(cuCtxSetCurrent(cuda_context));
        data = use(300000);
        cuda_free(&data);
    }
    if (check_option(argc, argv, "exit"))
        exit(0);
    int status = check_finish();
    if (time(NULL) - start > 5) {
        fprintf(stderr, "rank %d: MPI_Finalize took longer than 5 s\n", rank);
        return 1;
    }
    return status;
}
