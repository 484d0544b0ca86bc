// SPDX-License-Identifier: MIT OR Apache-2.0
//! What walks over packed ranges do: gather, scatter, copy from buffer to buffer, list runs.

use super::layout::Visit;
use super::{Datatype, copy};

/// Visits packed bytes `[from, to)` of `count` elements.
fn walk<V: Visit>(datatype: &Datatype, from: i64, to: i64, visit: &mut V) {
    if from >= to {
        return;
    }
    let placed = &datatype.shape.layout;
    if datatype.dense {
        visit.run(placed.offset + from, (to - from) as usize);
    } else {
        placed.layout.walk_repeated(datatype.extent, placed.offset, from, to, visit);
    }
}

struct Gather {
    base: *const u8,
    out: *mut u8,
}

impl Visit for Gather {
    #[inline(always)]
    fn run(&mut self, at: i64, len: usize) {
        // SAFETY: `gather`'s caller promised the elements and made `out` as long as the range.
        unsafe {
            copy::short(self.base.wrapping_offset(at as isize), self.out, len);
            self.out = self.out.add(len);
        }
    }

    fn strided(&mut self, at: i64, stride: i64, block: usize, count: usize) {
        // SAFETY: as in `run`.
        unsafe {
            let from = self.base.wrapping_offset(at as isize);
            copy::blocks(from, stride as isize, self.out, block as isize, block, count);
            self.out = self.out.add(block * count);
        }
    }

    fn listed(&mut self, at: i64, offsets: &[i64], block: usize) {
        // SAFETY: as in `run`.
        unsafe {
            copy::gather_listed(self.base.wrapping_offset(at as isize), offsets, self.out, block);
            self.out = self.out.add(block * offsets.len());
        }
    }
}

/// # Safety
/// As [`Datatype::pack`].
pub unsafe fn gather(datatype: &Datatype, base: *const u8, from: i64, out: &mut [u8]) {
    let to = from + out.len() as i64;
    walk(datatype, from, to, &mut Gather { base, out: out.as_mut_ptr() });
}

struct Scatter {
    base: *mut u8,
    data: *const u8,
}

impl Visit for Scatter {
    #[inline(always)]
    fn run(&mut self, at: i64, len: usize) {
        // SAFETY: `scatter`'s caller promised the elements, and `data` is as long as the range.
        unsafe {
            copy::short(self.data, self.base.wrapping_offset(at as isize), len);
            self.data = self.data.add(len);
        }
    }

    fn strided(&mut self, at: i64, stride: i64, block: usize, count: usize) {
        // SAFETY: as in `run`.
        unsafe {
            let to = self.base.wrapping_offset(at as isize);
            copy::blocks(self.data, block as isize, to, stride as isize, block, count);
            self.data = self.data.add(block * count);
        }
    }

    fn listed(&mut self, at: i64, offsets: &[i64], block: usize) {
        // SAFETY: as in `run`.
        unsafe {
            copy::scatter_listed(self.data, self.base.wrapping_offset(at as isize), offsets, block);
            self.data = self.data.add(block * offsets.len());
        }
    }
}

/// # Safety
/// As [`Datatype::unpack`].
pub unsafe fn scatter(datatype: &Datatype, base: *mut u8, from: i64, data: &[u8]) {
    let to = from + data.len() as i64;
    walk(datatype, from, to, &mut Scatter { base, data: data.as_ptr() });
}

struct Duplicate {
    from: *const u8,
    to: *mut u8,
}

impl Visit for Duplicate {
    #[inline(always)]
    fn run(&mut self, at: i64, len: usize) {
        let at = at as isize;
        // SAFETY: `duplicate`'s caller promised elements at both addresses.
        unsafe { copy::short(self.from.wrapping_offset(at), self.to.wrapping_offset(at), len) }
    }

    fn strided(&mut self, at: i64, stride: i64, block: usize, count: usize) {
        let (at, stride) = (at as isize, stride as isize);
        // SAFETY: as in `run`.
        unsafe {
            copy::blocks(self.from.wrapping_offset(at), stride, self.to.wrapping_offset(at), stride, block, count);
        }
    }
}

/// # Safety
/// As [`Datatype::copy`].
pub unsafe fn duplicate(datatype: &Datatype, count: i64, from: *const u8, to: *mut u8) {
    walk(datatype, 0, count * datatype.size, &mut Duplicate { from, to });
}

#[cfg(test)]
struct Runs<'a> {
    each: &'a mut dyn FnMut(i64, usize),
}

#[cfg(test)]
impl Visit for Runs<'_> {
    fn run(&mut self, at: i64, len: usize) {
        (self.each)(at, len);
    }

    fn strided(&mut self, at: i64, stride: i64, block: usize, count: usize) {
        (0..count as i64).for_each(|i| (self.each)(at + i * stride, block));
    }
}

/// As [`Datatype::runs`].
#[cfg(test)]
pub fn runs(datatype: &Datatype, from: i64, to: i64, each: &mut dyn FnMut(i64, usize)) {
    walk(datatype, from, to, &mut Runs { each });
}

struct Rows<'a> {
    each: &'a mut dyn FnMut(i64, i64, usize, usize),
}

impl Visit for Rows<'_> {
    fn run(&mut self, at: i64, len: usize) {
        (self.each)(at, len as i64, len, 1);
    }

    fn strided(&mut self, at: i64, stride: i64, block: usize, count: usize) {
        (self.each)(at, stride, block, count);
    }
}

/// As [`Datatype::rows`].
pub fn rows(datatype: &Datatype, from: i64, to: i64, each: &mut dyn FnMut(i64, i64, usize, usize)) {
    walk(datatype, from, to, &mut Rows { each });
}
