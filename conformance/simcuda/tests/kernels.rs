// SPDX-License-Identifier: MIT OR Apache-2.0
//! Kernels in the simulator: the project's PTX is loaded, launched late, and held to its allocations.

#![allow(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks, reason = "every line here calls the driver")]

use simcuda::context::{cuCtxSetCurrent, cuDevicePrimaryCtxRetain};
use simcuda::copy::{cuMemcpyDtoH_v2, cuMemcpyHtoD_v2};
use simcuda::device::cuInit;
use simcuda::host::cuMemHostAlloc;
use simcuda::memory::cuMemAlloc_v2;
use simcuda::module::{cuLaunchKernel, cuModuleGetFunction, cuModuleLoadData};
use simcuda::stream::{cuStreamCreate, cuStreamSynchronize};
use simcuda::{In, Out};
use std::ffi::CString;
use std::process::Command;

const F32: &str = include_str!("../../../src/device/cuda/kernels/f32.ptx");

fn start() {
    let mut context = 0;
    unsafe {
        assert_eq!(cuInit(0), 0);
        assert_eq!(cuDevicePrimaryCtxRetain(Out(&mut context), 0), 0);
        assert_eq!(cuCtxSetCurrent(context), 0);
    }
}

fn function(text: &str, name: &str) -> u64 {
    let (mut module, mut function) = (0, 0);
    let (text, name) = (CString::new(text).unwrap(), CString::new(name).unwrap());
    unsafe {
        assert_eq!(cuModuleLoadData(Out(&mut module), text.as_ptr().cast()), 0);
        assert_eq!(cuModuleGetFunction(Out(&mut function), module, name.as_ptr()), 0);
    }
    function
}

/// Starts a kernel of 64-bit arguments in a stream.
fn launch(function: u64, stream: u64, arguments: &[u64]) -> i32 {
    let places: Vec<*const u8> = arguments.iter().map(|argument| (&raw const *argument).cast()).collect();
    unsafe { cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, stream, In(places.as_ptr()), std::ptr::null()) }
}

fn filled(values: &[f32]) -> u64 {
    let mut at = 0;
    unsafe {
        assert_eq!(cuMemAlloc_v2(Out(&mut at), size_of_val(values)), 0);
        assert_eq!(cuMemcpyHtoD_v2(at, values.as_ptr() as u64, size_of_val(values)), 0);
    }
    at
}

/// A stream that waits for the default stream, in which the copies are.
fn stream() -> u64 {
    let mut stream = 0;
    assert_eq!(unsafe { cuStreamCreate(Out(&mut stream), 0) }, 0);
    stream
}

#[test]
fn a_reduction_reads_device_and_pinned_memory() {
    start();
    let (a, n) = (filled(&[1.5; 1000]), 1000);
    let mut pinned = std::ptr::null_mut();
    assert_eq!(unsafe { cuMemHostAlloc(Out(&mut pinned), 4 * n, 0) }, 0);
    let pinned = pinned.cast::<f32>();
    (0..n).for_each(|i| unsafe { pinned.add(i).write(i as f32) });
    let (sum, stream) = (function(F32, "paceline_sum_f32"), stream());
    assert_eq!(launch(sum, stream, &[a, a, pinned as u64, n as u64]), 0);
    assert_eq!(unsafe { cuStreamSynchronize(stream) }, 0);
    let mut back = vec![0f32; n];
    assert_eq!(unsafe { cuMemcpyDtoH_v2(back.as_mut_ptr() as u64, a, 4 * n) }, 0);
    assert!(back.iter().enumerate().all(|(i, value)| *value == 1.5 + i as f32));
}

#[test]
fn a_kernel_that_cannot_be_run_is_refused() {
    start();
    let text = ".version 6.3\n.target sm_70\n.visible .entry waits()\n{\nbar.sync 0;\nret;\n}\n";
    assert_eq!(launch(function(text, "waits"), 0, &[]), 218);
}

/// Runs an ignored test of this file in a process of its own: what it says before it dies.
fn last_words(test: &str) -> String {
    let run =
        Command::new(std::env::current_exe().unwrap()).args(["--exact", test, "--ignored", "--nocapture"]).output().unwrap();
    assert!(!run.status.success(), "{test} was let through");
    String::from_utf8_lossy(&run.stderr).into_owned()
}

#[test]
fn an_access_past_an_allocation_ends_the_process() {
    let words = last_words("past_the_end");
    assert!(words.contains("paceline_sum_f32: no allocation holds the 4 bytes"), "{words}");
}

#[test]
#[ignore = "ends its process"]
fn past_the_end() {
    start();
    let (a, b, stream) = (filled(&[1.0; 101]), filled(&[1.0; 100]), stream());
    launch(function(F32, "paceline_sum_f32"), stream, &[a, a, b, 101]);
    unsafe { cuStreamSynchronize(stream) };
}

#[test]
fn memory_of_the_host_ends_the_process() {
    let words = last_words("not_pinned");
    assert!(words.contains("no allocation holds"), "{words}");
}

#[test]
#[ignore = "ends its process"]
fn not_pinned() {
    start();
    let (a, b, stream) = (filled(&[1.0; 100]), vec![1f32; 100], stream());
    launch(function(F32, "paceline_sum_f32"), stream, &[a, a, b.as_ptr() as u64, 100]);
    unsafe { cuStreamSynchronize(stream) };
}
