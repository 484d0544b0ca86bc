// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reductions on the host of operands in device memory: slice by slice in pinned memory. While one is reduced, copies of the next one
//! out of the device and of the last result back into it are under way; the host waits only for the slice that it needs next.

use std::collections::VecDeque;

use super::Op;
use crate::device::staging::{self, Bounce};
use crate::device::{Home, Pending};
use crate::object::datatype::Datatype;
use crate::object::error::Result;

/// Slices that are read ahead, the one that is reduced next among them.
const DEPTH: usize = 2;

/// An operand: the address of its first element, and the device that it lies on, if any.
pub type Operand = (*mut u8, Option<Home>);

/// Elements on their way to the host.
struct Slice {
    first: i64,
    count: i64,
    /// Of the left and the right operand; none where it is in host memory.
    copies: [Option<(Bounce, Pending)>; 2],
}

struct Slices<'a> {
    datatype: &'a Datatype,
    operands: [Operand; 2],
    count: i64,
    next: i64,
    reading: VecDeque<Slice>,
    writing: VecDeque<(Bounce, Pending)>,
}

/// Whether elements of this type can be cut into slices that do not touch each other, and one fits the smallest piece.
pub fn can(datatype: &Datatype) -> bool {
    let (low, high) = datatype.footprint(1);
    high - low <= datatype.extent && datatype.extent <= staging::SMALL as i64 && datatype.extent > 0
}

/// `right[i] = left[i] op right[i]` for `count` elements of a type that [`can`] be cut.
///
/// # Safety
/// Both hold `count` elements, and nothing else uses them meanwhile.
pub unsafe fn reduce(op: &Op, datatype: &Datatype, count: i64, left: Operand, right: Operand) -> Result<()> {
    let operands = [left, right];
    operands.iter().filter_map(|(_, home)| home.as_ref()).try_for_each(|home| home.memory.fence())?;
    let (reading, writing) = (VecDeque::new(), VecDeque::new());
    let mut slices = Slices { datatype, operands, count, next: 0, reading, writing };
    // SAFETY: the caller's promise.
    let outcome = unsafe { slices.run(op) };
    // Also after an error: the pieces go back only when no copy uses them.
    let last = slices.settle();
    outcome.and(last)
}

impl Slices<'_> {
    unsafe fn run(&mut self, op: &Op) -> Result<()> {
        loop {
            self.read_ahead()?;
            let Some(mut slice) = self.reading.pop_front() else { return Ok(()) };
            let waited = slice.copies.iter_mut().flatten().try_for_each(|(_, copy)| copy.wait());
            if waited.is_err() {
                self.reading.push_front(slice);
                return waited;
            }
            let (from, into) = (self.place(&slice, 0), self.place(&slice, 1));
            // SAFETY: the caller's promise for operands in host memory; the others have been copied there.
            unsafe { op.apply(self.datatype, slice.count, from, into) };
            self.write_back(slice)?;
        }
    }

    /// Bytes that elements from `first` on touch: from where, and how many.
    fn stretch(&self, which: usize, first: i64, count: i64) -> (*mut u8, usize) {
        let (low, high) = self.datatype.footprint(count);
        (self.operands[which].0.wrapping_offset((first * self.datatype.extent + low) as isize), (high - low) as usize)
    }

    /// Where the host finds the first element of a slice.
    fn place(&self, slice: &Slice, which: usize) -> *mut u8 {
        match &slice.copies[which] {
            Some((bounce, _)) => bounce.at().wrapping_offset(-self.datatype.footprint(1).0 as isize),
            None => self.operands[which].0.wrapping_offset((slice.first * self.datatype.extent) as isize),
        }
    }

    /// Asks for slices as long as there are pieces.
    fn read_ahead(&mut self) -> Result<()> {
        while self.next < self.count && self.reading.len() < DEPTH {
            self.retire()?;
            let Some(bounces) = self.bounces()? else { break };
            let room = bounces.iter().flatten().map(Bounce::len).min().unwrap_or(0) as i64;
            let (first, count) = (self.next, (room / self.datatype.extent).clamp(1, self.count - self.next));
            let mut slice = Slice { first, count, copies: [None, None] };
            self.next += count;
            for (which, bounce) in bounces.into_iter().enumerate() {
                let (Some(bounce), Some(home)) = (bounce, self.operands[which].1) else { continue };
                let (from, len) = self.stretch(which, first, count);
                // SAFETY: the operand is readable, the piece has room, and both live until the copy is complete.
                let copy = unsafe { home.memory.copy(from, bounce.at(), len) };
                let copy = copy.inspect_err(|_| drop(slice.settle()))?;
                slice.copies[which] = Some((bounce, copy));
            }
            self.reading.push_back(slice);
        }
        Ok(())
    }

    /// Pieces for the operands on devices; none when others have them all and this one goes on without.
    fn bounces(&self) -> Result<Option<[Option<Bounce>; 2]>> {
        let mut all = [None, None];
        for (which, (_, home)) in self.operands.iter().enumerate() {
            let Some(home) = home else { continue };
            all[which] = match staging::take_large(home.memory)? {
                None if self.reading.is_empty() => Some(staging::take_small(home.memory)?),
                None => return Ok(None),
                large => large,
            };
        }
        Ok(Some(all))
    }

    fn write_back(&mut self, slice: Slice) -> Result<()> {
        let (to, len) = self.stretch(1, slice.first, slice.count);
        let [_, right] = slice.copies;
        let (Some((bounce, _)), Some(home)) = (right, self.operands[1].1) else { return Ok(()) };
        // SAFETY: the operand is the caller's to write; the piece waits until the copy is complete.
        let copy = unsafe { home.memory.copy(bounce.at(), to, len)? };
        self.writing.push_back((bounce, copy));
        Ok(())
    }

    /// Pieces whose copies are complete go back.
    fn retire(&mut self) -> Result<()> {
        while let Some((_, copy)) = self.writing.front_mut() {
            if !copy.done()? {
                break;
            }
            self.writing.pop_front();
        }
        Ok(())
    }

    /// Waits for all copies.
    fn settle(&mut self) -> Result<()> {
        let read = self.reading.iter_mut().map(Slice::settle).fold(Ok(()), Result::and);
        self.writing.iter_mut().map(|(_, copy)| copy.wait()).fold(read, Result::and)
    }
}

impl Slice {
    fn settle(&mut self) -> Result<()> {
        self.copies.iter_mut().flatten().map(|(_, copy)| copy.wait()).fold(Ok(()), Result::and)
    }
}
