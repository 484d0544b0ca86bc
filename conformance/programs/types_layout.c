// SPDX-License-Identifier: MIT OR Apache-2.0
// Derived types: size, bounds and extents of every constructor, and which bytes they touch in which order (by packing).
#include "check.h"
#include <stddef.h>

#define SPACE 4096

static unsigned char memory[SPACE];

static void check_bounds(MPI_Datatype type, int size, long lb, long extent, long true_lb, long true_extent, int line) {
    int found_size = -1;
    MPI_Aint found_lb, found_extent, found_true_lb, found_true_extent;
    DO(MPI_Type_size(type, &found_size));
    DO(MPI_Type_get_extent(type, &found_lb, &found_extent));
    DO(MPI_Type_get_true_extent(type, &found_true_lb, &found_true_extent));
    if (found_size != size || found_lb != lb || found_extent != extent || found_true_lb != true_lb ||
        found_true_extent != true_extent)
        CHECK_FAIL("line %d: size %d lb %ld extent %ld true %ld %ld; should be %d %ld %ld %ld %ld", line, found_size,
                   (long)found_lb, (long)found_extent, (long)found_true_lb, (long)found_true_extent, size, lb, extent,
                   true_lb, true_extent);
}

#define BOUNDS(type, ...) check_bounds((type), __VA_ARGS__, __LINE__)

// Packing `count` items whose origin is in the middle of the memory must give the bytes at these offsets.
static void check_bytes(MPI_Datatype type, int count, const int *offsets, int n, int line) {
    unsigned char packed[SPACE];
    int position = 0, size = 0;
    check_fill(memory, SPACE, 3);
    DO(MPI_Type_commit(&type));
    DO(MPI_Pack(memory + SPACE / 2, count, type, packed, SPACE, &position, MPI_COMM_WORLD));
    DO(MPI_Pack_size(count, type, MPI_COMM_WORLD, &size));
    CHECK(size >= n);
    CHECK_EQ(position, n);
    for (int i = 0; i < n && i < position; i++)
        if (packed[i] != check_byte(SPACE / 2 + offsets[i], 3)) {
            CHECK_FAIL("line %d: packed byte %d is not that at offset %d", line, i, offsets[i]);
            break;
        }
    memset(memory, 0, SPACE); // and back: only these bytes are written
    position = 0;
    DO(MPI_Unpack(packed, n, &position, memory + SPACE / 2, count, type, MPI_COMM_WORLD));
    int written = 0, wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += memory[SPACE / 2 + offsets[i]] != packed[i];
    for (int i = 0; i < SPACE; i++)
        written += memory[i] != 0;
    int nonzero = 0;
    for (int i = 0; i < n; i++)
        nonzero += packed[i] != 0;
    if (wrong != 0 || written != nonzero)
        CHECK_FAIL("line %d: unpack: %d wrong, %d bytes written of %d", line, wrong, written, nonzero);
}

// Offsets of ints (4 bytes each) at these byte displacements.
static void check_ints(MPI_Datatype type, int count, const int *displacements, int n, int line) {
    int offsets[SPACE];
    for (int i = 0; i < n * 4; i++)
        offsets[i] = displacements[i / 4] + i % 4;
    check_bytes(type, count, offsets, n * 4, line);
}

#define LIST(...) (int[]){__VA_ARGS__}, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int))
#define INTS(type, count, ...) check_ints((type), (count), LIST(__VA_ARGS__), __LINE__)
#define BYTES(type, count, ...) check_bytes((type), (count), LIST(__VA_ARGS__), __LINE__)

static void contiguous_and_vector(void) {
    MPI_Datatype three, vector, backwards, hvector, empty;
    DO(MPI_Type_contiguous(3, MPI_INT, &three));
    BOUNDS(three, 12, 0, 12, 0, 12);
    INTS(three, 2, 0, 4, 8, 12, 16, 20);
    DO(MPI_Type_vector(3, 2, 4, MPI_INT, &vector));
    BOUNDS(vector, 24, 0, 40, 0, 40);
    INTS(vector, 2, 0, 4, 16, 20, 32, 36, 40, 44, 56, 60, 72, 76);
    DO(MPI_Type_vector(3, 1, -2, MPI_INT, &backwards));
    BOUNDS(backwards, 12, -16, 20, -16, 20);
    INTS(backwards, 2, 0, -8, -16, 20, 12, 4);
    DO(MPI_Type_create_hvector(2, 2, 20, MPI_INT, &hvector));
    BOUNDS(hvector, 16, 0, 28, 0, 28);
    INTS(hvector, 1, 0, 4, 20, 24);
    DO(MPI_Type_contiguous(0, MPI_INT, &empty));
    BOUNDS(empty, 0, 0, 0, 0, 0);
    MPI_Type_free(&three), MPI_Type_free(&vector), MPI_Type_free(&backwards), MPI_Type_free(&hvector), MPI_Type_free(&empty);
}

static void indexed(void) {
    MPI_Datatype type, block, hindexed, hblock;
    DO(MPI_Type_indexed(3, (int[]){2, 0, 1}, (int[]){5, 100, 1}, MPI_INT, &type));
    BOUNDS(type, 12, 4, 24, 4, 24);
    INTS(type, 2, 20, 24, 4, 44, 48, 28);
    DO(MPI_Type_create_indexed_block(2, 2, (int[]){3, 0}, MPI_INT, &block));
    BOUNDS(block, 16, 0, 20, 0, 20);
    INTS(block, 1, 12, 16, 0, 4);
    DO(MPI_Type_create_hindexed(2, (int[]){1, 2}, (MPI_Aint[]){-9, 3}, MPI_INT, &hindexed));
    BOUNDS(hindexed, 12, -9, 20, -9, 20);
    INTS(hindexed, 2, -9, 3, 7, 11, 23, 27);
    DO(MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]){8, -8}, MPI_INT, &hblock));
    BOUNDS(hblock, 8, -8, 20, -8, 20);
    INTS(hblock, 1, 8, -8);
    MPI_Type_free(&type), MPI_Type_free(&block), MPI_Type_free(&hindexed), MPI_Type_free(&hblock);
}

struct record {
    char letter;
    double number;
    short pair[2];
};

static void structures(void) {
    MPI_Datatype type, array, mixed;
    int lengths[] = {1, 1, 2};
    MPI_Aint at[] = {offsetof(struct record, letter), offsetof(struct record, number), offsetof(struct record, pair)};
    MPI_Datatype kinds[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT};
    DO(MPI_Type_create_struct(3, lengths, at, kinds, &type));
    BOUNDS(type, 13, 0, 24, 0, 20); // the extent is padded to the strictest member's alignment
    BYTES(type, 2, 0, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 24, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43);
    DO(MPI_Type_contiguous(3, type, &array));
    BOUNDS(array, 39, 0, 72, 0, 68);
    DO(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){16, -8}, (MPI_Datatype[]){MPI_INT, MPI_INT}, &mixed));
    BOUNDS(mixed, 8, -8, 28, -8, 28);
    INTS(mixed, 2, 16, -8, 44, 20);
    MPI_Type_free(&type), MPI_Type_free(&array), MPI_Type_free(&mixed);
}

static void resized_and_dup(void) {
    MPI_Datatype narrow, negative, copy, of_negative;
    DO(MPI_Type_create_resized(MPI_INT, 0, 12, &narrow));
    BOUNDS(narrow, 4, 0, 12, 0, 4);
    INTS(narrow, 3, 0, 12, 24);
    DO(MPI_Type_create_resized(MPI_INT, -8, 20, &negative));
    BOUNDS(negative, 4, -8, 20, 0, 4);
    INTS(negative, 2, 0, 20);
    DO(MPI_Type_dup(negative, &copy));
    MPI_Type_free(&negative);
    BOUNDS(copy, 4, -8, 20, 0, 4);
    DO(MPI_Type_contiguous(2, copy, &of_negative));
    BOUNDS(of_negative, 8, -8, 40, 0, 24);
    INTS(of_negative, 2, 0, 20, 40, 60);
    MPI_Type_free(&copy);
    INTS(of_negative, 1, 0, 20); // a type outlives those it is made of
    MPI_Type_free(&narrow), MPI_Type_free(&of_negative);
}

static void subarrays(void) {
    MPI_Datatype c, fortran, whole;
    int sizes[] = {4, 5}, part[] = {2, 3}, start[] = {1, 2};
    DO(MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &c));
    BOUNDS(c, 24, 0, 80, 28, 32);
    INTS(c, 2, 28, 32, 36, 48, 52, 56, 108, 112, 116, 128, 132, 136);
    DO(MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_FORTRAN, MPI_INT, &fortran));
    BOUNDS(fortran, 24, 0, 80, 36, 40);
    INTS(fortran, 1, 36, 40, 52, 56, 68, 72);
    DO(MPI_Type_create_subarray(2, sizes, sizes, (int[]){0, 0}, MPI_ORDER_C, MPI_INT, &whole));
    BOUNDS(whole, 80, 0, 80, 0, 80);
    MPI_Type_free(&c), MPI_Type_free(&fortran), MPI_Type_free(&whole);
}

static void nested(void) {
    MPI_Datatype pair, row, block;
    DO(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 6}, (MPI_Datatype[]){MPI_CHAR, MPI_SHORT}, &pair));
    BOUNDS(pair, 3, 0, 8, 0, 8);
    DO(MPI_Type_vector(2, 1, 2, pair, &row));
    BOUNDS(row, 6, 0, 24, 0, 24);
    DO(MPI_Type_create_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){50, 0}, row, &block));
    BOUNDS(block, 12, 0, 74, 0, 74);
    BYTES(block, 1, 50, 56, 57, 66, 72, 73, 0, 6, 7, 16, 22, 23);
    MPI_Type_free(&pair), MPI_Type_free(&row), MPI_Type_free(&block);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    contiguous_and_vector();
    indexed();
    structures();
    resized_and_dup();
    subarrays();
    nested();
    return check_finish();
}
