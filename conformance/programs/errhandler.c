// SPDX-License-Identifier: MIT OR Apache-2.0
// Error handlers: returning and user-defined ones, what they are told, inheritance, call by hand, free while in use.
#include "check.h"

#define W MPI_COMM_WORLD

static int calls, last_code;
static MPI_Comm last_comm;

static void handler(MPI_Comm *comm, int *code, ...) {
    calls++;
    last_code = *code;
    last_comm = *comm;
}

static void second(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
    calls += 100;
}

static void provoke(MPI_Comm comm) {
    int value = 0;
    CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, 1000000, 0, comm), MPI_ERR_RANK);
}

static void user(void) {
    MPI_Errhandler ours, theirs, found;
    MPI_Comm comm, copy, split;
    DO(MPI_Comm_create_errhandler(handler, &ours));
    DO(MPI_Comm_create_errhandler(second, &theirs));
    DO(MPI_Comm_dup(W, &comm));
    DO(MPI_Comm_set_errhandler(comm, ours));
    calls = 0;
    provoke(comm);
    CHECK_EQ(calls, 1);
    CHECK(last_comm == comm);
    CHECK_EQ(check_class(last_code), MPI_ERR_RANK);
    DO(MPI_Comm_dup(comm, &copy)); // the new communicators inherit it
    DO(MPI_Comm_split(comm, 0, rank, &split));
    calls = 0;
    provoke(copy);
    CHECK(last_comm == copy);
    provoke(split);
    CHECK_EQ(calls, 2);
    DO(MPI_Comm_set_errhandler(comm, theirs)); // and are independent of the old one
    calls = 0;
    provoke(comm);
    CHECK_EQ(calls, 100);
    provoke(copy);
    CHECK_EQ(calls, 101);
    DO(MPI_Comm_get_errhandler(copy, &found));
    CHECK(found == ours);
    DO(MPI_Errhandler_free(&found));
    DO(MPI_Errhandler_free(&ours)); // stays in use
    CHECK(ours == MPI_ERRHANDLER_NULL);
    calls = 0;
    provoke(copy);
    CHECK_EQ(calls, 1);
    DO(MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER));
    CHECK_EQ(calls, 2);
    CHECK_EQ(check_class(last_code), MPI_ERR_OTHER);
    DO(MPI_Errhandler_free(&theirs));
    DO(MPI_Comm_free(&comm));
    DO(MPI_Comm_free(&copy));
    DO(MPI_Comm_free(&split));
}

static void predefined(void) {
    MPI_Errhandler found;
    MPI_Comm comm;
    DO(MPI_Comm_get_errhandler(W, &found));
    CHECK(found == MPI_ERRORS_ARE_FATAL);
    DO(MPI_Comm_dup(W, &comm));
    DO(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    DO(MPI_Comm_get_errhandler(comm, &found));
    CHECK(found == MPI_ERRORS_RETURN);
    provoke(comm);
    DO(MPI_Comm_call_errhandler(comm, MPI_ERR_TAG));
    DO(MPI_Comm_free(&comm));
}

#ifdef MPICH_NAME
// In MPICH a communicator whose handler was never set follows that of MPI_COMM_WORLD.
static void unset(void) {
    MPI_Comm comm;
    DO(MPI_Comm_dup(W, &comm));
    DO(MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN));
    provoke(comm);
    DO(MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL));
    DO(MPI_Comm_free(&comm));
}
#endif

// An error in a wait belongs to the communicator of its request.
static void in_wait(void) {
    MPI_Errhandler ours;
    MPI_Comm comm;
    MPI_Request request;
    int out[2] = {1, 2}, in;
    DO(MPI_Comm_create_errhandler(handler, &ours));
    DO(MPI_Comm_dup(W, &comm));
    DO(MPI_Comm_set_errhandler(comm, ours));
    calls = 0;
    int peer = rank ^ 1;
    if (peer < size) {
        if (rank < peer) {
            DO(MPI_Send(out, 2, MPI_INT, peer, 0, comm));
        } else {
            DO(MPI_Irecv(&in, 1, MPI_INT, peer, 0, comm, &request));
            CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
            CHECK_EQ(calls, 1);
            CHECK_EQ(check_class(last_code), MPI_ERR_TRUNCATE);
        }
    }
    DO(MPI_Errhandler_free(&ours));
    DO(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
#ifdef MPICH_NAME
    unset();
#endif
    predefined();
    user();
    in_wait();
    return check_finish();
}
