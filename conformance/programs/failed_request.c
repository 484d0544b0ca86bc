// SPDX-License-Identifier: MIT OR Apache-2.0
// A request that completes with an error is told as complete: its handle is gone, so flag and index must say so. And an
// attribute's copy function that fails leaves nothing of what was copied before.
#include "check.h"

static int deleted;

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
    *(void **)out = in;
    *flag = 1;
    return (intptr_t)in == 2 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int count(MPI_Comm comm, int key, void *value, void *extra) {
    deleted += (int)(intptr_t)value;
    return MPI_SUCCESS;
}

// A receive of 4 bytes that a message of 8 has reached.
static MPI_Request truncated(int *buffer) {
    static long long word = 7;
    MPI_Request receive;
    MPI_Irecv(buffer, 4, MPI_BYTE, 0, 1, MPI_COMM_SELF, &receive);
    MPI_Send(&word, 8, MPI_BYTE, 0, 1, MPI_COMM_SELF);
    return receive;
}

static void requests(void) {
    int buffer, flag = -9, index = -9;
    MPI_Status status;
    MPI_Request one = truncated(&buffer);
    CHECK_ERROR(MPI_Test(&one, &flag, &status), MPI_ERR_TRUNCATE);
    CHECK_EQ(flag, 1);
    CHECK_EQ(one == MPI_REQUEST_NULL, 1);

    MPI_Request two[2] = {MPI_REQUEST_NULL, truncated(&buffer)};
    flag = -9;
    CHECK_ERROR(MPI_Testany(2, two, &index, &flag, &status), MPI_ERR_TRUNCATE);
    CHECK_EQ(flag, 1);
    CHECK_EQ(index, 1);

    two[1] = truncated(&buffer);
    index = -9;
    CHECK_ERROR(MPI_Waitany(2, two, &index, &status), MPI_ERR_TRUNCATE);
    CHECK_EQ(index, 1);
}

static void attributes(void) {
    MPI_Comm from, to;
    int keys[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &from);
    MPI_Comm_set_errhandler(from, MPI_ERRORS_RETURN);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_create_keyval(copy, count, &keys[i], NULL);
        MPI_Comm_set_attr(from, keys[i], (void *)(intptr_t)(i + 1));
    }
    CHECK_ERROR(MPI_Comm_dup(from, &to), MPI_ERR_OTHER);
    CHECK_EQ(deleted, 1);
    MPI_Comm_free(&from);
    CHECK_EQ(deleted, 4);
    for (int i = 0; i < 2; i++) MPI_Comm_free_keyval(&keys[i]);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    requests();
    attributes();
    return check_finish();
}
