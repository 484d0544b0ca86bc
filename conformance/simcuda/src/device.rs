// SPDX-License-Identifier: MIT OR Apache-2.0
//! Devices: `CUdevice` is the place of a device among those that the process sees.

use crate::call::{INITIALISED, Out, driver};
use crate::code::{self, Result};
use crate::setting;
use std::ffi::{c_char, c_uint};
use std::sync::atomic::Ordering::Relaxed;

/// Checks a `CUdevice`.
pub fn check(device: i32) -> Result {
    let count = setting::get().devices.len();
    if usize::try_from(device).is_ok_and(|device| device < count) { Ok(()) } else { Err(code::INVALID_DEVICE) }
}

/// The number in the machine of a `CUdevice`.
pub fn number(device: i32) -> u32 {
    setting::get().devices[device as usize]
}

/// The `CUdevice` of a device of the machine, if this process sees it.
pub fn seen(number: u32) -> Option<i32> {
    setting::get().devices.iter().position(|device| *device == number).map(|at| at as i32)
}

/// The unique identifier of a device of the machine.
pub fn uuid(number: u32) -> [u8; 16] {
    let word = crate::random::mix(u64::from(number) + 1);
    let mut uuid = [0; 16];
    uuid[..8].copy_from_slice(&word.to_le_bytes());
    uuid[8..].copy_from_slice(&crate::random::mix(word).to_le_bytes());
    uuid
}

/// CUdevice_attribute: the ones that somebody asks for; the rest are 0.
fn attribute(attribute: i32, device: i32) -> i32 {
    match attribute {
        1..=3 => 1024,                     // MAX_THREADS_PER_BLOCK, MAX_BLOCK_DIM_X and _Y
        4 => 64,                           // MAX_BLOCK_DIM_Z
        5 => i32::MAX,                     // MAX_GRID_DIM_X
        6 | 7 => 65535,                    // MAX_GRID_DIM_Y and _Z
        8 => 48 << 10,                     // MAX_SHARED_MEMORY_PER_BLOCK
        10 => 32,                          // WARP_SIZE
        16 => 4,                           // MULTIPROCESSOR_COUNT
        20 => setting::get().compute_mode, // COMPUTE_MODE
        33 => number(device) as i32 + 1,   // PCI_BUS_ID
        39 => 2048,                        // MAX_THREADS_PER_MULTIPROCESSOR
        40 => 2,                           // ASYNC_ENGINE_COUNT
        41 | 83 | 89 => 1,                 // UNIFIED_ADDRESSING, MANAGED_MEMORY, CONCURRENT_MANAGED_ACCESS
        75 => 9,                           // COMPUTE_CAPABILITY_MAJOR
        102 | 103 | 115 | 119 => 1,        // VIRTUAL_MEMORY_MANAGEMENT, POSIX_FD, MEMORY_POOLS, their handle types
        _ => 0,
    }
}

driver! { early
    /// Starts the driver.
    fn cuInit(flags: c_uint) {
        if flags != 0 {
            return Err(code::INVALID_VALUE);
        }
        if setting::get().devices.is_empty() {
            return Err(code::NO_DEVICE);
        }
        INITIALISED.store(true, Relaxed);
        Ok(())
    }

    /// The newest version of CUDA that the driver supports.
    fn cuDriverGetVersion(version: Out<i32>) {
        version.put(setting::get().version)
    }
}

driver! {
    /// How many devices there are.
    fn cuDeviceGetCount(count: Out<i32>) {
        count.put(setting::get().devices.len() as i32)
    }

    /// The device at an ordinal.
    fn cuDeviceGet(device: Out<i32>, ordinal: i32) {
        check(ordinal)?;
        device.put(ordinal)
    }

    /// The name of a device.
    fn cuDeviceGetName(name: *mut c_char, length: i32, device: i32) {
        check(device)?;
        // SAFETY: the caller gives room for `length` characters.
        unsafe { libc::snprintf(name, length as usize, c"Simulated device %d".as_ptr(), number(device)) };
        Ok(())
    }

    /// An attribute of a device.
    fn cuDeviceGetAttribute(value: Out<i32>, which: i32, device: i32) {
        check(device)?;
        value.put(attribute(which, device))
    }

    /// The unique identifier of a device.
    fn cuDeviceGetUuid_v2(out: Out<[u8; 16]>, device: i32) {
        check(device)?;
        out.put(uuid(number(device)))
    }

    /// The same under its older name.
    fn cuDeviceGetUuid(out: Out<[u8; 16]>, device: i32) {
        check(device)?;
        out.put(uuid(number(device)))
    }

    /// The bus address of a device.
    fn cuDeviceGetPCIBusId(text: *mut c_char, length: i32, device: i32) {
        check(device)?;
        // SAFETY: the caller gives room for `length` characters.
        unsafe { libc::snprintf(text, length as usize, c"0000:%02X:00.0".as_ptr(), number(device) + 1) };
        Ok(())
    }

    /// The memory of a device.
    fn cuDeviceTotalMem_v2(bytes: Out<usize>, device: i32) {
        check(device)?;
        bytes.put(setting::get().memory)
    }

    /// Whether kernels of one device reach the memory of another; for a device and itself the answer is no.
    fn cuDeviceCanAccessPeer(can: Out<i32>, device: i32, peer: i32) {
        check(device)?;
        check(peer)?;
        can.put(i32::from(device != peer && setting::get().peer))
    }
}
