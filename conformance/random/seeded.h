// SPDX-License-Identifier: MIT OR Apache-2.0
// What random programs share: numbers from a seed, the same on every rank and every implementation; a checksum of what arrived;
// and the line by which implementations are compared.
#ifndef SEEDED_H
#define SEEDED_H

#include "../programs/check.h"

static uint64_t state, checksum;

// splitmix64 (public domain, Sebastiano Vigna)
static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t next64(void) {
    return mix(state += 0x9e3779b97f4a7c15u);
}

static int below(int n) {
    return (int)(next64() % (uint64_t)n);
}

static void note(const void *memory, size_t bytes, uint64_t place) {
    const unsigned char *p = memory;
    uint64_t hash = 0xcbf29ce484222325u ^ place; // FNV-1a
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ p[i]) * 0x100000001b3u;
    checksum += mix(hash); // order of arrival does not matter
}

// Rank 0 prints the seed, the checksum of all ranks and how many checks have failed, if any.
static void say_together(int seed) {
    uint64_t mine[2] = {checksum, (uint64_t)check_failures}, all[size][2], together = 0, failures = 0;
    DO(MPI_Gather(mine, 2, MPI_UINT64_T, all, 2, MPI_UINT64_T, 0, MPI_COMM_WORLD));
    for (int r = 0; r < size; r++)
        together = together * 31 + all[r][0], failures += all[r][1];
    if (rank != 0)
        return;
    printf("seed %d, %d ranks: %016llx", seed, size, (unsigned long long)together);
    printf(failures ? ", %llu checks have failed\n" : "\n", (unsigned long long)failures);
    fflush(stdout);
}

// The arguments: the first seed, the rounds of each, and how many seeds. `run` gets a seed and the rounds; each seed gives the
// same whichever came before.
static int each_seed(int argc, char **argv, int rounds, void (*run)(int seed, int rounds)) {
    check_start(&argc, &argv);
    int first = argc > 1 ? atoi(argv[1]) : 1, seeds = argc > 3 ? atoi(argv[3]) : 1;
    if (argc > 2)
        rounds = atoi(argv[2]);
    for (int seed = first; seed < first + seeds; seed++) {
        checksum = 0;
        run(seed, rounds);
        say_together(seed);
    }
    return check_finish();
}

#endif
