// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reductions whose operands lie in memory that the CPU may not touch: by a kernel where there is one, else (the user's
//! operations, value-index pairs, operands in two places) through host memory. User functions always get host addresses.

use super::{Op, slices};
use crate::device::{self, Home};
use crate::object::datatype::Datatype;
use crate::object::error::Result;
use crate::p2p::memory::Memory;
use crate::p2p::{self, Loan, Ticket};
use crate::trace;

/// The device of `count` elements at an address.
#[inline]
pub fn home(datatype: &Datatype, at: *const u8) -> Option<Home> {
    device::home(at.wrapping_offset(datatype.true_lb as isize))
}

/// `into[i] = from[i] op into[i]`. A ticket when a device does it.
///
/// # Safety
/// Both addresses hold `count` elements, and nothing else uses `into` until the ticket is complete.
pub unsafe fn reduce(op: &Op, datatype: &Datatype, count: i64, from: *const u8, into: *mut u8) -> Result<Option<Ticket>> {
    match (home(datatype, from), home(datatype, into)) {
        (None, None) => {
            // SAFETY: the caller's promise.
            unsafe { op.apply(datatype, count, from, into) };
            Ok(None)
        }
        // SAFETY: as above.
        (left, right) => unsafe { reduce_away(op, datatype, count, (from, left), (into, right)) },
    }
}

#[cold]
unsafe fn reduce_away(
    op: &Op,
    datatype: &Datatype,
    count: i64,
    (from, left): (*const u8, Option<Home>),
    (into, right): (*mut u8, Option<Home>),
) -> Result<Option<Ticket>> {
    let reason = match (left, right) {
        (Some(left), Some(right)) if left.is_same(&right) => {
            // SAFETY: the caller's promise; both are memory of this device.
            if let Some(work) = unsafe { right.exec.combine(op, datatype, count as usize, &[from, into], &[into]) } {
                trace::chose("reduce", "device kernel", (count * datatype.size) as u64);
                return work.map(|work| Some(p2p::watch(work, None)));
            }
            // A kernel that does not run has said so itself.
            (!right.exec.has(op, datatype)).then_some("there is no kernel for it")
        }
        (Some(_), Some(_)) => Some("its operands lie on two devices, or in two contexts"),
        _ => Some("one operand lies in host memory"),
    };
    if let Some(reason) = reason {
        trace::note(format!("{} of device memory is computed on the host: {reason}", op.name()));
    }
    // SAFETY: the caller's promise.
    unsafe {
        match slices::can(datatype) {
            true => slices::reduce(op, datatype, count, (from.cast_mut(), left), (into, right)),
            false => reduce_on_host(op, datatype, count, (from, left), (into, right)),
        }
    }
    .map(|()| None)
}

/// An operand: where it would lie here, and the loan if it lies elsewhere.
pub type Operand = (*mut u8, Option<Loan>);

/// [`reduce`] with operands that have stayed at other ranks: `into` gets the result in any case.
///
/// # Safety
/// As for [`reduce`]; the loans are of `count` elements.
pub unsafe fn reduce_loans(op: &Op, datatype: &Datatype, count: i64, from: Operand, into: Operand) -> Result<Option<Ticket>> {
    let lb = datatype.true_lb as isize;
    let home = home(datatype, into.0).expect("who borrows has its buffers on a device");
    let at = |operand: &Operand| operand.1.as_ref().map_or(operand.0.cast_const(), |loan| loan.at.wrapping_offset(-lb));
    // SAFETY: the caller's promise; a kernel reaches what was lent to this device.
    let work = unsafe { home.exec.combine(op, datatype, count as usize, &[at(&from), at(&into)], &[into.0]) };
    if let Some(Ok(work)) = work {
        trace::chose("reduce", "device kernel", (count * datatype.size) as u64);
        return Ok(Some(p2p::repay_after(work, [from.1, into.1].into_iter().flatten().collect())));
    }
    let (from_at, into_at) = (from.0, into.0);
    // Both, whatever becomes of one: their senders wait.
    // SAFETY: as above.
    let home_again = unsafe { [bring_home(datatype, count, &home, from), bring_home(datatype, count, &home, into)] };
    home_again.into_iter().collect::<Result<()>>()?;
    // SAFETY: as above; both operands lie here now.
    unsafe { reduce(op, datatype, count, from_at, into_at) }
}

/// What was lent comes to its own place after all, since the kernel that would have read it does not run: waits.
pub(super) unsafe fn bring_home(datatype: &Datatype, count: i64, home: &Home, (at, loan): Operand) -> Result<()> {
    let Some(loan) = loan else { return Ok(()) };
    let to = at.wrapping_offset(datatype.true_lb as isize);
    // SAFETY: the caller's promise; the sender keeps its bytes until the loan is given back, below.
    let copied = unsafe { home.memory.copy(loan.at, to, (count * datatype.size) as usize) }.and_then(|mut copy| copy.wait());
    p2p::repay(loan);
    copied
}

/// The stretch of memory, gaps included, that `count` elements touch.
fn stretch(datatype: &Datatype, count: i64, at: *mut u8, home: Option<Home>) -> Memory {
    let (low, high) = datatype.footprint(count);
    let (at, len) = (at.wrapping_offset(low as isize), (high - low) as usize);
    home.map_or(Memory::Flat { at, len }, |home| Memory::Away { at, len, home })
}

/// In one piece: for elements that reach into their neighbours, or are large.
unsafe fn reduce_on_host(
    op: &Op,
    datatype: &Datatype,
    count: i64,
    (from, left): (*const u8, Option<Home>),
    (into, right): (*mut u8, Option<Home>),
) -> Result<()> {
    let (low, high) = datatype.footprint(count);
    let mut copies = [Vec::<u128>::new(), Vec::new()];
    let mut near = |which: usize, at: *mut u8, home: Option<Home>| -> Result<*mut u8> {
        let Some(home) = home else { return Ok(at) };
        let len = (high - low) as usize;
        copies[which].reserve_exact(len.div_ceil(16));
        let copy = copies[which].as_mut_ptr().cast::<u8>();
        // SAFETY: the caller's elements are readable, the copy has room.
        unsafe { stretch(datatype, count, at, Some(home)).try_read(0, copy, len)? };
        Ok(copy.wrapping_offset(-low as isize))
    };
    let (a, b) = (near(0, from.cast_mut(), left)?, near(1, into, right)?);
    // SAFETY: host memory of `count` elements at both; `into` is the caller's to write.
    unsafe {
        op.apply(datatype, count, a, b);
        if right.is_some() {
            let len = (high - low) as usize;
            stretch(datatype, count, into, right).try_write(0, b.wrapping_offset(low as isize), len)?;
        }
    }
    Ok(())
}

/// The same, and waits for it (`MPI_Reduce_local`).
///
/// # Safety
/// As for [`reduce`].
pub unsafe fn reduce_now(op: &Op, datatype: &Datatype, count: i64, from: *const u8, into: *mut u8) -> Result<()> {
    let homes = [home(datatype, from), home(datatype, into)];
    homes.iter().flatten().try_for_each(|home| home.memory.fence())?;
    // SAFETY: the caller's promise.
    match unsafe { reduce(op, datatype, count, from, into)? } {
        Some(ticket) => p2p::send::complete("a reduction on a device", ticket).map(drop),
        None => Ok(()),
    }
}
