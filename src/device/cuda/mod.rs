// SPDX-License-Identifier: MIT OR Apache-2.0
//! NVIDIA GPUs, through the driver that the program itself has loaded.
//!
//! | file | what |
//! |---|---|
//! | [`driver`] | the driver's functions |
//! | [`classify`] | what an address is |
//! | [`context`] | contexts of the program, made current and taken off again |
//! | [`stream`], [`event`] | our streams; how the host learns that work is complete |
//! | [`copy`] | copies of runs and of rows |
//! | [`module`], [`kernels`] | launching; the kernels themselves: reductions, packing |
//! | [`ipc`], [`freed`], [`closing`] | memory of other processes; how they notice that it is freed; the end of its mappings |
//! | [`thread`] | threads of our own |
//! | [`lost`] | what is left of a device that has failed |

pub mod classify;
pub mod closing;
pub mod context;
pub mod copy;
pub mod driver;
pub mod event;
pub mod freed;
pub mod ipc;
pub mod kernels;
pub mod lost;
pub mod module;
pub mod stream;
pub mod thread;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::strided::Blocks;
use super::{Exec, Export, Home, Import, Kind, Memory, Pending, watch};
use crate::object::datatype::Datatype;
use crate::object::error::Result;
use crate::object::op::Op;
use crate::trace;
use context::Context;
use driver::{Address, check, driver};
use event::Event;
use stream::Stream;

/// `CU_MEMHOSTALLOC_PORTABLE`: pinned for all contexts.
const PORTABLE: u32 = 1;

static USABLE: AtomicBool = AtomicBool::new(false);

/// Takes over the driver if the program has mapped it. Whether it is mapped and works.
pub fn load() -> bool {
    if !driver::is_mapped() {
        return false;
    }
    match driver::load() {
        Ok(_) => USABLE.store(true, Ordering::Relaxed),
        Err(reason) => disable(reason),
    }
    usable()
}

/// Whether there is a driver that works.
pub fn usable() -> bool {
    USABLE.load(Ordering::Relaxed)
}

const NO_DEVICE: &str = "it has no device";
static WORKS: OnceLock<bool> = OnceLock::new();

/// Whether devices can be used: asked by the program, so the driver may be started, which the program would do next anyway.
pub fn works() -> bool {
    *WORKS.get_or_init(|| {
        // SAFETY: starts the driver.
        let started = check("cuInit", unsafe { (driver().init)(0) });
        let reason = match started.and_then(|()| devices()) {
            Ok(0) => NO_DEVICE.to_owned(),
            Ok(_) => return true,
            Err(error) => error.text().to_owned(),
        };
        serves_nothing(&reason);
        false
    })
}

/// How many devices there are, of a driver that has been started.
fn devices() -> Result<i32> {
    let mut devices = 0;
    // SAFETY: writes a number.
    check("cuDeviceGetCount", unsafe { (driver().device_count)(&mut devices) }).map(|()| devices)
}

#[cold]
fn serves_nothing(reason: &str) {
    trace::note(format!("CUDA: the driver in this process serves no device, so buffers must be in host memory: {reason}"));
}

/// For the report: why no buffer was a device's, where that is so. Does not start the driver.
pub fn conclude() {
    if !driver::is_mapped() {
        trace::note("CUDA: libcuda.so.1 is not in this process, so all buffers are in host memory");
    } else if usable() && WORKS.get() != Some(&false) && !Context::is_any_known() {
        match devices() {
            Ok(0) => serves_nothing(NO_DEVICE),
            Ok(_) => {}
            Err(error) => serves_nothing(&format!("the program has not started it, or could not ({})", error.text())),
        }
    }
}

/// Whether a program that has not loaded CUDA could: the kernel's part of the driver is there.
pub fn expected() -> bool {
    !driver::is_mapped() && ["/dev/nvidiactl", "/dev/dxg"].iter().any(|node| std::path::Path::new(node).exists())
}

/// Serves host memory only, from now on.
#[cold]
pub fn disable(reason: &str) {
    USABLE.store(false, Ordering::Relaxed);
    watch::give_up();
    trace::note(format!("CUDA: the driver in this process cannot be used, so buffers must be in host memory: {reason}"));
}

/// The device that an address belongs to.
pub fn home(at: *const u8) -> Option<Home> {
    let attributes = match classify::attributes(at) {
        Ok(attributes) => attributes?,
        Err(code) => return lost::home(at, &format!("cuPointerGetAttributes gives {}", driver::name_of(code))),
    };
    if attributes.kind == Kind::Pinned {
        return None;
    }
    match Context::of(&attributes) {
        Ok(context) => {
            let classify::Attributes { kind, buffer, .. } = attributes;
            Some(Home { kind, memory: context, exec: context, buffer, is_settled: false })
        }
        Err(error) => {
            lost::home(at, &format!("the context of a {} buffer cannot be used: {}", attributes.kind.name(), error.text()))
        }
    }
}

/// As [`crate::device::importer`].
pub fn importer(device: &[u8; 16]) -> Option<&'static dyn Memory> {
    if !usable() {
        return None;
    }
    Context::any(device).map(|context| context as &dyn Memory)
}

impl Memory for Context {
    fn number(&self) -> usize {
        self.number
    }

    fn device(&self) -> u64 {
        let halves = self.device.chunks(8).map(|half| u64::from_ne_bytes(half.try_into().expect("8 of 16 bytes")));
        halves.fold(1, |all: u64, half| all.rotate_left(17) ^ half).max(1)
    }

    fn fence(&'static self) -> Result<()> {
        Context::fence(self)
    }

    fn settled(&'static self) -> Result<Pending> {
        let _entered = self.enter()?;
        if Stream::DEFAULT.is_idle() {
            return Ok(Pending::DONE);
        }
        Event::record(self, Stream::DEFAULT).map(Pending::event)
    }

    unsafe fn copy(&'static self, from: *const u8, to: *mut u8, len: usize) -> Result<Pending> {
        // SAFETY: the caller's promise.
        unsafe { copy::plain(self, from, to, len) }
    }

    unsafe fn gather(&'static self, base: *const u8, blocks: &Blocks, to: *mut u8) -> Result<Pending> {
        // SAFETY: the caller's promise.
        unsafe { module::pack(self, base.cast_mut(), blocks, to, true) }
    }

    unsafe fn scatter(&'static self, from: *const u8, blocks: &Blocks, base: *mut u8) -> Result<Pending> {
        // SAFETY: the caller's promise.
        unsafe { module::pack(self, base, blocks, from.cast_mut(), false) }
    }

    fn allocate(&self, bytes: usize) -> Result<*mut u8> {
        let _entered = self.enter()?;
        let mut at: Address = 0;
        // SAFETY: writes the address.
        check("cuMemAlloc", unsafe { (driver().mem_alloc)(&mut at, bytes) })?;
        Ok(at as *mut u8)
    }

    unsafe fn free(&self, at: *mut u8) {
        if let Ok(_entered) = self.enter() {
            // SAFETY: the caller's promise.
            unsafe { (driver().mem_free)(at as Address) };
        }
    }

    fn allocate_pinned(&self, bytes: usize) -> Result<*mut u8> {
        let _entered = self.enter()?;
        let mut at = std::ptr::null_mut();
        // SAFETY: writes the address.
        check("cuMemHostAlloc", unsafe { (driver().host_alloc)(&mut at, bytes, PORTABLE) })?;
        Ok(at.cast())
    }

    unsafe fn free_pinned(&self, at: *mut u8) {
        if let Ok(_entered) = self.enter() {
            // SAFETY: the caller's promise.
            unsafe { (driver().host_free)(at.cast()) };
        }
    }

    fn export(&'static self, at: *const u8, kind: Kind, buffer: u64) -> std::result::Result<Export, String> {
        ipc::export(self, at, kind, buffer)
    }

    fn shares(&self) -> bool {
        ipc::shares(self)
    }

    fn import(&'static self, process: u32, export: &Export) -> std::result::Result<Import, String> {
        let (at, slot) = ipc::import(self, process, export)?;
        Ok(Import { at: at as *const u8, memory: self, slot })
    }

    fn unpin(&'static self, slot: u64) {
        ipc::unpin(self, slot);
    }
}

impl Exec for Context {
    fn has(&self, op: &Op, datatype: &Datatype) -> bool {
        module::has(op, datatype)
    }

    unsafe fn combine(
        &'static self,
        op: &Op,
        datatype: &Datatype,
        count: usize,
        inputs: &[*const u8],
        outs: &[*mut u8],
    ) -> Option<Result<Pending>> {
        // SAFETY: the caller's promise.
        unsafe { module::combine(self, op, datatype, count, inputs, outs) }
    }
}
