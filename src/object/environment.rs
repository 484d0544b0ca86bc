// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls about the library and its surroundings (MPI 5.0, chapter 9): versions, names, clocks, memory, addresses.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::HashMap;
use std::sync::atomic::{AtomicI32, Ordering};

use parking_lot::Mutex;

use super::constant::Handle;
use super::error::Result;
use super::info::Entries;
use crate::err;

/// The version of the MPI standard that the face tells; 0 before a face is loaded.
static VERSION: [AtomicI32; 2] = [const { AtomicI32::new(0) }; 2];

/// Called by a face at load.
pub fn set_version(version: i32, subversion: i32) {
    VERSION[0].store(version, Ordering::Relaxed);
    VERSION[1].store(subversion, Ordering::Relaxed);
}

/// `MPI_Get_version`.
pub fn get_version(version: &mut i32, subversion: &mut i32) -> Result<()> {
    (*version, *subversion) = (VERSION[0].load(Ordering::Relaxed), VERSION[1].load(Ordering::Relaxed));
    Ok(())
}

/// `MPI_Get_library_version`.
pub fn get_library_version(text: &mut String) -> Result<()> {
    let (mut version, mut subversion) = (0, 0);
    get_version(&mut version, &mut subversion)?;
    *text = format!("Paceline {}, an MPI library (MPI {version}.{subversion})", env!("CARGO_PKG_VERSION"));
    Ok(())
}

/// The name of this machine.
pub fn host() -> String {
    let mut name = [0u8; 256];
    // SAFETY: the buffer may be written for its whole length; the last byte stays 0.
    let failed = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) } != 0;
    let end = name.iter().position(|&b| b == 0).unwrap_or(0);
    if failed || end == 0 { "localhost".to_owned() } else { String::from_utf8_lossy(&name[..end]).into_owned() }
}

/// `MPI_Get_processor_name`.
pub fn get_processor_name(name: &mut String) -> Result<()> {
    *name = host();
    Ok(())
}

/// `MPI_Wtime`: seconds of the machine's monotonic clock, which all its processes share.
pub fn wtime() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on every Linux, and `now` may be written.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// `MPI_Wtick`: the clock's resolution in seconds.
pub fn wtick() -> f64 {
    1e-9
}

/// `MPI_Get_hw_resource_info` (MPI 5.0, section 9.1.2): what `MPI_Comm_split_type` can be guided by, and whether this process
/// is restricted to one of it.
pub fn get_hw_resource_info(info: &mut Handle) -> Result<()> {
    let mut entries = Entries::default();
    entries.set("mpi_shared_memory", "true");
    *info = super::info::register(entries);
    Ok(())
}

/// `MPIX_GPU_query_support`: whether buffers of a kind of device (0 CUDA, 1 Level Zero, 2 HIP) may be passed.
pub fn query_gpu(kind: i32, supported: &mut bool) -> Result<()> {
    *supported = kind == 0 && crate::device::supported();
    if (0..=2).contains(&kind) { Ok(()) } else { Err(err!(Arg, "gpu_type {kind} is no kind of device")) }
}

/// `MPI_Pcontrol`: profilers intercept it; here it does nothing.
pub fn pcontrol(_level: i32) -> Result<()> {
    Ok(())
}

/// Alignment of what [`alloc_mem`] gives: a page, so that transfers between processes need no partial pages.
const ALIGNMENT: usize = 4096;
static ALLOCATED: Mutex<Option<HashMap<usize, usize>>> = Mutex::new(None);

/// `MPI_Alloc_mem`.
pub fn alloc_mem(size: i64, _info: Handle, base: &mut usize) -> Result<()> {
    let bytes = usize::try_from(size).map_err(|_| err!(Arg, "the size {size} is negative"))?.max(1);
    let layout =
        Layout::from_size_align(bytes, ALIGNMENT).map_err(|_| err!(NoMem, "{size} bytes do not fit the address space"))?;
    // SAFETY: the layout's size is not 0.
    let memory = unsafe { alloc(layout) } as usize;
    if memory == 0 {
        return Err(err!(NoMem, "{size} bytes could not be allocated"));
    }
    ALLOCATED.lock().get_or_insert_default().insert(memory, bytes);
    *base = memory;
    Ok(())
}

/// `MPI_Free_mem`; a null pointer is nothing to free.
pub fn free_mem(base: usize) -> Result<()> {
    if base == 0 {
        return Ok(());
    }
    let bytes = ALLOCATED.lock().as_mut().and_then(|all| all.remove(&base));
    let bytes = bytes.ok_or_else(|| err!(Base, "the address {base:#x} did not come from MPI_Alloc_mem"))?;
    let layout = Layout::from_size_align(bytes, ALIGNMENT).expect("the layout it was allocated with");
    // SAFETY: the address was made by `alloc` with this layout, and the map gives it out once.
    unsafe { dealloc(base as *mut u8, layout) };
    Ok(())
}

/// `MPI_Get_address` (and `MPI_Address`): takes the address as it is, `MPI_BOTTOM` being 0.
pub fn get_address(location: usize, address: &mut i64) -> Result<()> {
    *address = location as i64;
    Ok(())
}

/// `MPI_Aint_add`.
pub fn aint_add(base: i64, disp: i64) -> i64 {
    base.wrapping_add(disp)
}

/// `MPI_Aint_diff`.
pub fn aint_diff(a: i64, b: i64) -> i64 {
    a.wrapping_sub(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_comes_and_goes_once() {
        let mut base = 0;
        alloc_mem(100, 0, &mut base).unwrap();
        assert_eq!(base % ALIGNMENT, 0);
        // SAFETY: 100 bytes were allocated.
        unsafe { (base as *mut u8).write_bytes(7, 100) };
        free_mem(base).unwrap();
        assert!(free_mem(base).is_err() && alloc_mem(-1, 0, &mut base).is_err());
        free_mem(0).unwrap();
    }

    #[test]
    fn the_clock_runs_forward() {
        let start = wtime();
        std::thread::sleep(std::time::Duration::from_millis(2));
        assert!((0.002..1.0).contains(&(wtime() - start)));
        assert!(!host().is_empty());
    }
}
