// SPDX-License-Identifier: MIT OR Apache-2.0
// Lesson 7: halo exchange. A grid is cut among the ranks; each needs the border cells of its neighbours.
//
// The pattern of most simulation codes. Heat spreads over a square plate; each cell becomes the mean of its four
// neighbours. The plate is cut into vertical strips, one a rank, and each strip keeps a copy ("halo") of the
// columns next to it. A column is not contiguous in memory: a derived datatype (MPI_Type_vector) describes it, and MPI
// does the gathering. At the rim of the plate the neighbour is MPI_PROC_NULL, and a message to nobody does nothing.
//
// The numbers are integers, so the result must be the same, cell by cell, on any number of ranks: every rank also
// computes the whole plate by itself and compares.
#include "check.h"
#include <string.h>

enum { SIDE = 240, STEPS = 60 };

// A strip of the plate: SIDE rows of `width` own columns and a halo column on either side.
typedef struct {
    int first, width;
    long *now, *next;
} Strip;

static long *cell(long *plate, int width, int row, int column) { return &plate[(size_t)row * (size_t)(width + 2) + (size_t)(column + 1)]; }

// The heat at the start: a hot spot off the middle, cold elsewhere.
static long start(int row, int column) {
    int dy = row - SIDE / 3, dx = column - SIDE / 2;
    return dy * dy + dx * dx < SIDE ? 1000000 : 1000L * row + column;
}

static Strip make_strip(int first, int width) {
    size_t cells = (size_t)SIDE * (size_t)(width + 2);
    Strip s = {first, width, allocate(cells * sizeof(long)), allocate(cells * sizeof(long))};
    memset(s.now, 0, cells * sizeof(long));
    memset(s.next, 0, cells * sizeof(long));
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < width; column++) *cell(s.now, width, row, column) = start(row, first + column);
    return s;
}

static void free_strip(Strip *s) {
    free(s->now);
    free(s->next);
}

// One step; the rim of the plate (first and last row, and what lies beyond the outer columns) stays as it is or is cold.
static void step(Strip *s) {
    for (int row = 0; row < SIDE; row++)
        for (int c = 0; c < s->width; c++) {
            long up = row > 0 ? *cell(s->now, s->width, row - 1, c) : 0;
            long down = row < SIDE - 1 ? *cell(s->now, s->width, row + 1, c) : 0;
            long left = *cell(s->now, s->width, row, c - 1), right = *cell(s->now, s->width, row, c + 1);
            *cell(s->next, s->width, row, c) = (up + down + left + right) / 4;
        }
    long *swap = s->now;
    s->now = s->next;
    s->next = swap;
}

// Sends the outer own columns to the neighbours, and receives theirs into the halo.
static void exchange(Strip *s, MPI_Datatype column, int left, int right) {
    int w = s->width;
    MPI_Sendrecv(cell(s->now, w, 0, 0), 1, column, left, 0, cell(s->now, w, 0, w), 1, column, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(cell(s->now, w, 0, w - 1), 1, column, right, 1, cell(s->now, w, 0, -1), 1, column, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);

    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size <= SIDE);

    int first = SIDE * rank / size, width = SIDE * (rank + 1) / size - first;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;

    // One element of every row of a strip, a strip's row apart.
    MPI_Datatype column;
    MPI_Type_vector(SIDE, 1, width + 2, MPI_LONG, &column);
    MPI_Type_commit(&column);

    Strip mine = make_strip(first, width), whole = make_strip(0, SIDE);
    for (int i = 0; i < STEPS; i++) {
        exchange(&mine, column, left, right);
        step(&mine);
        step(&whole);
    }

    long heat = 0, total;
    for (int row = 0; row < SIDE; row++)
        for (int c = 0; c < width; c++) {
            CHECK(*cell(mine.now, width, row, c) == *cell(whole.now, SIDE, row, first + c));
            heat += *cell(mine.now, width, row, c);
        }
    MPI_Reduce(&heat, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("after %d steps the plate holds %ld units of heat, as it should\n", STEPS, total);

    MPI_Type_free(&column);
    free_strip(&mine);
    free_strip(&whole);
    MPI_Finalize();
    return 0;
}
