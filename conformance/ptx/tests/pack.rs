// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed PTX of packing against loops over bytes: shapes, widths, parts of a stream, and places far away.

mod support;

use std::ffi::CStr;

use paceline::device::cuda::kernels::PACK;
use paceline::device::cuda::kernels::packing::{Block, PACKINGS, Packing, widest};

use support::{Bench, Random};

const PACKED: u64 = 1 << 40;
const DATA: u64 = 1 << 50;
const TABLE: u64 = 1 << 60;

/// Blocks at two strides, repeated at an extent.
#[derive(Clone, Copy, Debug)]
struct Strided {
    block: u64,
    inner: u64,
    inner_stride: i64,
    outer: u64,
    outer_stride: i64,
    extent: i64,
}

impl Strided {
    /// Where each byte of the stream lies, for the bytes asked for.
    fn offset(&self, at: u64) -> i64 {
        let (number, within) = (at / self.block, at % self.block);
        let (row, column) = (number / self.inner, number % self.inner);
        let (repetition, plane) = (row / self.outer, row % self.outer);
        let strides = [(repetition, self.extent), (plane, self.outer_stride), (column, self.inner_stride)];
        strides.iter().map(|(count, stride)| *count as i64 * stride).sum::<i64>() + within as i64
    }

    fn quantities(&self) -> [u64; 4] {
        [self.block, self.inner_stride as u64, self.outer_stride as u64, self.extent as u64]
    }
}

/// Runs a pair of kernels over a part of a stream whose bytes lie at `offsets` (from the data's address), and compares.
fn both_ways(
    bench: &mut Bench,
    entries: [&CStr; 2],
    arguments: &dyn Fn(u64) -> Vec<u64>,
    table: &mut [u8],
    offsets: &[i64],
    random: &mut Random,
) {
    let low = offsets.iter().copied().min().unwrap_or(0) & -16;
    let high = offsets.iter().copied().max().map_or(0, |last| last + 1);
    let (mut data, mut packed) = (random.bytes((high - low) as usize), random.bytes(offsets.len()));
    let shape = [(1, 32), (3, 64), (7, 32)][random.below(3) as usize];
    let [base, first] = [DATA, (DATA as i64 + low) as u64];
    let before = data.clone();
    let slices = vec![(PACKED, &mut packed[..]), (first, &mut data[..]), (TABLE, &mut *table)];
    bench.launch(entries[0].to_str().unwrap(), shape, &arguments(base), slices);
    assert!(data == before, "{entries:?} wrote the data");
    let want: Vec<u8> = offsets.iter().map(|offset| data[(offset - low) as usize]).collect();
    assert!(packed == want, "{entries:?} packed other bytes");
    let mut packed = random.bytes(offsets.len());
    let mut want = data.clone();
    offsets.iter().zip(&packed).for_each(|(offset, byte)| want[(offset - low) as usize] = *byte);
    let slices = vec![(PACKED, &mut packed[..]), (first, &mut data[..]), (TABLE, table)];
    bench.launch(entries[1].to_str().unwrap(), shape, &arguments(base), slices);
    assert!(data == want, "{entries:?} unpacked other bytes");
}

fn strided(bench: &mut Bench, packing: &Packing, s: Strided, part: std::ops::Range<u64>, random: &mut Random) {
    let offsets: Vec<i64> = part.clone().map(|at| s.offset(at)).collect();
    // The stream may begin far away: what is meant by the data's address moves, so that the bytes stay in reach.
    let origin = offsets.first().map_or(0, |first| first & -16);
    let offsets: Vec<i64> = offsets.iter().map(|offset| offset - origin).collect();
    let arguments = |base: u64| {
        let data = base.wrapping_sub(origin as u64);
        let [inner_stride, outer_stride, extent] = [s.inner_stride, s.outer_stride, s.extent].map(|stride| stride as u64);
        let len = part.end - part.start;
        vec![PACKED, data, part.start, len, s.block, s.inner, inner_stride, s.outer, outer_stride, extent]
    };
    both_ways(bench, [packing.pack_strided, packing.unpack_strided], &arguments, &mut [], &offsets, random);
}

#[test]
fn strided_blocks_of_all_widths() {
    let (mut bench, mut random) = (Bench::new(PACK.text.to_str().unwrap()), Random(7));
    for packing in &PACKINGS {
        let w = packing.width as u64;
        for _ in 0..60 {
            let (block, inner, outer) = (w * (1 + random.below(4)), 1 + random.below(5), 1 + random.below(4));
            // Rows and planes forwards and backwards, with gaps; nothing overlaps.
            let sign = |r: &mut Random| if r.below(3) == 0 { -1 } else { 1 };
            let inner_stride = (block + w * random.below(3)) as i64;
            let outer_stride = inner_stride * inner as i64 + (w * random.below(3)) as i64;
            let extent = outer_stride * outer as i64 + (w * random.below(3)) as i64;
            let (inner_stride, outer_stride) = (inner_stride * sign(&mut random), outer_stride * sign(&mut random));
            let s = Strided { block, inner, inner_stride, outer, outer_stride, extent: extent * sign(&mut random) };
            let whole = block * inner * outer * (1 + random.below(4));
            let start = w * random.below(whole / w);
            strided(&mut bench, packing, s, 0..whole, &mut random);
            strided(&mut bench, packing, s, start..start + w * random.below((whole - start) / w + 1), &mut random);
            assert!(widest(s.quantities()).width >= packing.width);
        }
        // Past 4 GiB of stream, and blocks, rows and planes whose numbers need more than 32 bits.
        for (block, inner, outer) in [(w, 3, 2), (3 << 32, 2, 2), (w, 5 << 32, 2), (w, 3, 5 << 32)] {
            let far = (block as i64 * 2).min(1 << 40);
            let s = Strided { block, inner, inner_stride: far, outer, outer_stride: far * 3, extent: far * 6 };
            strided(&mut bench, packing, s, (7 << 36)..(7 << 36) + 12 * w, &mut random);
            strided(&mut bench, packing, s, 0..2 * w, &mut random);
        }
    }
    blocks_of_all_widths(&mut bench, &mut random);
    let total = bench.everything_has_run();
    println!("packing agrees with loops over bytes; all instructions have run, {total} times");
}

/// Random blocks in order of address, packed in a random order.
fn table(random: &mut Random, w: u64) -> (Vec<Block>, u64, i64) {
    let count = 1 + random.below(12);
    let (mut offset, mut blocks) = (-(w as i64) * random.below(5) as i64, Vec::new());
    for _ in 0..count {
        let length = w * (1 + random.below(9));
        blocks.push(Block { offset, length, position: 0 });
        offset += (length + w * random.below(3)) as i64;
    }
    (1..blocks.len()).for_each(|i| blocks.swap(i, random.below(i as u64 + 1) as usize));
    let mut size = 0;
    for block in &mut blocks {
        block.position = size;
        size += block.length;
    }
    let lowest = blocks.iter().map(|block| block.offset).min().unwrap();
    (blocks, size, offset - lowest + (w * random.below(4)) as i64)
}

fn blocks_of_all_widths(bench: &mut Bench, random: &mut Random) {
    for packing in &PACKINGS {
        let w = packing.width as u64;
        for round in 0..60 {
            let (blocks, size, extent) = table(random, w);
            let repetitions = 1 + random.below(4);
            let first = if round % 3 == 0 { 0 } else { w * random.below(size * repetitions / w) };
            let bytes = if round % 3 == 0 { size * repetitions } else { w * random.below((size * repetitions - first) / w + 1) };
            let offsets: Vec<i64> = (first..first + bytes).map(|at| offset(&blocks, size, extent, at)).collect();
            let end = blocks.len() as u64 * repetitions;
            let width = [1, 2, 8, 32][random.below(4) as usize];
            let count = blocks.len() as u64;
            let arguments = |base: u64| vec![PACKED, base, first, bytes, TABLE, count, size, extent as u64, 0, end, width];
            let entries = [packing.pack_blocks, packing.unpack_blocks];
            both_ways(bench, entries, &arguments, &mut bytes_of(&blocks), &offsets, random);
        }
        far_repetitions(bench, packing, random);
    }
}

/// Blocks whose number needs more than 32 bits, of elements far from the first.
fn far_repetitions(bench: &mut Bench, packing: &Packing, random: &mut Random) {
    let w = packing.width as u64;
    let block = Block { offset: 0, length: w, position: 0 };
    let (begin, extent) = (5 << 33, 2 * w as i64);
    let offsets: Vec<i64> = (0..4 * w).map(|at| (at / w) as i64 * extent + (at % w) as i64).collect();
    let arguments = |base: u64| {
        let data = base.wrapping_sub(begin * extent as u64);
        vec![PACKED, data, begin * w, 4 * w, TABLE, 1, w, extent as u64, begin, begin + 4, 1]
    };
    both_ways(bench, [packing.pack_blocks, packing.unpack_blocks], &arguments, &mut bytes_of(&[block]), &offsets, random);
}

/// Where a byte of the stream lies.
fn offset(blocks: &[Block], size: u64, extent: i64, at: u64) -> i64 {
    let within = at % size;
    let block = blocks.iter().rfind(|block| block.position <= within).unwrap();
    (at / size) as i64 * extent + block.offset + (within - block.position) as i64
}

/// The table as it lies in device memory.
fn bytes_of(blocks: &[Block]) -> Vec<u8> {
    let words = blocks.iter().flat_map(|block| [block.offset as u64, block.length, block.position]);
    words.flat_map(u64::to_le_bytes).collect()
}
