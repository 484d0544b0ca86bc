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
    unsafe { reduce_on_host(op, datatype, count, (from, left), (into, right)) }.map(|()| None)
}

unsafe fn reduce_on_host(
    op: &Op,
    datatype: &Datatype,
    count: i64,
    (from, left): (*const u8, Option<Home>),
    (into, right): (*mut u8, Option<Home>),
) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe {
        match slices::can(datatype) {
            true => slices::reduce(op, datatype, count, (from.cast_mut(), left), (into, right)),
            false => reduce_whole(op, datatype, count, (from, left), (into, right)),
        }
    }
}

/// An operand.
pub enum Operand {
    /// At this address.
    Here(*mut u8),
    /// Somewhere else, where its device reads it.
    Lent(Loan),
}

impl Operand {
    /// The address of its first element, and the device that reads it.
    pub(super) fn place(&self, datatype: &Datatype) -> (*const u8, Option<Home>) {
        match self {
            Operand::Here(at) => (*at, home(datatype, *at)),
            Operand::Lent(loan) => place_of(loan, datatype),
        }
    }

    /// Its address alone.
    pub(super) fn address(&self, datatype: &Datatype) -> *const u8 {
        match self {
            Operand::Here(at) => *at,
            Operand::Lent(loan) => place_of(loan, datatype).0,
        }
    }

    /// The loan, if it is one.
    pub(super) fn lent(self) -> Option<Loan> {
        match self {
            Operand::Here(_) => None,
            Operand::Lent(loan) => Some(loan),
        }
    }
}

fn place_of(loan: &Loan, datatype: &Datatype) -> (*const u8, Option<Home>) {
    (loan.at.wrapping_offset(-datatype.true_lb as isize), Some(loan.home))
}

/// [`reduce`] with operands that have stayed at other ranks: `into` gets the result in any case.
///
/// # Safety
/// As for [`reduce`]; the loans are of `count` elements.
pub unsafe fn reduce_loans(
    op: &Op,
    datatype: &Datatype,
    count: i64,
    from: Operand,
    (into, lent): (*mut u8, Option<Loan>),
) -> Result<Option<Ticket>> {
    let left = from.place(datatype);
    let right = lent.as_ref().map_or_else(|| (into.cast_const(), home(datatype, into)), |loan| place_of(loan, datatype));
    let on = home(datatype, into).filter(|on| [left.1, right.1].iter().all(|home| home.is_some_and(|home| home.is_same(on))));
    // SAFETY: the caller's promise; a kernel reaches what was lent to this device.
    let work = on.and_then(|on| unsafe { on.exec.combine(op, datatype, count as usize, &[left.0, right.0], &[into]) });
    if let Some(Ok(work)) = work {
        trace::chose("reduce", "device kernel", (count * datatype.size) as u64);
        return Ok(Some(p2p::repay_after(work, [from.lent(), lent].into_iter().flatten().collect())));
    }
    // SAFETY: as above; the right operand comes to its place first.
    let reduced = unsafe {
        lent.as_ref()
            .map_or(Ok(()), |loan| bring_home(datatype, count, loan, into))
            .and_then(|()| reduce_on_host(op, datatype, count, left, (into, home(datatype, into))))
    };
    // Both, whatever becomes of one: their senders wait.
    [from.lent(), lent].into_iter().flatten().for_each(p2p::repay);
    reduced.map(|()| None)
}

/// Copies what was lent to a place, since the kernel that would have read it does not run: waits.
unsafe fn bring_home(datatype: &Datatype, count: i64, loan: &Loan, to: *mut u8) -> Result<()> {
    let (to, len) = (to.wrapping_offset(datatype.true_lb as isize), (count * datatype.size) as usize);
    let from = Memory::Away { at: loan.at.cast_mut(), len, home: loan.home };
    // SAFETY: the caller's promise; the sender keeps its bytes until the loan is given back.
    unsafe {
        match device::home(to) {
            Some(_) => loan.home.memory.copy(loan.at, to, len)?.wait(),
            None => from.try_read(0, to, len),
        }
    }
}

/// The stretch of memory, gaps included, that `count` elements touch.
fn stretch(datatype: &Datatype, count: i64, at: *mut u8, home: Option<Home>) -> Memory {
    let (low, high) = datatype.footprint(count);
    let (at, len) = (at.wrapping_offset(low as isize), (high - low) as usize);
    home.map_or(Memory::Flat { at, len }, |home| Memory::Away { at, len, home })
}

/// In one piece: for elements that reach into their neighbours, or are large.
unsafe fn reduce_whole(
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
