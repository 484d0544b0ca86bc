// SPDX-License-Identifier: MIT OR Apache-2.0
// Gathers the data of a derived type into a dense stream of bytes, and scatters it back, in accesses of 16, 8, 4, 2 or 1
// bytes. The width must divide all addresses, lengths, strides and offsets of the launch. Any grid and any block will do.
//
//   paceline_pack_strided_W, paceline_unpack_strided_W   blocks at two regular strides, repeated at an extent
//   paceline_pack_blocks_W,  paceline_unpack_blocks_W    blocks from a table in device memory, repeated at an extent
//
// A launch does the bytes [first, first + bytes) of the stream; `packed` is where the first of them lies.
// No headers, so that NVRTC needs none.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#define INLINE static __device__ __forceinline__

struct alignas(16) Vector { u32 word[4]; };

enum Direction { PACK, UNPACK };

template <class Unit, Direction direction> INLINE void move(char* packed, char* data) {
    if (direction == PACK)
        *(Unit*)packed = *(const Unit*)data;
    else
        *(Unit*)data = *(const Unit*)packed;
}

INLINE u64 thread() { return (u64)blockIdx.x * blockDim.x + threadIdx.x; }
INLINE u64 threads() { return (u64)gridDim.x * blockDim.x; }

// The stream is: for each repetition, for each of `outer`, for each of `inner`: a block of `block` bytes.
template <class Unit, Direction direction>
INLINE void strided(char* packed, char* data, u64 first, u64 bytes, u64 block, u64 inner, i64 inner_stride, u64 outer,
                    i64 outer_stride, i64 extent) {
    for (u64 done = thread() * sizeof(Unit); done < bytes; done += threads() * sizeof(Unit)) {
        u64 at = first + done;
        u64 number = at / block, within = at - number * block;
        // Most launches have one row: a division of 64 bits takes longer than the access.
        u64 row = number < inner ? 0 : number / inner, column = number - row * inner;
        u64 repetition = row < outer ? 0 : row / outer, plane = row - repetition * outer;
        i64 offset = (i64)repetition * extent + (i64)plane * outer_stride + (i64)column * inner_stride + (i64)within;
        move<Unit, direction>(packed + done, data + offset);
    }
}

// One block of a type: where it lies, its bytes, and where it begins in the stream of one element.
struct Block {
    i64 offset;
    u64 length, position;
};

// Blocks `begin` to `end`, counted through all repetitions; `width` neighbouring threads move a block together
// (a launch has fewer than 2^32 threads).
template <class Unit, Direction direction>
INLINE void blocks(char* packed, char* data, u64 first, u64 bytes, const Block* table, u64 count, u64 size, i64 extent,
                   u64 begin, u64 end, u32 width) {
    u32 me = (u32)thread(), lane = me % width, group = me / width, groups = (u32)threads() / width;
    if (group >= groups) return;
    for (u64 i = begin + group; i < end; i += groups) {
        u64 repetition = i / count;
        Block block = table[i - repetition * count];
        u64 low = repetition * size + block.position, high = low + block.length;
        char* base = data + (i64)repetition * extent + block.offset - low;
        low = low > first ? low : first;
        high = high < first + bytes ? high : first + bytes;
        for (u64 at = low + lane * sizeof(Unit); at < high; at += (u64)width * sizeof(Unit))
            move<Unit, direction>(packed + (at - first), base + at);
    }
}

#define STRIDED(name, Unit, direction)                                                                                \
    extern "C" __global__ void paceline_##name(char* packed, char* data, u64 first, u64 bytes, u64 block, u64 inner,   \
                                               i64 inner_stride, u64 outer, i64 outer_stride, i64 extent) {            \
        strided<Unit, direction>(packed, data, first, bytes, block, inner, inner_stride, outer, outer_stride, extent); \
    }

#define BLOCKS(name, Unit, direction)                                                                                 \
    extern "C" __global__ void paceline_##name(char* packed, char* data, u64 first, u64 bytes, const Block* table,     \
                                               u64 count, u64 size, i64 extent, u64 begin, u64 end, u32 width) {       \
        blocks<Unit, direction>(packed, data, first, bytes, table, count, size, extent, begin, end, width);            \
    }

#define WIDTH(bytes, Unit)                           \
    STRIDED(pack_strided_##bytes, Unit, PACK)        \
    STRIDED(unpack_strided_##bytes, Unit, UNPACK)    \
    BLOCKS(pack_blocks_##bytes, Unit, PACK)          \
    BLOCKS(unpack_blocks_##bytes, Unit, UNPACK)

WIDTH(1, u8)
WIDTH(2, u16)
WIDTH(4, u32)
WIDTH(8, u64)
WIDTH(16, Vector)
