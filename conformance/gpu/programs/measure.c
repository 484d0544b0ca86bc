// SPDX-License-Identifier: MIT OR Apache-2.0
// Times of calls on device buffers, and the ceilings of the device: a copy within it and a kernel that adds, by rank 0 alone (copy_one,
// add_one) and by all ranks at once (copy_all, add_all: of one rank). Of so many bytes a copy moves twice as many, the sum three times. Arguments:
// the largest message in bytes (1 MiB), the time for each size in ms (20), the folder of the kernels' PTX (no kernel without); then, in any
// order, "from=BYTES" (no smaller messages) and "only=NAME,..." (operations by their names, or ceilings; all without).
// Each time is the slowest rank's mean of one repetition; contents are checked before. Lines of rank 0:
//   measured OPERATION RANKS BYTES MICROSECONDS WRONG
//   ceiling WHAT RANKS BYTES GIGABYTES/SECOND
#include "cuda.h"

#define W MPI_COMM_WORLD
#define WINDOW 64
#define LARGE ((size_t)256 << 20)

static Memory out, in;
static double budget = 0.02;
static const char *only;
static size_t smallest = 8;
static bool alone;

typedef void (*Body)(int count);

// Whether the arguments ask for it.
static bool asked(const char *name) {
    size_t length = strlen(name);
    for (const char *at = only; at != NULL && (at = strstr(at, name)) != NULL; at += length)
        if ((at == only || at[-1] == ',') && (at[length] == 0 || at[length] == ','))
            return true;
    return only == NULL;
}

static void bcast(int count) {
    DO(MPI_Bcast(in.at, count, MPI_FLOAT, 0, W));
}

static void allreduce(int count) {
    DO(MPI_Allreduce(out.at, in.at, count, MPI_FLOAT, MPI_SUM, W));
}

static void iallreduce(int count) {
    MPI_Request request;
    DO(MPI_Iallreduce(out.at, in.at, count, MPI_FLOAT, MPI_SUM, W, &request));
    DO(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

// Rank 0 and 1: half of a round trip is one message.
static void pingpong(int count) {
    if (rank == 0) {
        DO(MPI_Send(out.at, count, MPI_FLOAT, 1, 1, W));
        DO(MPI_Recv(in.at, count, MPI_FLOAT, 1, 1, W, MPI_STATUS_IGNORE));
    } else if (rank == 1) {
        DO(MPI_Recv(in.at, count, MPI_FLOAT, 0, 1, W, MPI_STATUS_IGNORE));
        DO(MPI_Send(out.at, count, MPI_FLOAT, 0, 1, W));
    }
}

// Many messages from rank 0 to rank 1 at once, into one place each; as many as fit into the buffers.
static void window(int count) {
    MPI_Request requests[WINDOW];
    size_t bytes = sizeof(float) * count, fit = in.bytes / bytes;
    int many = fit < WINDOW ? (int)fit : WINDOW;
    for (int i = 0; rank < 2 && i < many; i++)
        if (rank == 0)
            DO(MPI_Isend(out.at + i * bytes, count, MPI_FLOAT, 1, i, W, &requests[i]));
        else
            DO(MPI_Irecv(in.at + i * bytes, count, MPI_FLOAT, 0, i, W, &requests[i]));
    if (rank < 2)
        DO(MPI_Waitall(many, requests, MPI_STATUSES_IGNORE));
}

static double repeat(Body body, int count, int times) {
    DO(MPI_Barrier(W));
    double took, start = MPI_Wtime();
    for (int i = 0; i < times && (!alone || rank == 0); i++)
        body(count);
    took = (MPI_Wtime() - start) / times;
    DO(MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, W));
    return took;
}

// Mean time of one repetition within the budget.
static double timed(Body body, int count) {
    double once = repeat(body, count, 1);
    int times = once * 3 > budget ? 3 : (int)(budget / once);
    return repeat(body, count, times < 10000 ? times : 10000);
}

static void constant(Memory *memory, int count, float value) {
    unsigned word;
    memcpy(&word, &value, 4);
    CU(cuMemsetD32Async((Address)memory->at, word, count, NULL));
}

// Elements that are not `wanted`, among the first and the last few; 0: this rank has none to look at.
static int wrong(int count, float wanted) {
    float found[64];
    int some = count < 64 ? count : 64, bad = 0;
    for (int end = 0; end < 2 && wanted != 0; end++) {
        cuda_get(found, &in, end ? sizeof(float) * (count - some) : 0, sizeof(float) * some);
        for (int i = 0; i < some; i++)
            bad += found[i] != wanted;
    }
    DO(MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_SUM, W));
    return bad;
}

static void measure(const char *name, Body body, int count, float wanted, int parts) {
    if (!asked(name))
        return;
    constant(&out, count, rank + 1);
    constant(&in, count, rank == 0 ? 1 : 77);
    body(count);
    int bad = wrong(count, wanted);
    CHECK_EQ(bad, 0);
    double took = timed(body, count) / parts;
    if (rank == 0)
        printf("measured %s %d %zu %.3f %d\n", name, size, sizeof(float) * count, took * 1e6, bad);
    fflush(stdout);
}

static void copy_within(int count) {
    CU(cuMemcpyDtoDAsync_v2((Address)in.at, (Address)out.at, sizeof(float) * count, NULL));
    CU(cuStreamSynchronize(NULL));
}

static void *adder;

// As the library launches it: a thread for each 16 bytes, up to so many.
static void add(int count) {
    unsigned long long n = count, blocks = (sizeof(float) * n + 4095) / 4096;
    void *arguments[] = {&in.at, &in.at, &out.at, &n};
    CU(cuLaunchKernel(adder, blocks < 4096 ? blocks : 4096, 1, 1, 256, 1, 1, 0, NULL, arguments, NULL));
    CU(cuStreamSynchronize(NULL));
}

static void load_adder(const char *folder) {
    char path[4096], *text = check_alloc(1 << 20);
    void *module;
    snprintf(path, sizeof path, "%s/f32.ptx", folder);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return;
    text[fread(text, 1, (1 << 20) - 1, file)] = 0;
    fclose(file);
    double start = MPI_Wtime();
    CU(cuModuleLoadData(&module, text));
    CU(cuModuleGetFunction(&adder, module, "paceline_sum_f32"));
    if (rank == 0)
        printf("fact module_load_us %.0f\n", (MPI_Wtime() - start) * 1e6);
    free(text);
}

// By rank 0 alone while the others wait, then by all at once.
static void ceiling(const char *name, Body body, int count) {
    for (int all = 0; all < 2; all++) {
        constant(&out, count, 1);
        constant(&in, count, 1);
        alone = !all;
        double took = timed(body, count);
        if (rank == 0)
            printf("ceiling %s_%s %d %zu %.2f\n", name, all ? "all" : "one", size, sizeof(float) * count, sizeof(float) * (double)count / took / 1e9);
    }
    alone = false;
    fflush(stdout);
}

static void options(int argc, char **argv) {
    for (int i = 4; i < argc; i++)
        if (strncmp(argv[i], "only=", 5) == 0)
            only = argv[i] + 5;
        else if (strncmp(argv[i], "from=", 5) == 0)
            smallest = strtoull(argv[i] + 5, NULL, 10);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    size_t largest = argc > 1 ? strtoull(argv[1], NULL, 10) : (size_t)1 << 20;
    budget = argc > 2 ? atof(argv[2]) / 1e3 : budget;
    out = cuda_alloc(DEVICE, largest);
    in = cuda_alloc(DEVICE, largest);
    options(argc, argv);
    int most = (largest < LARGE ? largest : LARGE) / sizeof(float);
    if (asked("ceilings")) {
        if (argc > 3)
            load_adder(argv[3]);
        ceiling("copy", copy_within, most);
        if (adder != NULL)
            ceiling("add", add, most);
    }
    for (size_t bytes = 8; bytes <= largest; bytes *= bytes < 4096 ? 8 : 4) {
        int count = bytes / sizeof(float);
        if (bytes < smallest)
            continue;
        measure("bcast", bcast, count, 1, 1);
        measure("allreduce", allreduce, count, size * (size + 1) / 2, 1);
        measure("iallreduce", iallreduce, count, size * (size + 1) / 2, 1);
        if (size > 1) {
            measure("pingpong", pingpong, count, rank == 0 ? 2 : rank == 1 ? 1 : 0, 2);
            size_t fit = largest / bytes;
            measure("window", window, count, rank == 1 ? 1 : 0, fit < WINDOW ? (int)fit : WINDOW);
        }
    }
    cuda_free(&out);
    cuda_free(&in);
    return check_finish();
}
