// SPDX-License-Identifier: MIT OR Apache-2.0
// The same buffer for sending and receiving without MPI_IN_PLACE: error class MPI_ERR_BUFFER with a text, nothing changed,
// and the next collective works; adjacent buffers are right. MPI_MAX is not for bytes.
#include "check.h"

#define W MPI_COMM_WORLD

static void refused(int code, const int *data, int line) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0, after = rank, wanted = size * (size - 1) / 2;
    if (check_class(code) != MPI_ERR_BUFFER)
        CHECK_FAIL("line %d: class %d, should be MPI_ERR_BUFFER", line, check_class(code));
    DO(MPI_Error_string(code, text, &length));
    CHECK(length > 0 && (int)strlen(text) == length);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(data[i], rank + i);
    DO(MPI_Allreduce(MPI_IN_PLACE, &after, 1, MPI_INT, MPI_SUM, W));
    CHECK_EQ(after, wanted);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int data[8], sum = size * (size - 1) / 2;
    for (int i = 0; i < 4; i++)
        data[i] = rank + i;
    refused(MPI_Allreduce(data, data, 4, MPI_INT, MPI_SUM, W), data, __LINE__);
    DO(MPI_Allreduce(data, data + 4, 4, MPI_INT, MPI_SUM, W));
    for (int i = 0; i < 4; i++)
        CHECK_EQ(data[4 + i], sum + size * i);
    DO(MPI_Allreduce(data + 4, data, 4, MPI_INT, MPI_MAX, W));
    DO(MPI_Allreduce(MPI_IN_PLACE, data, 4, MPI_INT, MPI_MAX, W));
    for (int i = 0; i < 4; i++)
        CHECK_EQ(data[i], sum + size * i);
#ifndef OPEN_MPI // which takes these
    int *blocks = check_alloc((size + 1) * sizeof(int));
    for (int i = 0; i <= size; i++)
        blocks[i] = rank + i;
    CHECK_ERROR(MPI_Alltoall(blocks, 1, MPI_INT, blocks, 1, MPI_INT, W), MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Allgather(blocks + rank, 1, MPI_INT, blocks, 1, MPI_INT, W), MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Allreduce(blocks, blocks, 1, MPI_INT, MPI_SUM, W), MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Allreduce(blocks, blocks + 1, 1, MPI_BYTE, MPI_MAX, W), MPI_ERR_OP);
    CHECK_ERROR(MPI_Reduce_local(MPI_IN_PLACE, blocks, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Reduce_local(blocks, blocks, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    DO(MPI_Allgather(blocks + size, 1, MPI_INT, blocks, 1, MPI_INT, W));
    free(blocks);
#endif
    return check_finish();
}
