// SPDX-License-Identifier: MIT OR Apache-2.0
// Every predefined operation on every basic type that it is defined for, at extreme values: the result must be that of
// the C operators. Signedness of every integer type is seen by MIN and MAX of its first and last value. Argument "addresses": MPI_AINT, MPI_OFFSET, MPI_COUNT.
#include "check.h"
#include <complex.h>

#define N 37

enum Kind { MAX, MIN, SUM, PROD, LAND, LOR, LXOR, BAND, BOR, BXOR };
static const char *const names[] = {"MAX", "MIN", "SUM", "PROD", "LAND", "LOR", "LXOR", "BAND", "BOR", "BXOR"};

static MPI_Op op_of(enum Kind kind) {
    const MPI_Op ops[] = {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
    return ops[kind];
}

// For one C type: TYPE_fold (C's own operators) is defined by the including macro; the ranks' rows are folded with it and
// compared with Scan, Allreduce, Reduce and Reduce_local.
#define COMPARE(NAME, CTYPE)                                                                                 \
    static void NAME##_compare(CTYPE all[][N], MPI_Datatype type, enum Kind kind) {                          \
        CTYPE wanted[N], partial[N], found[N], local[N];                                                     \
        MPI_Op op = op_of(kind);                                                                             \
        for (int r = 0; r < size; r++)                                                                       \
            for (int i = 0; i < N; i++) {                                                                    \
                wanted[i] = r == 0 ? all[0][i] : NAME##_fold(kind, wanted[i], all[r][i]);                    \
                if (r == rank)                                                                               \
                    partial[i] = wanted[i];                                                                  \
                local[i] = all[rank][i];                                                                     \
            }                                                                                                \
        DO(MPI_Scan(all[rank], found, N, type, op, MPI_COMM_WORLD));                                         \
        for (int i = 0; i < N; i++)                                                                          \
            if (found[i] != partial[i])                                                                      \
                CHECK_FAIL("Scan of %s by %s: element %d", #NAME, names[kind], i);                           \
        DO(MPI_Allreduce(all[rank], found, N, type, op, MPI_COMM_WORLD));                                    \
        for (int i = 0; i < N; i++)                                                                          \
            if (found[i] != wanted[i])                                                                       \
                CHECK_FAIL("Allreduce of %s by %s: element %d", #NAME, names[kind], i);                      \
        DO(MPI_Reduce(all[rank], found, N, type, op, size - 1, MPI_COMM_WORLD));                             \
        for (int i = 0; i < N && rank == size - 1; i++)                                                      \
            if (found[i] != wanted[i])                                                                       \
                CHECK_FAIL("Reduce of %s by %s: element %d", #NAME, names[kind], i);                         \
        DO(MPI_Reduce_local(all[0], local, N, type, op));                                                    \
        for (int i = 0; i < N; i++)                                                                          \
            if (local[i] != NAME##_fold(kind, all[0][i], all[rank][i]))                                      \
                CHECK_FAIL("Reduce_local of %s by %s: element %d", #NAME, names[kind], i);                   \
    }

// Extremes for what cannot overflow; small numbers for sums and products, whose overflow MPI leaves open.
#define INTEGER(NAME, CTYPE)                                                                                 \
    static CTYPE NAME##_fold(enum Kind kind, CTYPE a, CTYPE b) {                                             \
        switch (kind) {                                                                                      \
        case MAX: return a > b ? a : b;                                                                      \
        case MIN: return a < b ? a : b;                                                                      \
        case SUM: return (CTYPE)(a + b);                                                                     \
        case PROD: return (CTYPE)(a * b);                                                                    \
        case LAND: return a && b;                                                                            \
        case LOR: return a || b;                                                                             \
        case LXOR: return !a != !b;                                                                          \
        case BAND: return (CTYPE)(a & b);                                                                    \
        case BOR: return (CTYPE)(a | b);                                                                     \
        default: return (CTYPE)(a ^ b);                                                                      \
        }                                                                                                    \
    }                                                                                                        \
    COMPARE(NAME, CTYPE)                                                                                     \
    static void NAME##_all(MPI_Datatype type) {                                                              \
        const int is_signed = (CTYPE)-1 < (CTYPE)1;                                                          \
        const CTYPE top = is_signed ? (CTYPE)(((uint64_t)1 << (8 * sizeof(CTYPE) - 1)) - 1) : (CTYPE)-1;     \
        const CTYPE bottom = is_signed ? (CTYPE)(-top - 1) : (CTYPE)0;                                       \
        CTYPE extreme[size][N], small[size][N];                                                              \
        for (int r = 0; r < size; r++)                                                                       \
            for (int i = 0; i < N; i++) {                                                                    \
                extreme[r][i] = (i + r) % 5 == 0 ? top : (i + r) % 5 == 1 ? bottom : (CTYPE)((i * 7 + r * 13) % 3); \
                small[r][i] = r > 1 ? (CTYPE)1 : (CTYPE)((i + r) % 4 - is_signed);                           \
            }                                                                                                \
        for (int kind = MAX; kind <= BXOR; kind++)                                                           \
            NAME##_compare(kind == SUM || kind == PROD ? small : extreme, type, kind);                       \
    }

INTEGER(i8, int8_t)
INTEGER(i16, int16_t)
INTEGER(i32, int32_t)
INTEGER(i64, int64_t)
INTEGER(u8, uint8_t)
INTEGER(u16, uint16_t)
INTEGER(u32, uint32_t)
INTEGER(u64, uint64_t)

// Small whole numbers: exact in every order of addition.
#define REAL(NAME, CTYPE)                                                                                    \
    static CTYPE NAME##_fold(enum Kind kind, CTYPE a, CTYPE b) {                                             \
        return kind == MAX ? (a > b ? a : b) : kind == MIN ? (a < b ? a : b) : kind == SUM ? a + b : a * b;  \
    }                                                                                                        \
    COMPARE(NAME, CTYPE)                                                                                     \
    static void NAME##_all(MPI_Datatype type) {                                                              \
        CTYPE all[size][N];                                                                                  \
        for (int r = 0; r < size; r++)                                                                       \
            for (int i = 0; i < N; i++)                                                                      \
                all[r][i] = (CTYPE)((i * 3 + r * 5) % 7) - 3;                                                \
        for (int kind = MAX; kind <= PROD; kind++)                                                           \
            NAME##_compare(all, type, kind);                                                                 \
    }
REAL(f32, float)
REAL(f64, double)
REAL(f80, long double)

#define COMPLEX(NAME, CTYPE)                                                                                 \
    static CTYPE NAME##_fold(enum Kind kind, CTYPE a, CTYPE b) {                                             \
        return kind == SUM ? a + b : a * b;                                                                  \
    }                                                                                                        \
    COMPARE(NAME, CTYPE)                                                                                     \
    static void NAME##_all(MPI_Datatype type) {                                                              \
        CTYPE all[size][N];                                                                                  \
        for (int r = 0; r < size; r++)                                                                       \
            for (int i = 0; i < N; i++)                                                                      \
                all[r][i] = (i + r) % 3 - 1 + ((i + 2 * r) % 4 - 1) * I;                                     \
        NAME##_compare(all, type, SUM);                                                                      \
        NAME##_compare(all, type, PROD);                                                                     \
    }
COMPLEX(c32, float complex)
COMPLEX(c64, double complex)
COMPLEX(c80, long double complex)

static void booleans(void) {
    unsigned char all[size][N];
    for (int r = 0; r < size; r++)
        for (int i = 0; i < N; i++)
            all[r][i] = (i * 5 + r * 3) % 4 != 0;
    u8_compare(all, MPI_C_BOOL, LAND);
    u8_compare(all, MPI_C_BOOL, LOR);
    u8_compare(all, MPI_C_BOOL, LXOR);
}

static void bytes(void) {
    unsigned char all[size][N];
    for (int r = 0; r < size; r++)
        for (int i = 0; i < N; i++)
            all[r][i] = (unsigned char)(i * 37 + r * 91);
    u8_compare(all, MPI_BYTE, BAND);
    u8_compare(all, MPI_BYTE, BOR);
    u8_compare(all, MPI_BYTE, BXOR);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    if (check_option(argc, argv, "addresses")) {
        i64_all(MPI_AINT), i64_all(MPI_OFFSET), i64_all(MPI_COUNT);
        return check_finish();
    }
    i8_all(MPI_SIGNED_CHAR), i8_all(MPI_INT8_T);
    i16_all(MPI_SHORT), i16_all(MPI_INT16_T);
    i32_all(MPI_INT), i32_all(MPI_INT32_T);
    i64_all(MPI_LONG), i64_all(MPI_LONG_LONG), i64_all(MPI_INT64_T);
    u8_all(MPI_UNSIGNED_CHAR), u8_all(MPI_UINT8_T);
    u16_all(MPI_UNSIGNED_SHORT), u16_all(MPI_UINT16_T);
    u32_all(MPI_UNSIGNED), u32_all(MPI_UINT32_T);
    u64_all(MPI_UNSIGNED_LONG), u64_all(MPI_UNSIGNED_LONG_LONG), u64_all(MPI_UINT64_T);
    f32_all(MPI_FLOAT), f64_all(MPI_DOUBLE), f80_all(MPI_LONG_DOUBLE);
    f32_all(MPI_REAL), f64_all(MPI_DOUBLE_PRECISION);
    c32_all(MPI_C_FLOAT_COMPLEX), c64_all(MPI_C_DOUBLE_COMPLEX), c80_all(MPI_C_LONG_DOUBLE_COMPLEX);
    booleans();
    bytes();
    return check_finish();
}
