// SPDX-License-Identifier: MIT OR Apache-2.0
//! Physical memory and addresses apart: reserve addresses, create memory, map it, set access. One buffer may span several
//! pieces of memory. Memory made with a handle type can be exported as a descriptor.

use crate::address::{self, GRAIN, Span};
use crate::backing::{Backing, Mapping};
use crate::call::{In, Out, driver};
use crate::code::{self, Result};
use crate::memory::{self, Home, Kind, Range};
use crate::pool::{POSIX_FD, duplicate, give};
use crate::{context, device};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::fs::File;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

/// CUmemAllocationProp.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Properties {
    kind: u32,
    types: u32,
    location: [i32; 2],
    metadata: u64,
    flags: u64,
}

/// CUmemAccessDesc: where from, and how (3 is to read and write).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Access {
    location: [i32; 2],
    flags: u32,
}

/// Physical memory by its CUmemGenericAllocationHandle.
#[derive(Clone)]
struct Physical {
    backing: Arc<Backing>,
    device: i32,
    types: u32,
    holders: u32,
}

static PHYSICAL: Mutex<BTreeMap<u64, Physical>> = Mutex::new(BTreeMap::new());
static RESERVED: Mutex<BTreeMap<u64, Span>> = Mutex::new(BTreeMap::new());
/// Which memory is mapped at an address.
static MAPPED: Mutex<BTreeMap<u64, u64>> = Mutex::new(BTreeMap::new());

fn insert(backing: Arc<Backing>, device: i32, types: u32) -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0x3E30_0000_0000);
    let handle = NEXT.fetch_add(64, SeqCst);
    PHYSICAL.lock().unwrap().insert(handle, Physical { backing, device, types, holders: 1 });
    handle
}

fn find(handle: u64) -> Result<Physical> {
    PHYSICAL.lock().unwrap().get(&handle).cloned().ok_or(code::INVALID_VALUE)
}

fn whole(bytes: usize) -> Result {
    if bytes == 0 || !bytes.is_multiple_of(GRAIN) { Err(code::INVALID_VALUE) } else { Ok(()) }
}

/// Whether addresses are inside one reservation.
fn reserved(at: u64, bytes: usize) -> Result {
    let table = RESERVED.lock().unwrap();
    let span = table.range(..=at).next_back().map(|(_, span)| span);
    let inside = span.is_some_and(|span| at + bytes as u64 <= span.base + span.bytes as u64);
    if inside { Ok(()) } else { Err(code::INVALID_VALUE) }
}

/// The mappings that make up a range exactly.
fn mappings(at: u64, bytes: usize) -> Result<Vec<Arc<Range>>> {
    let (mut found, mut next) = (Vec::new(), at);
    while next < at + bytes as u64 {
        let range = memory::find(next).filter(|range| matches!(range.kind, Kind::Mapped(_)) && range.base == next);
        let range = range.ok_or(code::INVALID_VALUE)?;
        next = range.end();
        found.push(range);
    }
    if next == at + bytes as u64 { Ok(found) } else { Err(code::INVALID_VALUE) }
}

driver! {
    /// Sizes of physical memory are multiples of this.
    fn cuMemGetAllocationGranularity(out: Out<usize>, properties: In<Properties>, _option: u32) {
        device::check(properties.get()?.location[1])?;
        out.put(GRAIN)
    }

    /// Reserves addresses.
    fn cuMemAddressReserve(out: Out<u64>, bytes: usize, align: usize, _wish: u64, flags: u64) {
        whole(bytes)?;
        if flags != 0 || !(align == 0 || align.is_power_of_two()) {
            return Err(code::INVALID_VALUE);
        }
        let span = address::reserve(bytes, align).ok_or(code::OUT_OF_MEMORY)?;
        let base = span.base;
        RESERVED.lock().unwrap().insert(base, span);
        out.put(base)
    }

    /// Gives them back; nothing may be mapped there.
    fn cuMemAddressFree(base: u64, bytes: usize) {
        let mut table = RESERVED.lock().unwrap();
        let span = table.get(&base).filter(|span| span.bytes == bytes).ok_or(code::INVALID_VALUE)?;
        let end = span.base + bytes as u64;
        if MAPPED.lock().unwrap().range(base..end).next().is_some() {
            return Err(code::INVALID_VALUE);
        }
        table.remove(&base);
        Ok(())
    }

    /// Creates physical memory.
    fn cuMemCreate(out: Out<u64>, bytes: usize, properties: In<Properties>, flags: u64) {
        let properties = properties.get()?;
        whole(bytes)?;
        let (device, types) = (properties.location[1], properties.types);
        device::check(device)?;
        if flags != 0 || properties.kind != 1 || properties.location[0] != 1 || types & !POSIX_FD != 0 {
            return Err(code::INVALID_VALUE);
        }
        memory::fits(device, bytes)?;
        out.put(insert(Backing::new(bytes)?, device, types))
    }

    /// One holder less; mappings keep the memory.
    fn cuMemRelease(handle: u64) {
        let mut table = PHYSICAL.lock().unwrap();
        let physical = table.get_mut(&handle).filter(|physical| physical.holders > 0).ok_or(code::INVALID_VALUE)?;
        physical.holders -= 1;
        let mapped = MAPPED.lock().unwrap().values().any(|other| *other == handle);
        if physical.holders == 0 && !mapped {
            table.remove(&handle);
        }
        Ok(())
    }

    /// Maps memory at reserved addresses.
    fn cuMemMap(at: u64, bytes: usize, offset: usize, handle: u64, flags: u64) {
        let physical = find(handle)?;
        whole(bytes)?;
        reserved(at, bytes)?;
        if flags != 0 || offset != 0 || bytes != physical.backing.bytes || memory::find(at).is_some() {
            return Err(code::INVALID_VALUE);
        }
        let mapping = Mapping::new(at, bytes, physical.backing, 0, false)?;
        Range::new(Home::Lent(mapping), bytes, Kind::Mapped(physical.types), physical.device, 0, true);
        MAPPED.lock().unwrap().insert(at, handle);
        Ok(())
    }

    /// Takes mappings away.
    fn cuMemUnmap(at: u64, bytes: usize) {
        let ranges = mappings(at, bytes)?;
        if let Ok(context) = context::current() {
            context.synchronize();
        }
        for range in ranges {
            range.free();
            let handle = MAPPED.lock().unwrap().remove(&range.base);
            let mut table = PHYSICAL.lock().unwrap();
            let unused = |handle: &u64| table.get(handle).is_some_and(|physical| physical.holders == 0);
            if let Some(handle) = handle.filter(unused) {
                table.remove(&handle);
            }
        }
        Ok(())
    }

    /// Lets a device reach mappings.
    fn cuMemSetAccess(at: u64, bytes: usize, access: In<Access>, count: usize) {
        let ranges = mappings(at, bytes)?;
        for index in 0..count {
            let access = access.at(index)?;
            device::check(access.location[1])?;
            let own = |range: &&Arc<Range>| range.device == access.location[1];
            ranges.iter().filter(own).for_each(|range| range.accessible.store(access.flags == 3, SeqCst));
        }
        Ok(())
    }

    /// How a device may reach an address: 3 is to read and write.
    fn cuMemGetAccess(flags: Out<u64>, _location: *const c_void, at: u64) {
        let range = memory::find(at).ok_or(code::INVALID_VALUE)?;
        flags.put(if range.accessible.load(SeqCst) { 3 } else { 0 })
    }

    /// A descriptor of physical memory, for the caller to own.
    fn cuMemExportToShareableHandle(out: *mut c_void, handle: u64, kind: u32, _flags: u64) {
        let physical = find(handle)?;
        if kind != POSIX_FD || physical.types & kind == 0 {
            return Err(code::INVALID_VALUE);
        }
        Out(out.cast::<i32>()).put(give(&physical.backing.file)?)
    }

    /// Physical memory by a descriptor, which is passed as the pointer and stays the caller's.
    fn cuMemImportFromShareableHandle(out: Out<u64>, descriptor: *mut c_void, kind: u32) {
        let device = context::current()?.device;
        if kind != POSIX_FD {
            return Err(code::INVALID_VALUE);
        }
        let file = duplicate(descriptor as i32)?;
        let bytes = File::from(file.try_clone().map_err(|_| code::OUT_OF_MEMORY)?).metadata().map_err(|_| code::INVALID_VALUE)?.len();
        out.put(insert(Arc::new(Backing { file, bytes: bytes as usize }), device, kind))
    }

    /// The memory that is mapped at an address; one holder more.
    fn cuMemRetainAllocationHandle(out: Out<u64>, at: u64) {
        let range = memory::find(at).ok_or(code::INVALID_VALUE)?;
        let handle = MAPPED.lock().unwrap().get(&range.base).copied().ok_or(code::INVALID_VALUE)?;
        PHYSICAL.lock().unwrap().get_mut(&handle).ok_or(code::INVALID_VALUE)?.holders += 1;
        out.put(handle)
    }

    /// How physical memory was created.
    fn cuMemGetAllocationPropertiesFromHandle(out: Out<Properties>, handle: u64) {
        let physical = find(handle)?;
        let (types, location) = (physical.types, [1, physical.device]);
        out.put(Properties { kind: 1, types, location, metadata: 0, flags: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_structures_have_the_sizes_of_the_drivers() {
        assert_eq!((size_of::<Properties>(), size_of::<Access>()), (32, 12));
    }
}
