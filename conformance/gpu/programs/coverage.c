// SPDX-License-Identifier: MIT OR Apache-2.0
// The calls that no other program here makes on devices: every collective in place where it has such a form, between two groups
// (intercommunicators) and with neighbours, blocking, nonblocking and, with an mpi.h of MPI 4, persistent; messages of every other
// mode: sendrecv without blocking, ready and buffered persistent, partitioned, matched and unmatched probes, external32.
// Argument: how many of the lengths (3).
#include "cuda.h"

#define W MPI_COMM_WORLD

typedef enum { BLOCKING, NONBLOCKING, PERSISTENT } Mode;
static Mode mode;
#if MPI_VERSION >= 4
#define MODES 3
#define PERSIST(Name, request, ...) MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, request)
#else
#define MODES 2
#define PERSIST(Name, request, ...) MPI_ERR_OTHER
#endif

// Starts a request, if it is persistent, and ends it.
static int complete(MPI_Request *request) {
    int code = mode == PERSISTENT ? MPI_Start(request) : MPI_SUCCESS;
    if (code == MPI_SUCCESS)
        code = MPI_Wait(request, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && mode == PERSISTENT)
        code = MPI_Request_free(request);
    return code;
}

// A collective in the mode of the round: RUN(Bcast, bcast, arguments without request).
#define RUN(Name, name, ...)                                                                                 \
    do {                                                                                                     \
        MPI_Request request_ = MPI_REQUEST_NULL;                                                             \
        void *context_ = cuda_current();                                                                     \
        int code_;                                                                                           \
        if (mode == BLOCKING)                                                                                \
            code_ = MPI_##Name(__VA_ARGS__);                                                                 \
        else if ((code_ = mode == NONBLOCKING ? MPI_I##name(__VA_ARGS__, &request_)                          \
                                              : PERSIST(Name, &request_, __VA_ARGS__)) == MPI_SUCCESS)       \
            code_ = complete(&request_);                                                                     \
        if (code_ != MPI_SUCCESS)                                                                            \
            CHECK_FAIL("MPI_%s in mode %d returned class %d", #Name, mode, check_class(code_));              \
        if (cuda_current() != context_)                                                                      \
            CHECK_FAIL("MPI_%s in mode %d changed the current context", #Name, mode);                        \
    } while (0)

static Memory values(int n) {
    return cuda_values(0, n, n);
}

static Memory room(int n) {
    return cuda_values(0, 0, n);
}

static void drop(Memory *a, Memory *b) {
    cuda_free(a);
    cuda_free(b);
}

// A buffer for `n` elements of which only those from `from` on, `count` of them, are this rank's values.
static Memory part(int n, int from, int count) {
    Memory memory = room(n);
    int *host = check_alloc(sizeof(int) * count);
    for (int i = 0; i < count; i++)
        host[i] = cuda_value(rank, i);
    cuda_put(&memory, sizeof(int) * from, host, sizeof(int) * count);
    free(host);
    return memory;
}

// The sum over the ranks before `end`.
static int partial(int end, int i) {
    int all = 0;
    for (int r = 0; r < end; r++)
        all += cuda_value(r, i);
    return all;
}

// Counts that differ, with a gap after each part.
typedef struct {
    int counts[64], at[64], total;
} Parts;

static Parts parts(int n, int many) {
    Parts all = {.total = 0};
    for (int r = 0; r < many; r++) {
        all.counts[r] = n + r;
        all.at[r] = all.total;
        all.total += n + r + 1;
    }
    return all;
}

static void gathers_in_place(int n, int root) {
    Parts p = parts(n, size);
    Memory all = part(n * size, n * rank, n), mine = values(n + rank);
    RUN(Allgather, allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.at, n, MPI_INT, W);
    for (int r = 0; r < size; r++)
        CUDA_INTS(&all, r * n, n, cuda_value(r, i));
    cuda_free(&all);
    all = part(n * size, n * rank, n);
    RUN(Gather, gather, rank == root ? MPI_IN_PLACE : mine.at, n, MPI_INT, all.at, n, MPI_INT, root, W);
    for (int r = 0; rank == root && r < size; r++)
        CUDA_INTS(&all, r * n, n, cuda_value(r, i));
    cuda_free(&all);
    all = part(p.total, p.at[rank], n + rank);
    RUN(Allgatherv, allgatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.at, p.counts, p.at, MPI_INT, W);
    for (int r = 0; r < size; r++)
        CUDA_INTS(&all, p.at[r], p.counts[r], cuda_value(r, i));
    cuda_free(&all);
    all = part(p.total, p.at[rank], n + rank);
    RUN(Gatherv, gatherv, rank == root ? MPI_IN_PLACE : mine.at, n + rank, MPI_INT, all.at, p.counts, p.at, MPI_INT, root, W);
    for (int r = 0; rank == root && r < size; r++)
        CUDA_INTS(&all, p.at[r], p.counts[r], cuda_value(r, i));
    drop(&all, &mine);
}

static void scatters_in_place(int n, int root) {
    Parts p = parts(n, size);
    Memory all = values(n * size), mine = room(n + rank);
    RUN(Scatter, scatter, all.at, n, MPI_INT, rank == root ? MPI_IN_PLACE : mine.at, n, MPI_INT, root, W);
    if (rank != root)
        CUDA_INTS(&mine, 0, n, cuda_value(root, rank * n + i));
    drop(&all, &mine);
    all = values(p.total), mine = room(n + rank);
    RUN(Scatterv, scatterv, all.at, p.counts, p.at, MPI_INT, rank == root ? MPI_IN_PLACE : mine.at, n + rank, MPI_INT, root, W);
    if (rank != root)
        CUDA_INTS(&mine, 0, n + rank, cuda_value(root, p.at[rank] + i));
    drop(&all, &mine);
}

// Every rank sends n elements to each.
static void exchanges_in_place(int n) {
    int counts[64], at[64], bytes[64];
    MPI_Datatype types[64];
    for (int r = 0; r < size; r++)
        counts[r] = n, at[r] = r * n, bytes[r] = (int)sizeof(int) * r * n, types[r] = MPI_INT;
    for (int form = 0; form < 3; form++) {
        Memory all = values(n * size);
        if (form == 0)
            RUN(Alltoall, alltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.at, n, MPI_INT, W);
        else if (form == 1)
            RUN(Alltoallv, alltoallv, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, all.at, counts, at, MPI_INT, W);
        else
            RUN(Alltoallw, alltoallw, MPI_IN_PLACE, NULL, NULL, NULL, all.at, counts, bytes, types, W);
        for (int r = 0; r < size; r++)
            CUDA_INTS(&all, r * n, n, cuda_value(r, rank * n + i));
        cuda_free(&all);
    }
}

static void reductions_in_place(int n) {
    int counts[64], before = 0, total = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = n + r;
        before += r < rank ? counts[r] : 0;
        total += counts[r];
    }
    Memory all = values(n * size), some = values(total);
    RUN(Reduce_scatter_block, reduce_scatter_block, MPI_IN_PLACE, all.at, n, MPI_INT, MPI_SUM, W);
    CUDA_INTS(&all, 0, n, cuda_sum(rank * n + i));
    RUN(Reduce_scatter, reduce_scatter, MPI_IN_PLACE, some.at, counts, MPI_INT, MPI_SUM, W);
    CUDA_INTS(&some, 0, n + rank, cuda_sum(before + i));
    drop(&all, &some);
    all = values(n), some = values(n);
    RUN(Scan, scan, MPI_IN_PLACE, all.at, n, MPI_INT, MPI_SUM, W);
    CUDA_INTS(&all, 0, n, partial(rank + 1, i));
    RUN(Exscan, exscan, MPI_IN_PLACE, some.at, n, MPI_INT, MPI_SUM, W);
    if (rank > 0)
        CUDA_INTS(&some, 0, n, partial(rank, i));
    drop(&all, &some);
}

// What no other program makes persistent.
static void plain(int n, int root) {
    Memory out = values(n * size), in = room(n * size);
    RUN(Allreduce, allreduce, out.at, in.at, n, MPI_INT, MPI_SUM, W);
    CUDA_INTS(&in, 0, n, cuda_sum(i));
    RUN(Reduce, reduce, out.at, in.at, n, MPI_INT, MPI_MAX, root, W);
    if (rank == root)
        CUDA_INTS(&in, 0, n, cuda_value(size - 1, i));
    RUN(Alltoall, alltoall, out.at, n, MPI_INT, in.at, n, MPI_INT, W);
    for (int r = 0; r < size; r++)
        CUDA_INTS(&in, r * n, n, cuda_value(r, rank * n + i));
    RUN(Bcast, bcast, out.at, n, MPI_INT, root, W);
    CUDA_INTS(&out, 0, n, cuda_value(root, i));
    drop(&out, &in);
}

// On a ring the first neighbour is the rank before, the second the one behind; with two ranks they are the same one, and which of
// its two parts comes first is not looked at.
static void neighbours(int n) {
    int periodic = 1, near[2] = {(rank + size - 1) % size, (rank + 1) % size};
    int counts[2] = {n, n}, at[2] = {n + 1, 0}, from[2] = {0, n};
    MPI_Aint bytes[2] = {0, (MPI_Aint)sizeof(int) * n};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Comm ring;
    DO(MPI_Cart_create(W, 1, &size, &periodic, 0, &ring));
    Memory out = values(2 * n), in = room(2 * n + 1);
    RUN(Neighbor_allgather, neighbor_allgather, out.at, n, MPI_INT, in.at, n, MPI_INT, ring);
    for (int k = 0; k < 2; k++)
        CUDA_INTS(&in, k * n, n, cuda_value(near[k], i));
    RUN(Neighbor_allgatherv, neighbor_allgatherv, out.at, n, MPI_INT, in.at, counts, at, MPI_INT, ring);
    for (int k = 0; k < 2; k++)
        CUDA_INTS(&in, at[k], n, cuda_value(near[k], i));
    for (int form = 0; form < 3; form++) {
        cuda_free(&in);
        in = room(2 * n + 1);
        if (form == 0)
            RUN(Neighbor_alltoall, neighbor_alltoall, out.at, n, MPI_INT, in.at, n, MPI_INT, ring);
        else if (form == 1)
            RUN(Neighbor_alltoallv, neighbor_alltoallv, out.at, counts, from, MPI_INT, in.at, counts, from, MPI_INT, ring);
        else
            RUN(Neighbor_alltoallw, neighbor_alltoallw, out.at, counts, bytes, types, in.at, counts, bytes, types, ring);
        for (int k = 0; size > 2 && k < 2; k++)
            CUDA_INTS(&in, k * n, n, cuda_value(near[k], (1 - k) * n + i));
    }
    drop(&out, &in);
    DO(MPI_Comm_free(&ring));
}

// Two groups: the even ranks and the odd ones.
typedef struct {
    MPI_Comm comm;
    int side, me, mine, theirs;
    int root; // what the calls with a root get: the root is the first even rank
} Bridge;

static int theirs(const Bridge *b, int k) {
    return 2 * k + 1 - b->side;
}

static int their_sum(const Bridge *b, int i) {
    int all = 0;
    for (int k = 0; k < b->theirs; k++)
        all += cuda_value(theirs(b, k), i);
    return all;
}

static void across_rooted(const Bridge *b, int n) {
    Parts p = parts(n, b->theirs), own = parts(n, b->mine);
    bool root = b->side == 0 && b->me == 0;
    Memory data = root ? values(n) : room(n), out = values(p.total), in = room(p.total);
    RUN(Bcast, bcast, data.at, n, MPI_INT, b->root, b->comm);
    if (b->side == 1)
        CUDA_INTS(&data, 0, n, cuda_value(0, i));
    RUN(Reduce, reduce, out.at, in.at, n, MPI_INT, MPI_SUM, b->root, b->comm);
    if (root)
        CUDA_INTS(&in, 0, n, their_sum(b, i));
    RUN(Gather, gather, out.at, n, MPI_INT, in.at, n, MPI_INT, b->root, b->comm);
    for (int k = 0; root && k < b->theirs; k++)
        CUDA_INTS(&in, k * n, n, cuda_value(theirs(b, k), i));
    RUN(Gatherv, gatherv, out.at, n + b->me, MPI_INT, in.at, p.counts, p.at, MPI_INT, b->root, b->comm);
    for (int k = 0; root && k < b->theirs; k++)
        CUDA_INTS(&in, p.at[k], p.counts[k], cuda_value(theirs(b, k), i));
    RUN(Scatter, scatter, out.at, n, MPI_INT, in.at, n, MPI_INT, b->root, b->comm);
    if (b->side == 1)
        CUDA_INTS(&in, 0, n, cuda_value(0, b->me * n + i));
    RUN(Scatterv, scatterv, out.at, p.counts, p.at, MPI_INT, in.at, n + b->me, MPI_INT, b->root, b->comm);
    if (b->side == 1)
        CUDA_INTS(&in, 0, n + b->me, cuda_value(0, own.at[b->me] + i));
    drop(&out, &in);
    cuda_free(&data);
}

static void across_all(const Bridge *b, int n) {
    Parts p = parts(n, b->theirs);
    Memory out = values(n + b->me), in = room(p.total);
    RUN(Allreduce, allreduce, out.at, in.at, n, MPI_INT, MPI_SUM, b->comm);
    CUDA_INTS(&in, 0, n, their_sum(b, i));
    RUN(Allgather, allgather, out.at, n, MPI_INT, in.at, n, MPI_INT, b->comm);
    for (int k = 0; k < b->theirs; k++)
        CUDA_INTS(&in, k * n, n, cuda_value(theirs(b, k), i));
    RUN(Allgatherv, allgatherv, out.at, n + b->me, MPI_INT, in.at, p.counts, p.at, MPI_INT, b->comm);
    for (int k = 0; k < b->theirs; k++)
        CUDA_INTS(&in, p.at[k], p.counts[k], cuda_value(theirs(b, k), i));
    drop(&out, &in);
}

static void across_exchange(const Bridge *b, int n) {
    int counts[64], at[64], bytes[64];
    MPI_Datatype types[64];
    for (int k = 0; k < b->theirs; k++)
        counts[k] = n, at[k] = k * n, bytes[k] = (int)sizeof(int) * k * n, types[k] = MPI_INT;
    for (int form = 0; form < 3; form++) {
        Memory out = values(n * b->theirs), in = room(n * b->theirs);
        if (form == 0)
            RUN(Alltoall, alltoall, out.at, n, MPI_INT, in.at, n, MPI_INT, b->comm);
        else if (form == 1)
            RUN(Alltoallv, alltoallv, out.at, counts, at, MPI_INT, in.at, counts, at, MPI_INT, b->comm);
        else
            RUN(Alltoallw, alltoallw, out.at, counts, bytes, types, in.at, counts, bytes, types, b->comm);
        for (int k = 0; k < b->theirs; k++)
            CUDA_INTS(&in, k * n, n, cuda_value(theirs(b, k), b->me * n + i));
        drop(&out, &in);
    }
}

// Both groups contribute as many elements, so that they must be as large as each other.
static void across_scatter(const Bridge *b, int n) {
    int counts[64];
    if (b->mine != b->theirs)
        return;
    for (int k = 0; k < b->mine; k++)
        counts[k] = n;
    Memory out = values(n * b->mine), in = room(n);
    RUN(Reduce_scatter_block, reduce_scatter_block, out.at, in.at, n, MPI_INT, MPI_SUM, b->comm);
    CUDA_INTS(&in, 0, n, their_sum(b, b->me * n + i));
    cuda_free(&in);
    in = room(n);
    RUN(Reduce_scatter, reduce_scatter, out.at, in.at, counts, MPI_INT, MPI_SUM, b->comm);
    CUDA_INTS(&in, 0, n, their_sum(b, b->me * n + i));
    drop(&out, &in);
}

static void across(int n) {
    Bridge b = {.side = rank % 2};
    MPI_Comm own;
    if (size < 2)
        return;
    DO(MPI_Comm_split(W, b.side, rank, &own));
    DO(MPI_Intercomm_create(own, 0, W, 1 - b.side, 77, &b.comm));
    DO(MPI_Comm_remote_size(b.comm, &b.theirs));
    DO(MPI_Comm_size(own, &b.mine));
    DO(MPI_Comm_rank(own, &b.me));
    b.root = b.side == 1 ? 0 : b.me == 0 ? MPI_ROOT : MPI_PROC_NULL;
    across_rooted(&b, n);
    across_all(&b, n);
    across_exchange(&b, n);
    across_scatter(&b, n);
    DO(MPI_Comm_free(&b.comm));
    DO(MPI_Comm_free(&own));
}

static int next, previous;
static Memory out, in;
static MPI_Request requests[2]; // the receive, then the send

static void fresh(int n) {
    out = values(n);
    in = room(n);
}

// Both requests end, and what came is the rank's before.
static void arrived(int n) {
    DO(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CUDA_INTS(&in, 0, n, cuda_value(previous, i));
    for (int k = 0; k < 2; k++)
        if (requests[k] != MPI_REQUEST_NULL)
            DO(MPI_Request_free(&requests[k]));
    drop(&out, &in);
}

static void modes(int n) {
    fresh(n);
    DO(MPI_Irecv(in.at, n, MPI_INT, previous, 2, W, &requests[0]));
    DO(MPI_Barrier(W)); // the receive is there when a ready send begins
    DO(MPI_Irsend(out.at, n, MPI_INT, next, 2, W, &requests[1]));
    arrived(n);
    fresh(n);
    DO(MPI_Recv_init(in.at, n, MPI_INT, previous, 3, W, &requests[0]));
    DO(MPI_Bsend_init(out.at, n, MPI_INT, next, 3, W, &requests[1]));
    DO(MPI_Startall(2, requests));
    arrived(n);
    fresh(n);
    DO(MPI_Recv_init(in.at, n, MPI_INT, previous, 3, W, &requests[0]));
    DO(MPI_Rsend_init(out.at, n, MPI_INT, next, 3, W, &requests[1]));
    DO(MPI_Start(&requests[0]));
    DO(MPI_Barrier(W));
    DO(MPI_Start(&requests[1]));
    arrived(n);
}

static void probes(int n) {
    MPI_Message message;
    MPI_Status status;
    int found = 0, count = -1;
    fresh(n);
    DO(MPI_Isend(out.at, n, MPI_INT, next, 4, W, &requests[1]));
    while (!found)
        DO(MPI_Improbe(previous, 4, W, &found, &message, &status));
    DO(MPI_Imrecv(in.at, n, MPI_INT, &message, &requests[0]));
    arrived(n);
    fresh(n);
    DO(MPI_Isend(out.at, n, MPI_INT, next, 4, W, &requests[1]));
    for (found = 0; !found;)
        DO(MPI_Iprobe(previous, 4, W, &found, &status));
    DO(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_EQ(count, n);
    DO(MPI_Irecv(in.at, n, MPI_INT, status.MPI_SOURCE, 4, W, &requests[0]));
    arrived(n);
}

static void external(int n) {
    MPI_Aint bytes, at = 0;
    DO(MPI_Pack_external_size("external32", n, MPI_INT, &bytes));
    Memory packed = cuda_alloc(cuda_kind(rank), bytes + 1);
    fresh(n);
    DO(MPI_Pack_external("external32", out.at, n, MPI_INT, packed.at, bytes, &at));
    CHECK_EQ(at, bytes);
    at = 0;
    DO(MPI_Unpack_external("external32", packed.at, bytes, &at, in.at, n, MPI_INT));
    CHECK_EQ(at, bytes);
    CUDA_INTS(&in, 0, n, cuda_value(rank, i));
    cuda_free(&packed);
    drop(&out, &in);
}

#if MPI_VERSION >= 4
static void both_ways(int n) {
    MPI_Request request;
    fresh(n);
    DO(MPI_Isendrecv(out.at, n, MPI_INT, next, 1, in.at, n, MPI_INT, previous, 1, W, &request));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CUDA_INTS(&in, 0, n, cuda_value(previous, i));
    DO(MPI_Isendrecv_replace(in.at, n, MPI_INT, next, 1, previous, 1, W, &request));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CUDA_INTS(&in, 0, n, cuda_value((rank + 2 * size - 2) % size, i));
    drop(&out, &in);
}

static void partitioned(int n) {
    enum { PARTITIONS = 4 };
    int part = n / PARTITIONS;
    fresh(part * PARTITIONS);
    DO(MPI_Precv_init(in.at, PARTITIONS, part, MPI_INT, previous, 5, W, MPI_INFO_NULL, &requests[0]));
    DO(MPI_Psend_init(out.at, PARTITIONS, part, MPI_INT, next, 5, W, MPI_INFO_NULL, &requests[1]));
    for (int round = 0; round < 2; round++) {
        int there = 0;
        DO(MPI_Startall(2, requests));
        for (int k = PARTITIONS; k-- > 0;)
            DO(MPI_Pready(k, requests[1]));
        while (!there)
            DO(MPI_Parrived(requests[0], 1, &there));
        if (round == 0)
            DO(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
    arrived(part * PARTITIONS);
}
#endif

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int lengths[] = {1, 100, 5001, 0, 70004}, bytes = 8 << 20;
    int many = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 3;
    void *buffered = check_alloc(bytes);
    DO(MPI_Buffer_attach(buffered, bytes));
    next = (rank + 1) % size, previous = (rank + size - 1) % size;
    for (int l = 0; l < many && l < 5; l++) {
        int n = lengths[l], root = n % size;
        for (mode = BLOCKING; mode < MODES; mode++) {
            plain(n, root);
            gathers_in_place(n, root);
            scatters_in_place(n, root);
            exchanges_in_place(n);
            reductions_in_place(n);
            neighbours(n);
            across(n);
        }
        modes(n);
        probes(n);
        external(n);
#if MPI_VERSION >= 4
        both_ways(n);
        partitioned(n);
#endif
    }
    DO(MPI_Buffer_detach(&buffered, &bytes));
    free(buffered);
    return check_finish();
}
