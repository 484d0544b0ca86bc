// SPDX-License-Identifier: MIT OR Apache-2.0
// What the driver does where its documentation leaves it open: IPC between processes on one device, its cost by size, own and
// interior handles, many open ones, the attributes of each kind of memory, and which calls wait for a stream that is busy for NAP us. Rank 0 owns, rank 1 imports. Arguments: MiB of
// the largest buffer (64), how many handles are open at once (64). Lines: fact NAME VALUE.
#include "cuda.h"
#include <unistd.h>

#define MIB ((size_t)1 << 20)

static void fact(const char *name, double value) {
    printf("fact %s %.2f\n", name, value);
    fflush(stdout);
}

static double now(void) {
    return MPI_Wtime() * 1e6;
}

// Both ranks: rank 1 opens a buffer of rank 0 twice and closes it.
static void one_size(size_t bytes) {
    Address at = 0, first = 0, second = 0;
    CudaHandle handle;
    char name[64];
    if (rank == 0) {
        CU(cuMemAlloc_v2(&at, bytes));
        double start = now();
        CU(cuIpcGetMemHandle(&handle, at));
        fact("ipc_get_us", now() - start);
        DO(MPI_Send(&handle, sizeof handle, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
        DO(MPI_Recv(NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CU(cuMemFree_v2(at));
        return;
    }
    DO(MPI_Recv(&handle, sizeof handle, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    double start = now();
    CU(cuIpcOpenMemHandle_v2(&first, handle, 1));
    snprintf(name, sizeof name, "ipc_open_us_%zu_mib", bytes / MIB);
    fact(name, now() - start);
    start = now();
    int again = cuIpcOpenMemHandle_v2(&second, handle, 1);
    fact("ipc_open_again_code", again);
    fact("ipc_open_again_us", now() - start);
    fact("ipc_open_again_same_address", first == second);
    if (again == 0)
        CU(cuIpcCloseMemHandle(second));
    start = now();
    CU(cuIpcCloseMemHandle(first));
    fact("ipc_close_us", now() - start);
    DO(MPI_Send(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD));
}

static void own_and_interior(void) {
    Address at, base = 0, opened = 0;
    size_t bytes;
    CudaHandle handle, inner;
    CU(cuMemAlloc_v2(&at, 4 * MIB));
    CU(cuIpcGetMemHandle(&handle, at));
    fact("ipc_own_handle_code", cuIpcOpenMemHandle_v2(&opened, handle, 1));
    int code = cuIpcGetMemHandle(&inner, at + 4096);
    fact("ipc_interior_code", code);
    fact("ipc_interior_same_handle", code == 0 && memcmp(&handle, &inner, sizeof handle) == 0);
    CU(cuMemGetAddressRange_v2(&base, &bytes, at + 4096));
    fact("range_base_offset", (double)(at - base));
    CU(cuMemFree_v2(at));
}

// How many handles of 2 MiB rank 1 can have open at once.
static void many_handles(int many) {
    CudaHandle handle;
    Address *at = check_alloc(sizeof *at * many);
    int open = 0;
    double start = now();
    for (int i = 0; i < many; i++)
        if (rank == 0) {
            CU(cuMemAlloc_v2(&at[i], 2 * MIB));
            CU(cuIpcGetMemHandle(&handle, at[i]));
            DO(MPI_Send(&handle, sizeof handle, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
        } else {
            DO(MPI_Recv(&handle, sizeof handle, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            if (open == i)
                open += cuIpcOpenMemHandle_v2(&at[i], handle, 1) == 0;
        }
    if (rank == 1) {
        fact("ipc_handles_open", open);
        fact("ipc_open_each_us", (now() - start) / many);
    }
    for (int i = 0; rank == 1 && i < open; i++)
        CU(cuIpcCloseMemHandle(at[i]));
    DO(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; rank == 0 && i < many; i++)
        CU(cuMemFree_v2(at[i]));
    free(at);
}

// Rank 1 copies out of rank 0's memory: bandwidth and the time of 8 bytes.
static void copies(size_t bytes) {
    Address at, own, peer;
    CudaHandle handle;
    void *stream, *pinned;
    CU(cuMemAlloc_v2(&at, bytes));
    if (rank == 0) {
        CU(cuIpcGetMemHandle(&handle, at));
        DO(MPI_Send(&handle, sizeof handle, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
    } else {
        DO(MPI_Recv(&handle, sizeof handle, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CU(cuIpcOpenMemHandle_v2(&peer, handle, 1));
        CU(cuStreamCreate(&stream, 1));
        CU(cuMemHostAlloc(&pinned, 4096, 0));
        own = at;
        double best[3] = {1e12, 1e12, 1e12};
        for (int i = 0; i < 30; i++)
            for (int what = 0; what < 3; what++) {
                double start = now();
                if (what == 2)
                    CU(cuMemcpyDtoHAsync_v2(pinned, peer, 8, stream));
                else
                    CU(cuMemcpyDtoDAsync_v2(own, peer, what == 0 ? bytes : 8, stream));
                CU(cuStreamSynchronize(stream));
                best[what] = now() - start < best[what] ? now() - start : best[what];
            }
        fact("ipc_copy_gbps", bytes / best[0] / 1e3);
        fact("ipc_copy_8_us", best[1]);
        fact("ipc_copy_8_to_pinned_us", best[2]);
        CU(cuIpcCloseMemHandle(peer));
    }
    DO(MPI_Barrier(MPI_COMM_WORLD));
    CU(cuMemFree_v2(at));
}

// MEMORY_TYPE, CONTEXT, IS_MANAGED, IS_LEGACY_CUDA_IPC_CAPABLE, ALLOWED_HANDLE_TYPES and MEMPOOL_HANDLE of each kind.
static void attributes(void) {
    for (Kind kind = HOST; kind <= MANAGED; kind++) {
        unsigned long long value[6] = {0};
        int which[6] = {2, 1, 8, 10, 14, 17};
        void *places[6];
        for (int i = 0; i < 6; i++)
            places[i] = &value[i];
        Memory memory = cuda_alloc(kind, 100000);
        int code = cuPointerGetAttributes(6, which, places, (Address)memory.at);
        printf("fact attributes_%s code=%d type=%llu context=%d managed=%llu ipc=%llu types=%llu pool=%d\n", cuda_name(kind), code,
               value[0], value[1] != 0, value[2], value[3], value[4], value[5] != 0);
        cuda_free(&memory);
    }
}

#define NAP 50000

static void nap(void *nothing) {
    (void)nothing;
    usleep(NAP);
}

// What calls take while the stream is busy.
static void beside(const char *kind, unsigned flags) {
    void *stream, *pinned;
    Address at;
    char name[64];
    CU(cuStreamCreate(&stream, flags));
#define BESIDE(what, call)                                                                                   \
    do {                                                                                                     \
        CU(cuLaunchHostFunc(stream, nap, NULL));                                                             \
        double start = now();                                                                                \
        int code = (call);                                                                                   \
        snprintf(name, sizeof name, "us_beside_%s_%s_code_%d", kind, what, code);                            \
        fact(name, now() - start);                                                                           \
        CU(cuStreamSynchronize(stream));                                                                     \
    } while (0)
    BESIDE("default_stream_query", cuStreamQuery(NULL));
    BESIDE("alloc", cuMemAlloc_v2(&at, 64 * MIB));
    BESIDE("free", cuMemFree_v2(at));
    BESIDE("host_alloc", cuMemHostAlloc(&pinned, MIB, 1));
    BESIDE("host_free", cuMemFreeHost(pinned));
    CU(cuStreamDestroy_v2(stream));
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int largest = argc > 1 ? atoi(argv[1]) : 64, many = argc > 2 ? atoi(argv[2]) : 64, version;
    char name[256];
    if (rank == 0) {
        CU(cuDriverGetVersion(&version));
        CU(cuDeviceGetName(name, sizeof name, cuda_device));
        printf("fact driver %d\nfact device %s\n", version, name);
        attributes();
        own_and_interior();
        beside("blocking", 0);
        beside("non_blocking", 1);
    }
    if (size == 2) {
        for (size_t mib = 2; mib <= (size_t)largest; mib *= 8)
            one_size(mib * MIB);
        many_handles(many);
        copies(largest * MIB);
    }
    return check_finish();
}
