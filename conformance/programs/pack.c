// SPDX-License-Identifier: MIT OR Apache-2.0
// Pack and Unpack: several items into one buffer, sent as MPI_PACKED, unpacked as other types; packed and typed mixed.
#include "check.h"

static int next, previous;

static void several_items(void) {
    char buffer[1000], text[20] = {0};
    double number = rank + 0.5, numbers[10] = {0};
    int position = 0, size_int, size_char, size_double, count = -1;
    int header[3] = {rank, 2, 3};
    MPI_Status status;
    DO(MPI_Pack_size(3, MPI_INT, MPI_COMM_WORLD, &size_int));
    DO(MPI_Pack_size(6, MPI_CHAR, MPI_COMM_WORLD, &size_char));
    DO(MPI_Pack_size(1, MPI_DOUBLE, MPI_COMM_WORLD, &size_double));
    CHECK(size_int >= 12 && size_char >= 6 && size_double >= 8);
    DO(MPI_Pack(header, 3, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    DO(MPI_Pack("hello", 6, MPI_CHAR, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    DO(MPI_Pack(&number, 1, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    DO(MPI_Pack(numbers, 0, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    CHECK(position <= size_int + size_char + size_double);
    DO(MPI_Sendrecv_replace(buffer, position, MPI_PACKED, next, 1, previous, 1, MPI_COMM_WORLD, &status));
    DO(MPI_Get_count(&status, MPI_PACKED, &count));
    CHECK_EQ(count, position);
    int end = position;
    position = 0;
    DO(MPI_Unpack(buffer, count, &position, header, 3, MPI_INT, MPI_COMM_WORLD));
    DO(MPI_Unpack(buffer, count, &position, text, 6, MPI_CHAR, MPI_COMM_WORLD));
    DO(MPI_Unpack(buffer, count, &position, &number, 1, MPI_DOUBLE, MPI_COMM_WORLD));
    CHECK_EQ(position, end);
    CHECK_EQ(header[0], previous);
    CHECK_STR(text, "hello");
    CHECK(number == previous + 0.5);
}

// Packed on one side, received as the type itself; and the reverse.
static void packed_meets_typed(int n) {
    int *values = check_alloc(n * 8), *in = check_alloc(n * 4), position = 0;
    char *packed = check_alloc(n * 4);
    MPI_Datatype every_second;
    for (int i = 0; i < 2 * n; i++)
        values[i] = rank * 100 + i;
    DO(MPI_Type_vector(n, 1, 2, MPI_INT, &every_second));
    DO(MPI_Type_commit(&every_second));
    DO(MPI_Pack(values, 1, every_second, packed, n * 4, &position, MPI_COMM_WORLD));
    CHECK_EQ(position, n * 4);
    DO(MPI_Sendrecv(packed, position, MPI_PACKED, next, 2, in, n, MPI_INT, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < n; i++)
        CHECK_EQ(in[i], previous * 100 + 2 * i);
    DO(MPI_Sendrecv(values, 1, every_second, next, 3, packed, n * 4, MPI_PACKED, previous, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    memset(in, 0, n * 4);
    position = 0;
    DO(MPI_Unpack(packed, n * 4, &position, in, n, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        CHECK_EQ(in[i], previous * 100 + 2 * i);
    DO(MPI_Type_free(&every_second));
    free(values);
    free(in);
    free(packed);
}

// An item in two pieces: pack one by one, unpack all at once, and at an odd position.
static void pieces(void) {
    char buffer[64];
    short in[4], out[4] = {1, -2, 3, -4};
    int position = 3;
    for (int i = 0; i < 4; i++)
        DO(MPI_Pack(&out[i], 1, MPI_SHORT, buffer, sizeof buffer, &position, MPI_COMM_SELF));
    CHECK_EQ(position, 11);
    position = 3;
    DO(MPI_Unpack(buffer, sizeof buffer, &position, in, 4, MPI_SHORT, MPI_COMM_SELF));
    CHECK_EQ(position, 11);
    CHECK_EQ(memcmp(in, out, sizeof in), 0);
}

static void no_room(void) {
    int values[4] = {0}, position = 0;
    char buffer[8];
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Pack(values, 4, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD) != MPI_SUCCESS);
    position = 0;
    CHECK(MPI_Unpack(buffer, sizeof buffer, &position, values, 4, MPI_INT, MPI_COMM_WORLD) != MPI_SUCCESS);
}

static void external(void) {
    unsigned char buffer[16];
    int32_t value = 0x01020304, back = 0;
    MPI_Aint position = 0, need = 0;
    DO(MPI_Pack_external_size("external32", 1, MPI_INT32_T, &need));
    CHECK_EQ(need, 4);
    DO(MPI_Pack_external("external32", &value, 1, MPI_INT32_T, buffer, sizeof buffer, &position));
    CHECK_EQ(position, 4);
    CHECK(buffer[0] == 1 && buffer[1] == 2 && buffer[2] == 3 && buffer[3] == 4); // big-endian
    position = 0;
    DO(MPI_Unpack_external("external32", buffer, sizeof buffer, &position, &back, 1, MPI_INT32_T));
    CHECK_EQ(back, value);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    if (check_option(argc, argv, "external")) {
        external();
    } else {
        several_items();
        packed_meets_typed(10);
        packed_meets_typed(5000);
        packed_meets_typed(500000);
        pieces();
        no_room();
    }
    return check_finish();
}
