// SPDX-License-Identifier: MIT OR Apache-2.0
// What every lesson needs to check itself: CHECK(condition) says which rank found what wrong, and where, and ends the
// whole job with a non-zero status. (MPI_Abort, not exit(): the other ranks may be waiting for this one.)
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                               \
    do {                                                                                               \
        if (!(condition)) {                                                                            \
            int check_rank_ = -1;                                                                      \
            MPI_Comm_rank(MPI_COMM_WORLD, &check_rank_);                                               \
            fprintf(stderr, "%s:%d: rank %d: wrong: %s\n", __FILE__, __LINE__, check_rank_, #condition); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                              \
        }                                                                                              \
    } while (0)

// Memory, or the end of the job.
static inline void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    CHECK(memory != NULL);
    return memory;
}

#endif
