// SPDX-License-Identifier: MIT OR Apache-2.0
// MINLOC and MAXLOC on all pair types: the value, and of equal values the lowest index.
#include "check.h"
#include <float.h>
#include <limits.h>

#define N 50

#define PAIR(CTYPE, TYPE, LOWEST, HIGHEST)                                                                   \
    static void pair_##TYPE(void) {                                                                          \
        struct {                                                                                             \
            CTYPE value;                                                                                     \
            int index;                                                                                       \
        } all[size][N], in[N], wanted[N];                                                                    \
        for (int r = 0; r < size; r++)                                                                       \
            for (int i = 0; i < N; i++) {                                                                    \
                int kind = (i + 3 * r) % 6;                                                                  \
                all[r][i].value = kind == 0 ? (CTYPE)(LOWEST) : kind == 1 ? (CTYPE)(HIGHEST) : (CTYPE)(i % 3); \
                all[r][i].index = i % 2 ? r : 1000 - r;                                                      \
            }                                                                                                \
        for (int largest = 0; largest < 2; largest++) {                                                      \
            MPI_Op op = largest ? MPI_MAXLOC : MPI_MINLOC;                                                   \
            for (int i = 0; i < N; i++) {                                                                    \
                wanted[i] = all[0][i];                                                                       \
                for (int r = 1; r < size; r++) {                                                             \
                    int better = largest ? all[r][i].value > wanted[i].value : all[r][i].value < wanted[i].value; \
                    if (better || (all[r][i].value == wanted[i].value && all[r][i].index < wanted[i].index)) \
                        wanted[i] = all[r][i];                                                               \
                }                                                                                            \
            }                                                                                                \
            memset(in, 0x55, sizeof in);                                                                     \
            DO(MPI_Allreduce(all[rank], in, N, TYPE, op, MPI_COMM_WORLD));                                   \
            for (int i = 0; i < N; i++)                                                                      \
                if (in[i].value != wanted[i].value || in[i].index != wanted[i].index)                        \
                    CHECK_FAIL("%s, %s, element %d: index %d, should be %d", #TYPE, largest ? "MAXLOC" : "MINLOC", i, \
                               in[i].index, wanted[i].index);                                                \
            memset(in, 0x55, sizeof in);                                                                     \
            DO(MPI_Reduce(all[rank], in, N, TYPE, op, 0, MPI_COMM_WORLD));                                   \
            for (int i = 0; i < N && rank == 0; i++)                                                         \
                if (in[i].value != wanted[i].value || in[i].index != wanted[i].index)                        \
                    CHECK_FAIL("%s, %s, element %d (Reduce)", #TYPE, largest ? "MAXLOC" : "MINLOC", i);      \
        }                                                                                                    \
    }

PAIR(float, MPI_FLOAT_INT, -FLT_MAX, FLT_MAX)
PAIR(double, MPI_DOUBLE_INT, -DBL_MAX, DBL_MAX)
PAIR(long, MPI_LONG_INT, LONG_MIN, LONG_MAX)
PAIR(int, MPI_2INT, INT_MIN, INT_MAX)
PAIR(short, MPI_SHORT_INT, SHRT_MIN, SHRT_MAX)
PAIR(long double, MPI_LONG_DOUBLE_INT, -LDBL_MAX, LDBL_MAX)

static void layouts(void) {
    struct { double value; int index; } both;
    MPI_Aint lb, extent;
    int bytes;
    DO(MPI_Type_size(MPI_DOUBLE_INT, &bytes));
    DO(MPI_Type_get_extent(MPI_DOUBLE_INT, &lb, &extent));
    CHECK_EQ(bytes, 12);
    CHECK_EQ(extent, sizeof both);
    DO(MPI_Type_size(MPI_SHORT_INT, &bytes));
    DO(MPI_Type_get_extent(MPI_SHORT_INT, &lb, &extent));
    CHECK_EQ(bytes, 6);
    CHECK_EQ(extent, 8);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    pair_MPI_FLOAT_INT();
    pair_MPI_DOUBLE_INT();
    pair_MPI_LONG_INT();
    pair_MPI_2INT();
    pair_MPI_SHORT_INT();
    pair_MPI_LONG_DOUBLE_INT();
    layouts();
    return check_finish();
}
