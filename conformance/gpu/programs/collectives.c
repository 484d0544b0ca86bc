// SPDX-License-Identifier: MIT OR Apache-2.0
// Every collective on device memory, of any kind on each rank, out of place and in place, from small to large. Argument
// "nonblocking": the nonblocking forms.
#include "cuda.h"

#define W MPI_COMM_WORLD

static int partial(int below, int i) {
    int all = 0;
    for (int r = 0; r < below; r++)
        all += cuda_value(r, i);
    return all;
}

static Memory room(int count) {
    return cuda_values(0, 0, count);
}

static void release(Memory *out, Memory *in) {
    cuda_free(out);
    cuda_free(in);
}

static void bcast(int n, int root) {
    Memory data = rank == root ? cuda_values(0, n, n) : room(n);
    EITHER(Bcast, bcast, data.at, n, MPI_INT, root, W);
    CUDA_INTS(&data, 0, n, cuda_value(root, i));
    cuda_free(&data);
}

static void allreduce(int n) {
    Memory out = cuda_values(0, n, n), in = room(n);
    EITHER(Allreduce, allreduce, out.at, in.at, n, MPI_INT, MPI_SUM, W);
    CUDA_INTS(&in, 0, n, cuda_sum(i));
    EITHER(Allreduce, allreduce, MPI_IN_PLACE, out.at, n, MPI_INT, MPI_MAX, W);
    CUDA_INTS(&out, 0, n, cuda_value(size - 1, i));
    release(&out, &in);
}

static void reduce(int n, int root) {
    Memory out = cuda_values(0, n, n), in = room(n);
    EITHER(Reduce, reduce, out.at, in.at, n, MPI_INT, MPI_SUM, root, W);
    if (rank == root)
        CUDA_INTS(&in, 0, n, cuda_sum(i));
    EITHER(Reduce, reduce, rank == root ? MPI_IN_PLACE : out.at, out.at, n, MPI_INT, MPI_MIN, root, W);
    if (rank == root)
        CUDA_INTS(&out, 0, n, cuda_value(0, i));
    release(&out, &in);
}

static void gather(int n, int root) {
    Memory out = cuda_values(0, n, n), in = room(n * size);
    EITHER(Gather, gather, out.at, n, MPI_INT, in.at, n, MPI_INT, root, W);
    for (int r = 0; rank == root && r < size; r++)
        CUDA_INTS(&in, r * n, n, cuda_value(r, i));
    release(&out, &in);
}

static void scatter(int n, int root) {
    Memory out = cuda_values(0, n * size, n * size), in = room(n);
    EITHER(Scatter, scatter, out.at, n, MPI_INT, in.at, n, MPI_INT, root, W);
    CUDA_INTS(&in, 0, n, cuda_value(root, rank * n + i));
    release(&out, &in);
}

static void allgather(int n) {
    Memory out = cuda_values(0, n, n), in = room(n * size);
    EITHER(Allgather, allgather, out.at, n, MPI_INT, in.at, n, MPI_INT, W);
    for (int r = 0; r < size; r++)
        CUDA_INTS(&in, r * n, n, cuda_value(r, i));
    release(&out, &in);
}

static void alltoall(int n) {
    Memory out = cuda_values(0, n * size, n * size), in = room(n * size);
    EITHER(Alltoall, alltoall, out.at, n, MPI_INT, in.at, n, MPI_INT, W);
    for (int r = 0; r < size; r++)
        CUDA_INTS(&in, r * n, n, cuda_value(r, rank * n + i));
    EITHER(Alltoall, alltoall, MPI_IN_PLACE, n, MPI_INT, in.at, n, MPI_INT, W);
    for (int r = 0; r < size; r++)
        CUDA_INTS(&in, r * n, n, cuda_value(rank, r * n + i));
    release(&out, &in);
}

// Rank r has n + r elements, which lie one element apart.
static void uneven(int n, int root) {
    int counts[size], at[size], total = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = n + r;
        at[r] = total;
        total += n + r + 1;
    }
    Memory out = cuda_values(0, n + rank, n + rank), in = room(total);
    EITHER(Gatherv, gatherv, out.at, n + rank, MPI_INT, in.at, counts, at, MPI_INT, root, W);
    for (int r = 0; rank == root && r < size; r++)
        CUDA_INTS(&in, at[r], n + r, cuda_value(r, i));
    release(&out, &in);
    out = cuda_values(0, n + rank, n + rank), in = room(total);
    EITHER(Allgatherv, allgatherv, out.at, n + rank, MPI_INT, in.at, counts, at, MPI_INT, W);
    for (int r = 0; r < size; r++) {
        CUDA_INTS(&in, at[r], n + r, cuda_value(r, i));
        CUDA_INTS(&in, at[r] + n + r, 1, -1);
    }
    EITHER(Scatterv, scatterv, in.at, counts, at, MPI_INT, out.at, n + rank, MPI_INT, root, W);
    CUDA_INTS(&out, 0, n + rank, cuda_value(rank, i));
    release(&out, &in);
}

// To rank r go n + r elements; from every rank come n + rank.
static void uneven_alltoall(int n) {
    int to[size], to_at[size], from[size], from_at[size], bytes[4][size], total = 0;
    MPI_Datatype types[size];
    for (int r = 0; r < size; r++) {
        to[r] = n + r;
        to_at[r] = total;
        from[r] = n + rank;
        from_at[r] = r * (n + rank);
        total += n + r;
        types[r] = MPI_INT;
        bytes[0][r] = to_at[r] * sizeof(int);
        bytes[1][r] = from_at[r] * sizeof(int);
    }
    Memory out = cuda_values(0, total, total), in = room((n + rank) * size);
    EITHER(Alltoallv, alltoallv, out.at, to, to_at, MPI_INT, in.at, from, from_at, MPI_INT, W);
    for (int r = 0; r < size; r++)
        CUDA_INTS(&in, from_at[r], n + rank, cuda_value(r, to_at[rank] + i));
    release(&out, &in);
    out = cuda_values(0, total, total), in = room((n + rank) * size);
    EITHER(Alltoallw, alltoallw, out.at, to, bytes[0], types, in.at, from, bytes[1], types, W);
    for (int r = 0; r < size; r++)
        CUDA_INTS(&in, from_at[r], n + rank, cuda_value(r, to_at[rank] + i));
    release(&out, &in);
}

static void reduce_scatter(int n) {
    int counts[size], before = 0, total = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = n + r;
        before += r < rank ? n + r : 0;
        total += n + r;
    }
    Memory out = cuda_values(0, total, total), in = room(total);
    EITHER(Reduce_scatter, reduce_scatter, out.at, in.at, counts, MPI_INT, MPI_SUM, W);
    CUDA_INTS(&in, 0, n + rank, cuda_sum(before + i));
    release(&out, &in);
    out = cuda_values(0, n * size, n * size), in = room(n);
    EITHER(Reduce_scatter_block, reduce_scatter_block, out.at, in.at, n, MPI_INT, MPI_SUM, W);
    CUDA_INTS(&in, 0, n, cuda_sum(rank * n + i));
    release(&out, &in);
}

static void scans(int n) {
    Memory out = cuda_values(0, n, n), in = room(n);
    EITHER(Scan, scan, out.at, in.at, n, MPI_INT, MPI_SUM, W);
    CUDA_INTS(&in, 0, n, partial(rank + 1, i));
    EITHER(Exscan, exscan, out.at, in.at, n, MPI_INT, MPI_SUM, W);
    if (rank > 0)
        CUDA_INTS(&in, 0, n, partial(rank, i));
    release(&out, &in);
}

static void every_collective(int n, int root) {
    bcast(n, root);
    allreduce(n);
    reduce(n, root);
    gather(n, root);
    scatter(n, root);
    allgather(n);
    alltoall(n);
    uneven(n, root);
    uneven_alltoall(n);
    reduce_scatter(n);
    scans(n);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int lengths[] = {0, 1, 100, 5000, 70001};
    for (int i = 0; i < 5; i++)
        for (int root = 0; root < size; root += i < 3 ? 1 : size)
            every_collective(lengths[i], (root + i) % size);
    bcast(1 << 20, size - 1);
    allreduce((1 << 20) + 3);
    return check_finish();
}
