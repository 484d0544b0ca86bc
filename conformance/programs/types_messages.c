// SPDX-License-Identifier: MIT OR Apache-2.0
// Messages between different types of equal signature, small and large, in all pairs of layouts, expected and not.
#include "check.h"

enum { LAYOUTS = 6 };

static int n; // ints in a message; a multiple of 12

// A layout places int i of the message at index place(i) of the buffer.
static size_t place(int layout, int i) {
    switch (layout) {
    case 0: return i;                        // contiguous
    case 1: return (size_t)2 * i;            // every second
    case 2: return (size_t)(i / 3) * 5 + i % 3; // three of five
    case 3: return n - 1 - i;                // backwards
    case 4: return (size_t)(i / 12) * 16 + (size_t)((i % 12) / 4) * 5 + i % 4 + 1; // nested, with an offset
    default: return (size_t)(i / 2) * 3 + (i % 2 == 0 ? 1 : 0); // a struct in the wrong order
    }
}

static size_t span(void) {
    return (size_t)2 * n + 32;
}

// The type and the count that describe layout; the pointer to give is buffer + *origin.
static MPI_Datatype type_of(int layout, int *count, size_t *origin) {
    MPI_Datatype type = MPI_INT, inner;
    *origin = 0;
    *count = 1;
    switch (layout) {
    case 0: *count = n; return MPI_INT;
    case 1: MPI_Type_vector(n, 1, 2, MPI_INT, &type); break;
    case 2:
        MPI_Type_contiguous(3, MPI_INT, &inner);
        MPI_Type_create_resized(inner, 0, 20, &type);
        MPI_Type_free(&inner);
        *count = n / 3;
        break;
    case 3:
        MPI_Type_create_hvector(n, 1, -4, MPI_INT, &type);
        *origin = n - 1;
        break;
    case 4:
        MPI_Type_create_subarray(2, (int[]){3, 5}, (int[]){3, 4}, (int[]){0, 1}, MPI_ORDER_C, MPI_INT, &inner);
        MPI_Type_create_resized(inner, 0, 64, &type);
        MPI_Type_free(&inner);
        *count = n / 12;
        break;
    default:
        MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){4, 0}, (MPI_Datatype[]){MPI_INT, MPI_INT}, &inner);
        MPI_Type_create_resized(inner, 0, 12, &type);
        MPI_Type_free(&inner);
        *count = n / 2;
    }
    MPI_Type_commit(&type);
    return type;
}

static int *fill(int layout, int seed) {
    int *buffer = check_alloc(span() * 4);
    for (size_t i = 0; i < span(); i++)
        buffer[i] = -1;
    for (int i = 0; seed >= 0 && i < n; i++)
        buffer[place(layout, i)] = seed + i;
    return buffer;
}

static void check_buffer(int *buffer, int layout, int seed) {
    int *wanted = fill(layout, seed);
    for (size_t i = 0; i < span(); i++)
        if (buffer[i] != wanted[i]) {
            CHECK_FAIL("layout %d, %d ints: index %zu is %d, should be %d", layout, n, i, buffer[i], wanted[i]);
            break;
        }
    free(wanted);
}

static void message(int from_layout, int to_layout, int expected) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, send_count, receive_count, elements = -1;
    size_t send_origin, receive_origin;
    MPI_Datatype send_type = type_of(from_layout, &send_count, &send_origin);
    MPI_Datatype receive_type = type_of(to_layout, &receive_count, &receive_origin);
    int *out = fill(from_layout, rank * 1000), *in = fill(to_layout, -1);
    MPI_Request requests[2];
    MPI_Status status;
    if (expected) {
        DO(MPI_Irecv(in + receive_origin, receive_count, receive_type, previous, 1, MPI_COMM_WORLD, &requests[1]));
        DO(MPI_Isend(out + send_origin, send_count, send_type, next, 1, MPI_COMM_WORLD, &requests[0]));
    } else {
        DO(MPI_Isend(out + send_origin, send_count, send_type, next, 1, MPI_COMM_WORLD, &requests[0]));
        DO(MPI_Probe(previous, 1, MPI_COMM_WORLD, &status));
        DO(MPI_Irecv(in + receive_origin, receive_count, receive_type, previous, 1, MPI_COMM_WORLD, &requests[1]));
    }
    DO(MPI_Wait(&requests[1], &status));
    DO(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    CHECK_STATUS(&status, previous, 1, receive_type, receive_count);
    DO(MPI_Get_elements(&status, receive_type, &elements));
    CHECK_EQ(elements, n);
    check_buffer(in, to_layout, previous * 1000);
    check_buffer(out, from_layout, rank * 1000);
    free(out);
    free(in);
    if (send_type != MPI_INT)
        MPI_Type_free(&send_type);
    if (receive_type != MPI_INT)
        MPI_Type_free(&receive_type);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    int lengths[] = {12, 1200, 24000, 120000};
    for (int l = 0; l < 4; l++) {
        n = lengths[l];
        for (int pair = 0; pair < LAYOUTS * LAYOUTS; pair++)
            message(pair / LAYOUTS, pair % LAYOUTS, (pair + pair / LAYOUTS) % 2);
    }
    return check_finish();
}
