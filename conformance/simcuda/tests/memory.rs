// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory of every kind in one process: contents, attributes, addresses, and the copies' worst cases.

#![allow(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks, reason = "every line here calls the driver")]

use simcuda::context::{cuCtxGetCurrent, cuCtxPopCurrent_v2, cuCtxPushCurrent_v2, cuCtxSetCurrent, cuDevicePrimaryCtxRetain};
use simcuda::copy::{cuMemcpyAsync, cuMemcpyDtoH_v2, cuMemcpyDtoHAsync_v2, cuMemcpyHtoD_v2};
use simcuda::device::cuInit;
use simcuda::host::{cuMemHostAlloc, cuMemHostRegister_v2, cuMemHostUnregister};
use simcuda::managed::cuMemAllocManaged;
use simcuda::memory::{cuMemAlloc_v2, cuMemFree_v2, cuMemGetAddressRange_v2};
use simcuda::pointer::{cuPointerGetAttribute, cuPointerGetAttributes};
use simcuda::stream::{cuLaunchHostFunc, cuStreamCreate, cuStreamSynchronize};
use simcuda::{In, Out};
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// The tests of this file run one after the other: addresses are the process'.
static ORDER: Mutex<()> = Mutex::new(());

/// The first device's primary context, current on this thread, which runs alone.
fn start() -> (u64, MutexGuard<'static, ()>) {
    let guard = ORDER.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut context = 0;
    unsafe {
        assert_eq!(cuInit(0), 0);
        assert_eq!(cuDevicePrimaryCtxRetain(Out(&mut context), 0), 0);
        assert_eq!(cuCtxSetCurrent(context), 0);
    }
    (context, guard)
}

fn allocate(bytes: usize) -> u64 {
    let mut at = 0;
    assert_eq!(unsafe { cuMemAlloc_v2(Out(&mut at), bytes) }, 0);
    at
}

fn stream(flags: u32) -> u64 {
    let mut stream = 0;
    assert_eq!(unsafe { cuStreamCreate(Out(&mut stream), flags) }, 0);
    stream
}

fn attribute(which: i32, at: u64) -> Result<u64, i32> {
    let mut value = 0u64;
    match unsafe { cuPointerGetAttribute((&raw mut value).cast(), which, at) } {
        0 => Ok(value),
        code => Err(code),
    }
}

#[test]
fn bytes_go_to_the_device_and_back() {
    let _alone = start();
    let at = allocate(3 << 20);
    let bytes: Vec<u8> = (0..3 << 20).map(|i| (i % 251) as u8).collect();
    let mut back = vec![0u8; bytes.len()];
    unsafe {
        assert_eq!(cuMemcpyHtoD_v2(at, bytes.as_ptr() as u64, bytes.len()), 0);
        assert_eq!(cuMemcpyDtoH_v2(back.as_mut_ptr() as u64, at, bytes.len()), 0);
        assert_eq!(cuMemFree_v2(at), 0);
    }
    assert!(bytes == back);
}

#[test]
fn small_allocations_share_a_block_and_know_their_own_range() {
    let _alone = start();
    let (a, b) = (allocate(1000), allocate(1000));
    assert!(a.abs_diff(b) < 2 << 20);
    let (mut base, mut bytes) = (0, 0);
    assert_eq!(unsafe { cuMemGetAddressRange_v2(Out(&mut base), Out(&mut bytes), b + 999) }, 0);
    assert_eq!((base, bytes), (b, 1000));
    assert_eq!(attribute(11, b + 5), Ok(b));
    assert_eq!(attribute(12, b + 5), Ok(1000));
    assert_ne!(attribute(7, a), attribute(7, b));
}

#[test]
fn an_address_comes_back_with_another_buffer_id() {
    let _alone = start();
    let at = allocate(512 << 20);
    let id = attribute(7, at);
    unsafe { cuMemFree_v2(at) };
    assert_eq!(attribute(7, at), Err(1));
    let again = allocate(512 << 20);
    assert_eq!(again, at);
    assert_ne!(attribute(7, again), id);
}

#[test]
fn a_thread_without_a_context_gets_201() {
    let _alone = start();
    std::thread::spawn(|| unsafe {
        let mut at = 0;
        assert_eq!(cuMemAlloc_v2(Out(&mut at), 64), 201);
        let mut context = 1;
        assert_eq!(cuCtxGetCurrent(Out(&mut context)), 0);
        assert_eq!(context, 0);
        assert_eq!(cuCtxPopCurrent_v2(Out(&mut context)), 201);
        assert_eq!(cuCtxPushCurrent_v2(12345), 201);
    })
    .join()
    .unwrap();
}

extern "C" fn sleep(_: *mut c_void) {
    std::thread::sleep(Duration::from_millis(100));
}

#[test]
fn a_copy_to_pinned_memory_is_rubbish_until_it_is_done() {
    let _alone = start();
    let (at, own) = (allocate(4096), stream(1));
    let mut pinned = std::ptr::null_mut();
    unsafe {
        assert_eq!(cuMemHostAlloc(Out(&mut pinned), 4096, 0), 0);
        let host: *mut u8 = pinned.cast();
        host.write_bytes(7, 4096);
        assert_eq!(cuMemcpyHtoD_v2(at, pinned as u64, 4096), 0);
        cuLaunchHostFunc(own, sleep, std::ptr::null_mut());
        assert_eq!(cuMemcpyDtoHAsync_v2(pinned as u64, at, 4096, own), 0);
        assert_eq!(host.add(9).read_volatile(), 0xDB);
        assert_eq!(cuStreamSynchronize(own), 0);
        assert_eq!(host.add(9).read_volatile(), 7);
    }
}

#[test]
fn only_blocking_streams_wait_for_the_legacy_one() {
    let _alone = start();
    let at = allocate(8);
    let mut pinned = std::ptr::null_mut();
    unsafe {
        cuMemHostAlloc(Out(&mut pinned), 16, 0);
        let words: *mut u64 = pinned.cast();
        words.write(1);
        cuMemcpyHtoD_v2(at, pinned as u64, 8);
        words.write(2);
        let second = words.add(1) as u64;
        for (flags, right) in [(1, 1), (0, 2)] {
            let own = stream(flags);
            cuLaunchHostFunc(0, sleep, std::ptr::null_mut());
            cuMemcpyAsync(at, pinned as u64, 8, 0);
            cuMemcpyDtoHAsync_v2(second, at, 8, own);
            cuStreamSynchronize(own);
            assert_eq!(words.add(1).read_volatile(), right);
            cuStreamSynchronize(0);
        }
    }
}

#[test]
fn attributes_tell_the_kinds_apart() {
    let (context, _alone) = start();
    let device = allocate(64);
    let mut managed = 0;
    unsafe { assert_eq!(cuMemAllocManaged(Out(&mut managed), 4096, 1), 0) };
    let page = vec![0u8; 8192];
    unsafe { assert_eq!(cuMemHostRegister_v2(page.as_ptr() as *mut c_void, 8192, 0), 0) };
    let of = |at: u64| {
        let (mut memory, mut is_managed, mut owner, mut capable) = (9u32, 9u32, 9u64, 9u32);
        let places: [*mut c_void; 4] =
            [(&raw mut memory).cast(), (&raw mut is_managed).cast(), (&raw mut owner).cast(), (&raw mut capable).cast()];
        let code = unsafe { cuPointerGetAttributes(4, In([2, 8, 1, 10].as_ptr()), In(places.as_ptr()), at) };
        assert_eq!(code, 0);
        (memory, is_managed, owner, capable)
    };
    assert_eq!(of(device), (2, 0, context, 1));
    assert_eq!(of(managed), (2, 1, context, 0));
    assert_eq!(of(page.as_ptr() as u64 + 9), (1, 0, context, 0));
    assert_eq!(of(&raw const context as u64), (0, 0, 0, 0));
    unsafe {
        (managed as *mut u8).write(5);
        assert_eq!(cuMemHostUnregister(page.as_ptr() as *mut c_void), 0);
    }
}
