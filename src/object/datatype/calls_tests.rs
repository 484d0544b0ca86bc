// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of the datatype calls that the random trees do not reach.

use super::construct::*;
use super::elements::*;
use super::envelope::*;
use super::external::*;
use super::manage::*;
use super::{fortran, get};
use crate::object::constant::*;
use crate::object::status::Status;

/// Element numbers that one element of a type of ints covers, in packed order.
fn elements(t: Handle) -> Vec<i64> {
    let t = get(t).unwrap();
    let mut all = Vec::new();
    t.runs(0, t.size, &mut |at, len| (0..len as i64 / 4).for_each(|i| all.push(at / 4 + i)));
    all
}

/// Who owns index `i` of a dimension, by the rule of the standard, and nothing else.
fn owner(i: i64, size: i64, processes: i64, distribution: i32, argument: i32) -> i64 {
    let default = argument == DISTRIBUTE_DFLT_DARG;
    match distribution {
        DISTRIBUTE_NONE => 0,
        DISTRIBUTE_BLOCK => i / if default { (size + processes - 1) / processes } else { argument as i64 },
        _ => i / if default { 1 } else { argument as i64 } % processes,
    }
}

/// Sizes, distributions, their arguments, process grid.
type Case = (&'static [i64], &'static [i32], &'static [i32], &'static [i32]);

#[test]
fn darray_gives_each_process_what_it_owns() {
    let cases: [Case; 5] = [
        (&[7], &[DISTRIBUTE_CYCLIC], &[2], &[3]),
        (&[10], &[DISTRIBUTE_BLOCK], &[DISTRIBUTE_DFLT_DARG], &[4]),
        (&[3], &[DISTRIBUTE_BLOCK], &[DISTRIBUTE_DFLT_DARG], &[4]),
        (&[5, 6], &[DISTRIBUTE_CYCLIC, DISTRIBUTE_BLOCK], &[DISTRIBUTE_DFLT_DARG, 4], &[2, 3]),
        (&[4, 3, 9], &[DISTRIBUTE_BLOCK, DISTRIBUTE_NONE, DISTRIBUTE_CYCLIC], &[3, DISTRIBUTE_DFLT_DARG, 3], &[2, 1, 2]),
    ];
    for ((sizes, distributions, arguments, grid), order) in cases.iter().flat_map(|&c| [(c, ORDER_C), (c, ORDER_FORTRAN)]) {
        let processes: i32 = grid.iter().product();
        for rank in 0..processes {
            let mut t = DATATYPE_NULL;
            let n = sizes.len() as i32;
            darray(processes, rank, n, sizes, distributions, arguments, grid, order, INT, &mut t).unwrap();
            let total: i64 = sizes.iter().product();
            let mine = |linear: &i64| {
                let mut rest = *linear;
                let dims: Vec<usize> = (0..sizes.len()).collect();
                let fastest: Vec<usize> = if order == ORDER_C { dims.into_iter().rev().collect() } else { dims };
                let mut place = vec![0; sizes.len()];
                for d in fastest {
                    place[d] = owner(rest % sizes[d], sizes[d], grid[d] as i64, distributions[d], arguments[d]);
                    rest /= sizes[d];
                }
                place.iter().zip(grid).fold(0, |all, (p, g)| all * *g as i64 + p) == rank as i64
            };
            assert_eq!(elements(t), (0..total).filter(mine).collect::<Vec<_>>(), "{sizes:?} rank {rank}");
            assert_eq!(get(t).unwrap().extent, 4 * total);
        }
    }
}

#[test]
fn old_markers_fix_the_bounds() {
    let (mut t, mut u) = (DATATYPE_NULL, DATATYPE_NULL);
    structure(3, &[1, 1, 1], &[-3, 0, 10], &[LB, INT, UB], &mut t).unwrap();
    let found = get(t).unwrap();
    assert_eq!((found.lb, found.extent, found.size, found.true_lb, found.true_extent), (-3, 13, 4, 0, 4));
    contiguous(2, t, &mut u).unwrap();
    assert_eq!((get(u).unwrap().lb, get(u).unwrap().extent), (-3, 26));
    let mut seen = Vec::new();
    get(u).unwrap().runs(0, 8, &mut |at, len| seen.push((at, len)));
    assert_eq!(seen, [(0, 4), (13, 4)]);
}

#[test]
fn a_type_outlives_the_handles_it_was_made_of() {
    let (mut inner, mut outer) = (DATATYPE_NULL, DATATYPE_NULL);
    vector(2, 1, 2, INT, &mut inner).unwrap();
    contiguous(3, inner, &mut outer).unwrap();
    let kept = inner;
    free(&mut inner).unwrap();
    assert_eq!(inner, DATATYPE_NULL);
    assert!(get(kept).is_err() && free(&mut { INT }).is_err());
    let mut contents = [DATATYPE_NULL];
    let mut count = [0];
    get_contents(outer, 1, 0, 1, &mut count, &mut [], &mut contents).unwrap();
    assert_eq!(count, [3]);
    assert_eq!(elements(contents[0]), [0, 2]);
    assert!(get_contents(outer, 0, 0, 1, &mut [], &mut [], &mut contents).is_err());
}

#[test]
fn the_number_of_a_freed_type_in_use_is_not_given_away() {
    let mut freed = DATATYPE_NULL;
    contiguous(3, INT, &mut freed).unwrap();
    let (number, used) = (freed, get(freed).unwrap().clone());
    free(&mut freed).unwrap();
    assert!(get(number).is_err());
    for _ in 0..100 {
        let mut other = DATATYPE_NULL;
        contiguous(2, INT, &mut other).unwrap();
        assert_ne!(other, used.handle);
    }
}

#[test]
fn an_envelope_tells_the_call() {
    let (mut t, mut again) = (DATATYPE_NULL, DATATYPE_NULL);
    hindexed(2, &[1, 2], &[0, 40], DOUBLE, &mut t).unwrap();
    let (mut n, mut a, mut d, mut combiner) = (0, 0, 0, 0);
    get_envelope(t, &mut n, &mut a, &mut d, &mut combiner).unwrap();
    assert_eq!((n, a, d, combiner), (3, 2, 1, COMBINER_HINDEXED));
    let (mut ints, mut addresses, mut types) = ([0; 3], [0; 2], [0; 1]);
    get_contents(t, 3, 2, 1, &mut ints, &mut addresses, &mut types).unwrap();
    assert_eq!((ints, addresses, types), ([2, 1, 2], [0, 40], [DOUBLE]));
    dup(t, &mut again).unwrap();
    get_envelope(again, &mut n, &mut a, &mut d, &mut combiner).unwrap();
    assert_eq!((n, a, d, combiner), (0, 0, 1, COMBINER_DUP));
}

#[test]
fn external32_is_big_endian_and_comes_back() {
    let mut t = DATATYPE_NULL;
    structure(4, &[1, 2, 1, 1], &[0, 8, 24, 32], &[LONG, SHORT, DOUBLE, C_FLOAT_COMPLEX], &mut t).unwrap();
    commit(&mut t).unwrap();
    let mut memory = vec![0u8; 40];
    memory[..8].copy_from_slice(&(-2i64).to_ne_bytes());
    memory[8..12].copy_from_slice(&[0x0102i16, 0x0304].map(i16::to_ne_bytes).concat());
    memory[24..32].copy_from_slice(&1.5f64.to_ne_bytes());
    memory[32..40].copy_from_slice(&[1f32, -1.0].map(f32::to_ne_bytes).concat());
    let (mut size, mut position, mut packed) = (0, 0, [0u8; 24]);
    pack_external_size("external32", 1, t, &mut size).unwrap();
    assert_eq!(size, 24);
    // SAFETY: `memory` holds one element, `packed` 24 bytes.
    unsafe {
        let (memory, packed) = (memory.as_mut_ptr(), packed.as_mut_ptr());
        pack_external("external32", memory, 1, t, packed, 24, &mut position).unwrap();
        assert!(pack_external("external32", memory, 1, t, packed, 24, &mut position).is_err());
    }
    assert_eq!(position, 24);
    let expected = [&(-2i32).to_be_bytes()[..], &[1, 2, 3, 4], &1.5f64.to_be_bytes(), &1f32.to_be_bytes()].concat();
    assert_eq!(packed[..20], expected);
    let mut back = vec![0u8; 40];
    position = 0;
    // SAFETY: as above.
    unsafe { unpack_external("external32", packed.as_mut_ptr(), 24, &mut position, back.as_mut_ptr(), 1, t).unwrap() };
    assert_eq!(back, memory);
}

#[test]
fn long_double_is_binary128_in_external32() {
    let mut one = [0u8; 16];
    one[7] = 0x80;
    one[8..10].copy_from_slice(&0xbfffu16.to_le_bytes());
    let (mut position, mut packed, mut back) = (0, [0u8; 16], [0u8; 16]);
    // SAFETY: all hold one `long double`.
    unsafe {
        let (from, to) = (one.as_mut_ptr(), packed.as_mut_ptr());
        pack_external("external32", from, 1, LONG_DOUBLE, to, 16, &mut position).unwrap();
        position = 0;
        unpack_external("external32", to, 16, &mut position, back.as_mut_ptr(), 1, LONG_DOUBLE).unwrap();
    }
    assert_eq!(packed[..3], [0xbf, 0xff, 0]);
    assert_eq!(back, one);
}

#[test]
fn counts_of_what_arrived() {
    let mut status = Status { bytes: 20, ..Status::EMPTY };
    let (mut count, mut t) = (0, DATATYPE_NULL);
    contiguous(2, DOUBLE_INT, &mut t).unwrap();
    get_count(&status, INT, &mut count).unwrap();
    assert_eq!(count, 5);
    get_count(&status, DOUBLE, &mut count).unwrap();
    assert_eq!(count, UNDEFINED as i64);
    get_elements(&status, t, &mut count).unwrap();
    assert_eq!(count, 3);
    status_set_elements(&mut status, t, 5).unwrap();
    assert_eq!(status.bytes, 32);
    contiguous(0, INT, &mut t).unwrap();
    get_count(&status, t, &mut count).unwrap();
    assert_eq!(count, UNDEFINED as i64);
}

#[test]
fn types_by_precision_are_predefined() {
    let (mut t, mut again) = (DATATYPE_NULL, DATATYPE_NULL);
    fortran::create_f90_real(15, 307, &mut t).unwrap();
    fortran::create_f90_real(15, 307, &mut again).unwrap();
    assert_eq!(t, again);
    assert_eq!(get(t).unwrap().size, 8);
    assert!(free(&mut again).is_err());
    fortran::create_f90_integer(9, &mut t).unwrap();
    assert_eq!(get(t).unwrap().size, 4);
    assert!(fortran::create_f90_complex(40, 10, &mut t).is_err());
}

#[test]
fn wrong_arguments_are_named() {
    let mut t = DATATYPE_NULL;
    let says = |r: crate::object::error::Result<()>, what: &str| {
        let text = r.unwrap_err().text().to_owned();
        assert!(text.contains(what), "{text}");
    };
    says(contiguous(-1, INT, &mut t), "count is -1");
    says(vector(1, -2, 1, INT, &mut t), "blocklength is -2");
    says(indexed(2, &[1, -5], &[0, 1], INT, &mut t), "blocklengths[1] is -5");
    says(structure(1, &[1], &[0], &[DATATYPE_NULL], &mut t), "types[0]");
    says(subarray(1, &[4], &[3], &[2], ORDER_C, INT, &mut t), "starts[0] is 2");
    says(contiguous(i64::MAX / 2, INT, &mut t), "more than an address can reach");
    assert_eq!(t, DATATYPE_NULL);
}
