// SPDX-License-Identifier: MIT OR Apache-2.0
// Derived types over device memory: vectors, indexed pieces, structures and absolute addresses, in messages, Bcast,
// Allgather, Pack and Unpack; what lies between the pieces stays as it was.
#include "cuda.h"

#define W MPI_COMM_WORLD

// A type over ints, the ints of one item in the order of its signature, and how far it reaches.
typedef struct {
    MPI_Datatype type;
    int count, at[512], reach;
} Layout;

static Layout finish(MPI_Datatype type, int reach) {
    Layout layout = {.type = type, .reach = reach};
    DO(MPI_Type_commit(&layout.type));
    return layout;
}

static Layout vector(int blocks, int length, int stride) {
    MPI_Datatype type;
    DO(MPI_Type_vector(blocks, length, stride, MPI_INT, &type));
    Layout layout = finish(type, (blocks - 1) * stride + length);
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < length; i++)
            layout.at[layout.count++] = b * stride + i;
    return layout;
}

// Pieces of different lengths, in another order than in memory.
static Layout indexed(void) {
    int lengths[] = {3, 1, 0, 17, 2}, from[] = {40, 7, 3, 10, 0};
    MPI_Datatype type;
    DO(MPI_Type_indexed(5, lengths, from, MPI_INT, &type));
    Layout layout = finish(type, 43);
    for (int b = 0; b < 5; b++)
        for (int i = 0; i < lengths[b]; i++)
            layout.at[layout.count++] = from[b] + i;
    return layout;
}

// A block out of the middle of a matrix of 12 rows of 10.
static Layout block(void) {
    int sizes[] = {12, 10}, parts[] = {5, 4}, from[] = {3, 2};
    MPI_Datatype type;
    DO(MPI_Type_create_subarray(2, sizes, parts, from, MPI_ORDER_C, MPI_INT, &type));
    Layout layout = finish(type, 120);
    for (int row = 0; row < 5; row++)
        for (int column = 0; column < 4; column++)
            layout.at[layout.count++] = (3 + row) * 10 + 2 + column;
    return layout;
}

// Items of `extent` ints; all but the layout's own are -1.
static Memory filled(const Layout *layout, int items, int extent, int of) {
    Memory memory = cuda_alloc(cuda_kind(rank), sizeof(int) * ((items - 1) * extent + layout->reach));
    int count = memory.bytes / sizeof(int), *host = check_alloc(memory.bytes);
    for (int i = 0; i < count; i++)
        host[i] = -1;
    for (int item = 0; of >= 0 && item < items; item++)
        for (int i = 0; i < layout->count; i++)
            host[item * extent + layout->at[i]] = cuda_value(of, item * layout->count + i);
    cuda_put(&memory, 0, host, memory.bytes);
    free(host);
    return memory;
}

static void check(const Memory *memory, const Layout *layout, int items, int extent, int of, const char *what) {
    int count = memory->bytes / sizeof(int), *found = cuda_ints(memory, count), *wanted = check_alloc(memory->bytes);
    for (int i = 0; i < count; i++)
        wanted[i] = -1;
    for (int item = 0; item < items; item++)
        for (int i = 0; i < layout->count; i++)
            wanted[item * extent + layout->at[i]] = cuda_value(of, item * layout->count + i);
    for (int i = 0; i < count; i++)
        if (found[i] != wanted[i]) {
            CHECK_FAIL("%s: int %d is %d, should be %d", what, i, found[i], wanted[i]);
            break;
        }
    free(found);
    free(wanted);
}

static void through_messages(const Layout *layout, int items, int extent) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, total = items * layout->count;
    Memory out = filled(layout, items, extent, rank), in = filled(layout, items, extent, -1);
    DO(MPI_Sendrecv(out.at, items, layout->type, next, 1, in.at, items, layout->type, previous, 1, W, MPI_STATUS_IGNORE));
    check(&in, layout, items, extent, previous, "typed to typed");
    cuda_free(&in);
    in = cuda_values(0, 0, total);
    DO(MPI_Sendrecv(out.at, items, layout->type, next, 1, in.at, total, MPI_INT, previous, 1, W, MPI_STATUS_IGNORE));
    CUDA_INTS(&in, 0, total, cuda_value(previous, i));
    cuda_free(&out);
    out = filled(layout, items, extent, -1);
    DO(MPI_Sendrecv(in.at, total, MPI_INT, next, 1, out.at, items, layout->type, previous, 1, W, MPI_STATUS_IGNORE));
    check(&out, layout, items, extent, (previous + size - 1) % size, "plain to typed");
    cuda_free(&in);
    cuda_free(&out);
}

static void through_collectives(const Layout *layout, int items, int extent) {
    int root = size - 1, total = items * layout->count;
    Memory data = filled(layout, items, extent, rank == root ? root : -1), all = cuda_values(0, 0, total * size);
    EITHER(Bcast, bcast, data.at, items, layout->type, root, W);
    check(&data, layout, items, extent, root, "Bcast");
    cuda_free(&data);
    data = filled(layout, items, extent, rank);
    EITHER(Allgather, allgather, data.at, items, layout->type, all.at, total, MPI_INT, W);
    for (int r = 0; r < size; r++)
        CUDA_INTS(&all, r * total, total, cuda_value(r, i));
    cuda_free(&data);
    cuda_free(&all);
}

static void through_pack(const Layout *layout, int items, int extent, Kind packed_kind) {
    int bytes = 0, end = 0, start = 0;
    DO(MPI_Pack_size(items, layout->type, W, &bytes));
    Memory data = filled(layout, items, extent, rank), packed = cuda_alloc(packed_kind, bytes);
    DO(MPI_Pack(data.at, items, layout->type, packed.at, bytes, &end, W));
    cuda_free(&data);
    data = filled(layout, items, extent, -1);
    DO(MPI_Unpack(packed.at, end, &start, data.at, items, layout->type, W));
    check(&data, layout, items, extent, rank, "Unpack");
    CHECK_EQ(start, end);
    cuda_free(&data);
    cuda_free(&packed);
}

// Two buffers in one type of absolute addresses, sent from MPI_BOTTOM.
static void absolute(int n) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, lengths[] = {n, n};
    Memory out[2], in[2];
    MPI_Datatype types[2];
    MPI_Aint at[2];
    for (int i = 0; i < 2; i++) {
        out[i] = cuda_values(i * n, n, n);
        in[i] = cuda_values(0, 0, n);
    }
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 2; i++)
            DO(MPI_Get_address(side ? in[i].at : out[i].at, &at[i]));
        DO(MPI_Type_create_hindexed(2, lengths, at, MPI_INT, &types[side]));
        DO(MPI_Type_commit(&types[side]));
    }
    DO(MPI_Sendrecv(MPI_BOTTOM, 1, types[0], next, 2, MPI_BOTTOM, 1, types[1], previous, 2, W, MPI_STATUS_IGNORE));
    for (int half = 0; half < 2; half++) {
        CUDA_INTS(&in[half], 0, n, cuda_value(previous, half * n + i));
        cuda_free(&out[half]);
        cuda_free(&in[half]);
        DO(MPI_Type_free(&types[half]));
    }
}

static void everywhere(Layout layout, int items) {
    MPI_Aint lb, extent;
    DO(MPI_Type_get_extent(layout.type, &lb, &extent));
    int ints = extent / sizeof(int);
    through_messages(&layout, items, ints);
    through_collectives(&layout, items, ints);
    through_pack(&layout, items, ints, cuda_kind(rank));
    through_pack(&layout, items, ints, HOST);
    DO(MPI_Type_free(&layout.type));
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int counts[] = {1, 5, 2000};
    for (int i = 0; i < 3; i++) {
        everywhere(vector(1, 7, 7), counts[i]);
        everywhere(vector(30, 1, 5), counts[i]);
        everywhere(vector(8, 16, 24), counts[i]);
        everywhere(indexed(), counts[i]);
        everywhere(block(), counts[i]);
    }
    absolute(10);
    absolute(100000);
    return check_finish();
}
