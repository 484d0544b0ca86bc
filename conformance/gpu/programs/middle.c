// SPDX-License-Identifier: MIT OR Apache-2.0
// The devices of one rank fail in the middle of a large collective: before its first copy or kernel, its second, and so on. Every
// rank's call ends: with an error of class MPI_ERR_OTHER or, where its part was done, with the right contents; where the rank
// that failed can contribute nothing, with the error. Then the devices are mended, as only simulated ones can be, and the
// next call is right on every rank. Arguments: how many points of failure (12); nonblocking; fatal (the error ends the job); free (who
// gets the error frees its buffers at once: nobody reads them any more).
#include "cuda.h"

#define N 50000
#define W MPI_COMM_WORLD

static void (*break_after)(int, long long);
static int victim;
static Memory out, in;
static bool frees;

static int ended(int code, MPI_Request *request) {
    return code == MPI_SUCCESS && *request != MPI_REQUEST_NULL ? MPI_Wait(request, MPI_STATUS_IGNORE) : code;
}

static int call(int which) {
    MPI_Request request = MPI_REQUEST_NULL;
    switch (which * 2 + check_nonblocking) {
    case 0:
        return MPI_Allreduce(out.at, in.at, N, MPI_INT, MPI_SUM, W);
    case 1:
        return ended(MPI_Iallreduce(out.at, in.at, N, MPI_INT, MPI_SUM, W, &request), &request);
    case 2:
        return MPI_Bcast(rank == 0 ? out.at : in.at, N, MPI_INT, 0, W);
    case 3:
        return ended(MPI_Ibcast(rank == 0 ? out.at : in.at, N, MPI_INT, 0, W, &request), &request);
    case 4:
        return MPI_Reduce(out.at, in.at, N, MPI_INT, MPI_SUM, 0, W);
    case 5:
        return ended(MPI_Ireduce(out.at, in.at, N, MPI_INT, MPI_SUM, 0, W, &request), &request);
    case 6:
        return MPI_Allgather(out.at, N / size, MPI_INT, in.at, N / size, MPI_INT, W);
    default:
        return ended(MPI_Iallgather(out.at, N / size, MPI_INT, in.at, N / size, MPI_INT, W, &request), &request);
    }
}
#define CALLS 4

static void right(int which) {
    int part = N / size;
    if (which == 0 || (which == 2 && rank == 0))
        CUDA_INTS(&in, 0, N, cuda_sum(i));
    if (which == 1 && rank != 0)
        CUDA_INTS(&in, 0, N, cuda_value(0, i));
    if (which == 3)
        CUDA_INTS(&in, 0, part * size, cuda_value(i / part, i % part));
}

static void wipe(void) {
    int *host = check_alloc(sizeof(int) * N);
    memset(host, -1, sizeof(int) * N);
    cuda_put(&in, 0, host, sizeof(int) * N);
    free(host);
}

// Whether what the rank that fails has is needed everywhere, and on a device.
static bool all_need_it(int which) {
    if (cuda_kind(victim) == HOST || cuda_kind(victim) == PINNED)
        return false;
    return which == 0 || which == 3 || (which == 1 && victim == 0);
}

static void at_point(int which, int works) {
    wipe();
    DO(MPI_Barrier(W));
    if (rank == victim)
        break_after(700, works);
    int code = call(which), mine = code != MPI_SUCCESS, all = 0;
    bool gone = frees && mine && rank != victim;
    if (gone)
        cuda_free(&out), cuda_free(&in);
    CHECK(MPI_Barrier(W) == MPI_SUCCESS); // DO would ask the devices
    if (rank == victim) {
        break_after(0, 0);
        CU(cuCtxSynchronize()); // what streams had been given still runs in simulated devices
    }
    if (mine)
        CHECK_EQ(check_class(code), MPI_ERR_OTHER);
    else
        right(which);
    if (gone)
        out = cuda_values(0, N, N), in = cuda_values(0, 0, N);
    DO(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, W));
    if (works == 0 && all_need_it(which))
        CHECK_EQ(all, size);
    wipe();
    DO(call(which));
    right(which);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int points = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 12;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    *(void **)&break_after = library == NULL ? NULL : dlsym(library, "simcudaBreakAfter");
    if (break_after == NULL) {
        fprintf(stderr, "only the simulated driver can be told to fail\n");
        exit(9);
    }
    frees = check_option(argc, argv, "free");
    out = cuda_values(0, N, N), in = cuda_values(0, 0, N);
    if (!check_option(argc, argv, "fatal"))
        MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    for (int which = 0; which < CALLS; which++)
        DO(call(which));
    for (int works = 0; works < points; works++)
        for (int which = 0; which < CALLS; which++) {
            victim = (works + which) % size;
            at_point(which, works < 6 ? works : works * works / 4);
        }
    cuda_free(&out);
    cuda_free(&in);
    return check_finish();
}
