// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums of 16-bit floats on devices are summed in fp32 and rounded once, if they are small enough that every rank reads all
// contributions; large ones are rounded once a step. In element i rank i mod size holds 2048 (256 for bf16) and the others
// 1; with NaN, infinities, subnormals and overflow, and MAX and MIN. All ranks have the same bits.
#include "cuda.h"
#include <math.h>

typedef struct {
    const char *name;
    MPI_Datatype type;
    float big;
    float (*to)(uint16_t);
    uint16_t (*from)(float);
} Format;

static uint32_t bits(float f) {
    uint32_t word;
    memcpy(&word, &f, 4);
    return word;
}

static float number(uint32_t word) {
    float f;
    memcpy(&f, &word, 4);
    return f;
}

static float bf16_to(uint16_t h) {
    return number((uint32_t)h << 16);
}

static uint16_t bf16_from(float f) {
    uint32_t u = bits(f);
    return isnan(f) ? 0x7FC0 : (u + 0x7FFF + ((u >> 16) & 1)) >> 16;
}

static float fp16_to(uint16_t h) {
    int exponent = h >> 10 & 31, mantissa = h & 1023;
    float f = exponent == 31 ? (mantissa ? NAN : INFINITY) : exponent ? ldexpf(1024 + mantissa, exponent - 25) : ldexpf(mantissa, -24);
    return h >> 15 ? -f : f;
}

// Nearest, ties to even: scaled so that the unit in the last place is 1.
static uint16_t fp16_from(float f) {
    uint16_t sign = bits(f) >> 31 << 15;
    float a = fabsf(f);
    if (isnan(f))
        return 0x7E00;
    if (a >= 65520)
        return sign | 0x7C00;
    int exponent = a < ldexpf(1, -14) ? -14 : ilogbf(a);
    int steps = (int)nearbyintf(ldexpf(a, 10 - exponent));
    return sign | (a < ldexpf(1, -14) ? steps : ((exponent + 15) << 10) + steps - 1024);
}

// What rank `of` has in element i.
static float value(const Format *format, int of, int i) {
    static const float special[] = {INFINITY, -INFINITY, 1e-7f, 6e-8f, 60000, -60000, 0.1f, -0.0f};
    switch (i % 4) {
    case 0:
        return i / 4 % size == of ? format->big : 1;
    case 1:
        return of == 0 && i % 64 == 1 ? NAN : special[(i / 4 + of * (i / 32)) % 8];
    case 2:
        return (of + 1) * 0.37f + i % 50;
    default:
        return ((of * 31 + i) % 17 - 8) * 1e-3f;
    }
}

static bool same(const Format *format, uint16_t found, uint16_t wanted) {
    return found == wanted || (isnan(format->to(found)) && isnan(format->to(wanted)));
}

static uint16_t oracle(const Format *format, MPI_Op op, int i) {
    float all = 0;
    for (int r = 0; r < size; r++) {
        float one = format->to(format->from(value(format, r, i)));
        all = r == 0 ? one : op == MPI_SUM ? all + one : op == MPI_MAX ? fmaxf(all, one) : fminf(all, one);
    }
    return format->from(all);
}

// Bytes up to which every rank reads all contributions.
enum { AT_ONCE = 8192 };

// A large sum is rounded in each of size - 1 steps, by half a unit at most, which is 1 for both formats at the magnitude of
// element 0; the sum that is wanted was rounded once more.
static bool near(const Format *format, uint16_t found, uint16_t wanted, int n) {
    return n * (int)sizeof found > AT_ONCE && fabsf(format->to(found) - format->to(wanted)) <= size;
}

// Which sums of fp32 do not depend on the order: those of every element but the third and fourth kind.
static void check(const Format *format, MPI_Op op, const uint16_t *found, int n) {
    for (int i = 0; i < n; i++) {
        bool exact = op == MPI_SUM ? i % 4 == 0 : i % 4 != 1;
        uint16_t wanted = oracle(format, op, i);
        bool right = same(format, found[i], wanted) || (op == MPI_SUM && near(format, found[i], wanted, n));
        if (exact && !right) {
            CHECK_FAIL("%s: element %d is %g, should be %g", format->name, i, format->to(found[i]), format->to(wanted));
            return;
        }
    }
}

static void all_equal(uint16_t *found, int n) {
    uint16_t *first = check_alloc(sizeof *found * n);
    memcpy(first, found, sizeof *found * n);
    DO(MPI_Bcast(first, n, MPI_UINT16_T, 0, MPI_COMM_WORLD));
    CHECK(memcmp(first, found, sizeof *found * n) == 0);
    free(first);
}

static void reduce(const Format *format, MPI_Op op, int n) {
    size_t bytes = sizeof(uint16_t) * n;
    uint16_t *host = check_alloc(bytes);
    Memory out = cuda_alloc(cuda_kind(rank), bytes), in = cuda_alloc(cuda_kind(rank), bytes);
    for (int i = 0; i < n; i++)
        host[i] = format->from(value(format, rank, i));
    cuda_put(&out, 0, host, bytes);
    DO(MPI_Allreduce(out.at, in.at, n, format->type, op, MPI_COMM_WORLD));
    cuda_get(host, &in, 0, bytes);
    check(format, op, host, n);
    all_equal(host, n);
    cuda_free(&out);
    cuda_free(&in);
    free(host);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    Format formats[2] = {{"fp16", MPI_DATATYPE_NULL, 2048, fp16_to, fp16_from}, {"bf16", MPI_DATATYPE_NULL, 256, bf16_to, bf16_from}};
    MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN};
    DO(MPI_Type_match_size(MPI_TYPECLASS_REAL, 2, &formats[0].type));
#ifdef MPICH_VERSION
    formats[1].type = (MPI_Datatype)0x4c00024c; // MPIX_BFLOAT16 of MPICH 5
#endif
    for (int f = 0; f < 2; f++)
        for (int o = 0; formats[f].type != MPI_DATATYPE_NULL && o < 3; o++) {
            reduce(&formats[f], ops[o], 64);
            reduce(&formats[f], ops[o], 4099);
            reduce(&formats[f], ops[o], 300000);
        }
    return check_finish();
}
