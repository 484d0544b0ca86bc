// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums of 16-bit floats on devices are summed in fp32 and rounded once in blocking calls of up to 8 ranks; others are rounded once a
// step. In element i rank i mod size holds 2048 (256 for bf16) and the others
// 1; with NaN, infinities, subnormals and overflow, and MAX and MIN. All ranks have the same bits, but for those of a NaN. Arguments:
// "nonblocking"; "stepwise" where an algorithm is forced that rounds in each step, of more than 64 KiB.
#include "cuda.h"
#include <math.h>

typedef struct {
    const char *name;
    MPI_Datatype type;
    float big;
    int mantissa, lowest; // bits, and the smallest exponent
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

// The result of one rounding.
static uint16_t oracle(const Format *format, MPI_Op op, int i) {
    float all = 0;
    for (int r = 0; r < size; r++) {
        float one = format->to(format->from(value(format, r, i)));
        all = r == 0 ? one : op == MPI_SUM ? all + one : op == MPI_MAX ? fmaxf(all, one) : fminf(all, one);
    }
    return format->from(all);
}

static bool stepwise;

// Whether all contributions are summed at once: in blocking calls of up to 8 ranks, as long as the ring is not faster (from 4 MiB on, on
// several devices). Others up to 64 KiB, or 448 KiB by all the other ranks together, but 8 KiB always.
static bool at_once(int n) {
    size_t others = size > 1 ? size - 1 : 1, most = ((size_t)448 << 10) / others, bytes = sizeof(uint16_t) * n;
    most = most > 65536 ? 65536 : most < 8192 ? 8192 : most;
    return !check_nonblocking && ((size <= 8 && !stepwise) || bytes <= most);
}

// The error of one rounding at most, of a number as large as this.
static double half_unit(const Format *format, double magnitude) {
    int exponent = magnitude < ldexp(1, format->lowest) ? format->lowest : ilogb(magnitude);
    return ldexp(0.5, exponent - format->mantissa);
}

// A sum may be off by half a unit for each rounding, and a little for fp32; a step's result is not larger than all contributions together
// and what the steps before were off.
static bool near_sum(const Format *format, uint16_t found, int i, int n) {
    double exact = 0, all = 0;
    for (int r = 0; r < size; r++) {
        double one = format->to(format->from(value(format, r, i)));
        exact += one, all += fabs(one);
    }
    int steps = at_once(n) ? 1 : size - 1;
    if (isnan(exact))
        return isnan(format->to(found));
    if (steps > 1 && isinf(format->to(format->from(all)))) // a step may overflow, or not, by the order
        return true;
    if (isinf(exact) || isinf(format->to(format->from((float)exact))))
        return same(format, found, format->from((float)exact));
    double bound = steps == 1 ? half_unit(format, fabs(exact)) : steps * half_unit(format, all + steps * half_unit(format, all));
    return fabs(format->to(found) - exact) <= bound + size * ldexp(all, -24);
}

// The sums of the first kind are exact in fp32 in every order, so that one rounding gives one result.
static bool right(const Format *format, MPI_Op op, uint16_t found, int i, int n) {
    if (op != MPI_SUM)
        return i % 4 == 1 || same(format, found, oracle(format, op, i));
    return i % 4 == 0 && at_once(n) ? same(format, found, oracle(format, op, i)) : near_sum(format, found, i, n);
}

static void check(const Format *format, MPI_Op op, const uint16_t *found, int n) {
    for (int i = 0; i < n; i++)
        if (!right(format, op, found[i], i, n)) {
            CHECK_FAIL("%s: element %d of %d is %g, one rounding gives %g", format->name, i, n, format->to(found[i]), format->to(oracle(format, op, i)));
            return;
        }
}

// A NaN made by a kernel has other bits than the CPU's.
static void all_equal(const Format *format, uint16_t *found, int n) {
    uint16_t *first = check_alloc(sizeof *found * n);
    memcpy(first, found, sizeof *found * n);
    DO(MPI_Bcast(first, n, MPI_UINT16_T, 0, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        CHECK(same(format, found[i], first[i]));
    free(first);
}

static void reduce(const Format *format, MPI_Op op, int n) {
    size_t bytes = sizeof(uint16_t) * n;
    uint16_t *host = check_alloc(bytes);
    Memory out = cuda_alloc(cuda_kind(rank), bytes), in = cuda_alloc(cuda_kind(rank), bytes);
    for (int i = 0; i < n; i++)
        host[i] = format->from(value(format, rank, i));
    cuda_put(&out, 0, host, bytes);
    EITHER(Allreduce, allreduce, out.at, in.at, n, format->type, op, MPI_COMM_WORLD);
    cuda_get(host, &in, 0, bytes);
    check(format, op, host, n);
    all_equal(format, host, n);
    EITHER(Reduce, reduce, out.at, in.at, n, format->type, op, n % size, MPI_COMM_WORLD);
    cuda_get(host, &in, 0, bytes);
    if (rank == n % size)
        check(format, op, host, n);
    cuda_free(&out);
    cuda_free(&in);
    free(host);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    stepwise = check_option(argc, argv, "stepwise");
    Format formats[2] = {{"fp16", MPI_DATATYPE_NULL, 2048, 10, -14, fp16_to, fp16_from}, {"bf16", MPI_DATATYPE_NULL, 256, 7, -126, bf16_to, bf16_from}};
    MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN};
    DO(MPI_Type_match_size(MPI_TYPECLASS_REAL, 2, &formats[0].type));
#ifdef MPICH_VERSION
    formats[1].type = (MPI_Datatype)0x4c00024c; // MPIX_BFLOAT16 of MPICH 5
#endif
    const int lengths[] = {64, 4099, 32768, 32769, 300000};
    for (int f = 0; f < 2; f++)
        for (int o = 0; formats[f].type != MPI_DATATYPE_NULL && o < 3; o++)
            for (int l = 0; l < 5; l++)
                reduce(&formats[f], ops[o], lengths[l]);
    return check_finish();
}
