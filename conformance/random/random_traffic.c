// SPDX-License-Identifier: MIT OR Apache-2.0
// Random message patterns and collectives from a seed (arguments: see each_seed), the same on every rank and every implementation. Rank 0
// prints the seed and a checksum of everything that arrived: the output must be the same on all implementations.
#include "seeded.h"

static int random_length(void) {
    static const int scale[] = {1, 16, 200, 3000, 9000, 70000, 300000};
    return below(scale[below(7)] + 1);
}

static int serial; // of the messages that have a tag of their own

struct message {
    int from, to, tag, bytes, mode;
};

// A set of messages that all ranks know, sends or receives posted first. A receive takes any source where no other message of
// the whole run has its tag (a fast rank may be rounds ahead), so that there is one right result.
static void messages(MPI_Comm comm, const int *world) {
    enum { MOST = 40 };
    struct message all[MOST];
    MPI_Request requests[2 * MOST];
    unsigned char *data[2 * MOST];
    int n = 1 + below(MOST), mine = 0, me, members, first = below(3);
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &members);
    for (int i = 0; i < n; i++)
        all[i] = (struct message){below(members), below(members), below(2) ? 1 + serial++ : 0, random_length(), below(4)};
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n; i++) {
            struct message *m = &all[i];
            if ((pass == (first == 0)) && m->from == me) { // sends
                data[mine] = check_alloc(m->bytes);
                check_fill(data[mine], m->bytes, world[me] * 31 + i);
                DO((m->mode == 0 ? MPI_Issend : MPI_Isend)(data[mine], m->bytes, MPI_BYTE, m->to, m->tag, comm, &requests[mine]));
                mine++;
            } else if ((pass == (first != 0)) && m->to == me) {
                int wild = m->tag != 0 && m->mode == 3;
                data[mine] = check_alloc(m->bytes);
                DO(MPI_Irecv(data[mine], m->bytes, MPI_BYTE, wild ? MPI_ANY_SOURCE : m->from, m->tag, comm, &requests[mine]));
                mine++;
            }
        }
    DO(MPI_Waitall(mine, requests, MPI_STATUSES_IGNORE));
    mine = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n; i++) {
            struct message *m = &all[i];
            if ((pass == (first == 0)) && m->from == me) {
                free(data[mine++]);
            } else if ((pass == (first != 0)) && m->to == me) {
                CHECK_FILLED(data[mine], m->bytes, world[m->from] * 31 + i);
                note(data[mine], m->bytes, i);
                free(data[mine++]);
            }
        }
}

static void collective(MPI_Comm comm) {
    int members, me, kind = below(8), n = 1 + random_length() / 16, root;
    MPI_Comm_size(comm, &members);
    MPI_Comm_rank(comm, &me);
    root = below(members);
    size_t bytes = sizeof(int) * n * members;
    int *out = check_alloc(bytes), *in = check_alloc(bytes), result = 1;
    memset(in, 0, bytes);
    for (size_t i = 0; i < bytes / sizeof(int); i++)
        out[i] = (int)i * 3 + me * 1009 + kind;
    switch (kind) {
    case 0: DO(MPI_Bcast(out, n, MPI_INT, root, comm)); memcpy(in, out, n * sizeof(int)); break;
    case 1: DO(MPI_Allreduce(out, in, n, MPI_INT, MPI_SUM, comm)); break;
    case 2: DO(MPI_Reduce(out, in, n, MPI_INT, MPI_MAX, root, comm)); result = me == root; break;
    case 3: DO(MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, comm)); break;
    case 4: DO(MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, comm)); break;
    case 5: DO(MPI_Gather(out, n, MPI_INT, in, n, MPI_INT, root, comm)); result = me == root; break;
    case 6: DO(MPI_Scatter(out, n, MPI_INT, in, n, MPI_INT, root, comm)); break;
    default: DO(MPI_Scan(out, in, n, MPI_INT, MPI_SUM, comm));
    }
    if (result)
        note(in, bytes, kind);
    free(out);
    free(in);
}

static void traffic(int seed, int rounds) {
    state = (uint64_t)seed;
    serial = 0;
    MPI_Comm comms[3];
    int world[3][size];
    comms[0] = MPI_COMM_WORLD;
    DO(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]));
    DO(MPI_Comm_dup(MPI_COMM_WORLD, &comms[2]));
    for (int r = 0; r < size; r++)
        world[0][r] = world[2][r] = r, world[1][r] = size - 1 - r;
    for (int round = 0; round < rounds; round++) {
        int c = below(3);
        if (below(2))
            messages(comms[c], world[c]);
        else
            collective(comms[c]);
    }
    DO(MPI_Comm_free(&comms[1]));
    DO(MPI_Comm_free(&comms[2]));
}

int main(int argc, char **argv) {
    return each_seed(argc, argv, 60, traffic);
}
