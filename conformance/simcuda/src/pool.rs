// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pools: memory that is allocated and freed in stream order. It has no context; other processes reach it only through a pool
//! that was made with a handle type, pointer by pointer.

use crate::call::{In, Out, driver};
use crate::code::{self, Result};
use crate::context;
use crate::ipc;
use crate::memory::{self, Kind, Range};
use crate::stream::{self, Stream};
use crate::{backing::Backing, device};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

/// CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR.
pub const POSIX_FD: u32 = 1;

/// A pool.
#[derive(Clone)]
struct Pool {
    device: i32,
    types: u32,
    imported: bool,
    threshold: u64,
    /// What an exported descriptor refers to.
    token: Option<Arc<Backing>>,
}

static POOLS: Mutex<BTreeMap<u64, Pool>> = Mutex::new(BTreeMap::new());
/// The pools that `cuMemAllocAsync` takes from, by device, where it is not the default one.
static CURRENT: Mutex<BTreeMap<i32, u64>> = Mutex::new(BTreeMap::new());

/// CUmemPoolProps.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Properties {
    kind: u32,
    types: u32,
    location: [i32; 2],
    security: u64,
    limit: usize,
    rest: [u64; 7],
}

fn insert(pool: Pool) -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0x9001_0000_0000);
    let handle = NEXT.fetch_add(64, SeqCst);
    POOLS.lock().unwrap().insert(handle, pool);
    handle
}

fn find(handle: u64) -> Result<Pool> {
    POOLS.lock().unwrap().get(&handle).cloned().ok_or(code::INVALID_VALUE)
}

/// The default pool of a device: always there, and for this process alone.
fn default_pool(device: i32) -> u64 {
    let handle = 0x9000_0000_0000 + ((device as u64) << 12);
    let pool = Pool { device, types: 0, imported: false, threshold: 0, token: None };
    POOLS.lock().unwrap().entry(handle).or_insert(pool);
    handle
}

fn current(device: i32) -> u64 {
    let chosen = CURRENT.lock().unwrap().get(&device).copied();
    chosen.unwrap_or_else(|| default_pool(device))
}

/// Allocates in stream order: the memory is there when the stream has come so far.
fn allocate(bytes: usize, handle: u64, stream: &Arc<Stream>) -> Result<u64> {
    let pool = find(handle)?;
    if bytes == 0 || pool.imported {
        return Err(code::INVALID_VALUE);
    }
    memory::fits(pool.device, bytes)?;
    let home = memory::own(bytes, false)?;
    let range = Range::new(home, bytes, Kind::Pool(handle, pool.types), pool.device, 0, false);
    let base = range.base;
    stream.submit(move || range.ready.store(true, SeqCst));
    Ok(base)
}

driver! {
    /// Allocates from the device's current pool.
    fn cuMemAllocAsync(out: Out<u64>, bytes: usize, stream: u64) {
        let stream = stream::current(stream)?;
        out.put(allocate(bytes, current(context::current()?.device), &stream)?)
    }

    /// Allocates from a pool.
    fn cuMemAllocFromPoolAsync(out: Out<u64>, bytes: usize, pool: u64, stream: u64) {
        let stream = stream::current(stream)?;
        out.put(allocate(bytes, pool, &stream)?)
    }

    /// Frees in stream order.
    fn cuMemFreeAsync(address: u64, stream: u64) {
        let stream = stream::current(stream)?;
        let range = memory::find(address).filter(|range| range.base == address).ok_or(code::INVALID_VALUE)?;
        stream.submit(move || {
            range.check("cuMemFreeAsync");
            range.free();
        });
        Ok(())
    }

    /// Makes a pool.
    fn cuMemPoolCreate(out: Out<u64>, properties: In<Properties>) {
        let properties = properties.get()?;
        device::check(properties.location[1])?;
        if properties.kind != 1 || properties.location[0] != 1 || properties.types & !POSIX_FD != 0 {
            return Err(code::INVALID_VALUE);
        }
        let token = if properties.types == 0 { None } else { Some(Backing::new(4096)?) };
        let (device, types) = (properties.location[1], properties.types);
        out.put(insert(Pool { device, types, imported: false, threshold: 0, token }))
    }

    /// Ends a pool; its allocations live on.
    fn cuMemPoolDestroy(handle: u64) {
        CURRENT.lock().unwrap().retain(|_, pool| *pool != handle);
        POOLS.lock().unwrap().remove(&handle).map(drop).ok_or(code::INVALID_VALUE)
    }

    /// Sets an attribute; only RELEASE_THRESHOLD (4) is kept.
    fn cuMemPoolSetAttribute(handle: u64, attribute: i32, value: In<u64>) {
        let mut pools = POOLS.lock().unwrap();
        let pool = pools.get_mut(&handle).ok_or(code::INVALID_VALUE)?;
        if attribute == 4 {
            pool.threshold = value.get()?;
        }
        Ok(())
    }

    /// Gets an attribute.
    fn cuMemPoolGetAttribute(handle: u64, attribute: i32, out: *mut c_void) {
        let pool = find(handle)?;
        match attribute {
            1..=3 => Out(out.cast::<i32>()).put(1),
            4 => Out(out.cast::<u64>()).put(pool.threshold),
            5..=8 => Out(out.cast::<u64>()).put(memory::used(pool.device) as u64),
            _ => Err(code::INVALID_VALUE),
        }
    }

    /// Lets other devices reach a pool's memory.
    fn cuMemPoolSetAccess(handle: u64, _access: *const c_void, _count: usize) {
        find(handle).map(drop)
    }

    /// Gives unused memory back: there is none.
    fn cuMemPoolTrimTo(handle: u64, _bytes: usize) {
        find(handle).map(drop)
    }

    /// The default pool of a device.
    fn cuDeviceGetDefaultMemPool(out: Out<u64>, device: i32) {
        device::check(device)?;
        out.put(default_pool(device))
    }

    /// The current pool of a device.
    fn cuDeviceGetMemPool(out: Out<u64>, device: i32) {
        device::check(device)?;
        out.put(current(device))
    }

    /// Makes a pool the current one of a device.
    fn cuDeviceSetMemPool(device: i32, handle: u64) {
        device::check(device)?;
        find(handle)?;
        CURRENT.lock().unwrap().insert(device, handle);
        Ok(())
    }

    /// A descriptor by which another process can import the pool.
    fn cuMemPoolExportToShareableHandle(out: *mut c_void, handle: u64, kind: u32, _flags: u64) {
        let token = find(handle)?.token.filter(|_| kind == POSIX_FD).ok_or(code::INVALID_VALUE)?;
        let copy = token.file.try_clone().map_err(|_| code::OUT_OF_MEMORY)?;
        Out(out.cast::<i32>()).put(std::os::fd::IntoRawFd::into_raw_fd(copy))
    }

    /// Imports a pool by its descriptor, which is passed as the pointer and stays the caller's.
    fn cuMemPoolImportFromShareableHandle(out: Out<u64>, descriptor: *mut c_void, kind: u32, _flags: u64) {
        let device = context::current()?.device;
        if kind != POSIX_FD {
            return Err(code::INVALID_VALUE);
        }
        descriptor_is_open(descriptor as i32)?;
        out.put(insert(Pool { device, types: kind, imported: true, threshold: 0, token: None }))
    }

    /// What another process needs to reach one allocation of an exported pool.
    fn cuMemPoolExportPointer(out: Out<ipc::Handle>, address: u64) {
        let range = memory::find(address).ok_or(code::INVALID_VALUE)?;
        let Kind::Pool(_, POSIX_FD) = range.kind else { return Err(code::INVALID_VALUE) };
        out.put(ipc::Handle::of(&range))
    }

    /// Maps an allocation of an imported pool.
    fn cuMemPoolImportPointer(out: Out<u64>, handle: u64, data: In<ipc::Handle>) {
        if !find(handle)?.imported {
            return Err(code::INVALID_VALUE);
        }
        out.put(data.get()?.import(&*context::current()?)?.base)
    }
}

/// Whether this process has the descriptor.
fn descriptor_is_open(descriptor: i32) -> Result {
    // SAFETY: F_GETFD only asks.
    if unsafe { libc::fcntl(descriptor, libc::F_GETFD) } < 0 { Err(code::INVALID_VALUE) } else { Ok(()) }
}

/// A copy of a descriptor that is the caller's.
pub fn duplicate(descriptor: i32) -> Result<OwnedFd> {
    // SAFETY: the call makes a new descriptor or fails.
    let copy = unsafe { libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, 0) };
    if copy < 0 {
        return Err(code::INVALID_VALUE);
    }
    // SAFETY: the descriptor is new and nobody else's.
    Ok(unsafe { OwnedFd::from_raw_fd(copy) })
}

/// A descriptor of `file` for the caller to own.
pub fn give(file: &impl AsRawFd) -> Result<i32> {
    Ok(std::os::fd::IntoRawFd::into_raw_fd(duplicate(file.as_raw_fd())?))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_properties_have_the_size_of_the_drivers() {
        assert_eq!(size_of::<super::Properties>(), 88);
    }
}
