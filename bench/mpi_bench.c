// SPDX-License-Identifier: MIT OR Apache-2.0
// mpi_bench OPERATION BYTES[,BYTES...] [REPEATS] [MICROSECONDS]
//
// Times one MPI operation for some sizes and prints every repeat as a row of tab-separated values:
//
//     operation  bytes  repeat  microseconds  iterations  probe_before  probe_after
//
//   pingpong   half a round trip between the ranks of a pair
//   window     16 Isend against 16 Irecv (2 when 16 would be more than 64 MiB) between the ranks of a pair, then an
//              acknowledgement: time of one message
//   bcast      MPI_Bcast from rank 0, back to back
//   allreduce  MPI_Allreduce of floats, sum, back to back
//   barrier    MPI_Barrier
//
// A repeat is a loop of as many iterations as take about MICROSECONDS (default 3000); its time is that of the slowest rank.
// With more than two ranks pingpong and window run on several pairs (r, r + n/2) at once.
// The contents are checked before the timing; a wrong byte ends the job with status 1.
//
// Two cores of a virtual machine may be near to each other or far apart, and the machine moves them at will. So on two
// ranks each repeat carries the round trip of one cache line, in nanoseconds, just before and just after it: only
// repeats with equal distance can be compared. With more ranks the probe is 0.
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 16, WINDOW_BYTES = 64 << 20, MAX_ITERATIONS = 20000 };

static int rank, size, mate, first_of_pair;
static char *out, *in;

static double now(void) { // microseconds
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void die(const char *what) {
    fprintf(stderr, "mpi_bench: rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void require(int condition, const char *what) {
    if (!condition) die(what);
}

static double slowest(double mine) {
    double all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

// ---- the distance of the two cores -----------------------------------------------------------------------------

static _Atomic uint32_t *flags; // two cache lines, shared by ranks 0 and 1 without MPI

// Rank 1 maps rank 0's memory file by its path in /proc, so nothing is left behind whatever happens.
static void open_probe(void) {
    if (size != 2) return;
    int where[2] = {getpid(), rank == 0 ? memfd_create("probe", 0) : 0};
    if (rank == 0) require(where[1] >= 0 && ftruncate(where[1], 4096) == 0, "no memory file for the probe");
    MPI_Bcast(where, 2, MPI_INT, 0, MPI_COMM_WORLD);
    int file = where[1];
    if (rank == 1) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/fd/%d", where[0], where[1]);
        file = open(path, O_RDWR);
    }
    require(file >= 0, "cannot open the other rank's memory file");
    flags = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    require(flags != MAP_FAILED, "cannot map the memory file");
    MPI_Barrier(MPI_COMM_WORLD);
    close(file);
}

// The round trip of a cache line in nanoseconds, the best of a few short series.
static double probe(void) {
    static uint32_t turn;
    if (size != 2) return 0;
    double best = 1e9;
    _Atomic uint32_t *ping = flags, *pong = flags + 64;
    for (int series = 0; series < 4; series++) {
        double start = now();
        for (int i = 0; i < 100; i++) {
            turn++;
            if (rank == 0) {
                atomic_store_explicit(ping, turn, memory_order_release);
                while (atomic_load_explicit(pong, memory_order_acquire) != turn) {}
            } else {
                while (atomic_load_explicit(ping, memory_order_acquire) != turn) {}
                atomic_store_explicit(pong, turn, memory_order_release);
            }
        }
        double each = (now() - start) * 1e3 / 100;
        if (each < best) best = each;
    }
    return best;
}

// ---- the operations --------------------------------------------------------------------------------------------

static void pingpong(size_t bytes) {
    int n = (int)bytes;
    if (first_of_pair) MPI_Send(out, n, MPI_BYTE, mate, 1, MPI_COMM_WORLD);
    MPI_Recv(in, n, MPI_BYTE, mate, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!first_of_pair) MPI_Send(out, n, MPI_BYTE, mate, 1, MPI_COMM_WORLD);
}

static int window_of(size_t bytes) { return bytes * WINDOW <= WINDOW_BYTES ? WINDOW : 2; }

static void window(size_t bytes) {
    MPI_Request requests[WINDOW];
    int messages = window_of(bytes);
    for (int w = 0; w < messages; w++) {
        if (first_of_pair) MPI_Isend(out + (size_t)w * bytes, (int)bytes, MPI_BYTE, mate, 2, MPI_COMM_WORLD, &requests[w]);
        else MPI_Irecv(in + (size_t)w * bytes, (int)bytes, MPI_BYTE, mate, 2, MPI_COMM_WORLD, &requests[w]);
    }
    MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
    char acknowledgement = 0;
    if (first_of_pair) MPI_Recv(&acknowledgement, 1, MPI_BYTE, mate, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else MPI_Send(&acknowledgement, 1, MPI_BYTE, mate, 3, MPI_COMM_WORLD);
}

static void bcast(size_t bytes) { MPI_Bcast(rank == 0 ? out : in, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }

static void allreduce(size_t bytes) { MPI_Allreduce(out, in, (int)(bytes / sizeof(float)), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); }

static void barrier(size_t bytes) {
    (void)bytes;
    MPI_Barrier(MPI_COMM_WORLD);
}

typedef struct {
    const char *name;
    void (*run)(size_t bytes);
    int per_iteration; // timed things in one iteration (0: the messages of a window)
    int in_pairs;
} Operation;

static const Operation operations[] = {
    {"pingpong", pingpong, 2, 1}, {"window", window, 0, 1},   {"bcast", bcast, 1, 0},
    {"allreduce", allreduce, 1, 0}, {"barrier", barrier, 1, 0},
};

static int per_iteration(const Operation *op, size_t bytes) { return op->per_iteration ? op->per_iteration : window_of(bytes); }

static size_t buffer_of(const Operation *op, size_t bytes) { return op->run == window ? bytes * (size_t)window_of(bytes) : bytes; }

// ---- contents --------------------------------------------------------------------------------------------------

// Small whole numbers: as floats their sums are exact, as bytes they differ from place to place.
static float number(int of_rank, size_t i) { return (float)((of_rank + 1) * (int)(i % 1013 + 1)); }

static float expected(const Operation *op, size_t i) {
    if (op->run == bcast) return number(0, i);
    if (op->run == allreduce) return (float)(size * (size + 1) / 2) * number(0, i);
    return number(mate, i);
}

static void check(const Operation *op, size_t bytes) {
    size_t n = buffer_of(op, bytes) / sizeof(float);
    for (size_t i = 0; i < n; i++) ((float *)out)[i] = number(rank, i);
    memset(in, 0, n * sizeof(float));
    op->run(bytes);
    int receives = op->run == bcast ? rank != 0 : op->run == window ? !first_of_pair : op->run != barrier;
    for (size_t i = 0; receives && i < n; i++) require(((float *)in)[i] == expected(op, i), "wrong contents");
}

// ---- timing ----------------------------------------------------------------------------------------------------

static double time_of(const Operation *op, size_t bytes, int iterations) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now();
    for (int i = 0; i < iterations; i++) op->run(bytes);
    return slowest((now() - start) / iterations / per_iteration(op, bytes));
}

// How many iterations fill the target: estimated from ever longer loops, the same on all ranks.
static int iterations_for(const Operation *op, size_t bytes, double target) {
    double one = time_of(op, bytes, 1) * per_iteration(op, bytes);
    for (int i = 4; i <= 64 && one * i < target; i *= 4) one = time_of(op, bytes, i) * per_iteration(op, bytes);
    double n = target / (one > 0.01 ? one : 0.01);
    return n < 1 ? 1 : n > MAX_ITERATIONS ? MAX_ITERATIONS : (int)n;
}

// Both libraries warm up first, for the time of all repeats: connections, pages and, where ranks share cores, their places.
static void warm_up(const Operation *op, size_t bytes, int repeats, double target) {
    time_of(op, bytes, repeats * iterations_for(op, bytes, target));
}

static void measure(const Operation *op, size_t bytes, int repeats, double target) {
    check(op, bytes);
    warm_up(op, bytes, repeats, target);
    int iterations = iterations_for(op, bytes, target);
    for (int r = 0; r < repeats; r++) {
        double before = probe(), time = time_of(op, bytes, iterations), after = probe();
        if (rank == 0) printf("%s\t%zu\t%d\t%.4f\t%d\t%.0f\t%.0f\n", op->name, bytes, r, time, iterations, before, after);
    }
    if (rank == 0) fflush(stdout);
}

// ---- start -----------------------------------------------------------------------------------------------------

static const Operation *operation_named(const char *name) {
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, name) == 0) return &operations[i];
    die("no such operation");
    return NULL;
}

// The longest buffer that any of the sizes needs.
static size_t longest_of(const Operation *op, const char *sizes) {
    size_t longest = 4;
    for (const char *s = sizes; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL) {
        size_t bytes = strtoull(s, NULL, 0);
        require(bytes % sizeof(float) == 0 && bytes <= INT32_MAX, "sizes are multiples of 4 below 2 GiB");
        if (buffer_of(op, bytes) > longest) longest = buffer_of(op, bytes);
    }
    return longest;
}

// A core for each rank, as long as there are enough: otherwise two ranks may share one while the other is idle.
static void pin(void) {
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (size > cores) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)rank, &set);
    sched_setaffinity(0, sizeof set, &set);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    require(argc >= 3, "usage: mpi_bench OPERATION BYTES[,BYTES...] [REPEATS] [MICROSECONDS]");
    const Operation *op = operation_named(argv[1]);
    int repeats = argc > 3 ? atoi(argv[3]) : 9;
    double target = argc > 4 ? atof(argv[4]) : 3000;
    require(!op->in_pairs || size % 2 == 0, "this operation needs an even number of ranks");
    first_of_pair = rank < size / 2;
    mate = first_of_pair ? rank + size / 2 : rank - size / 2;

    size_t bytes = longest_of(op, argv[2]);
    out = malloc(bytes);
    in = malloc(bytes);
    require(out && in, "no memory");
    memset(out, 1, bytes);
    memset(in, 1, bytes);

    pin();
    open_probe();
    for (const char *s = argv[2]; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL) measure(op, strtoull(s, NULL, 0), repeats, target);

    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
