// SPDX-License-Identifier: MIT OR Apache-2.0
//! Contexts: a primary one a device, others by `cuCtxCreate`, and each thread's stack of them. A call that needs a context
//! on a thread without one is CUDA_ERROR_INVALID_CONTEXT.

use crate::call::{self, In, Out, driver};
use crate::code::{self, Result};
use crate::stream::Stream;
use crate::{device, event, host, memory, module, setting};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_uint;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};

/// A context.
pub struct Context {
    /// Its `CUcontext`.
    pub handle: u64,
    /// Its `CUdevice`.
    pub device: i32,
    id: u64,
    flags: AtomicU32,
    /// Its streams, without the legacy default one.
    pub streams: Mutex<Vec<Arc<Stream>>>,
    legacy: OnceLock<Arc<Stream>>,
    /// The devices whose memory its kernels reach.
    peers: Mutex<BTreeSet<i32>>,
}

/// CU_CTX_SYNC_MEMOPS.
const SYNC_MEMOPS: u32 = 0x80;

/// The contexts that live, by handle.
static LIVING: Mutex<BTreeMap<u64, Arc<Context>>> = Mutex::new(BTreeMap::new());
/// How often each device's primary context is retained, and with which flags it will be made.
static PRIMARY: Mutex<BTreeMap<i32, (u32, u32)>> = Mutex::new(BTreeMap::new());

thread_local! {
    static STACK: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

impl Context {
    fn new(handle: u64, device: i32, flags: u32) -> Arc<Context> {
        static IDS: AtomicU64 = AtomicU64::new(1);
        let context = Arc::new(Context {
            handle,
            device,
            id: IDS.fetch_add(1, Relaxed),
            flags: AtomicU32::new(flags),
            streams: Mutex::default(),
            legacy: OnceLock::new(),
            peers: Mutex::default(),
        });
        LIVING.lock().unwrap().insert(handle, context.clone());
        context
    }

    /// The legacy default stream.
    pub fn legacy(&self) -> &Arc<Stream> {
        self.legacy.get_or_init(|| Stream::new(0, self.handle, true))
    }

    /// Waits for everything that was given to the context's streams.
    pub fn synchronize(&self) {
        call::waits();
        let streams = self.streams.lock().unwrap().clone();
        streams.iter().chain(self.legacy.get()).for_each(|stream| stream.wait(stream.submitted()));
    }

    /// Whether copies of this context's memory are fully synchronous.
    pub fn sync_memops(&self) -> bool {
        self.flags.load(Relaxed) & SYNC_MEMOPS != 0
    }

    /// Whether kernels of this context reach memory of `device`.
    pub fn reaches(&self, device: i32) -> bool {
        device == self.device || self.peers.lock().unwrap().contains(&device)
    }

    /// Kernels reach memory of `device` from now on; false if they did before.
    pub fn reach(&self, device: i32) -> bool {
        self.peers.lock().unwrap().insert(device)
    }

    /// Ends the context with all that belongs to it.
    fn destroy(&self) {
        self.synchronize();
        LIVING.lock().unwrap().remove(&self.handle);
        let streams = std::mem::take(&mut *self.streams.lock().unwrap());
        streams.iter().chain(self.legacy.get()).for_each(|stream| stream.close());
        event::forget(self.handle);
        module::forget(self.handle);
        memory::forget(self.handle);
        host::forget(self.handle);
    }
}

fn primary_handle(device: i32) -> u64 {
    0x5C0D_E000_0000 + ((device as u64) << 12)
}

/// The living context with this handle.
pub fn find(handle: u64) -> Option<Arc<Context>> {
    LIVING.lock().unwrap().get(&handle).cloned()
}

/// The calling thread's current context.
pub fn current() -> Result<Arc<Context>> {
    let top = top().ok_or(code::INVALID_CONTEXT)?;
    find(top).ok_or(code::CONTEXT_IS_DESTROYED)
}

fn top() -> Option<u64> {
    STACK.with(|stack| stack.borrow().last().copied())
}

/// The primary context of `device`, made if there is none; `uses` more users hold it.
fn primary(device: i32) -> Arc<Context> {
    let mut table = PRIMARY.lock().unwrap();
    let (users, flags) = table.entry(device).or_default();
    *users += 1;
    find(primary_handle(device)).unwrap_or_else(|| Context::new(primary_handle(device), device, *flags))
}

driver! {
    /// One more user of a device's primary context, which is made for the first.
    fn cuDevicePrimaryCtxRetain(out: Out<u64>, device: i32) {
        device::check(device)?;
        out.put(primary(device).handle)
    }

    /// One user less; the last one's release ends the context.
    fn cuDevicePrimaryCtxRelease_v2(device: i32) {
        device::check(device)?;
        let last = {
            let mut table = PRIMARY.lock().unwrap();
            let (users, _) = table.get_mut(&device).filter(|(users, _)| *users > 0).ok_or(code::INVALID_CONTEXT)?;
            *users -= 1;
            *users == 0
        };
        find(primary_handle(device)).filter(|_| last).inspect(|context| context.destroy());
        Ok(())
    }

    /// Ends a device's primary context, whoever holds it (what `cudaDeviceReset` does).
    fn cuDevicePrimaryCtxReset_v2(device: i32) {
        device::check(device)?;
        PRIMARY.lock().unwrap().entry(device).or_default().0 = 0;
        find(primary_handle(device)).inspect(|context| context.destroy());
        Ok(())
    }

    /// The flags of a device's primary context and whether it lives.
    fn cuDevicePrimaryCtxGetState(device: i32, flags: Out<u32>, active: Out<i32>) {
        device::check(device)?;
        let living = find(primary_handle(device));
        let wanted = PRIMARY.lock().unwrap().entry(device).or_default().1;
        flags.put(living.as_ref().map_or(wanted, |context| context.flags.load(Relaxed)))?;
        active.put(i32::from(living.is_some()))
    }

    /// Sets the flags of a device's primary context.
    fn cuDevicePrimaryCtxSetFlags_v2(device: i32, flags: c_uint) {
        device::check(device)?;
        PRIMARY.lock().unwrap().entry(device).or_default().1 = flags;
        find(primary_handle(device)).inspect(|context| context.flags.store(flags, Relaxed));
        Ok(())
    }

    /// Makes a context and pushes it.
    fn cuCtxCreate_v2(out: Out<u64>, flags: c_uint, device: i32) {
        static NEXT: AtomicU64 = AtomicU64::new(0x5C0E_0000_0000);
        device::check(device)?;
        let context = Context::new(NEXT.fetch_add(4096, Relaxed), device, flags);
        STACK.with(|stack| stack.borrow_mut().push(context.handle));
        out.put(context.handle)
    }

    /// Ends a context made by `cuCtxCreate`; it is popped if it is the thread's current one.
    fn cuCtxDestroy_v2(handle: u64) {
        find(handle).ok_or(code::INVALID_CONTEXT)?.destroy();
        STACK.with(|stack| {
            let mut stack = stack.borrow_mut();
            if stack.last() == Some(&handle) {
                stack.pop();
            }
        });
        Ok(())
    }

    /// The current context, or null.
    fn cuCtxGetCurrent(out: Out<u64>) {
        out.put(top().unwrap_or(0))
    }

    /// Replaces the top of the thread's stack; null pops it.
    fn cuCtxSetCurrent(handle: u64) {
        if handle != 0 {
            find(handle).ok_or(code::INVALID_CONTEXT)?;
        }
        STACK.with(|stack| {
            let mut stack = stack.borrow_mut();
            stack.pop();
            stack.extend((handle != 0).then_some(handle));
        });
        Ok(())
    }

    /// Pushes a context.
    fn cuCtxPushCurrent_v2(handle: u64) {
        find(handle).ok_or(code::INVALID_CONTEXT)?;
        STACK.with(|stack| stack.borrow_mut().push(handle));
        Ok(())
    }

    /// Pops the current context.
    fn cuCtxPopCurrent_v2(out: Out<u64>) {
        let handle = STACK.with(|stack| stack.borrow_mut().pop()).ok_or(code::INVALID_CONTEXT)?;
        out.put_if_wanted(handle);
        Ok(())
    }

    /// The device of the current context.
    fn cuCtxGetDevice(out: Out<i32>) {
        out.put(current()?.device)
    }

    /// A number that no other context of the process has had.
    fn cuCtxGetId(handle: u64, out: Out<u64>) {
        let context = if handle == 0 { current()? } else { find(handle).ok_or(code::CONTEXT_IS_DESTROYED)? };
        out.put(context.id)
    }

    /// The flags of the current context.
    fn cuCtxGetFlags(out: Out<u32>) {
        out.put(current()?.flags.load(Relaxed))
    }

    /// Sets the flags of the current context.
    fn cuCtxSetFlags(flags: c_uint) {
        current()?.flags.store(flags, Relaxed);
        Ok(())
    }

    /// The version of a context's interface.
    fn cuCtxGetApiVersion(handle: u64, out: Out<u32>) {
        if handle != 0 {
            find(handle).ok_or(code::INVALID_CONTEXT)?;
        }
        out.put(3020)
    }

    /// Waits for all work of the current context.
    fn cuCtxSynchronize() {
        current()?.synchronize();
        Ok(())
    }

    /// The range of priorities: there is one.
    fn cuCtxGetStreamPriorityRange(least: Out<i32>, greatest: Out<i32>) {
        current()?;
        least.put_if_wanted(0);
        greatest.put_if_wanted(0);
        Ok(())
    }

    /// Kernels of the current context reach the memory of another's device from now on.
    fn cuCtxEnablePeerAccess(handle: u64, flags: c_uint) {
        let (own, peer) = (current()?, find(handle).ok_or(code::INVALID_CONTEXT)?);
        if flags != 0 {
            return Err(code::INVALID_VALUE);
        }
        if own.device == peer.device || !setting::get().peer {
            return Err(code::PEER_ACCESS_UNSUPPORTED);
        }
        if own.reach(peer.device) { Ok(()) } else { Err(code::PEER_ACCESS_ALREADY_ENABLED) }
    }

    /// And no longer.
    fn cuCtxDisablePeerAccess(handle: u64) {
        let (own, peer) = (current()?, find(handle).ok_or(code::INVALID_CONTEXT)?);
        let was = own.peers.lock().unwrap().remove(&peer.device);
        if was { Ok(()) } else { Err(code::PEER_ACCESS_NOT_ENABLED) }
    }

    /// The memory of the current device: what is free of it, and all.
    fn cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) {
        let device = current()?.device;
        let all = setting::get().memory;
        free.put(all.saturating_sub(memory::used(device)))?;
        total.put(all)
    }

    /// An array of identifiers of the devices, for programs that ask by bus address.
    fn cuDeviceGetByPCIBusId(out: Out<i32>, text: In<[u8; 7]>) {
        let digits = text.get()?;
        let bus = std::str::from_utf8(&digits[5..]).ok().and_then(|bus| u32::from_str_radix(bus, 16).ok());
        let device = bus.and_then(|bus| device::seen(bus.wrapping_sub(1)));
        out.put(device.ok_or(code::INVALID_DEVICE)?)
    }
}
