// SPDX-License-Identifier: MIT OR Apache-2.0
// Messages to oneself: on the world and on MPI_COMM_SELF, any order of posting, all sizes, derived types, wildcards.
#include "check.h"

static void both_orders(MPI_Comm comm, int me, int bytes) {
    unsigned char *out = check_alloc(bytes), *in = check_alloc(bytes);
    MPI_Request request;
    MPI_Status status;
    check_fill(out, bytes, 1);
    DO(MPI_Irecv(in, bytes, MPI_BYTE, me, 1, comm, &request));
    DO(MPI_Send(out, bytes, MPI_BYTE, me, 1, comm)); // allowed to block without the posted receive only
    DO(MPI_Wait(&request, &status));
    CHECK_STATUS(&status, me, 1, MPI_BYTE, bytes);
    CHECK_FILLED(in, bytes, 1);

    check_fill(out, bytes, 2);
    DO(MPI_Isend(out, bytes, MPI_BYTE, me, 2, comm, &request));
    DO(MPI_Probe(me, MPI_ANY_TAG, comm, &status));
    CHECK_STATUS(&status, me, 2, MPI_BYTE, bytes);
    DO(MPI_Recv(in, bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
    CHECK_STATUS(&status, me, 2, MPI_BYTE, bytes);
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_FILLED(in, bytes, 2);

    check_fill(out, bytes, 3);
    DO(MPI_Irecv(in, bytes, MPI_BYTE, me, 3, comm, &request));
    DO(MPI_Ssend(out, bytes, MPI_BYTE, me, 3, comm));
    DO(MPI_Wait(&request, &status));
    CHECK_FILLED(in, bytes, 3);

    check_fill(out, bytes, 4);
    DO(MPI_Sendrecv(out, bytes, MPI_BYTE, me, 4, in, bytes, MPI_BYTE, me, 4, comm, &status));
    CHECK_STATUS(&status, me, 4, MPI_BYTE, bytes);
    CHECK_FILLED(in, bytes, 4);
    DO(MPI_Sendrecv_replace(in, bytes, MPI_BYTE, me, 5, me, 5, comm, &status));
    CHECK_FILLED(in, bytes, 4);
    free(out);
    free(in);
}

static void synchronous(void) {
    int out = 9, in = 0, flag = 1;
    MPI_Request request;
    DO(MPI_Issend(&out, 1, MPI_INT, 0, 6, MPI_COMM_SELF, &request));
    DO(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    CHECK_EQ(flag, 0);
    if (!flag) {
        DO(MPI_Recv(&in, 1, MPI_INT, 0, 6, MPI_COMM_SELF, MPI_STATUS_IGNORE));
        DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_EQ(in, 9);
    }
}

// One look at receives that have matched messages of the process itself finds all of them done, as on Open MPI and MPICH: programs
// let go of their buffers after it.
static void done_when_matched(int bytes, int matched_probe) {
    enum { MANY = 5 };
    unsigned char *out[MANY], *in[MANY];
    MPI_Request sends[MANY], receives[MANY];
    int flag = 0;
    for (int i = 0; i < MANY; i++) {
        out[i] = check_alloc(bytes), in[i] = check_alloc(bytes);
        check_fill(out[i], bytes, i);
        DO(MPI_Issend(out[i], bytes, MPI_BYTE, 0, 9, MPI_COMM_SELF, &sends[i]));
    }
    for (int i = 0; i < MANY; i++)
        if (matched_probe) {
            MPI_Message message;
            DO(MPI_Mprobe(0, 9, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE));
            DO(MPI_Imrecv(in[i], bytes, MPI_BYTE, &message, &receives[i]));
        } else
            DO(MPI_Irecv(in[i], bytes, MPI_BYTE, 0, 9, MPI_COMM_SELF, &receives[i]));
    DO(MPI_Testall(MANY, receives, &flag, MPI_STATUSES_IGNORE));
    CHECK_EQ(flag, 1);
    DO(MPI_Waitall(MANY, receives, MPI_STATUSES_IGNORE));
    DO(MPI_Waitall(MANY, sends, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MANY; i++) {
        CHECK_FILLED(in[i], bytes, i);
        free(out[i]), free(in[i]);
    }
}

static void many_in_order(void) {
    enum { MANY = 1000 };
    int out[MANY], in[MANY];
    MPI_Request requests[MANY];
    for (int i = 0; i < MANY; i++) {
        out[i] = i;
        DO(MPI_Isend(&out[i], 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &requests[i]));
    }
    for (int i = 0; i < MANY; i++)
        DO(MPI_Recv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    DO(MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MANY; i++)
        CHECK_EQ(in[i], i);
}

// A column to a row: pack and unpack on the way.
static void transpose(void) {
    enum { EDGE = 300 };
    static int matrix[EDGE][EDGE], row[EDGE];
    MPI_Datatype column;
    for (int i = 0; i < EDGE; i++)
        for (int j = 0; j < EDGE; j++)
            matrix[i][j] = i * 1000 + j;
    DO(MPI_Type_vector(EDGE, 1, EDGE, MPI_INT, &column));
    DO(MPI_Type_commit(&column));
    DO(MPI_Sendrecv(&matrix[0][5], 1, column, 0, 8, row, EDGE, MPI_INT, 0, 8, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    for (int i = 0; i < EDGE; i++)
        CHECK_EQ(row[i], i * 1000 + 5);
    DO(MPI_Type_free(&column));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    int sizes[] = {0, 1, 1000, 4096, 65536, 3000000};
    for (int i = 0; i < 6; i++) {
        both_orders(MPI_COMM_WORLD, rank, sizes[i]);
        both_orders(MPI_COMM_SELF, 0, sizes[i]);
    }
    synchronous();
    for (int i = 0; i < 6; i++) {
        done_when_matched(sizes[i], 0);
        done_when_matched(sizes[i], 1);
    }
    many_in_order();
    transpose();
    return check_finish();
}
