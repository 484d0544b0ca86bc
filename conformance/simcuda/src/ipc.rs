// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory and events of other processes. A handle says which descriptor of which process the memory is behind; nothing is
//! left in the file system. Rules as in the driver's documentation: only memory of `cuMemAlloc` has a handle; a process cannot
//! open its own (CUDA_ERROR_INVALID_CONTEXT); opening again gives the same address and one close more to do.

use crate::address::{self, GRAIN};
use crate::backing::{Backing, Mapping};
use crate::board;
use crate::call::{Out, driver};
use crate::code::{self, Result};
use crate::context::{self, Context};
use crate::memory::{self, Home, Kind, Range};
use crate::{device, event, setting};
use std::collections::BTreeMap;
use std::ffi::c_uint;
use std::os::fd::AsRawFd;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const MEMORY: u32 = 0x51C0_DA01;
const EVENT: u32 = 0x51C0_DA02;
/// CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS.
const LAZY_PEER_ACCESS: u32 = 1;

/// CUipcMemHandle and CUipcEventHandle: 64 bytes that mean something to the simulator alone.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Handle {
    kind: u32,
    pid: u32,
    fd: i32,
    board: i32,
    slot: u32,
    device: u32,
    offset: u64,
    bytes: u64,
    id: u64,
    /// Where it is in its owner.
    base: u64,
    rest: u64,
}

impl Handle {
    fn is_of(&self, kind: u32) -> Result {
        if self.kind != kind {
            return Err(code::INVALID_VALUE);
        }
        if self.pid == std::process::id() {
            return Err(code::INVALID_CONTEXT);
        }
        if setting::get().ipc { Ok(()) } else { Err(code::INVALID_VALUE) }
    }

    /// The handle of an allocation; what an importer sees is the whole of it.
    pub fn of(range: &Range) -> Handle {
        let (backing, offset) = range.backing();
        Handle {
            kind: MEMORY,
            pid: std::process::id(),
            fd: backing.file.as_raw_fd(),
            board: board::descriptor(),
            slot: range.slot().index,
            device: device::number(range.device),
            offset: offset as u64,
            bytes: range.bytes as u64,
            id: range.id,
            base: range.base,
            rest: 0,
        }
    }

    /// Maps the memory into this process for `context`.
    pub fn import(&self, context: &Context) -> Result<Arc<Range>> {
        let device = device::seen(self.device).ok_or(code::INVALID_DEVICE)?;
        let backing = Backing::of(self.pid, self.fd)?;
        let slot = board::of(self.pid, self.board, self.slot)?;
        if slot.freed() {
            return Err(code::INVALID_VALUE);
        }
        // Pages are mapped whole; the address of the allocation is as far into its page as in its owner.
        let inside = self.offset as usize % 4096;
        let bytes = (self.bytes as usize + inside).next_multiple_of(4096);
        let span = address::reserve(bytes, GRAIN).ok_or(code::MAP_FAILED)?;
        let mapping = Mapping::new(span.base, bytes, backing, self.offset as usize - inside, false)?;
        let kind = Kind::Imported(self.pid);
        let range = Range::inside(Home::Own(mapping, span), inside, self.bytes as usize, kind, device, context.handle);
        range.watch(slot);
        Ok(range)
    }
}

/// An import: which allocation of whom, and how often it is open.
struct Import {
    owner: (u32, u32),
    /// Where it is there.
    there: std::ops::Range<u64>,
    range: Arc<Range>,
    open: u32,
}

/// Imports by address.
static IMPORTS: Mutex<BTreeMap<u64, Import>> = Mutex::new(BTreeMap::new());

fn open(handle: &Handle, flags: u32) -> Result<u64> {
    let context = context::current()?;
    handle.is_of(MEMORY)?;
    if flags != LAZY_PEER_ACCESS {
        return Err(code::INVALID_VALUE);
    }
    let mut imports = IMPORTS.lock().unwrap();
    imports.retain(|_, import| context::find(import.range.context).is_some());
    let owner = (handle.pid, handle.slot);
    if let Some((base, import)) = imports.iter_mut().find(|(_, import)| import.owner == owner) {
        if import.range.context != context.handle {
            return Err(code::ALREADY_MAPPED);
        }
        import.open += 1;
        return Ok(*base);
    }
    let there = handle.base..handle.base + handle.bytes;
    let overlaps =
        |import: &Import| import.owner.0 == handle.pid && import.there.start < there.end && there.start < import.there.end;
    if !setting::get().overlap && imports.values().any(overlaps) {
        return Err(code::ALREADY_MAPPED);
    }
    std::thread::sleep(Duration::from_micros(setting::get().ipc_open_us));
    let range = handle.import(&context)?;
    if range.device != context.device {
        if !setting::get().peer {
            range.free();
            return Err(code::PEER_ACCESS_UNSUPPORTED);
        }
        context.reach(range.device);
    }
    let base = range.base;
    imports.insert(base, Import { owner, there, range, open: 1 });
    Ok(base)
}

fn close(base: u64) -> Result {
    let context = context::current()?;
    let mut imports = IMPORTS.lock().unwrap();
    let import = imports.get_mut(&base).ok_or(code::INVALID_VALUE)?;
    import.open -= 1;
    if import.open > 0 {
        return Ok(());
    }
    let import = imports.remove(&base);
    drop(imports);
    context.synchronize();
    import.inspect(|import| import.range.free());
    std::thread::sleep(Duration::from_micros(setting::get().ipc_open_us / 2));
    Ok(())
}

/// Who exits closes nothing, but maps nothing any more. (A process that is killed is still counted by the owners.)
extern "C" fn exit() {
    if let Ok(imports) = IMPORTS.try_lock() {
        imports.values().for_each(|import| import.range.free());
    }
}

#[used]
#[unsafe(link_section = ".fini_array")]
static AT_END: extern "C" fn() = exit;

driver! {
    /// A handle for the allocation around an address.
    fn cuIpcGetMemHandle(out: Out<Handle>, address: u64) {
        context::current()?;
        let range = memory::find(address).filter(|range| range.kind == Kind::Device).ok_or(code::INVALID_VALUE)?;
        out.put(Handle::of(&range))
    }

    /// Maps another process' allocation.
    fn cuIpcOpenMemHandle_v2(out: Out<u64>, handle: Handle, flags: c_uint) {
        out.put(open(&handle, flags)?)
    }

    /// Ends one use of a mapping; the last one's end waits for the context and unmaps it.
    fn cuIpcCloseMemHandle(base: u64) {
        close(base)
    }

    /// A handle for an interprocess event.
    fn cuIpcGetEventHandle(out: Out<Handle>, handle: u64) {
        let event = event::find(handle)?;
        let (pid, fd) = (std::process::id(), event.file()?.file.as_raw_fd());
        out.put(Handle { kind: EVENT, pid, fd, board: -1, slot: 0, device: 0, offset: 0, bytes: 0, id: 0, base: 0, rest: 0 })
    }

    /// Another process' event.
    fn cuIpcOpenEventHandle(out: Out<u64>, handle: Handle) {
        context::current()?;
        handle.is_of(EVENT)?;
        out.put(event::shared(Backing::of(handle.pid, handle.fd)?)?)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_handle_has_the_size_of_the_drivers() {
        assert_eq!(size_of::<super::Handle>(), 64);
    }
}
