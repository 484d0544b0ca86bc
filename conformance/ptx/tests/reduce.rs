// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed PTX of the reductions against the kernels of the host: sizes, alignments, forms, and bit patterns that
//! matter; with every instruction run. One test a module.

mod support;

use paceline::device::cuda::kernels::{self, MOST_INPUTS, Reduction, reduction_of};
use paceline::object::constant::*;
use paceline::object::datatype::{self, Datatype};
use paceline::object::op::{self, Code, Op};

use support::{Bench, Random};

/// Types by module.
const TYPES: [(&str, &[Handle]); 11] = [
    ("i8", &[INT8_T, UINT8_T]),
    ("i16", &[INT16_T, UINT16_T]),
    ("i32", &[INT32_T, UINT32_T]),
    ("i64", &[INT64_T, UINT64_T]),
    ("f16", &[FLOAT16]),
    ("bf16", &[BFLOAT16]),
    ("f32", &[FLOAT]),
    ("f64", &[DOUBLE]),
    ("c16", &[COMPLEX4]),
    ("c32", &[C_FLOAT_COMPLEX]),
    ("c64", &[C_DOUBLE_COMPLEX]),
];

/// How the bits of a float are divided: bits of one, and bits of its fraction.
type Format = (usize, u32);

/// The format of the floats in a type; none for integers.
fn format(module: &str) -> Option<Format> {
    Some(match module {
        "f16" | "c16" => (16, 10),
        "bf16" => (16, 7),
        "f32" | "c32" => (32, 23),
        "f64" | "c64" => (64, 52),
        _ => return None,
    })
}

/// One pair of operation and type.
struct Case {
    op: &'static Op,
    datatype: &'static Datatype,
    kernel: Reduction,
    /// Of floats.
    format: Option<Format>,
}

impl Case {
    fn all(module: &str) -> Vec<Case> {
        let (_, types) = TYPES.iter().find(|row| row.0 == module).unwrap();
        let pairs = op::ROWS.iter().flat_map(|row| types.iter().map(move |t| (row, *t)));
        pairs.filter_map(|((handle, _, _), t)| Case::of(*handle, t, format(module))).collect()
    }

    fn of(handle: Handle, t: Handle, format: Option<Format>) -> Option<Case> {
        let (op, datatype) = (op::get(handle).unwrap(), datatype::get(t).unwrap());
        let kernel = reduction_of(op, datatype)?;
        Some(Case { op, datatype, kernel, format })
    }

    /// The format where a NaN may be any; minimum and maximum choose one with its bits.
    fn arithmetic(&self) -> Option<Format> {
        self.format.filter(|_| matches!(self.op.code(), Some(Code::Sum | Code::Prod)))
    }

    fn name(&self) -> &'static str {
        self.kernel.two.to_str().unwrap()
    }

    /// What the host makes of it.
    fn host(&self, inputs: &[&[u8]]) -> Vec<u8> {
        let mut out = vec![0; inputs[0].len()];
        let count = (out.len() / self.kernel.element) as i64;
        let addresses: Vec<*const u8> = inputs.iter().map(|input| input.as_ptr()).collect();
        // SAFETY: all hold `count` elements, and the host's kernels take odd addresses.
        unsafe { self.op.combine_many(self.datatype, count, &addresses, out.as_mut_ptr()) };
        out
    }

    /// Fails where results differ, but for NaNs that arithmetic has made, or that are the only input (which the host copies).
    fn compare(&self, got: &[u8], want: &[u8], inputs: &[&[u8]]) {
        if got == want {
            return;
        }
        let any = if inputs.len() == 1 { self.format } else { self.arithmetic() };
        let size = any.map_or(self.kernel.element, |(bits, _)| bits / 8);
        for (i, (got, want)) in got.chunks(size).zip(want.chunks(size)).enumerate() {
            let (g, w) = (value(got), value(want));
            let nan = any.is_some_and(|format| is_nan(g, format) && is_nan(w, format));
            let at = i * size / self.kernel.element * self.kernel.element;
            let given: Vec<_> = inputs.iter().map(|input| &input[at..at + self.kernel.element]).collect();
            assert!(g == w || nan, "{}: {g:#x}, not {w:#x}, at byte {} of {given:02x?}", self.name(), i * size);
        }
    }
}

/// Up to eight bytes as a number; of longer ones the first.
fn value(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | *byte as u128)
}

fn is_nan(value: u128, (bits, fraction): Format) -> bool {
    let magnitude = value & ((1 << (bits - 1)) - 1);
    magnitude > ((1 << (bits - 1)) - 1) >> fraction << fraction
}

/// Distances of out, a and b from a multiple of 16, in elements; and odd ones.
fn offsets(element: u64) -> [[u64; 3]; 8] {
    let e = element;
    [[0, 0, 0], [e, e, e], [7 * e, 7 * e, 7 * e], [e, 0, 0], [0, e, 2 * e], [1, 1, 1], [3, 0, 5], [e / 2, e / 2, e / 2]]
}

/// Shapes of launches: blocks, and threads in each.
const SHAPES: [(u32, u32); 3] = [(1, 1), (3, 8), (2, 32)];

/// Addresses far apart, so that an access outside of a buffer finds nothing.
fn base(i: usize) -> u64 {
    (i as u64 + 1) << 32
}

/// `out = a op b`: out of place, and with `places` 3 also in both places.
fn two(bench: &mut Bench, case: &Case, a: &[u8], b: &[u8], offsets: [u64; 3], shape: (u32, u32), places: usize) {
    let want = case.host(&[a, b]);
    let count = (a.len() / case.kernel.element) as u64;
    let [out, at_a, at_b] = [0, 1, 2].map(|i| base(i) + offsets[i]);
    for place in [out, at_a, at_b].into_iter().take(places) {
        let (mut left, mut right, mut result) = (a.to_vec(), b.to_vec(), vec![0xee; a.len()]);
        bench.launch(
            case.name(),
            shape,
            &[place, at_a, at_b, count],
            vec![(at_a, &mut left[..]), (at_b, &mut right[..]), (out, &mut result[..])],
        );
        let (result, kept) = match place {
            place if place == at_a => (left, right == b),
            place if place == at_b => (right, left == a),
            _ => (result, left == a && right == b),
        };
        case.compare(&result, &want, &[a, b]);
        assert!(kept, "{} wrote an input", case.name());
    }
}

/// Up to eight inputs, and as many outputs; `place` says which input the first output replaces, if any, and so on.
fn many(bench: &mut Bench, case: &Case, inputs: &[Vec<u8>], offset: [u64; 2], place: Option<usize>, outs: usize) {
    let slices: Vec<&[u8]> = inputs.iter().map(|input| &input[..]).collect();
    let want = case.host(&slices);
    let count = (want.len() / case.kernel.element) as u64;
    let mut copies = inputs.to_vec();
    copies.resize(inputs.len() + outs, vec![0xee; want.len()]);
    let addresses: Vec<u64> = (0..copies.len()).map(|i| base(i) + offset[(i == 1) as usize]).collect();
    let replaces = |k: usize| place.map(|at| at + k).filter(|at| *at < inputs.len());
    let targets: Vec<usize> = (0..outs).map(|k| replaces(k).unwrap_or(inputs.len() + k)).collect();
    let mut values = vec![count, inputs.len() as u64, outs as u64];
    values.extend((0..MOST_INPUTS).map(|i| if i < inputs.len() { addresses[i] } else { 0xdead_beef }));
    values.extend((0..MOST_INPUTS).map(|k| targets.get(k).map_or(0xdead_beef, |at| addresses[*at])));
    let memory = addresses.iter().copied().zip(copies.iter_mut().map(|copy| &mut copy[..])).collect();
    bench.launch(case.kernel.many.to_str().unwrap(), SHAPES[(inputs.len() + outs) % 3], &values, memory);
    targets.iter().for_each(|at| case.compare(&copies[*at], &want, &slices));
    let untouched = (0..copies.len()).filter(|at| !targets.contains(at));
    untouched.for_each(|at| assert!(inputs.get(at).is_none_or(|input| copies[at] == *input), "{} wrote an input", case.name()));
}

fn every_size(bench: &mut Bench, case: &Case, random: &mut Random) {
    let size = case.kernel.element;
    for n in 0..=257 {
        let (a, b) = (random.bytes(n * size), random.bytes(n * size));
        for (i, offsets) in offsets(size as u64).into_iter().enumerate() {
            if i == n % 8 || !(20..=250).contains(&n) {
                two(bench, case, &a, &b, offsets, SHAPES[(n + i) % 3], 3);
            }
        }
    }
}

fn every_number_of_inputs(bench: &mut Bench, case: &Case, random: &mut Random) {
    let size = case.kernel.element;
    for inputs in 1..=MOST_INPUTS {
        for n in [0, 1, 5, 16, 47, 100, 203] {
            let data: Vec<Vec<u8>> = (0..inputs).map(|_| random.bytes(n * size)).collect();
            let e = size as u64;
            (1..=MOST_INPUTS).for_each(|outs| many(bench, case, &data, [0, 0], None, outs));
            let offsets = [[0, 0], [e, e], [0, e], [1, 1], [1, 2], [5 * e, 5 * e], [e / 2, e / 2]];
            for (i, offset) in offsets.into_iter().enumerate() {
                many(bench, case, &data, offset, None, 1);
                many(bench, case, &data, offset, Some(n % inputs), 1 + (n + inputs + i) % MOST_INPUTS);
            }
        }
    }
}

/// All pairs of two lists of values, as two buffers.
fn pairs(left: &[u64], right: &[u64], size: usize) -> (Vec<u8>, Vec<u8>) {
    let mut buffers = (Vec::new(), Vec::new());
    for &a in left {
        for &b in right {
            buffers.0.extend_from_slice(&a.to_le_bytes()[..size]);
            buffers.1.extend_from_slice(&b.to_le_bytes()[..size]);
        }
    }
    buffers
}

/// Values of `bits` bits at which integers change.
fn integers(bits: usize) -> Vec<u64> {
    let top = 1u64 << (bits - 1);
    let mut values = vec![0, 1, 2, 3, 5, 10, 100, top - 2, top - 1, top, top + 1, top / 2, top / 2 + 1, top / 3, top + top / 2];
    values.extend([u64::MAX, u64::MAX - 1, u64::MAX - 2, u64::MAX / 3, 0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210]);
    values.extend((1..bits / 8).flat_map(|i| [1 << (8 * i), (1 << (8 * i)) - 1, !(1 << (8 * i)), 0x80 << (8 * i)]));
    values
}

/// Values at which floats change: zeros, denormals, halfway cases, limits, infinities, NaNs of both kinds; of both signs.
fn floats((bits, fraction): Format) -> Vec<u64> {
    let (unit, exponents) = (1u64 << fraction, (1u64 << (bits as u32 - 1 - fraction)) - 1);
    let one = (exponents >> 1) << fraction;
    let infinity = exponents << fraction;
    let mut values = vec![0, 1, 2, unit / 2, unit - 1, unit, unit + 1, one - 1, one, one + 1, one + unit / 2, one + 2 * unit];
    values.extend([
        one + unit - 1,
        one - unit * fraction as u64,
        one - unit * (fraction as u64 + 1),
        one + unit * fraction as u64,
    ]);
    values.extend([one + unit * (fraction as u64 + 1) + 1, one / 2, one + one / 2, infinity - 1, infinity - unit, infinity]);
    values.extend([infinity + 1, infinity + unit / 2, infinity + unit / 2 + 5, infinity + unit - 1]);
    values.iter().flat_map(|value| [*value, *value | 1 << (bits - 1)]).collect()
}

fn bit_patterns(bench: &mut Bench, case: &Case, module: &str, random: &mut Random) {
    let size = case.kernel.element;
    let mut both = |left: &[u64], right: &[u64], size: usize| {
        let (a, b) = pairs(left, right, size);
        // Whole elements of complex numbers.
        let len = a.len() / case.kernel.element * case.kernel.element;
        two(bench, case, &a[..len], &b[..len], [0; 3], (2, 32), 1);
        two(bench, case, &b[..len], &a[..len], [0; 3], (2, 32), 1);
    };
    let every: Vec<u64> = (0..1 << 16).collect();
    match format(module) {
        None if size == 1 => both(&every[..256], &every[..256], 1),
        None if size == 2 => both(&every, &[1, 0x7fff, 0x8000, 0xffff, 0x5555, 300], 2),
        None => both(&integers(8 * size), &integers(8 * size), size),
        Some(format @ (16, _)) if size == 2 => both(&every, &floats(format).into_iter().step_by(3).collect::<Vec<_>>(), 2),
        Some(format) if size * 8 == format.0 => both(&floats(format), &floats(format), size),
        Some(format) => complex(&mut both, &floats(format), format.0 / 8, random),
    }
}

/// Complex numbers: all pairs of special parts, beside parts that wander through the list.
fn complex(both: &mut impl FnMut(&[u64], &[u64], usize), values: &[u64], part: usize, random: &mut Random) {
    both(values, values, part);
    for _ in 0..8 {
        let mut shuffled: Vec<u64> = values.to_vec();
        (1..shuffled.len()).for_each(|i| shuffled.swap(i, random.below(i as u64 + 1) as usize));
        both(&shuffled, values, part);
    }
}

fn check(module: &str) {
    op::register_predefined();
    datatype::register_predefined();
    let text = kernels::MODULES.iter().find(|known| known.name == module).unwrap().text;
    let (mut bench, mut random) = (Bench::new(text.to_str().unwrap()), Random(0x9e37_79b9_7f4a_7c15));
    let cases = Case::all(module);
    for case in &cases {
        every_size(&mut bench, case, &mut random);
        every_number_of_inputs(&mut bench, case, &mut random);
        bit_patterns(&mut bench, case, module, &mut random);
    }
    let total = bench.everything_has_run();
    println!(
        "{module}: {} pairs of operation and type agree with the host; all instructions have run, {total} times",
        cases.len()
    );
}

macro_rules! modules {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*
    };
}

modules!(i8 i16 i32 i64 f16 bf16 f32 f64 c16 c32 c64);
