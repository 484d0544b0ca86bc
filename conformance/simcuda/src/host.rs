// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pinned memory of the host: allocated by the driver, or registered with it.

use crate::call::{Out, driver};
use crate::code::{self, Result};
use crate::context;
use std::collections::BTreeMap;
use std::ffi::{c_uint, c_void};
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A pinned range.
#[derive(Clone, Copy)]
pub struct Pinned {
    /// The first address.
    pub base: u64,
    /// Bytes.
    pub bytes: usize,
    /// The context that pinned it.
    pub context: u64,
    /// Its `CUdevice`.
    pub device: i32,
    /// The buffer id.
    pub id: u64,
    flags: u32,
    allocated: bool,
}

static TABLE: RwLock<BTreeMap<u64, Pinned>> = RwLock::new(BTreeMap::new());

/// The pinned range around an address.
pub fn find(address: u64) -> Option<Pinned> {
    let table = TABLE.read().unwrap();
    let (_, pinned) = table.range(..=address).next_back()?;
    (address < pinned.base + pinned.bytes as u64).then_some(*pinned)
}

/// Whether all of it is pinned.
pub fn is_pinned(address: u64, bytes: usize) -> bool {
    find(address).is_some_and(|pinned| address + bytes as u64 <= pinned.base + pinned.bytes as u64)
}

fn overlaps(table: &BTreeMap<u64, Pinned>, address: u64, bytes: usize) -> bool {
    let last = table.range(..address + bytes as u64).next_back();
    last.is_some_and(|(base, pinned)| base + pinned.bytes as u64 > address)
}

fn insert(address: u64, bytes: usize, flags: u32, allocated: bool) -> Result {
    static IDS: AtomicU64 = AtomicU64::new(1 << 32);
    let context = context::current()?;
    let mut table = TABLE.write().unwrap();
    if overlaps(&table, address, bytes) {
        return Err(code::HOST_MEMORY_ALREADY_REGISTERED);
    }
    let id = IDS.fetch_add(1, Relaxed);
    let (context, device) = (context.handle, context.device);
    table.insert(address, Pinned { base: address, bytes, context, device, id, flags, allocated });
    Ok(())
}

fn remove(address: u64, allocated: bool) -> Result<Pinned> {
    let pinned = TABLE.read().unwrap().get(&address).copied();
    let pinned = pinned.filter(|pinned| pinned.allocated == allocated).ok_or(code::INVALID_VALUE)?;
    context::find(pinned.context).inspect(|context| context.synchronize());
    TABLE.write().unwrap().remove(&address);
    Ok(pinned)
}

/// Pinned memory ends with the context that pinned it: what the driver has allocated is not there any more, what it has registered is
/// ordinary memory again.
pub fn forget(context: u64) {
    let mut table = TABLE.write().unwrap();
    table.retain(|_, pinned| {
        if pinned.context == context && pinned.allocated {
            // SAFETY: `allocate` mapped it with this length.
            unsafe { libc::munmap(pinned.base as *mut c_void, pinned.bytes) };
        }
        pinned.context != context
    });
}

fn allocate(bytes: usize, flags: u32) -> Result<*mut c_void> {
    context::current()?;
    if bytes == 0 {
        return Err(code::INVALID_VALUE);
    }
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping, which replaces nothing.
    let address = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, kind, -1, 0) };
    if address == libc::MAP_FAILED {
        return Err(code::OUT_OF_MEMORY);
    }
    insert(address as u64, bytes, flags, true)?;
    Ok(address)
}

driver! {
    /// Allocates pinned memory.
    fn cuMemHostAlloc(out: Out<*mut c_void>, bytes: usize, flags: c_uint) {
        out.put(allocate(bytes, flags)?)
    }

    /// The same without flags.
    fn cuMemAllocHost_v2(out: Out<*mut c_void>, bytes: usize) {
        out.put(allocate(bytes, 0)?)
    }

    /// Frees it.
    fn cuMemFreeHost(address: *mut c_void) {
        context::current()?;
        let pinned = remove(address as u64, true)?;
        // SAFETY: `allocate` mapped it with this length, and it is in the table no more.
        unsafe { libc::munmap(address, pinned.bytes) };
        Ok(())
    }

    /// Pins memory that the program has.
    fn cuMemHostRegister_v2(address: *mut c_void, bytes: usize, flags: c_uint) {
        if address.is_null() || bytes == 0 {
            return Err(code::INVALID_VALUE);
        }
        insert(address as u64, bytes, flags, false)
    }

    /// And no longer.
    fn cuMemHostUnregister(address: *mut c_void) {
        context::current()?;
        remove(address as u64, false).map(drop).map_err(|_| code::HOST_MEMORY_NOT_REGISTERED)
    }

    /// The device address of pinned memory: the same.
    fn cuMemHostGetDevicePointer_v2(out: Out<u64>, address: *mut c_void, _flags: c_uint) {
        context::current()?;
        find(address as u64).ok_or(code::INVALID_VALUE)?;
        out.put(address as u64)
    }

    /// The flags with which memory was pinned.
    fn cuMemHostGetFlags(out: Out<u32>, address: *mut c_void) {
        context::current()?;
        out.put(find(address as u64).ok_or(code::INVALID_VALUE)?.flags)
    }
}
