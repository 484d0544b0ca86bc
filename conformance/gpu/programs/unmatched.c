// SPDX-License-Identifier: MIT OR Apache-2.0
// One rank reduces more than the others, who need nothing of what it sends them: it does not wait for them for ever.
#include "cuda.h"

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm comm;
    DO(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    DO(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    int many = 1 << 16, more = rank == size - 1 ? 2 : 1;
    Memory out = cuda_values(0, many, many), in = cuda_values(0, 0, many);
    // The ranks agree on where their buffers lie.
    DO(MPI_Allreduce(out.at, in.at, many, MPI_INT, MPI_SUM, comm));
    MPI_Request request;
    DO(MPI_Ireduce(out.at, in.at, more, MPI_INT, MPI_SUM, size - 2, comm, &request));
    int class = check_class(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(class == MPI_ERR_TRUNCATE || more == 1);
    cuda_free(&out);
    cuda_free(&in);
    DO(MPI_Comm_free(&comm));
    return check_finish();
}
