// SPDX-License-Identifier: MIT OR Apache-2.0
// What every program in this folder shares: start, checks that name file, line and rank, and the verdict.
// A failed check is printed and counted, and the program goes on; each rank's exit status is its own verdict,
// so that no message of the library under test is needed to report a failure. Rank 0 prints OK.
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_UNUSED __attribute__((unused))

static int rank CHECK_UNUSED, size CHECK_UNUSED;
static int check_failures;
static int check_nonblocking CHECK_UNUSED; // set by the argument "nonblocking": see EITHER

#define CHECK_FAIL(...)                                                                                      \
    do {                                                                                                     \
        if (check_failures++ < 8) {                                                                          \
            fprintf(stderr, "%s:%d: rank %d: ", __FILE__, __LINE__, rank);                                   \
            fprintf(stderr, __VA_ARGS__);                                                                    \
            fputc('\n', stderr);                                                                             \
        }                                                                                                    \
    } while (0)

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            CHECK_FAIL("not true: %s", #condition);                                                          \
    } while (0)

#define CHECK_EQ(found, wanted)                                                                              \
    do {                                                                                                     \
        long long found_ = (long long)(found), wanted_ = (long long)(wanted);                                \
        if (found_ != wanted_)                                                                               \
            CHECK_FAIL("%s is %lld, should be %s = %lld", #found, found_, #wanted, wanted_);                 \
    } while (0)

#define CHECK_STR(found, wanted)                                                                             \
    do {                                                                                                     \
        if (strcmp((found), (wanted)) != 0)                                                                  \
            CHECK_FAIL("%s is \"%s\", should be \"%s\"", #found, (found), (wanted));                         \
    } while (0)

// The call must return MPI_SUCCESS.
#define DO(call)                                                                                             \
    do {                                                                                                     \
        int code_ = (call);                                                                                  \
        if (code_ != MPI_SUCCESS)                                                                            \
            CHECK_FAIL("%s returned class %d", #call, check_class(code_));                                   \
    } while (0)

// The call must return an error of this class.
#define CHECK_ERROR(call, wanted)                                                                            \
    do {                                                                                                     \
        int class_ = check_class(call);                                                                      \
        if (class_ != (wanted))                                                                              \
            CHECK_FAIL("%s gave class %d, should be %s = %d", #call, class_, #wanted, (wanted));             \
    } while (0)

// A collective, blocking or (with the argument "nonblocking") started and waited for:
// EITHER(Bcast, bcast, buffer, 1, MPI_INT, 0, MPI_COMM_WORLD).
#define EITHER(Name, name, ...)                                                                              \
    do {                                                                                                     \
        if (check_nonblocking) {                                                                             \
            MPI_Request request_ = MPI_REQUEST_NULL;                                                         \
            DO(MPI_I##name(__VA_ARGS__, &request_));                                                         \
            DO(MPI_Wait(&request_, MPI_STATUS_IGNORE));                                                      \
            CHECK(request_ == MPI_REQUEST_NULL);                                                             \
        } else {                                                                                             \
            DO(MPI_##Name(__VA_ARGS__));                                                                     \
        }                                                                                                    \
    } while (0)

CHECK_UNUSED static int check_class(int code) {
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

CHECK_UNUSED static void check_ranks(void) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

CHECK_UNUSED static int check_option(int argc, char **argv, const char *word) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], word) == 0)
            return 1;
    return 0;
}

CHECK_UNUSED static void check_start(int *argc, char ***argv) {
    MPI_Init(argc, argv);
    check_ranks();
    check_nonblocking = check_option(*argc, *argv, "nonblocking");
}

// What main returns after MPI_Finalize.
CHECK_UNUSED static int check_verdict(void) {
    if (check_failures != 0) {
        fprintf(stderr, "rank %d: %d checks failed\n", rank, check_failures);
        return 1;
    }
    if (rank == 0)
        puts("OK");
    return 0;
}

CHECK_UNUSED static int check_finish(void) {
    DO(MPI_Finalize());
    return check_verdict();
}

CHECK_UNUSED static void *check_alloc(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (memory == NULL) {
        fprintf(stderr, "rank %d: no memory for %zu bytes\n", rank, bytes);
        exit(9);
    }
    return memory;
}

// Contents that depend on position and on a seed, so that a shifted or foreign message is seen.
CHECK_UNUSED static unsigned char check_byte(size_t position, unsigned seed) {
    return (unsigned char)((position * 131u + (position >> 8) * 7u + seed * 29u + 1u) & 0xff);
}

CHECK_UNUSED static void check_fill(void *memory, size_t bytes, unsigned seed) {
    unsigned char *p = memory;
    for (size_t i = 0; i < bytes; i++)
        p[i] = check_byte(i, seed);
}

// Position of the first byte that differs from check_fill's, or -1.
CHECK_UNUSED static long long check_differs(const void *memory, size_t bytes, unsigned seed) {
    const unsigned char *p = memory;
    for (size_t i = 0; i < bytes; i++)
        if (p[i] != check_byte(i, seed))
            return (long long)i;
    return -1;
}

#define CHECK_FILLED(memory, bytes, seed) CHECK_EQ(check_differs((memory), (bytes), (unsigned)(seed)), -1)

CHECK_UNUSED static void check_status(MPI_Status *status, int source, int tag, MPI_Datatype type, int count, int line) {
    int found = -1;
    MPI_Get_count(status, type, &found);
    if (status->MPI_SOURCE != source || status->MPI_TAG != tag || found != count)
        CHECK_FAIL("line %d: status has source %d, tag %d, count %d; should be %d, %d, %d", line, status->MPI_SOURCE,
                   status->MPI_TAG, found, source, tag, count);
}

#define CHECK_STATUS(status, source, tag, type, count) check_status((status), (source), (tag), (type), (count), __LINE__)

// An empty status: source and tag are the wildcards, the count is 0, it was not cancelled (MPI 4.1, section 3.7.3).
CHECK_UNUSED static void check_empty(MPI_Status *status, int line) {
    int cancelled = -1;
    check_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_BYTE, 0, line);
    MPI_Test_cancelled(status, &cancelled);
    if (cancelled != 0)
        CHECK_FAIL("line %d: empty status says cancelled", line);
}

#define CHECK_EMPTY(status) check_empty((status), __LINE__)

#endif
