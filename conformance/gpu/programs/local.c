// SPDX-License-Identifier: MIT OR Apache-2.0
// Reductions on device memory are bit for bit what they are on the host: Reduce_local and Allreduce for every predefined
// operation and type that goes with it, at lengths and alignments around 16 bytes.
#include "cuda.h"

typedef struct {
    MPI_Datatype type;
    const char *name;
    int bytes;
    char class; // i: integer, f: floating point, c: complex, l: logical, b: bytes
} Type;

typedef struct {
    MPI_Op op;
    const char *name, *classes;
} Operation;

#define TYPE(type, c, class) {type, #type, sizeof(c), class}

static void random_bytes(unsigned char *data, size_t bytes, unsigned seed) {
    unsigned long long state = seed * 2654435761ull + 1;
    for (size_t i = 0; i < bytes; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        data[i] = state >> 56;
    }
}

// Floating-point values with all that is special among them but NaN.
static void floats(void *data, int n, int bytes, unsigned seed) {
    static const double special[] = {0.0, -0.0, 1e-310, 1e-40, 1e300, 3e38, -3e38, 1.0 / 3, -2.5, 65504.0};
    for (int i = 0; i < n; i++) {
        unsigned word = (i + seed) * 2654435761u;
        double value = word % 11 == 0 ? special[(i + seed) % 10] : (double)(int)word / 65536.0;
        if (bytes == 4)
            ((float *)data)[i] = (float)value;
        else
            ((double *)data)[i] = value;
    }
}

static void values(void *data, const Type *type, int n, unsigned seed) {
    if (type->class == 'f')
        floats(data, n, type->bytes, seed);
    else if (type->class == 'c')
        floats(data, 2 * n, type->bytes / 2, seed);
    else
        random_bytes(data, (size_t)n * type->bytes, seed);
    for (int i = 0; type->class == 'l' && i < n * type->bytes; i++)
        ((unsigned char *)data)[i] = i % type->bytes == 0 ? ((unsigned char *)data)[i] & 1 : 0;
}

static bool is_nan(const void *at, int bytes) {
    if (bytes == 4)
        return *(const float *)at != *(const float *)at;
    return *(const double *)at != *(const double *)at;
}

// Equal bits; of what arithmetic makes of infinities any NaN is as good as another.
static bool same(const unsigned char *found, const unsigned char *wanted, const Type *type) {
    int part = type->class == 'c' ? type->bytes / 2 : type->bytes;
    bool floats = strchr("fc", type->class) != NULL;
    for (int at = 0; at < type->bytes; at += part)
        if (memcmp(found + at, wanted + at, part) != 0 && !(floats && is_nan(found + at, part) && is_nan(wanted + at, part)))
            return false;
    return true;
}

static void compare(const Memory *memory, const void *wanted, const Type *type, const Operation *op, int n, const char *what) {
    size_t bytes = (size_t)n * type->bytes;
    unsigned char *found = check_alloc(bytes);
    cuda_get(found, memory, 0, bytes);
    for (size_t i = 0; i < bytes; i += type->bytes)
        if (!same(found + i, (const unsigned char *)wanted + i, type)) {
            CHECK_FAIL("%s, %s of %s, %d elements: element %d differs", what, op->name, type->name, n, (int)(i / type->bytes));
            break;
        }
    free(found);
}

static void reduce_local(const Type *type, const Operation *op, int n, int skip) {
    size_t bytes = (size_t)n * type->bytes, shift = (size_t)skip * type->bytes;
    Memory a = cuda_alloc(cuda_kind(rank), bytes + shift), b = cuda_alloc(cuda_kind(rank), bytes + shift);
    void *left = check_alloc(bytes), *right = check_alloc(bytes);
    values(left, type, n, 1 + n);
    values(right, type, n, 7 + n);
    a.at += shift, a.bytes -= shift, b.at += shift, b.bytes -= shift;
    cuda_put(&a, 0, left, bytes);
    cuda_put(&b, 0, right, bytes);
    DO(MPI_Reduce_local(a.at, b.at, n, type->type, op->op));
    DO(MPI_Reduce_local(left, right, n, type->type, op->op));
    compare(&a, left, type, op, n, "the input of Reduce_local");
    compare(&b, right, type, op, n, "Reduce_local");
    a.at -= shift, a.bytes += shift, b.at -= shift, b.bytes += shift;
    cuda_free(&a);
    cuda_free(&b);
    free(left);
    free(right);
}

// On a device and on the host; floating-point sums may be in another order there, so that only exact ones are compared.
static void allreduce(const Type *type, const Operation *op, int n) {
    bool rounds = strchr("fc", type->class) != NULL && (op->op == MPI_SUM || op->op == MPI_PROD);
    if (rounds)
        return;
    size_t bytes = (size_t)n * type->bytes;
    Memory out = cuda_alloc(cuda_kind(rank), bytes), in = cuda_alloc(cuda_kind(rank), bytes);
    void *from = check_alloc(bytes), *to = check_alloc(bytes);
    values(from, type, n, 3 + rank);
    cuda_put(&out, 0, from, bytes);
    DO(MPI_Allreduce(out.at, in.at, n, type->type, op->op, MPI_COMM_WORLD));
    DO(MPI_Allreduce(from, to, n, type->type, op->op, MPI_COMM_WORLD));
    compare(&in, to, type, op, n, "Allreduce");
    cuda_free(&out);
    cuda_free(&in);
    free(from);
    free(to);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    Type types[] = {
        TYPE(MPI_INT8_T, int8_t, 'i'), TYPE(MPI_UINT8_T, uint8_t, 'i'), TYPE(MPI_INT16_T, int16_t, 'i'), TYPE(MPI_UINT16_T, uint16_t, 'i'),
        TYPE(MPI_INT32_T, int32_t, 'i'), TYPE(MPI_UINT32_T, uint32_t, 'i'), TYPE(MPI_INT64_T, int64_t, 'i'), TYPE(MPI_UINT64_T, uint64_t, 'i'),
        TYPE(MPI_FLOAT, float, 'f'), TYPE(MPI_DOUBLE, double, 'f'), TYPE(MPI_C_FLOAT_COMPLEX, float[2], 'c'),
        TYPE(MPI_C_DOUBLE_COMPLEX, double[2], 'c'), TYPE(MPI_C_BOOL, _Bool, 'l'), TYPE(MPI_BYTE, char, 'b'),
    };
    Operation operations[] = {
        {MPI_SUM, "sum", "ifc"}, {MPI_PROD, "prod", "ifc"}, {MPI_MIN, "min", "if"}, {MPI_MAX, "max", "if"},
        {MPI_LAND, "land", "il"}, {MPI_LOR, "lor", "il"}, {MPI_LXOR, "lxor", "il"},
        {MPI_BAND, "band", "ib"}, {MPI_BOR, "bor", "ib"}, {MPI_BXOR, "bxor", "ib"},
    };
    for (int t = 0; t < 14; t++)
        for (int o = 0; o < 10; o++) {
            if (strchr(operations[o].classes, types[t].class) == NULL)
                continue;
            int lengths[] = {1, 15, 257, 20011};
            for (int l = 0; l < 4; l++)
                reduce_local(&types[t], &operations[o], lengths[l], l % 3);
            allreduce(&types[t], &operations[o], 1000);
            allreduce(&types[t], &operations[o], 70001);
        }
    return check_finish();
}
