// SPDX-License-Identifier: MIT OR Apache-2.0
// Reductions on the GPU, element by element, for every pair of operation and type that MPI defines:
//
//   paceline_OP_TYPE       out[i] = a[i] OP b[i]                          (out may be a or b: in place)
//   paceline_OP_TYPE_many  out0[i] = ... = out7[i] = in0[i] OP in1[i] OP ... OP in7[i]
//                          (from left to right; the first `inputs` and `outs` of them; an output may be an input)
//
// No headers, so that NVRTC needs none. One module is made for each TYPE below; integers of both signs share one. Any grid
// and any block will do. Results have the bits that the kernels of the host give (a NaN that arithmetic makes is any NaN):
// minimum and maximum compare as C does and keep the bits of the operand they choose, and 16-bit floats are computed in
// 32 bits and rounded once, to nearest even. Contraction to fused operations must be off.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;

#define INLINE static __device__ __forceinline__

// ---- What one step computes. Each has the bits in memory (Raw), what is computed on (Wide), and the ways between.

template <class T> struct Sum { INLINE T step(T a, T b) { return (T)(a + b); } };
template <class T> struct Prod { INLINE T step(T a, T b) { return (T)(a * b); } };
template <class T> struct Min { INLINE T step(T a, T b) { return b < a ? b : a; } };
template <class T> struct Max { INLINE T step(T a, T b) { return b > a ? b : a; } };
template <class T> struct Band { INLINE T step(T a, T b) { return a & b; } };
template <class T> struct Bor { INLINE T step(T a, T b) { return a | b; } };
template <class T> struct Bxor { INLINE T step(T a, T b) { return a ^ b; } };
template <class T> struct Land { INLINE T step(T a, T b) { return (a != 0) & (b != 0); } };
template <class T> struct Lor { INLINE T step(T a, T b) { return (a | b) != 0; } };
template <class T> struct Lxor { INLINE T step(T a, T b) { return (a != 0) ^ (b != 0); } };

// Products of short integers would be signed, and their overflow undefined.
template <> struct Prod<u16> { INLINE u16 step(u16 a, u16 b) { return (u16)((u32)a * b); } };

// Integers: the bits are the value.
template <class Bits, class T, template <class> class Op> struct Integer {
    typedef Bits Raw;
    typedef T Wide;
    INLINE Wide widen(Raw raw) { return (Wide)raw; }
    INLINE Raw narrow(Wide wide) { return (Raw)wide; }
    INLINE Wide step(Wide a, Wide b) { return Op<T>::step(a, b); }
};

struct F32 {
    typedef u32 Raw;
    typedef float Wide;
    INLINE Wide widen(Raw raw) { return __uint_as_float(raw); }
    INLINE Raw narrow(Wide wide) { return __float_as_uint(wide); }
};

struct F64 {
    typedef u64 Raw;
    typedef double Wide;
    INLINE Wide widen(Raw raw) { return __longlong_as_double((i64)raw); }
    INLINE Raw narrow(Wide wide) { return (u64)__double_as_longlong(wide); }
};

struct F16 {
    typedef u16 Raw;
    typedef float Wide;
    INLINE Wide widen(Raw raw) {
        float wide;
        asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(raw));
        return wide;
    }
    INLINE Raw narrow(Wide wide) {
        u16 raw;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(raw) : "f"(wide));
        return raw;
    }
    INLINE Raw quiet(Raw raw) { return (raw & 0x7fff) > 0x7c00 ? raw | 0x200 : raw; }
};

struct Bf16 {
    typedef u16 Raw;
    typedef float Wide;
    INLINE Wide widen(Raw raw) { return __uint_as_float((u32)raw << 16); }
    INLINE Raw narrow(Wide wide) {
        u32 bits = __float_as_uint(wide);
        u32 rounded = bits + 0x7fff + (bits >> 16 & 1);
        return (u16)((wide != wide ? bits | 0x400000 : rounded) >> 16);
    }
    INLINE Raw quiet(Raw raw) { return (raw & 0x7fff) > 0x7f80 ? raw | 0x40 : raw; }
};

template <class Format, template <class> class Op> struct Float : Format {
    typedef typename Format::Wide Wide;
    INLINE Wide step(Wide a, Wide b) { return Op<Wide>::step(a, b); }
};

// Minimum and maximum of 16-bit floats: compared in 32 bits, but the bits of the chosen one go on, quiet if it is a NaN.
template <class Format, template <class> class Op> struct Choice {
    typedef u16 Raw;
    typedef u16 Wide;
    INLINE Wide widen(Raw raw) { return raw; }
    INLINE Raw narrow(Wide wide) { return Format::quiet(wide); }
    INLINE Wide step(Wide a, Wide b) {
        float left = Format::widen(a), right = Format::widen(b);
        return Op<float>::other(left, right) ? b : a;
    }
};

template <class T> struct Less { INLINE bool other(T a, T b) { return b < a; } };
template <class T> struct Greater { INLINE bool other(T a, T b) { return b > a; } };

template <class T> struct Pair { T re, im; };

template <class Format> struct Complex {
    typedef Pair<typename Format::Raw> Raw;
    typedef Pair<typename Format::Wide> Wide;
    INLINE Wide widen(Raw raw) { return {Format::widen(raw.re), Format::widen(raw.im)}; }
    INLINE Raw narrow(Wide wide) { return {Format::narrow(wide.re), Format::narrow(wide.im)}; }
};

template <class Format> struct ComplexSum : Complex<Format> {
    typedef typename Complex<Format>::Wide Wide;
    INLINE Wide step(Wide a, Wide b) { return {a.re + b.re, a.im + b.im}; }
};

template <class Format> struct ComplexProd : Complex<Format> {
    typedef typename Complex<Format>::Wide Wide;
    INLINE Wide step(Wide a, Wide b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
};

// ---- Elements inside 16 bytes. Shifts instead of a union: everything stays in registers.

struct alignas(16) Vector { u32 word[4]; };

INLINE void get(const Vector& v, int i, u8& raw) { raw = (u8)(v.word[i / 4] >> 8 * (i % 4)); }
INLINE void get(const Vector& v, int i, u16& raw) { raw = (u16)(v.word[i / 2] >> 16 * (i % 2)); }
INLINE void get(const Vector& v, int i, u32& raw) { raw = v.word[i]; }
INLINE void get(const Vector& v, int i, u64& raw) { raw = (u64)v.word[2 * i + 1] << 32 | v.word[2 * i]; }
template <class T> INLINE void get(const Vector& v, int i, Pair<T>& raw) { get(v, 2 * i, raw.re), get(v, 2 * i + 1, raw.im); }

INLINE void put(Vector& v, int i, u8 raw) { v.word[i / 4] |= (u32)raw << 8 * (i % 4); }
INLINE void put(Vector& v, int i, u16 raw) { v.word[i / 2] |= (u32)raw << 16 * (i % 2); }
INLINE void put(Vector& v, int i, u32 raw) { v.word[i] = raw; }
INLINE void put(Vector& v, int i, u64 raw) { v.word[2 * i] = (u32)raw, v.word[2 * i + 1] = (u32)(raw >> 32); }
template <class T> INLINE void put(Vector& v, int i, Pair<T> raw) { put(v, 2 * i, raw.re), put(v, 2 * i + 1, raw.im); }

// What is computed on, for all elements of a vector.
template <class S> struct Lanes {
    enum { COUNT = 16 / sizeof(typename S::Raw) };
    typename S::Wide wide[COUNT];

    __device__ __forceinline__ Lanes(const Vector& v) {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            typename S::Raw raw;
            get(v, i, raw);
            wide[i] = S::widen(raw);
        }
    }
    __device__ __forceinline__ void step(const Lanes& next) {
#pragma unroll
        for (int i = 0; i < COUNT; i++) wide[i] = S::step(wide[i], next.wide[i]);
    }
    __device__ __forceinline__ Vector narrow() const {
        Vector v = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < COUNT; i++) put(v, i, S::narrow(wide[i]));
        return v;
    }
};

// Bitwise operations need no lanes: their steps are instances of this, for any width.
struct Words {
    u32 word[4];
    __device__ __forceinline__ Words(const Vector& v) : word{v.word[0], v.word[1], v.word[2], v.word[3]} {}
    __device__ __forceinline__ Vector narrow() const { return {word[0], word[1], word[2], word[3]}; }
};

#define BITWISE(Op, symbol)                                                                             \
    template <class Bits, class T> struct Lanes<Integer<Bits, T, Op> > : Words {                        \
        __device__ __forceinline__ Lanes(const Vector& v) : Words(v) {}                                 \
        __device__ __forceinline__ void step(const Lanes& next) {                                       \
            for (int i = 0; i < 4; i++) word[i] = word[i] symbol next.word[i];                          \
        }                                                                                               \
    };
BITWISE(Band, &)
BITWISE(Bor, |)
BITWISE(Bxor, ^)

// ---- Single elements, at addresses that may be odd.

template <class T> INLINE void load(const char* from, bool natural, T& raw) {
    if (natural) {
        raw = *(const T*)from;
        return;
    }
    u64 bits = 0;
#pragma unroll 1
    for (int i = sizeof(T) - 1; i >= 0; i--) bits = bits << 8 | (u8)from[i];
    raw = (T)bits;
}
template <class T> INLINE void load(const char* from, bool natural, Pair<T>& raw) {
    load(from, natural, raw.re), load(from + sizeof(T), natural, raw.im);
}

template <class T> INLINE void store(char* to, bool natural, T raw) {
    if (natural) {
        *(T*)to = raw;
        return;
    }
#pragma unroll 1
    for (int i = 0; i < (int)sizeof(T); i++) to[i] = (u8)((u64)raw >> 8 * i);
}
template <class T> INLINE void store(char* to, bool natural, Pair<T> raw) {
    store(to, natural, raw.re), store(to + sizeof(T), natural, raw.im);
}

// ---- The loops.

template <class T> struct Part { enum { SIZE = sizeof(T) }; };
template <class T> struct Part<Pair<T> > { enum { SIZE = sizeof(T) }; };

// How elements at several addresses are divided: `head` single ones, `vectors` of 16 bytes, single ones to the end.
template <class Raw> struct Division {
    u64 head, vectors, singles;
    bool natural;

    // `differences`: bits in which the addresses differ.
    __device__ __forceinline__ Division(u64 count, u64 address, u64 differences) {
        u64 before = (0 - address) & 15;
        natural = ((address | differences) & (Part<Raw>::SIZE - 1)) == 0;
        bool together = (differences & 15) == 0 && before % sizeof(Raw) == 0;
        head = before / sizeof(Raw);
        vectors = together && head < count ? (count - head) * sizeof(Raw) / 16 : 0;
        singles = count - vectors * (16 / sizeof(Raw));
    }
    // Where the `i`th single element is.
    __device__ __forceinline__ u64 single(u64 i) const { return i < head ? i : i + vectors * (16 / sizeof(Raw)); }
};

INLINE u64 thread() { return (u64)blockIdx.x * blockDim.x + threadIdx.x; }
INLINE u64 threads() { return (u64)gridDim.x * blockDim.x; }

template <class S> INLINE void two(char* out, const char* a, const char* b, u64 count) {
    typedef typename S::Raw Raw;
    Division<Raw> division(count, (u64)out, ((u64)out ^ (u64)a) | ((u64)out ^ (u64)b));
    u64 body = division.head * sizeof(Raw);
    for (u64 i = thread(); i < division.vectors; i += threads()) {
        u64 at = body + 16 * i;
        Vector left = *(const Vector*)(a + at), right = *(const Vector*)(b + at);
        Lanes<S> lanes(left);
        lanes.step(Lanes<S>(right));
        *(Vector*)(out + at) = lanes.narrow();
    }
    for (u64 i = thread(); i < division.singles; i += threads()) {
        u64 at = division.single(i) * sizeof(Raw);
        Raw left, right;
        load(a + at, division.natural, left), load(b + at, division.natural, right);
        store(out + at, division.natural, S::narrow(S::step(S::widen(left), S::widen(right))));
    }
}

// The inputs, or the outputs. By names, since indexed ones would go to local memory.
template <class Byte> struct Places {
    Byte *p0, *p1, *p2, *p3, *p4, *p5, *p6, *p7;
    __device__ __forceinline__ void next() { p0 = p1, p1 = p2, p2 = p3, p3 = p4, p4 = p5, p5 = p6, p6 = p7; }
    // Bits in which the first `number` differ from an address.
    __device__ __forceinline__ u64 differences(u64 address, u32 number) const {
        Places rest = *this;
        u64 bits = 0;
#pragma unroll 1
        for (u32 k = 0; k < number; k++) {
            bits |= address ^ (u64)rest.p0;
            rest.next();
        }
        return bits;
    }
};

typedef Places<const char> Inputs;
typedef Places<char> Outputs;

INLINE void store(const Outputs& to, u64 at, u32 outs, const Vector& v) {
    *(Vector*)(to.p0 + at) = v;
    if (outs > 1) *(Vector*)(to.p1 + at) = v;
    if (outs > 2) *(Vector*)(to.p2 + at) = v;
    if (outs > 3) *(Vector*)(to.p3 + at) = v;
    if (outs > 4) *(Vector*)(to.p4 + at) = v;
    if (outs > 5) *(Vector*)(to.p5 + at) = v;
    if (outs > 6) *(Vector*)(to.p6 + at) = v;
    if (outs > 7) *(Vector*)(to.p7 + at) = v;
}

// The vectors of all inputs at one place. All are asked for before the first is used, so that a thread waits for memory once and
// not for each; and each is a value of its own, else its words would be fetched one by one.
struct Vectors {
    Vector v0, v1, v2, v3, v4, v5, v6, v7;
    __device__ __forceinline__ Vectors(const Inputs& from, u64 at, u32 inputs) {
        v0 = *(const Vector*)(from.p0 + at);
        if (inputs > 1) v1 = *(const Vector*)(from.p1 + at);
        if (inputs > 2) v2 = *(const Vector*)(from.p2 + at);
        if (inputs > 3) v3 = *(const Vector*)(from.p3 + at);
        if (inputs > 4) v4 = *(const Vector*)(from.p4 + at);
        if (inputs > 5) v5 = *(const Vector*)(from.p5 + at);
        if (inputs > 6) v6 = *(const Vector*)(from.p6 + at);
        if (inputs > 7) v7 = *(const Vector*)(from.p7 + at);
    }
    template <class S> __device__ __forceinline__ Vector combined(u32 inputs) const {
        Lanes<S> lanes(v0);
        if (inputs > 1) lanes.step(Lanes<S>(v1));
        if (inputs > 2) lanes.step(Lanes<S>(v2));
        if (inputs > 3) lanes.step(Lanes<S>(v3));
        if (inputs > 4) lanes.step(Lanes<S>(v4));
        if (inputs > 5) lanes.step(Lanes<S>(v5));
        if (inputs > 6) lanes.step(Lanes<S>(v6));
        if (inputs > 7) lanes.step(Lanes<S>(v7));
        return lanes.narrow();
    }
};

template <class S> INLINE void many(u64 count, u32 inputs, u32 outs, const Inputs& from, const Outputs& to) {
    typedef typename S::Raw Raw;
    u64 address = (u64)to.p0;
    Division<Raw> division(count, address, from.differences(address, inputs) | to.differences(address, outs));
    u64 body = division.head * sizeof(Raw);
    for (u64 i = thread(); i < division.vectors; i += threads()) {
        u64 at = body + 16 * i;
        Vectors vectors(from, at, inputs);
        store(to, at, outs, vectors.combined<S>(inputs));
    }
    for (u64 i = thread(); i < division.singles; i += threads()) {
        u64 at = division.single(i) * sizeof(Raw);
        Inputs rest = from;
        Raw raw;
        load(rest.p0 + at, division.natural, raw);
        typename S::Wide wide = S::widen(raw);
#pragma unroll 1
        for (u32 k = 1; k < inputs; k++) {
            rest.next();
            load(rest.p0 + at, division.natural, raw);
            wide = S::step(wide, S::widen(raw));
        }
        Outputs left = to;
        store(left.p0 + at, division.natural, S::narrow(wide));
#pragma unroll 1
        for (u32 k = 1; k < outs; k++) {
            left.next();
            store(left.p0 + at, division.natural, S::narrow(wide));
        }
    }
}

// ---- The entries of each module.

#define ENTRY(name, ...)                                                                                         \
    extern "C" __global__ void paceline_##name(char* out, const char* a, const char* b, u64 count) {             \
        two<__VA_ARGS__>(out, a, b, count);                                                                      \
    }                                                                                                            \
    extern "C" __global__ void paceline_##name##_many(                                                           \
        u64 count, u32 inputs, u32 outs, const char* in0, const char* in1, const char* in2, const char* in3,     \
        const char* in4, const char* in5, const char* in6, const char* in7, char* out0, char* out1, char* out2,  \
        char* out3, char* out4, char* out5, char* out6, char* out7) {                                            \
        many<__VA_ARGS__>(count, inputs, outs, {in0, in1, in2, in3, in4, in5, in6, in7},                         \
                          {out0, out1, out2, out3, out4, out5, out6, out7});                                     \
    }

// Signedness matters only for order.
#define INTEGERS(bits)                                               \
    ENTRY(sum_i##bits, Integer<u##bits, u##bits, Sum>)               \
    ENTRY(prod_i##bits, Integer<u##bits, u##bits, Prod>)             \
    ENTRY(min_i##bits, Integer<u##bits, i##bits, Min>)               \
    ENTRY(min_u##bits, Integer<u##bits, u##bits, Min>)               \
    ENTRY(max_i##bits, Integer<u##bits, i##bits, Max>)               \
    ENTRY(max_u##bits, Integer<u##bits, u##bits, Max>)               \
    ENTRY(band_i##bits, Integer<u##bits, u##bits, Band>)             \
    ENTRY(bor_i##bits, Integer<u##bits, u##bits, Bor>)               \
    ENTRY(bxor_i##bits, Integer<u##bits, u##bits, Bxor>)             \
    ENTRY(land_i##bits, Integer<u##bits, u##bits, Land>)             \
    ENTRY(lor_i##bits, Integer<u##bits, u##bits, Lor>)               \
    ENTRY(lxor_i##bits, Integer<u##bits, u##bits, Lxor>)

#define ARITHMETIC(type, Format)            \
    ENTRY(sum_##type, Float<Format, Sum>)   \
    ENTRY(prod_##type, Float<Format, Prod>)

#define FLOATS(type, Format)              \
    ARITHMETIC(type, Format)              \
    ENTRY(min_##type, Float<Format, Min>) \
    ENTRY(max_##type, Float<Format, Max>)

#define HALVES(type, Format)                   \
    ARITHMETIC(type, Format)                   \
    ENTRY(min_##type, Choice<Format, Less>)    \
    ENTRY(max_##type, Choice<Format, Greater>)

#define COMPLEX(type, Format)               \
    ENTRY(sum_##type, ComplexSum<Format>)   \
    ENTRY(prod_##type, ComplexProd<Format>)

#if defined(MODULE_i8)
INTEGERS(8)
#elif defined(MODULE_i16)
INTEGERS(16)
#elif defined(MODULE_i32)
INTEGERS(32)
#elif defined(MODULE_i64)
INTEGERS(64)
#elif defined(MODULE_f16)
HALVES(f16, F16)
#elif defined(MODULE_bf16)
HALVES(bf16, Bf16)
#elif defined(MODULE_f32)
FLOATS(f32, F32)
#elif defined(MODULE_f64)
FLOATS(f64, F64)
#elif defined(MODULE_c16)
COMPLEX(c16, F16)
#elif defined(MODULE_c32)
COMPLEX(c32, F32)
#elif defined(MODULE_c64)
COMPLEX(c64, F64)
#else
#error name a module: -DMODULE_f32
#endif
