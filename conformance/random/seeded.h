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

// Rank 0 prints the seed and the checksum of all ranks.
static void say_together(int seed) {
    uint64_t all[size], together = 0;
    DO(MPI_Gather(&checksum, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD));
    for (int r = 0; r < size; r++)
        together = together * 31 + all[r];
    if (rank == 0)
        printf("seed %d, %d ranks: %016llx\n", seed, size, (unsigned long long)together);
}

#endif
