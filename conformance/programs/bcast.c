// SPDX-License-Identifier: MIT OR Apache-2.0
// Bcast from every root, all lengths that matter, and with types that differ between root and receivers but have equal
// signature: segments must be cut by packed bytes. Argument "nonblocking": Ibcast.
#include "check.h"

static void plain(size_t bytes, int root) {
    unsigned char *data = check_alloc(bytes + 1);
    memset(data, 0xEE, bytes + 1);
    if (rank == root)
        check_fill(data, bytes, root + (unsigned)bytes);
    EITHER(Bcast, bcast, data, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
    CHECK_FILLED(data, bytes, root + bytes);
    CHECK_EQ(data[bytes], 0xEE);
    free(data);
}

// The root sends 10 n ints; the others receive n items of ten.
static void tens(int n, int root) {
    int *data = check_alloc(sizeof(int) * 10 * n);
    MPI_Datatype ten;
    DO(MPI_Type_contiguous(10, MPI_INT, &ten));
    DO(MPI_Type_commit(&ten));
    for (int i = 0; i < 10 * n; i++)
        data[i] = rank == root ? i : -1;
    if (rank == root)
        EITHER(Bcast, bcast, data, 10 * n, MPI_INT, root, MPI_COMM_WORLD);
    else
        EITHER(Bcast, bcast, data, n, ten, root, MPI_COMM_WORLD);
    for (int i = 0; i < 10 * n; i++)
        if (data[i] != i) {
            CHECK_FAIL("n %d: element %d is %d", n, i, data[i]);
            break;
        }
    DO(MPI_Type_free(&ten));
    free(data);
}

// Every rank has another gap between the pieces, and pieces of a length that no segment is a multiple of.
static void gaps(int n, int piece, int root) {
    int stride = piece + rank % 3;
    short *data = check_alloc(sizeof(short) * ((size_t)n * stride + 1));
    MPI_Datatype pieces;
    DO(MPI_Type_vector(n, piece, stride, MPI_SHORT, &pieces));
    DO(MPI_Type_commit(&pieces));
    for (int i = 0; i < n * stride; i++)
        data[i] = -7;
    for (int i = 0; rank == root && i < n * piece; i++)
        data[i / piece * stride + i % piece] = (short)i;
    EITHER(Bcast, bcast, data, 1, pieces, root, MPI_COMM_WORLD);
    for (int i = 0; i < n * stride - rank % 3; i++) {
        short wanted = i % stride < piece ? (short)(i / stride * piece + i % stride) : -7;
        if (data[i] != wanted) {
            CHECK_FAIL("n %d, piece %d: index %d is %d, should be %d", n, piece, i, data[i], wanted);
            break;
        }
    }
    DO(MPI_Type_free(&pieces));
    free(data);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    for (int root = 0; root < size; root++) {
        size_t small[] = {0, 1, 2, 7, 64, 1000};
        for (int i = 0; i < 6; i++)
            plain(small[i], root);
        tens(1, root);
        tens(7, root);
        gaps(100, 3, root);
    }
    int root = 1 % size;
    for (int power = 2048; power <= 4 << 20; power *= 2)
        for (int d = -1; d <= 1; d++)
            plain(power + d, (root + d + size) % size);
    plain(7 * 65536 + 13, root);
    plain(7 * (1 << 20) + 13, size - 1);
    tens(100003, root);
    tens(1000000, root);
    gaps(30011, 7, root);
    gaps(300007, 3, size - 1);
    for (int i = 0; i < 300; i++) // many in a row from changing roots: none may overtake another
        plain(i % 5 == 0 ? 5000 : i, i % size);
    return check_finish();
}
