// SPDX-License-Identifier: MIT OR Apache-2.0
// Starts THREADS threads on one function with their number, and joins them.
#ifndef THREADS_H
#define THREADS_H

#include "check.h"
#include <pthread.h>

#define THREADS 4

static void threads_run(void *(*body)(void *)) {
    pthread_t threads[THREADS];
    for (intptr_t t = 0; t < THREADS; t++)
        if (pthread_create(&threads[t], NULL, body, (void *)t) != 0)
            exit(9);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
}

static void threads_start(int *argc, char ***argv) {
    int provided = -1;
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    check_ranks();
    if (provided != MPI_THREAD_MULTIPLE)
        CHECK_FAIL("level %d in place of MPI_THREAD_MULTIPLE", provided);
}

#endif
