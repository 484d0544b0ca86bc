// SPDX-License-Identifier: MIT OR Apache-2.0
// Error classes of wrong arguments, and that nothing else happens: the library works on after each.
#include "check.h"

#define W MPI_COMM_WORLD

static int x[4], y[4];

static void two_sided(void) {
    MPI_Request request;
    MPI_Status status;
    CHECK_ERROR(MPI_Send(x, 1, MPI_INT, size, 0, W), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Send(x, 1, MPI_INT, -77, 0, W), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Send(x, 1, MPI_INT, MPI_ANY_SOURCE, 0, W), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Send(x, -1, MPI_INT, 0, 0, W), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Send(x, 1, MPI_INT, 0, -5, W), MPI_ERR_TAG);
    CHECK_ERROR(MPI_Send(x, 1, MPI_INT, 0, MPI_ANY_TAG, W), MPI_ERR_TAG);
    CHECK_ERROR(MPI_Send(x, 1, MPI_DATATYPE_NULL, 0, 0, W), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Recv(x, 1, MPI_INT, size, 0, W, &status), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Recv(x, 1, MPI_INT, 0, -5, W, &status), MPI_ERR_TAG);
    CHECK_ERROR(MPI_Recv(x, -1, MPI_INT, 0, 0, W, &status), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Recv(x, 1, MPI_DATATYPE_NULL, 0, 0, W, &status), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Isend(x, -1, MPI_INT, 0, 0, W, &request), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Irecv(x, 1, MPI_INT, size + 3, 0, W, &request), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Probe(size, 0, W, &status), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Sendrecv(x, 1, MPI_INT, size, 0, y, 1, MPI_INT, 0, 0, W, &status), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Sendrecv(x, 1, MPI_INT, 0, 0, y, 1, MPI_INT, 0, -9, W, &status), MPI_ERR_TAG);
    CHECK_ERROR(MPI_Send_init(x, 1, MPI_INT, size, 0, W, &request), MPI_ERR_RANK);
    MPI_Datatype uncommitted;
    DO(MPI_Type_contiguous(2, MPI_INT, &uncommitted));
    CHECK_ERROR(MPI_Send(x, 1, uncommitted, 0, 0, W), MPI_ERR_TYPE);
    DO(MPI_Type_free(&uncommitted));
}

static void collectives(void) {
    CHECK_ERROR(MPI_Bcast(x, 1, MPI_INT, size, W), MPI_ERR_ROOT);
    CHECK_ERROR(MPI_Bcast(x, 1, MPI_INT, -1, W), MPI_ERR_ROOT);
    CHECK_ERROR(MPI_Bcast(x, -1, MPI_INT, 0, W), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Bcast(x, 1, MPI_DATATYPE_NULL, 0, W), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_NULL), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Reduce(x, y, 1, MPI_INT, MPI_SUM, size, W), MPI_ERR_ROOT);
    CHECK_ERROR(MPI_Allreduce(x, y, 1, MPI_INT, MPI_OP_NULL, W), MPI_ERR_OP);
    CHECK_ERROR(MPI_Allreduce(x, y, -1, MPI_INT, MPI_SUM, W), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Allreduce(x, y, 1, MPI_FLOAT, MPI_BAND, W), MPI_ERR_OP);
    CHECK_ERROR(MPI_Allreduce(x, y, 1, MPI_2INT, MPI_SUM, W), MPI_ERR_OP);
    CHECK_ERROR(MPI_Allgather(x, -1, MPI_INT, y, 1, MPI_INT, W), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
}

static void objects(void) {
    int n = 0, flag, out;
    MPI_Group group = MPI_GROUP_NULL, world;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_SUM;
    CHECK_ERROR(MPI_Comm_size(MPI_COMM_NULL, &n), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Comm_dup(MPI_COMM_NULL, &comm), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Group_size(MPI_GROUP_NULL, &n), MPI_ERR_GROUP);
    CHECK_ERROR(MPI_Group_free(&group), MPI_ERR_GROUP);
    DO(MPI_Comm_group(W, &world));
    CHECK_ERROR(MPI_Group_incl(world, 1, &(int){size}, &group), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Group_incl(world, 1, &(int){-1}, &group), MPI_ERR_RANK);
    DO(MPI_Group_free(&world));
    CHECK_ERROR(MPI_Type_size(MPI_DATATYPE_NULL, &n), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Type_contiguous(-1, MPI_INT, &type), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Type_commit(&type), MPI_ERR_TYPE);
    type = MPI_INT;
    CHECK(MPI_Type_free(&type) != MPI_SUCCESS);
    CHECK(MPI_Op_free(&op) != MPI_SUCCESS);
    CHECK_ERROR(MPI_Comm_get_attr(W, MPI_KEYVAL_INVALID, &out, &flag), MPI_ERR_KEYVAL);
    CHECK_ERROR(MPI_Comm_split_type(W, 12345, 0, MPI_INFO_NULL, &comm), MPI_ERR_ARG);
}

static void works_on(void) {
    int sum = 0, in = -1;
    DO(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, W));
    CHECK_EQ(sum, size * (size - 1) / 2);
    DO(MPI_Sendrecv(&rank, 1, MPI_INT, rank, 0, &in, 1, MPI_INT, rank, 0, W, MPI_STATUS_IGNORE));
    CHECK_EQ(in, rank);
}

// Every class has a text, and MPI_SUCCESS is its own class.
static void texts(void) {
    int last = 0, length, class;
    char text[MPI_MAX_ERROR_STRING];
    for (int code = 0; code <= MPI_ERR_LASTCODE && code < 100; code++) {
        length = -1;
        DO(MPI_Error_string(code, text, &length));
        CHECK(length > 0 && length < MPI_MAX_ERROR_STRING && (int)strlen(text) == length);
        DO(MPI_Error_class(code, &class));
        last = code;
    }
    CHECK(last > 10);
    CHECK_EQ(check_class(MPI_SUCCESS), MPI_SUCCESS);
    CHECK_EQ(check_class(MPI_ERR_TRUNCATE), MPI_ERR_TRUNCATE);
}

// Classes, codes and texts of our own.
static void own_codes(void) {
    int class = 0, code = 0, length, flag = 0, *last = NULL;
    char text[MPI_MAX_ERROR_STRING];
    DO(MPI_Add_error_class(&class));
    CHECK(class > MPI_ERR_LASTCODE);
    DO(MPI_Add_error_code(class, &code));
    DO(MPI_Add_error_string(code, "our own error"));
    CHECK_EQ(check_class(code), class);
    DO(MPI_Error_string(code, text, &length));
    CHECK_STR(text, "our own error");
    DO(MPI_Comm_get_attr(W, MPI_LASTUSEDCODE, &last, &flag));
    CHECK(flag && *last >= code);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    two_sided();
    works_on();
    collectives();
    works_on();
    objects();
    works_on();
    texts();
    own_codes();
    return check_finish();
}
