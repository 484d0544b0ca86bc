// SPDX-License-Identifier: MIT OR Apache-2.0
// Lesson 4: a large broadcast. One rank has 64 MiB, everybody needs it.
//
// MPI_Bcast is a collective: all ranks of the communicator call it, with the same root. The root's buffer is read,
// everybody else's is written. For large buffers a good library sends chunks down a chain of ranks, so that all of
// them are busy at the same time; the call looks the same.
//
// Each rank is the root once, and a checksum that every rank computes by itself proves that all have the same bytes.
#include "check.h"
#include <stdint.h>

enum { WORDS = 8 << 20 }; // 64 MiB of 64-bit words

// A number that is different in every place and for every root (a step of the SplitMix64 generator).
static uint64_t word_of(int root, size_t i) {
    uint64_t x = (uint64_t)i * 0x9E3779B97F4A7C15u + (uint64_t)(root + 1);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    return x ^ (x >> 27);
}

static uint64_t checksum(const uint64_t *words, size_t n) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) sum = (sum << 1 | sum >> 63) ^ words[i];
    return sum;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);

    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    uint64_t *words = allocate(WORDS * sizeof *words);
    for (int root = 0; root < size; root++) {
        for (size_t i = 0; i < WORDS; i++) words[i] = rank == root ? word_of(root, i) : 0;

        MPI_Bcast(words, WORDS, MPI_UINT64_T, root, MPI_COMM_WORLD);

        for (size_t i = 0; i < WORDS; i += 4099) CHECK(words[i] == word_of(root, i));
        uint64_t mine = checksum(words, WORDS), least, most;
        MPI_Allreduce(&mine, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
        MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
        CHECK(least == mine && most == mine);
        if (rank == 0) printf("root %d: 64 MiB on %d ranks, checksum %016llx\n", root, size, (unsigned long long)mine);
    }

    free(words);
    MPI_Finalize();
    return 0;
}
