/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Errors that the face itself raises, as one rank. With an argument: a call before MPI_Init, which ends the program. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what) do { if (!(what)) { printf("line %d: %s does not hold\n", __LINE__, #what); exit(1); } } while (0)

static int class_of(int code)
{
    int class = -1;
    CHECK(MPI_Error_class(code, &class) == MPI_SUCCESS);
    return class;
}

/* The object whose handler was asked, and with what. */
static MPI_Comm asked = MPI_COMM_NULL;
static int asked_class = -1;
static void handler(MPI_Comm *comm, int *code, ...)
{
    asked = *comm;
    asked_class = class_of(*code);
}

int main(int argc, char **argv)
{
    int rank = -1, length = 0;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Win win;
    MPI_Comm comm;
    MPI_Errhandler own;
    MPI_Request none = MPI_REQUEST_NULL;

    if (argc > 1)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(MPI_Init(&argc, &argv) == MPI_SUCCESS);
    CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) == MPI_SUCCESS);

    CHECK(class_of(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win)) == MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK(MPI_Error_string(MPI_ERR_UNSUPPORTED_OPERATION, text, &length) == MPI_SUCCESS && length == (int)strlen(text));
    CHECK(class_of(MPI_Comm_rank(MPI_COMM_WORLD, NULL)) == MPI_ERR_ARG);
    CHECK(class_of(MPI_Comm_rank(MPI_COMM_NULL, &rank)) == MPI_ERR_COMM);
    CHECK(class_of(MPI_Comm_rank(NULL, &rank)) == MPI_ERR_COMM);
    CHECK(class_of(MPI_Waitall(-1, &none, MPI_STATUSES_IGNORE)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Waitall(1, NULL, MPI_STATUSES_IGNORE)) == MPI_ERR_ARG);
    CHECK(class_of(MPI_Send(&rank, 1, MPI_INT, -3, 0, MPI_COMM_WORLD)) == MPI_ERR_RANK);
    CHECK(MPI_Send(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD) == MPI_SUCCESS);

    CHECK(MPI_Comm_create_errhandler(handler, &own) == MPI_SUCCESS && MPI_Comm_dup(MPI_COMM_WORLD, &comm) == MPI_SUCCESS);
    CHECK(MPI_Comm_set_errhandler(comm, own) == MPI_SUCCESS);
    MPI_Send(&rank, -1, MPI_INT, 0, 0, comm);
    CHECK(asked == comm && asked_class == MPI_ERR_COUNT);
    CHECK(MPI_Errhandler_free(&own) == MPI_SUCCESS && own == MPI_ERRHANDLER_NULL);
    CHECK(MPI_Comm_free(&comm) == MPI_SUCCESS && comm == MPI_COMM_NULL);
    CHECK(MPI_Finalize() == MPI_SUCCESS);
    printf("errors as expected\n");
    return 0;
}
