// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host as a device: what a copy and a reduction are where the CPU does them. Everything is complete at once.

use super::strided::Blocks;
use super::{Exec, Export, Home, Import, Kind, Memory, Pending};
use crate::err;
use crate::object::datatype::Datatype;
use crate::object::error::Result;
use crate::object::op::Op;

/// Memory that the CPU reads, and the CPU.
pub struct Host;

/// The host's memory.
pub static HOST: Home = Home { kind: Kind::Host, memory: &Host, exec: &Host, buffer: 0, is_settled: true };

fn align(bytes: usize) -> std::alloc::Layout {
    std::alloc::Layout::from_size_align(bytes.max(1), 64).expect("a size that an address can have")
}

impl Memory for Host {
    fn number(&self) -> usize {
        0
    }

    fn device(&self) -> u64 {
        0
    }

    fn fence(&'static self) -> Result<()> {
        Ok(())
    }

    fn settled(&'static self) -> Result<Pending> {
        Ok(Pending::DONE)
    }

    unsafe fn copy(&'static self, from: *const u8, to: *mut u8, len: usize) -> Result<Pending> {
        // SAFETY: the caller's promise.
        unsafe { std::ptr::copy_nonoverlapping(from, to, len) };
        Ok(Pending::DONE)
    }

    unsafe fn gather(&'static self, base: *const u8, blocks: &Blocks, mut to: *mut u8) -> Result<Pending> {
        for rows in &blocks.0 {
            for i in 0..rows.count as i64 {
                // SAFETY: the caller's promise: all blocks are readable, and `to` has room for them.
                unsafe {
                    let from = base.wrapping_offset((rows.offset + i * rows.stride) as isize);
                    std::ptr::copy_nonoverlapping(from, to, rows.block);
                    to = to.add(rows.block);
                }
            }
        }
        Ok(Pending::DONE)
    }

    unsafe fn scatter(&'static self, mut from: *const u8, blocks: &Blocks, base: *mut u8) -> Result<Pending> {
        for rows in &blocks.0 {
            for i in 0..rows.count as i64 {
                // SAFETY: the caller's promise: all blocks are writable, and `from` holds them.
                unsafe {
                    let to = base.wrapping_offset((rows.offset + i * rows.stride) as isize);
                    std::ptr::copy_nonoverlapping(from, to, rows.block);
                    from = from.add(rows.block);
                }
            }
        }
        Ok(Pending::DONE)
    }

    fn allocate(&self, bytes: usize) -> Result<*mut u8> {
        // The size is kept in front, since `free` is not told it.
        let layout = align(bytes + 64);
        // SAFETY: not empty; the first word lies inside.
        unsafe {
            let at = std::alloc::alloc(layout);
            if at.is_null() {
                return Err(err!(NoMem, "no memory for {bytes} bytes"));
            }
            at.cast::<usize>().write(bytes);
            Ok(at.add(64))
        }
    }

    unsafe fn free(&self, at: *mut u8) {
        // SAFETY: made by `allocate`, with its size in front.
        unsafe {
            let start = at.sub(64);
            std::alloc::dealloc(start, align(start.cast::<usize>().read() + 64));
        }
    }

    fn allocate_pinned(&self, bytes: usize) -> Result<*mut u8> {
        self.allocate(bytes)
    }

    unsafe fn free_pinned(&self, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.free(at) };
    }

    fn export(&'static self, _: *const u8, _: Kind, _: u64) -> std::result::Result<Export, String> {
        Err("host memory has no handle".into())
    }

    fn shares(&self) -> bool {
        true
    }

    fn import(&'static self, _: u32, _: &Export) -> std::result::Result<Import, String> {
        Err("the host maps no device memory".into())
    }

    fn unpin(&'static self, _: u64) {}
}

impl Exec for Host {
    fn has(&self, _: &Op, _: &Datatype) -> bool {
        true
    }

    unsafe fn combine(
        &'static self,
        op: &Op,
        datatype: &Datatype,
        count: usize,
        inputs: &[*const u8],
        outs: &[*mut u8],
    ) -> Option<Result<Pending>> {
        let (low, high) = datatype.footprint(count as i64);
        let mut aside = Vec::new();
        // Nothing may be written where an input is read later.
        let place = match inputs.iter().skip(2).any(|input| std::ptr::eq(*input, outs[0])) {
            true => {
                aside.resize(((high - low) as usize).div_ceil(16), 0u128);
                aside.as_mut_ptr().cast::<u8>().wrapping_offset(-low as isize)
            }
            false => outs[0],
        };
        // SAFETY: the caller's promise; what lies aside has room for `count` elements.
        unsafe {
            op.combine_many(datatype, count as i64, inputs, place);
            for out in outs.iter().filter(|out| **out != place) {
                datatype.copy(count as i64, place, *out);
            }
        }
        Some(Ok(Pending::DONE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::constant::{INT, SUM};
    use crate::object::{datatype, op};

    #[test]
    fn results_may_replace_any_inputs() {
        op::register_predefined();
        datatype::register_predefined();
        let (op, t) = (op::get(SUM).unwrap(), datatype::get(INT).unwrap());
        for at in 0..4 {
            let mut all: Vec<Vec<i32>> = (0..4).map(|r| vec![10i32.pow(r); 5]).collect();
            let inputs: Vec<*const u8> = all.iter().map(|one| one.as_ptr().cast()).collect();
            let mut apart = vec![0; 5];
            let outs = [all[at].as_mut_ptr().cast(), apart.as_mut_ptr().cast(), all[3 - at].as_mut_ptr().cast()];
            // SAFETY: all hold 5 elements.
            let work = unsafe { HOST.exec.combine(op, t, 5, &inputs, &outs) };
            assert!(work.is_some());
            assert_eq!([&all[at], &all[3 - at], &apart], [&[1111; 5]; 3], "{at}");
        }
    }
}
