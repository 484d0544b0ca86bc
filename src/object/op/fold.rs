// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reductions of many operands in one step, for predefined operations that have a kernel: by that kernel where all operands lie on
//! its device or are lent to it, else on the host. Both combine [`MOST_INPUTS`] at a time from left to right, so both give the same bits
//! (but for those of a NaN).

use smallvec::SmallVec;

use super::Op;
use super::away::{Operand, home};
use crate::device::{Home, MOST_INPUTS, Pending};
use crate::err;
use crate::object::datatype::Datatype;
use crate::object::error::Result;
use crate::p2p::memory::Memory;
use crate::p2p::{self, Loans, Ticket};
use crate::trace;

/// Bytes of each operand that the host combines at a time.
const PIECE: usize = 256 << 10;

type Inputs = SmallVec<[*const u8; MOST_INPUTS]>;
type Outs = SmallVec<[*mut u8; MOST_INPUTS]>;
/// Combines some inputs into places; `None` when there is no kernel for it.
type Combine<'a> = &'a mut dyn FnMut(&[*const u8], &[*mut u8]) -> Option<Result<Pending>>;

/// Where a result goes: `into`, and to what other ranks have `exposed`. `spare` is scratch that may hold what is not complete, after the
/// first [`MOST_INPUTS`] operands have been read: `into` may be one of the later ones.
#[allow(missing_docs)]
pub struct Target {
    pub into: *mut u8,
    pub spare: *mut u8,
    pub exposed: Loans,
}

/// What has become of a fold.
#[derive(Default)]
pub struct Folded {
    /// When a device does it.
    pub ticket: Option<Ticket>,
    /// The result goes to all places, not only to `into`.
    pub is_everywhere: bool,
}

/// `target.into[i] = operands[0][i] op operands[1][i] op …`, and the same in what is exposed if a device does it. `on_device`: all of it
/// lies on one device, which has a kernel for it.
///
/// # Safety
/// All addresses hold `count` elements; nothing else uses `target` until the ticket is complete; its places are operands or touch
/// none; the loans are of `count` elements.
pub unsafe fn fold(
    op: &Op,
    datatype: &Datatype,
    count: i64,
    operands: Vec<Operand>,
    target: Target,
    on_device: bool,
) -> Result<Folded> {
    let home = home(datatype, target.into);
    if let Some(home) = home.filter(|_| on_device) {
        let inputs: Inputs = operands.iter().map(|operand| operand.address(datatype)).collect();
        // SAFETY: the caller's promise; a kernel reaches what was lent to this device.
        let mut combine =
            |inputs: &[*const u8], outs: &[*mut u8]| unsafe { home.exec.combine(op, datatype, count as usize, inputs, outs) };
        if let Some((work, outcome)) = in_groups(&inputs, &target, &mut combine) {
            trace::chose("reduce", "device kernel", (count * datatype.size) as u64);
            let loans: Loans = operands.into_iter().filter_map(Operand::lent).chain(target.exposed).collect();
            return ended(work, outcome, loans);
        }
    } else if home.is_some() || operands.iter().any(|operand| operand.place(datatype).1.is_some()) {
        trace::note(format!("{} of device memory is computed on the host: not all of it lies on one device", op.name()));
    }
    target.exposed.into_iter().for_each(p2p::repay);
    // SAFETY: the caller's promise.
    let folded = unsafe { fold_on_host(op, datatype, count, &operands, (target.into, home)) };
    // All of them, whatever became of it: their senders wait.
    operands.into_iter().filter_map(Operand::lent).for_each(p2p::repay);
    folded.map(|()| Folded::default())
}

/// Gives loans back when the work is done; what was started before an error may still use them.
fn ended(mut work: Pending, outcome: Result<()>, loans: Loans) -> Result<Folded> {
    if outcome.is_ok() {
        return Ok(Folded { ticket: Some(p2p::repay_after(work, loans)), is_everywhere: true });
    }
    let _ = work.wait();
    loans.into_iter().for_each(p2p::repay);
    outcome.map(|()| Folded::default())
}

/// As many inputs as fit at a time, from left to right: the work that ends last, and an error if not all could be started. `None` when
/// there is no kernel for it.
fn in_groups(inputs: &[*const u8], target: &Target, combine: Combine) -> Option<(Pending, Result<()>)> {
    let (mut group, mut later) = inputs.split_at(inputs.len().min(MOST_INPUTS));
    let all: Outs = std::iter::once(target.into).chain(target.exposed.iter().map(|place| place.at.cast_mut())).collect();
    let sum = if later.contains(&target.into.cast_const()) { target.spare } else { target.into };
    let (mut work, mut next) = (Pending::DONE, Inputs::new());
    loop {
        match combine(group, if later.is_empty() { &all } else { std::slice::from_ref(&sum) }) {
            Some(Ok(started)) => work = started,
            Some(Err(error)) => return Some((work, Err(error))),
            None if next.is_empty() => return None,
            // The operands are no more what they were.
            None => {
                return Some((
                    work,
                    Err(err!(Other, "a kernel has run for the first operands of a reduction and does not for others")),
                ));
            }
        }
        if later.is_empty() {
            return Some((work, Ok(())));
        }
        next = std::iter::once(sum.cast_const()).chain(later.iter().copied().take(MOST_INPUTS - 1)).collect();
        later = &later[later.len().min(MOST_INPUTS - 1)..];
        group = &next;
    }
}

/// Piece by piece, of whatever memory.
#[cold]
unsafe fn fold_on_host(
    op: &Op,
    datatype: &Datatype,
    count: i64,
    operands: &[Operand],
    (into, home_of_result): (*mut u8, Option<Home>),
) -> Result<()> {
    let (places, homes): (Vec<_>, Vec<_>) = operands.iter().map(|operand| operand.place(datatype)).unzip();
    homes.iter().chain([&home_of_result]).flatten().try_for_each(|home| home.memory.fence())?;

    let size = datatype.size as usize;
    let (bytes, piece) = (count as usize * size, PIECE / size * size);
    let mut copies = vec![Vec::<u8>::new(); places.len()];
    let mut sum = vec![0u8; piece.min(bytes)];
    for done in (0..bytes).step_by(piece) {
        let len = piece.min(bytes - done);
        let mut inputs = Inputs::new();
        for ((at, home), copy) in places.iter().zip(&homes).zip(&mut copies) {
            let Some(home) = *home else {
                inputs.push(at.wrapping_add(done));
                continue;
            };
            copy.resize(len, 0);
            // SAFETY: predefined types are dense, so this is the piece; the copy has room for it.
            unsafe { Memory::Away { at: at.cast_mut(), len: bytes, home }.try_read(done, copy.as_mut_ptr(), len)? };
            inputs.push(copy.as_ptr());
        }
        let target = Target { into: sum.as_mut_ptr(), spare: sum.as_mut_ptr(), exposed: Loans::new() };
        let elements = (len / size) as i64;
        in_groups(&inputs, &target, &mut |inputs, outs| {
            // SAFETY: so many elements at all addresses; the one place may be the first input.
            unsafe { op.combine_many(datatype, elements, inputs, outs[0]) };
            Some(Ok(Pending::DONE))
        });
        let whole =
            home_of_result.map_or(Memory::Flat { at: into, len: bytes }, |home| Memory::Away { at: into, len: bytes, home });
        // SAFETY: the caller's memory of so many bytes; this piece of the operands has been read.
        unsafe { whole.try_write(done, sum.as_ptr(), len)? };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::constant::*;
    use crate::object::datatype;
    use crate::object::op;

    const COUNT: usize = 1000;

    /// Numbers whose sums need rounding in 16 bits, other ones in each operand.
    fn operand(r: usize) -> Vec<u16> {
        (0..COUNT).map(|i| half::f16::from_f32(((r * 37 + i * 11) % 2048) as f32 * 0.75).to_bits()).collect()
    }

    /// Sums `n` operands into the place of operand `at`, or one of its own.
    fn folded(n: usize, at: Option<usize>) -> Vec<u16> {
        let (op, t) = (op::get(SUM).unwrap(), datatype::get(FLOAT16).unwrap());
        let mut all: Vec<Vec<u16>> = (0..n).map(operand).collect();
        let mut out = vec![0; COUNT];
        let operands: Vec<Operand> = all.iter_mut().map(|one| Operand::Here(one.as_mut_ptr().cast())).collect();
        let into = at.map_or(out.as_mut_ptr().cast(), |at| operands[at].address(t).cast_mut());
        let spare = operands[(at == Some(0)) as usize].address(t).cast_mut();
        let target = Target { into, spare, exposed: Loans::new() };
        // SAFETY: all hold so many elements.
        let folded = unsafe { fold(op, t, COUNT as i64, operands, target, false) };
        assert!(folded.unwrap().ticket.is_none());
        at.map_or(out, |at| all.swap_remove(at))
    }

    /// Eight at a time, each time in 32 bits and rounded once.
    fn expected(n: usize) -> Vec<u16> {
        let all: Vec<Vec<u16>> = (0..n).map(operand).collect();
        let number = |bits: u16| half::f16::from_bits(bits).to_f32();
        let round = |sum: f32| half::f16::from_f32(sum).to_bits();
        let sum = |i: usize| {
            let first = round(all[..n.min(8)].iter().map(|one| number(one[i])).sum());
            all[n.min(8)..]
                .chunks(7)
                .fold(first, |so_far, group| round(group.iter().fold(number(so_far), |sum, one| sum + number(one[i]))))
        };
        (0..COUNT).map(sum).collect()
    }

    #[test]
    fn the_result_is_the_same_wherever_it_goes() {
        op::register_predefined();
        datatype::register_predefined();
        for n in [2, 3, 7, 8, 9, 15, 16, 23] {
            assert_eq!(folded(n, None), expected(n), "{n}");
            for at in 0..n {
                assert_eq!(folded(n, Some(at)), expected(n), "{n} into {at}");
            }
        }
    }

    /// Whatever is combined, in the order of the operands, and into which places.
    #[test]
    fn groups_take_every_operand_once_in_order() {
        for n in 2..40usize {
            let places: Vec<*const u8> = (1..=n).map(|i| (i * 16) as *const u8).collect();
            for at in 0..n {
                let spare = places[(at == 0) as usize].cast_mut();
                let target = Target { into: places[at].cast_mut(), spare, exposed: Loans::new() };
                let (mut seen, mut sum) = (Vec::new(), None);
                in_groups(&places, &target, &mut |inputs, outs| {
                    let [out] = *outs else { panic!("{outs:?}") };
                    assert!((2..=MOST_INPUTS).contains(&inputs.len()));
                    let skip = sum.map_or(0, |sum| {
                        assert_eq!(inputs[0], sum);
                        1
                    });
                    seen.extend_from_slice(&inputs[skip..]);
                    sum = Some(out.cast_const());
                    assert!(!places[seen.len()..].contains(&out.cast_const()), "{n} into {at}: a later operand is overwritten");
                    Some(Ok(Pending::DONE))
                });
                assert_eq!((seen, sum), (places.clone(), Some(places[at])));
            }
        }
    }
}
