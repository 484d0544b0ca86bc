// SPDX-License-Identifier: MIT OR Apache-2.0
// Ranks that look for messages in loops, with calls that do not wait, answer each other although they share cores: 300
// rounds by each such call. Whoever kept its core from the other until the kernel takes it away would need a time slice a round.
#include "check.h"

enum { ROUNDS = 300 };
enum { TEST, TESTANY, TESTALL, TESTSOME, GET_STATUS, IPROBE, IMPROBE, CALLS };

static void look(int call, int peer, int *got) {
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Message message;
    MPI_Status status;
    int flag = 0, index, count = 0, indices[2];
    if (call < IPROBE) DO(MPI_Irecv(got, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &request[0]));
    while (!flag) {
        switch (call) {
        case TEST: DO(MPI_Test(&request[0], &flag, &status)); break;
        case TESTANY: DO(MPI_Testany(2, request, &index, &flag, &status)); break;
        case TESTALL: DO(MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE)); break;
        case TESTSOME: DO(MPI_Testsome(2, request, &count, indices, MPI_STATUSES_IGNORE)); flag = count != 0; break;
        case GET_STATUS: DO(MPI_Request_get_status(request[0], &flag, &status)); break;
        case IPROBE: DO(MPI_Iprobe(peer, 5, MPI_COMM_WORLD, &flag, &status)); break;
        case IMPROBE: DO(MPI_Improbe(peer, 5, MPI_COMM_WORLD, &flag, &message, &status)); break;
        }
    }
    if (call == GET_STATUS) DO(MPI_Wait(&request[0], &status));
    if (call == IPROBE) DO(MPI_Recv(got, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &status));
    if (call == IMPROBE) DO(MPI_Mrecv(got, 1, MPI_INT, &message, &status));
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    int peer = rank ^ 1;
    for (int call = 0; call < CALLS && peer < size; call++)
        for (int round = 0; round < ROUNDS; round++) {
            int sent = round * CALLS + call, got = -1;
            if (rank % 2 == 0) DO(MPI_Send(&sent, 1, MPI_INT, peer, 5, MPI_COMM_WORLD));
            look(call, peer, &got);
            CHECK_EQ(got, sent);
            if (rank % 2 == 1) DO(MPI_Send(&sent, 1, MPI_INT, peer, 5, MPI_COMM_WORLD));
        }
    return check_finish();
}
