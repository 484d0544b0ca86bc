// SPDX-License-Identifier: MIT OR Apache-2.0
// Copies in both directions overlap with reductions where device memory goes through the host. The simulated driver says which copies are
// under way; nothing here measures time.
// - An operation of the program is computed on the host, slice by slice: when it gets a slice, the copy of the next one out of the
//   device has been asked for, and no copy of a result back into it has been waited for (the driver holds them all).
// - Kernels reduce chunks while chunks after them come in and results before them go out (ranks that cannot map each other's memory).
#include "cuda.h"

#define SLICED (1 << 20)
#define CHUNKED ((1 << 20) * size)
// Slices before copies into the device are let go.
#define HELD 3
enum { OUT, IN, ALL };

static unsigned long long (*copies)(int, int), (*kernels)(int);
static void (*hold)(int);
static unsigned long long given_out, done_in;
static int slices, seen, operands;

static void add(void *left, void *right, int *len, MPI_Datatype *type) {
    (void)type;
    const int *a = left;
    int *b = right;
    for (int i = 0; i < *len; i++)
        b[i] += a[i];
    slices++, seen += *len;
    if (slices <= HELD) {
        CHECK(copies(OUT, 0) - given_out >= (unsigned long long)operands * (slices + 1));
        CHECK_EQ(copies(IN, 1) - done_in, 0);
    }
    if (slices == HELD)
        hold(0);
}

static void on_the_host(MPI_Op op, Kind left, Kind right) {
    Memory a = cuda_alloc(left, SLICED * sizeof(int)), b = cuda_alloc(right, SLICED * sizeof(int));
    int *host = check_alloc(SLICED * sizeof(int));
    for (int i = 0; i < SLICED; i++)
        host[i] = i;
    cuda_put(&a, 0, host, SLICED * sizeof(int));
    cuda_put(&b, 0, host, SLICED * sizeof(int));
    free(host);
    CU(cuCtxSynchronize());
    slices = seen = 0, operands = (left != HOST) + (right != HOST);
    given_out = copies(OUT, 0), done_in = copies(IN, 1);
    hold(1);
    DO(MPI_Reduce_local(a.at, b.at, SLICED, MPI_INT, op));
    hold(0);
    CHECK(slices > HELD);
    CUDA_INTS(&b, 0, SLICED, 2 * i);
    cuda_free(&a);
    cuda_free(&b);
}

static int reduce(int which, const void *out, void *in) {
    if (which == 0)
        return MPI_Allreduce(out, in, CHUNKED, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return MPI_Reduce(out, in, CHUNKED, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void by_kernels(void) {
    Memory out = cuda_values(0, CHUNKED, CHUNKED), in = cuda_values(0, 0, CHUNKED);
    for (int which = 0; which < 2; which++) {
        DO(reduce(which, out.at, in.at)); // the ranks find out what they can map
        unsigned long long before[] = {kernels(OUT), kernels(IN), kernels(ALL)};
        DO(reduce(which, out.at, in.at));
        int beside[2], all[2], mine = kernels(ALL) - before[ALL];
        for (int way = OUT; way <= IN; way++)
            beside[way] = kernels(way) - before[way];
        CHECK(mine >= 4); // one a chunk
        DO(MPI_Allreduce(beside, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK(all[OUT] >= size);
        CHECK(all[IN] >= size);
        if (which == 0 || rank == 0)
            CUDA_INTS(&in, 0, CHUNKED, cuda_sum(i));
    }
    cuda_free(&out);
    cuda_free(&in);
}

int main(int argc, char **argv) {
    MPI_Op op;
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    *(void **)&copies = dlsym(library, "simcudaCopies");
    *(void **)&kernels = dlsym(library, "simcudaKernels");
    *(void **)&hold = dlsym(library, "simcudaHold");
    if (copies == NULL || kernels == NULL || hold == NULL) {
        fprintf(stderr, "only the simulated driver says what overlaps\n");
        exit(9);
    }
    DO(MPI_Op_create(add, 1, &op));
    on_the_host(op, cuda_kind(rank), cuda_kind(rank));
    on_the_host(op, HOST, cuda_kind(rank));
    DO(MPI_Op_free(&op));
    by_kernels();
    return check_finish();
}
