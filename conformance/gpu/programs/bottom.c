// SPDX-License-Identifier: MIT OR Apache-2.0
// MPI_BOTTOM with types of absolute addresses that name the heap, static memory, memory of this rank's kind and another device in
// one type, in messages, collectives, Pack and Unpack; reductions of such a buffer are refused. Then
// MPI_IN_PLACE on buffers of this rank's kind. Compiled for every ABI: what the two words are differs. Arguments: nonblocking; fatal (the
// message of a reduction's error is asked for).
#include "cuda.h"

#define W MPI_COMM_WORLD
#define PIECES 5
#define MOST 40000

static int fixed[2][MOST];

// Ints in pieces; `n` in each.
typedef struct {
    int n, *heap, *fixed;
    Memory far[3];
    MPI_Datatype type;
} Scattered;

static Memory on_another_device(size_t bytes) {
    void *other;
    int device;
    if (cuda_devices < 2)
        return cuda_alloc(HOST, bytes);
    CU(cuDeviceGet(&device, (cuda_local_rank() + 1) % cuda_devices));
    CU(cuDevicePrimaryCtxRetain(&other, device));
    CU(cuCtxSetCurrent(other));
    Memory memory = cuda_alloc(DEVICE, bytes);
    CU(cuCtxSetCurrent(cuda_context));
    return memory;
}

static void *piece(const Scattered *s, int p) {
    return p == 0 ? s->far[0].at : p == 1 ? (char *)s->heap : p == 2 ? s->far[1].at : p == 3 ? (char *)s->fixed : s->far[2].at;
}

static void put(Scattered *s, int of) {
    int *values = check_alloc(sizeof(int) * s->n);
    for (int p = 0; p < PIECES; p++) {
        for (int i = 0; i < s->n; i++)
            values[i] = of < 0 ? -1 : cuda_value(of, p * s->n + i);
        if (p % 2 == 1)
            memcpy(piece(s, p), values, sizeof(int) * s->n);
        else
            cuda_put(&s->far[p / 2], 0, values, sizeof(int) * s->n);
    }
    free(values);
}

static void check(const Scattered *s, int of, const char *what) {
    int *found = check_alloc(sizeof(int) * s->n);
    for (int p = 0; p < PIECES; p++) {
        if (p % 2 == 1)
            memcpy(found, piece(s, p), sizeof(int) * s->n);
        else
            cuda_get(found, &s->far[p / 2], 0, sizeof(int) * s->n);
        for (int i = 0; i < s->n; i++)
            if (found[i] != cuda_value(of, p * s->n + i)) {
                CHECK_FAIL("%s: piece %d, int %d is %d, should be %d", what, p, i, found[i], cuda_value(of, p * s->n + i));
                break;
            }
    }
    free(found);
}

static Scattered scatter(int n, int *of_program) {
    Scattered s = {.n = n, .heap = check_alloc(sizeof(int) * n), .fixed = of_program};
    s.far[0] = cuda_alloc(cuda_kind(rank), sizeof(int) * n);
    s.far[1] = cuda_alloc(cuda_kind(rank + 1), sizeof(int) * n);
    s.far[2] = on_another_device(sizeof(int) * n);
    MPI_Aint at[PIECES];
    int lengths[PIECES];
    for (int p = 0; p < PIECES; p++) {
        DO(MPI_Get_address(piece(&s, p), &at[p]));
        lengths[p] = n;
    }
    DO(MPI_Type_create_hindexed(PIECES, lengths, at, MPI_INT, &s.type));
    DO(MPI_Type_commit(&s.type));
    return s;
}

static void gather_up(Scattered *s) {
    DO(MPI_Type_free(&s->type));
    for (int i = 0; i < 3; i++)
        cuda_free(&s->far[i]);
    free(s->heap);
}

static void messages(Scattered *s) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, count = s->n * PIECES;
    Memory plain = cuda_values(0, count, count);
    MPI_Request requests[2];
    MPI_Message message;
    put(s, -1);
    DO(MPI_Sendrecv(plain.at, count, MPI_INT, next, 1, MPI_BOTTOM, 1, s->type, previous, 1, W, MPI_STATUS_IGNORE));
    check(s, previous, "received into several memories");
    put(s, rank);
    DO(MPI_Irecv(plain.at, count, MPI_INT, previous, 2, W, &requests[0]));
    DO(MPI_Isend(MPI_BOTTOM, 1, s->type, next, 2, W, &requests[1]));
    DO(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CUDA_INTS(&plain, 0, count, cuda_value(previous, i));
    DO(MPI_Isend(plain.at, count, MPI_INT, previous, 3, W, &requests[0]));
    DO(MPI_Mprobe(next, 3, W, &message, MPI_STATUS_IGNORE));
    put(s, -1);
    DO(MPI_Mrecv(MPI_BOTTOM, 1, s->type, &message, MPI_STATUS_IGNORE));
    DO(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    check(s, rank, "received after a probe");
    DO(MPI_Sendrecv_replace(MPI_BOTTOM, 1, s->type, next, 4, previous, 4, W, MPI_STATUS_IGNORE));
    check(s, previous, "exchanged");
    put(s, rank);
    DO(MPI_Irecv(plain.at, count, MPI_INT, rank, 5, W, &requests[0]));
    DO(MPI_Send(MPI_BOTTOM, 1, s->type, rank, 5, W));
    DO(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    CUDA_INTS(&plain, 0, count, cuda_value(rank, i));
    cuda_free(&plain);
}

static void collectives(Scattered *s) {
    int count = s->n * PIECES;
    Memory all = cuda_values(0, 0, count * size);
    for (int root = 0; root < size; root += size - 1) {
        put(s, rank == root ? root : -1);
        EITHER(Bcast, bcast, MPI_BOTTOM, 1, s->type, root, W);
        check(s, root, "broadcast");
        put(s, rank);
        EITHER(Gather, gather, MPI_BOTTOM, 1, s->type, all.at, count, MPI_INT, root, W);
        if (rank == root)
            CUDA_INTS(&all, 0, count * size, cuda_value(i / count, i % count));
        put(s, -1);
        EITHER(Scatter, scatter, all.at, count, MPI_INT, MPI_BOTTOM, 1, s->type, root, W);
        check(s, rank, "scattered");
        if (size == 1)
            break;
    }
    EITHER(Allgather, allgather, MPI_BOTTOM, 1, s->type, all.at, count, MPI_INT, W);
    CUDA_INTS(&all, 0, count * size, cuda_value(i / count, i % count));
    cuda_free(&all);
}

// To the next rank only, out of several memories and into several others.
static void each_its_own(Scattered *from, Scattered *into) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, *out = calloc(size, sizeof(int)), *in = calloc(size, sizeof(int));
    int *zeros = calloc(size, sizeof(int));
    MPI_Datatype *outs = check_alloc(sizeof *outs * size), *ins = check_alloc(sizeof *ins * size);
    for (int r = 0; r < size; r++)
        outs[r] = from->type, ins[r] = into->type;
    out[next] = in[previous] = 1;
    put(from, rank);
    put(into, -1);
    EITHER(Alltoallw, alltoallw, MPI_BOTTOM, out, zeros, outs, MPI_BOTTOM, in, zeros, ins, W);
    check(into, previous, "all to all");
    free(out), free(in), free(zeros), free(outs), free(ins);
}

static void packing(Scattered *s) {
    int bytes = s->n * PIECES * sizeof(int), position = 0;
    Memory packed = cuda_alloc(cuda_kind(rank), bytes);
    put(s, rank);
    DO(MPI_Pack(MPI_BOTTOM, 1, s->type, packed.at, bytes, &position, W));
    CHECK_EQ(position, bytes);
    CUDA_INTS(&packed, 0, s->n * PIECES, cuda_value(rank, i));
    put(s, -1);
    position = 0;
    DO(MPI_Unpack(packed.at, bytes, &position, MPI_BOTTOM, 1, s->type, W));
    check(s, rank, "unpacked");
    cuda_free(&packed);
}

static void nothing(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)in, (void)inout, (void)count, (void)type;
    CHECK_FAIL("the operation was called");
}

static void refused(Scattered *s, bool fatal) {
    bool mixed = cuda_kind(rank) != HOST && cuda_kind(rank) != PINNED;
    int all = 0, mine = mixed;
    MPI_Op op;
    DO(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, W));
    if (all < size)
        return;
    int *out = check_alloc(16);
    DO(MPI_Op_create(nothing, 1, &op));
    if (fatal)
        MPI_Allreduce(MPI_BOTTOM, out, 1, s->type, op, W);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_Reduce_local(out, MPI_BOTTOM, 1, s->type, op), MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Scan(MPI_BOTTOM, out, 1, s->type, op, W), MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Allreduce(MPI_BOTTOM, out, 1, s->type, op, W), MPI_ERR_BUFFER);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
    DO(MPI_Op_free(&op));
    free(out);
}

static void in_place(int n) {
    Memory data = cuda_values(0, n * size, n * size);
    EITHER(Allreduce, allreduce, MPI_IN_PLACE, data.at, n * size, MPI_INT, MPI_SUM, W);
    CUDA_INTS(&data, 0, n * size, cuda_sum(i));
    cuda_free(&data);
    data = cuda_values(0, n * size, n * size);
    EITHER(Reduce, reduce, rank == 0 ? MPI_IN_PLACE : data.at, rank == 0 ? data.at : NULL, n * size, MPI_INT, MPI_SUM, 0, W);
    if (rank == 0)
        CUDA_INTS(&data, 0, n * size, cuda_sum(i));
    cuda_free(&data);
    data = cuda_values(0, n * size, n * size);
    EITHER(Allgather, allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data.at, n, MPI_INT, W);
    CUDA_INTS(&data, 0, n * size, cuda_value(i / n, i));
    EITHER(Alltoall, alltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data.at, n, MPI_INT, W);
    CUDA_INTS(&data, 0, n * size, cuda_value(rank, rank * n + i % n));
    EITHER(Scan, scan, MPI_IN_PLACE, data.at, n, MPI_INT, MPI_SUM, W);
    EITHER(Gather, gather, rank == 0 ? MPI_IN_PLACE : data.at, n, MPI_INT, rank == 0 ? data.at : NULL, n, MPI_INT, 0, W);
    EITHER(Scatter, scatter, rank == 0 ? data.at : NULL, n, MPI_INT, rank == 0 ? MPI_IN_PLACE : data.at, n, MPI_INT, 0, W);
    cuda_free(&data);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int sizes[] = {3, 300, MOST};
    for (int i = 0; i < 3; i++) {
        Scattered s = scatter(sizes[i], fixed[0]), other = scatter(sizes[i], fixed[1]);
        messages(&s);
        collectives(&s);
        each_its_own(&s, &other);
        packing(&s);
        refused(&s, check_option(argc, argv, "fatal"));
        gather_up(&s);
        gather_up(&other);
        in_place(sizes[i]);
    }
    return check_finish();
}
