// SPDX-License-Identifier: MIT OR Apache-2.0
// The CUDA driver for the programs in this folder: libcuda.so.1 is loaded at run time, so that they are built without CUDA
// and run on the simulated driver and on a real one unchanged. Nothing here synchronises after a write: a write in the
// legacy default stream is the library's to wait for.
//
// Environment of every program: GPU_KINDS=K,K,... (rank r has the memory kind number r modulo their count: host, pinned,
// device, pool, mapped, managed; device if unset), GPU_SPREAD=1 (ranks are spread over all devices; else all are on the
// first), GPU_LATE=1 (the driver is loaded after MPI_Init).
#ifndef CUDA_H
#define CUDA_H

#include "../../programs/check.h"
#include <dlfcn.h>
#include <stdbool.h>

typedef unsigned long long Address;

// CUmemLocation, CUmemAllocationProp, CUmemAccessDesc and CUmemPoolProps of the driver API.
typedef struct {
    int type, id;
} CudaLocation;
typedef struct {
    int type, handle_types;
    CudaLocation location;
    void *metadata;
    unsigned long long flags;
} CudaProperties;
typedef struct {
    CudaLocation location;
    int flags;
} CudaAccess;
typedef struct {
    int type, handle_types;
    CudaLocation location;
    void *security;
    size_t limit;
    unsigned char rest[56];
} CudaPool;

typedef struct {
    char bytes[64];
} CudaHandle;

#define CUDA_FUNCTIONS(X)                                                                                    \
    X(cuInit, (unsigned))                                                                                    \
    X(cuDeviceGetCount, (int *))                                                                             \
    X(cuDeviceGet, (int *, int))                                                                             \
    X(cuDevicePrimaryCtxRetain, (void **, int))                                                              \
    X(cuDevicePrimaryCtxRelease_v2, (int))                                                                   \
    X(cuDevicePrimaryCtxReset_v2, (int))                                                                     \
    X(cuCtxCreate_v2, (void **, unsigned, int))                                                              \
    X(cuCtxSetCurrent, (void *))                                                                             \
    X(cuCtxGetCurrent, (void **))                                                                            \
    X(cuCtxSynchronize, (void))                                                                              \
    X(cuMemGetInfo_v2, (size_t *, size_t *))                                                                 \
    X(cuMemAlloc_v2, (Address *, size_t))                                                                    \
    X(cuMemFree_v2, (Address))                                                                               \
    X(cuMemAllocManaged, (Address *, size_t, unsigned))                                                      \
    X(cuMemHostAlloc, (void **, size_t, unsigned))                                                           \
    X(cuMemFreeHost, (void *))                                                                               \
    X(cuMemAllocAsync, (Address *, size_t, void *))                                                          \
    X(cuMemAllocFromPoolAsync, (Address *, size_t, void *, void *))                                          \
    X(cuMemFreeAsync, (Address, void *))                                                                     \
    X(cuMemPoolCreate, (void **, const CudaPool *))                                                          \
    X(cuMemPoolDestroy, (void *))                                                                            \
    X(cuMemAddressReserve, (Address *, size_t, size_t, Address, unsigned long long))                         \
    X(cuMemAddressFree, (Address, size_t))                                                                   \
    X(cuMemCreate, (unsigned long long *, size_t, const CudaProperties *, unsigned long long))               \
    X(cuMemRelease, (unsigned long long))                                                                    \
    X(cuMemMap, (Address, size_t, size_t, unsigned long long, unsigned long long))                           \
    X(cuMemUnmap, (Address, size_t))                                                                         \
    X(cuMemSetAccess, (Address, size_t, const CudaAccess *, size_t))                                         \
    X(cuMemcpyHtoD_v2, (Address, const void *, size_t))                                                      \
    X(cuMemcpyDtoH_v2, (void *, Address, size_t))                                                            \
    X(cuMemsetD8_v2, (Address, unsigned char, size_t))                                                       \
    X(cuMemsetD32Async, (Address, unsigned, size_t, void *))                                                 \
    X(cuStreamCreate, (void **, unsigned))                                                                   \
    X(cuStreamDestroy_v2, (void *))                                                                          \
    X(cuStreamSynchronize, (void *))                                                                         \
    X(cuStreamQuery, (void *))                                                                               \
    X(cuLaunchHostFunc, (void *, void (*)(void *), void *))                                                  \
    X(cuDriverGetVersion, (int *))                                                                           \
    X(cuDeviceGetName, (char *, int, int))                                                                   \
    X(cuMemcpyDtoDAsync_v2, (Address, Address, size_t, void *))                                              \
    X(cuMemcpyDtoHAsync_v2, (void *, Address, size_t, void *))                                               \
    X(cuMemGetAddressRange_v2, (Address *, size_t *, Address))                                               \
    X(cuPointerGetAttribute, (void *, int, Address))                                                         \
    X(cuPointerGetAttributes, (unsigned, int *, void **, Address))                                           \
    X(cuIpcGetMemHandle, (CudaHandle *, Address))                                                            \
    X(cuIpcOpenMemHandle_v2, (Address *, CudaHandle, unsigned))                                              \
    X(cuIpcCloseMemHandle, (Address))                                                                        \
    X(cuModuleLoadData, (void **, const void *))                                                             \
    X(cuModuleGetFunction, (void **, void *, const char *))                                                  \
    X(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))

#define CUDA_POINTER(name, arguments) static int(*name) arguments CHECK_UNUSED;
CUDA_FUNCTIONS(CUDA_POINTER)

// A call of the driver that the program itself needs: it must succeed.
#define CU(call)                                                                                             \
    do {                                                                                                     \
        int code_ = (call);                                                                                  \
        if (code_ != 0) {                                                                                    \
            fprintf(stderr, "%s:%d: rank %d: %s gave CUDA error %d\n", __FILE__, __LINE__, rank, #call, code_); \
            exit(9);                                                                                         \
        }                                                                                                    \
    } while (0)

static int cuda_device, cuda_devices CHECK_UNUSED;
static void *cuda_context;

static void *cuda_current(void) {
    void *context = NULL;
    if (cuCtxGetCurrent != NULL)
        CU(cuCtxGetCurrent(&context));
    return context;
}

// Every call of MPI must succeed and leave the thread's current context as it was.
#undef DO
#define DO(call)                                                                                             \
    do {                                                                                                     \
        void *before_ = cuda_current();                                                                      \
        int code_ = (call);                                                                                  \
        if (code_ != MPI_SUCCESS)                                                                            \
            CHECK_FAIL("%s returned class %d", #call, check_class(code_));                                   \
        if (cuda_current() != before_)                                                                       \
            CHECK_FAIL("%s changed the current context", #call);                                             \
    } while (0)

// Loads the driver and makes the primary context of device number `wish` modulo their count current.
CHECK_UNUSED static void cuda_start(int wish) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) {
        fprintf(stderr, "no CUDA driver: %s\n", dlerror());
        exit(9);
    }
#define CUDA_LOAD(name, arguments)                                                                           \
    if ((*(void **)&name = dlsym(library, #name)) == NULL) {                                                 \
        fprintf(stderr, "the CUDA driver has no %s\n", #name);                                               \
        exit(9);                                                                                             \
    }
    CUDA_FUNCTIONS(CUDA_LOAD)
    CU(cuInit(0));
    CU(cuDeviceGetCount(&cuda_devices));
    CU(cuDeviceGet(&cuda_device, wish % cuda_devices));
    CU(cuDevicePrimaryCtxRetain(&cuda_context, cuda_device));
    CU(cuCtxSetCurrent(cuda_context));
}

typedef enum { HOST, PINNED, DEVICE, POOL, MAPPED, MANAGED } Kind;

// A buffer of some kind with guards around it, which `cuda_free` checks.
typedef struct {
    Kind kind;
    size_t bytes;
    char *at; // what MPI gets
    Address base;
    size_t whole;
    void *pool;
} Memory;

#define CUDA_GRAIN ((size_t)2 << 20)
#define CUDA_GUARD ((size_t)192)
#define CUDA_GUARD_BYTE 0xA5

static Kind cuda_kinds[16] = {DEVICE};
static int cuda_kinds_count = 1;

CHECK_UNUSED static const char *cuda_name(Kind kind) {
    return (const char *[]){"host", "pinned", "device", "pool", "mapped", "managed"}[kind];
}

static bool cuda_asked(const char *name) {
    return getenv(name) != NULL && strcmp(getenv(name), "1") == 0;
}

static void cuda_read_kinds(void) {
    static char list[256];
    if (getenv("GPU_KINDS") == NULL)
        return;
    snprintf(list, sizeof list, "%s", getenv("GPU_KINDS"));
    cuda_kinds_count = 0;
    for (char *word = strtok(list, ","); word != NULL; word = strtok(NULL, ",")) {
        Kind kind = HOST;
        while (kind < MANAGED && strcmp(word, cuda_name(kind)) != 0)
            kind++;
        cuda_kinds[cuda_kinds_count++ % 16] = kind;
    }
}

// The kind of memory that rank `of` has.
CHECK_UNUSED static Kind cuda_kind(int of) {
    return cuda_kinds[of % cuda_kinds_count];
}

// The place of this rank on its node, before MPI is initialized.
static int cuda_local_rank(void) {
    const char *names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_RANK", "PMIX_RANK"};
    for (int i = 0; i < 4; i++)
        if (getenv(names[i]) != NULL)
            return atoi(getenv(names[i]));
    return 0;
}

// MPI_Init_thread and the driver, in the order that the environment asks for.
CHECK_UNUSED static void cuda_begin(int *argc, char ***argv, int level) {
    bool late = cuda_asked("GPU_LATE");
    int provided, wish = cuda_asked("GPU_SPREAD") ? cuda_local_rank() : 0;
    if (!late)
        cuda_start(wish);
    DO(MPI_Init_thread(argc, argv, level, &provided));
    if (late)
        cuda_start(wish);
    check_ranks();
    CHECK(provided >= level);
    check_nonblocking = check_option(*argc, *argv, "nonblocking");
    cuda_read_kinds();
}

// Addresses over two pieces of memory at least; the buffer lies across a border, even a small one.
static void cuda_map(Memory *memory) {
    CudaProperties properties = {.type = 1, .location = {1, cuda_device}};
    CudaAccess access = {{1, cuda_device}, 3};
    size_t pieces = memory->whole / CUDA_GRAIN + 2;
    memory->whole = pieces * CUDA_GRAIN;
    CU(cuMemAddressReserve(&memory->base, memory->whole, 0, 0, 0));
    for (size_t piece = 0; piece < pieces; piece++) {
        unsigned long long handle;
        CU(cuMemCreate(&handle, CUDA_GRAIN, &properties, 0));
        CU(cuMemMap(memory->base + piece * CUDA_GRAIN, CUDA_GRAIN, 0, handle, 0));
        CU(cuMemRelease(handle));
    }
    CU(cuMemSetAccess(memory->base, memory->whole, &access, 1));
    size_t half = memory->bytes / 2 / 64 * 64;
    memory->at = (char *)memory->base + CUDA_GRAIN - (half < CUDA_GRAIN - CUDA_GUARD ? half : CUDA_GRAIN - CUDA_GUARD);
}

// Beyond this only the guards of a buffer are written: simulated memory costs what is written of it.
#define CUDA_HUGE ((size_t)1 << 30)

static void cuda_set(Memory *memory, int byte) {
    if (memory->kind == DEVICE && memory->whole >= CUDA_HUGE) {
        CU(cuMemsetD8_v2(memory->base, byte, CUDA_GUARD));
        CU(cuMemsetD8_v2(memory->base + memory->whole - CUDA_GUARD, byte, CUDA_GUARD));
        return;
    }
    if (memory->kind == HOST || memory->kind == PINNED)
        memset((void *)memory->base, byte, memory->whole);
    else
        CU(cuMemsetD8_v2(memory->base, byte, memory->whole));
    if (memory->kind == MANAGED) // the host touches it next
        CU(cuStreamSynchronize(NULL));
}

// A buffer that begins inside its allocation, as long as `bytes` says to the byte.
CHECK_UNUSED static Memory cuda_alloc(Kind kind, size_t bytes) {
    Memory memory = {.kind = kind, .bytes = bytes, .whole = bytes + 2 * CUDA_GUARD};
    switch (kind) {
    case HOST:
        memory.base = (Address)check_alloc(memory.whole);
        break;
    case PINNED:
        CU(cuMemHostAlloc((void **)&memory.base, memory.whole, 0));
        break;
    case DEVICE:
        CU(cuMemAlloc_v2(&memory.base, memory.whole));
        break;
    case POOL:
        CU(cuMemAllocAsync(&memory.base, memory.whole, NULL));
        break;
    case MAPPED:
        cuda_map(&memory);
        break;
    case MANAGED:
        CU(cuMemAllocManaged(&memory.base, memory.whole, 1));
        break;
    }
    if (kind != MAPPED)
        memory.at = (char *)memory.base + CUDA_GUARD;
    cuda_set(&memory, CUDA_GUARD_BYTE);
    return memory;
}

// Writes into a buffer, in the legacy default stream when it is on a device.
CHECK_UNUSED static void cuda_put(Memory *memory, size_t offset, const void *from, size_t bytes) {
    if (bytes == 0)
        return;
    if (memory->kind == DEVICE || memory->kind == POOL || memory->kind == MAPPED)
        CU(cuMemcpyHtoD_v2((Address)memory->at + offset, from, bytes));
    else
        memcpy(memory->at + offset, from, bytes);
}

CHECK_UNUSED static void cuda_get(void *to, const Memory *memory, size_t offset, size_t bytes) {
    if (bytes == 0)
        return;
    if (memory->kind == DEVICE || memory->kind == POOL || memory->kind == MAPPED)
        CU(cuMemcpyDtoH_v2(to, (Address)memory->at + offset, bytes));
    else
        memcpy(to, memory->at + offset, bytes);
}

static void cuda_check_guards(const Memory *memory) {
    unsigned char guards[2][CUDA_GUARD / 2];
    cuda_get(guards[0], memory, -(CUDA_GUARD / 2), CUDA_GUARD / 2);
    cuda_get(guards[1], memory, memory->bytes, CUDA_GUARD / 2);
    for (size_t i = 0; i < CUDA_GUARD / 2; i++)
        if (guards[0][i] != CUDA_GUARD_BYTE || guards[1][i] != CUDA_GUARD_BYTE) {
            CHECK_FAIL("something wrote beside a buffer of %zu bytes of kind %s", memory->bytes, cuda_name(memory->kind));
            return;
        }
}

CHECK_UNUSED static void cuda_free(Memory *memory) {
    cuda_check_guards(memory);
    switch (memory->kind) {
    case HOST:
        free((void *)memory->base);
        break;
    case PINNED:
        CU(cuMemFreeHost((void *)memory->base));
        break;
    case POOL:
        CU(cuMemFreeAsync(memory->base, NULL));
        break;
    case MAPPED:
        CU(cuMemUnmap(memory->base, memory->whole));
        CU(cuMemAddressFree(memory->base, memory->whole));
        break;
    default:
        CU(cuMemFree_v2(memory->base));
    }
}

// Contents as check_fill makes them, and their check.
CHECK_UNUSED static void cuda_fill(Memory *memory, size_t bytes, unsigned seed) {
    unsigned char *host = check_alloc(bytes);
    check_fill(host, bytes, seed);
    cuda_put(memory, 0, host, bytes);
    free(host);
}

CHECK_UNUSED static long long cuda_differs(const Memory *memory, size_t bytes, unsigned seed) {
    unsigned char *host = check_alloc(bytes);
    cuda_get(host, memory, 0, bytes);
    long long at = check_differs(host, bytes, seed);
    free(host);
    return at;
}

#define CUDA_FILLED(memory, bytes, seed) CHECK_EQ(cuda_differs((memory), (bytes), (unsigned)(seed)), -1)

// The contents of a buffer that may be too large for that: then one byte all over, which a device writes fast, and of which
// windows are looked at, or all of them if `whole`.
#define CUDA_LARGE ((size_t)8 << 20)

CHECK_UNUSED static void cuda_paint(Memory *memory, unsigned seed) {
    if (memory->bytes <= CUDA_LARGE)
        cuda_fill(memory, memory->bytes, seed);
    else if (memory->kind == DEVICE || memory->kind == POOL || memory->kind == MAPPED)
        CU(cuMemsetD8_v2((Address)memory->at, (unsigned char)seed, memory->bytes));
    else
        memset(memory->at, (unsigned char)seed, memory->bytes);
}

CHECK_UNUSED static void cuda_painted(const Memory *memory, unsigned seed, bool whole) {
    static unsigned char window[1 << 16], wanted[sizeof window];
    if (memory->bytes <= CUDA_LARGE) {
        CHECK_EQ(cuda_differs(memory, memory->bytes, seed), -1);
        return;
    }
    memset(wanted, (unsigned char)seed, sizeof wanted);
    for (size_t at = 0; at < memory->bytes; at += (whole ? 1 : 61) * sizeof window) {
        size_t len = memory->bytes - at < sizeof window ? memory->bytes - at : sizeof window;
        cuda_get(window, memory, at, len);
        if (memcmp(window, wanted, len) != 0) {
            CHECK_FAIL("the window at %zu begins with %d, should be %d", at, window[0], wanted[0]);
            return;
        }
    }
}

// A buffer of this rank's kind with these contents.
CHECK_UNUSED static Memory cuda_filled(size_t bytes, unsigned seed) {
    Memory memory = cuda_alloc(cuda_kind(rank), bytes);
    cuda_fill(&memory, bytes, seed);
    return memory;
}

// Ints: element i of what rank `of` contributes.
CHECK_UNUSED static int cuda_value(int of, int i) {
    return of * 1009 + i % 997 + 1;
}

// The sum of all ranks' elements.
CHECK_UNUSED static int cuda_sum(int i) {
    int all = 0;
    for (int r = 0; r < size; r++)
        all += cuda_value(r, i);
    return all;
}

// A buffer of this rank's kind with its values from element `from` on; more elements behind them are -1.
CHECK_UNUSED static Memory cuda_values(int from, int count, int room) {
    Memory memory = cuda_alloc(cuda_kind(rank), sizeof(int) * room);
    int *host = check_alloc(sizeof(int) * room);
    for (int i = 0; i < room; i++)
        host[i] = i < count ? cuda_value(rank, from + i) : -1;
    cuda_put(&memory, 0, host, sizeof(int) * room);
    free(host);
    return memory;
}

// The ints of a buffer, for the caller to free.
CHECK_UNUSED static int *cuda_ints(const Memory *memory, int count) {
    int *host = check_alloc(sizeof(int) * count);
    cuda_get(host, memory, 0, sizeof(int) * count);
    return host;
}

// Checks `count` ints of a buffer from element `from`: each must be `wanted`, an expression of i.
#define CUDA_INTS(memory, from, count, wanted)                                                               \
    do {                                                                                                     \
        int *found_ = cuda_ints((memory), (from) + (count));                                                 \
        for (int i = 0; i < (count); i++)                                                                    \
            if (found_[(from) + i] != (wanted)) {                                                            \
                CHECK_FAIL("element %d is %d, should be %d", (from) + i, found_[(from) + i], (int)(wanted)); \
                break;                                                                                       \
            }                                                                                                \
        free(found_);                                                                                        \
    } while (0)

#endif
