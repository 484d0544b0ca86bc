// SPDX-License-Identifier: MIT OR Apache-2.0
// Buffers of MPI 4.1: of communicators, of sessions, of the process; which one a buffered send uses; the automatic buffer;
// flushing, detaching. Argument "errors": buffers that are not there or there twice (MPICH 5.0.2 has other classes).
#include "check.h"

#define ROOM (MPI_BSEND_OVERHEAD + 1000)

static char memory[3][ROOM];
static int errors;

// A buffered send of `bytes` to oneself that stays unreceived until `take`.
static int put(int bytes, MPI_Comm comm) {
    static char data[100000];
    return MPI_Bsend(data, bytes, MPI_BYTE, 0, 1, comm);
}

static void take(int bytes, MPI_Comm comm) {
    static char data[100000];
    MPI_Status status;
    DO(MPI_Recv(data, bytes, MPI_BYTE, 0, 1, comm, &status));
    CHECK_STATUS(&status, 0, 1, MPI_BYTE, bytes);
}

static void detached(void *wanted, int size, void *found, int found_size) {
    CHECK(wanted == found);
    CHECK_EQ(found_size, size);
}

static void of_comm(void) {
    MPI_Comm own;
    MPI_Request request;
    void *address = NULL;
    int bytes = -1;
    DO(MPI_Comm_dup(MPI_COMM_SELF, &own));
    DO(MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN));
    if (errors)
        CHECK_ERROR(MPI_Comm_detach_buffer(own, &address, &bytes), MPI_ERR_BUFFER);
    CHECK_ERROR(put(10, own), MPI_ERR_BUFFER);
    DO(MPI_Comm_attach_buffer(own, memory[0], ROOM));
    if (errors)
        CHECK_ERROR(MPI_Comm_attach_buffer(own, memory[1], ROOM), MPI_ERR_BUFFER);
    DO(put(1000, own));
    CHECK_ERROR(put(10, MPI_COMM_SELF), MPI_ERR_BUFFER); // it is for its own messages alone
    CHECK_ERROR(put(5000, own), MPI_ERR_BUFFER);
    take(1000, own);
    DO(MPI_Comm_flush_buffer(own));
    DO(MPI_Comm_iflush_buffer(own, &request));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    DO(MPI_Comm_detach_buffer(own, &address, &bytes));
    detached(memory[0], ROOM, address, bytes);
    // The process's own serves communicators without one.
    DO(MPI_Buffer_attach(memory[1], ROOM));
    DO(put(500, own));
    take(500, own);
    DO(MPI_Buffer_flush());
    DO(MPI_Buffer_iflush(&request));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    DO(MPI_Buffer_detach(&address, &bytes));
    detached(memory[1], ROOM, address, bytes);
    DO(MPI_Comm_free(&own));
}

static void automatic(void) {
    void *address = NULL;
    int bytes = -1;
    DO(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    for (int i = 0; i < 20; i++)
        DO(put(100000, MPI_COMM_SELF));
    for (int i = 0; i < 20; i++)
        take(100000, MPI_COMM_SELF);
    DO(MPI_Buffer_detach(&address, &bytes));
    CHECK(address == MPI_BUFFER_AUTOMATIC);
}

static void of_session(void) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm, child;
    void *address = NULL;
    int bytes = -1;
    DO(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    DO(MPI_Group_from_session_pset(session, "mpi://SELF", &group));
    DO(MPI_Comm_create_from_group(group, "buffers", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    DO(MPI_Comm_dup(comm, &child));
    DO(MPI_Session_attach_buffer(session, memory[2], ROOM));
    DO(put(300, child));
    CHECK_ERROR(put(10, MPI_COMM_SELF), MPI_ERR_BUFFER);
    take(300, child);
    DO(MPI_Session_flush_buffer(session));
    DO(MPI_Session_detach_buffer(session, &address, &bytes));
    detached(memory[2], ROOM, address, bytes);
    CHECK_ERROR(put(10, child), MPI_ERR_BUFFER);
    DO(MPI_Comm_free(&child));
    DO(MPI_Comm_free(&comm));
    DO(MPI_Group_free(&group));
    DO(MPI_Session_finalize(&session));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    errors = check_option(argc, argv, "errors");
    DO(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    DO(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    of_comm();
    automatic();
    of_session();
    return check_finish();
}
