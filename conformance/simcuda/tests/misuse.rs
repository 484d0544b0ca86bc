// SPDX-License-Identifier: MIT OR Apache-2.0
//! What would be undefined on a device ends the process, with a message where the simulator is the one that notices. Each test
//! starts this very program once more to make the mistake.

#![allow(clippy::undocumented_unsafe_blocks, reason = "every call of the driver is unsafe; pointers are to locals")]

use simcuda::Out;
use simcuda::context::{cuCtxSetCurrent, cuDevicePrimaryCtxReset_v2, cuDevicePrimaryCtxRetain};
use simcuda::copy::{cuMemcpyDtoH_v2, cuMemcpyDtoHAsync_v2};
use simcuda::device::cuInit;
use simcuda::fill::cuMemsetD8Async;
use simcuda::memory::{cuMemAlloc_v2, cuMemFree_v2};
use simcuda::pool::{cuMemAllocAsync, cuMemFreeAsync};
use simcuda::stream::{cuLaunchHostFunc, cuStreamCreate, cuStreamSynchronize};
use std::ffi::c_void;
use std::process::Command;
use std::time::Duration;

/// The process that runs `mistake` must end by a signal and say `text`.
fn ends(test: &str, text: &str, mistake: impl FnOnce()) {
    if std::env::var_os("MISTAKE").is_some() {
        mistake();
        std::process::exit(0);
    }
    let program = std::env::current_exe().unwrap();
    let ended = Command::new(program).args([test, "--exact", "--nocapture"]).env("MISTAKE", "1").output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), None, "it should have ended by a signal; it said: {said}");
    assert!(said.contains(text), "it said: {said}");
}

fn start() -> (u64, u64) {
    let (mut context, mut at) = (0, 0);
    unsafe {
        assert_eq!(cuInit(0), 0);
        assert_eq!(cuDevicePrimaryCtxRetain(Out(&mut context), 0), 0);
        assert_eq!(cuCtxSetCurrent(context), 0);
        assert_eq!(cuMemAlloc_v2(Out(&mut at), 1000), 0);
    }
    (at, stream())
}

fn stream() -> u64 {
    let mut stream = 0;
    assert_eq!(unsafe { cuStreamCreate(Out(&mut stream), 1) }, 0);
    stream
}

extern "C" fn sleep(_: *mut c_void) {
    std::thread::sleep(Duration::from_millis(200));
}

#[test]
fn the_host_touches_device_memory() {
    ends("the_host_touches_device_memory", "", || {
        let (at, _) = start();
        unsafe { (at as *const u8).read_volatile() };
    });
}

#[test]
fn an_access_goes_past_an_allocation() {
    ends("an_access_goes_past_an_allocation", "past the end of the allocation", || {
        let (at, stream) = start();
        unsafe { cuMemsetD8Async(at + 1, 0, 1000, stream) };
    });
}

#[test]
fn memory_is_used_after_it_was_freed() {
    ends("memory_is_used_after_it_was_freed", "not allocated", || {
        let (at, _) = start();
        let mut byte = 0u8;
        unsafe {
            assert_eq!(cuMemFree_v2(at), 0);
            cuMemcpyDtoH_v2(&raw mut byte as u64, at, 1);
        }
    });
}

#[test]
fn another_stream_uses_memory_that_was_freed_in_stream_order() {
    ends("another_stream_uses_memory_that_was_freed_in_stream_order", "had been freed", || {
        let (_, first) = start();
        let (mut at, second) = (0, stream());
        let mut byte = 0u8;
        unsafe {
            assert_eq!(cuMemAllocAsync(Out(&mut at), 4096, first), 0);
            assert_eq!(cuStreamSynchronize(first), 0);
            cuLaunchHostFunc(second, sleep, std::ptr::null_mut());
            cuMemsetD8Async(at, 0, 4096, second);
            cuMemFreeAsync(at, first);
            cuStreamSynchronize(second);
            cuMemcpyDtoH_v2(&raw mut byte as u64, at, 1);
        }
    });
}

#[test]
fn another_stream_uses_memory_before_it_is_there() {
    ends("another_stream_uses_memory_before_it_is_there", "before the stream-ordered allocation", || {
        let (_, first) = start();
        let (mut at, second) = (0, stream());
        let mut bytes = [0u8; 64];
        unsafe {
            cuLaunchHostFunc(first, sleep, std::ptr::null_mut());
            assert_eq!(cuMemAllocAsync(Out(&mut at), 4096, first), 0);
            cuMemcpyDtoHAsync_v2(bytes.as_mut_ptr() as u64, at, 64, second);
            cuStreamSynchronize(second);
        }
    });
}

#[test]
fn memory_is_used_after_its_device_was_reset() {
    ends("memory_is_used_after_its_device_was_reset", "not allocated", || {
        let (at, _) = start();
        let (mut byte, mut context) = (0u8, 0);
        unsafe {
            assert_eq!(cuDevicePrimaryCtxReset_v2(0), 0);
            assert_eq!(cuDevicePrimaryCtxRetain(Out(&mut context), 0), 0);
            cuMemcpyDtoH_v2(&raw mut byte as u64, at, 1);
        }
    });
}
