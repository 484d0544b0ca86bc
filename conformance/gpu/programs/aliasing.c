// SPDX-License-Identifier: MIT OR Apache-2.0
// Allreduce whose two buffers are the same device memory is an error whose text says MPI_IN_PLACE, and changes nothing; two
// adjacent device buffers are fine, and so is the next collective.
#include "cuda.h"

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    char text[MPI_MAX_ERROR_STRING];
    int length, n = 4;
    Memory data = cuda_values(0, 2 * n, 2 * n);
    DO(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    int code = MPI_Allreduce(data.at, data.at, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQ(check_class(code), MPI_ERR_BUFFER);
    DO(MPI_Error_string(code, text, &length));
    CHECK(strstr(text, "MPI_IN_PLACE") != NULL);
    CUDA_INTS(&data, 0, 2 * n, cuda_value(rank, i));
    DO(MPI_Allreduce(data.at, data.at + n * sizeof(int), n, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CUDA_INTS(&data, n, n, cuda_value(size - 1, i));
    CUDA_INTS(&data, 0, n, cuda_value(rank, i));
    cuda_free(&data);
    return check_finish();
}
