// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory of other processes. Opening a handle costs a millisecond, so handles are made once an allocation and mappings are
//! kept: bounded, by (process, base, buffer id). One whose owner has given the address to another allocation, or that makes room, is
//! closed later, by a thread of its own ([`closing`]). Another one notices what is freed before its address comes up again ([`freed`]).

use super::context::Context;
use super::driver::{self, Address, IpcHandle, driver};
use super::{closing, freed};
use crate::device::board::Mark;
use crate::device::{Export, Kind};
use crate::{knob, trace};

/// Handles that are kept.
const EXPORTS: usize = 512;
/// `CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS`.
const LAZY_PEER_ACCESS: u32 = 1;
/// Sharing exposes whole blocks of this size: the probe fills one, so nothing else of the program lies in it.
const PROBE: usize = 2 << 20;

/// Handles of this context's allocations, and the probe.
#[derive(Default)]
pub struct Exports {
    known: Vec<Known>,
    probe: Option<([u8; 64], u64)>,
}

#[derive(Clone, Copy)]
struct Known {
    base: Address,
    size: usize,
    buffer: u64,
    handle: [u8; 64],
    mark: Mark,
}

/// Allocations of other processes that are mapped in this context.
#[derive(Default)]
pub struct Imports {
    open: Vec<Open>,
    /// What the probe of a process and device said: `None` when it works, else the reason.
    tried: Vec<(u32, [u8; 16], Option<String>)>,
    clock: u64,
}

struct Open {
    slot: u64,
    process: u32,
    device: [u8; 16],
    base: u64,
    size: u64,
    buffer: u64,
    mark: Mark,
    at: Address,
    users: u32,
    /// Its owner has freed it: to be closed when the last user is done.
    stale: bool,
}

/// What another process needs to map the allocation of `at`, which is of this kind and buffer id. The driver is asked once an allocation.
pub fn export(context: &'static Context, at: *const u8, kind: Kind, buffer: u64) -> Result<Export, String> {
    shareable(kind)?;
    let mut exports = context.exports.lock();
    let known = match exports.known(at as Address, buffer) {
        Some(known) => known,
        None => exports.make(context, at as Address, buffer)?,
    };
    let (probe, nonce) = exports.probe(context)?;
    let Known { base, size, buffer, handle, mark } = known;
    let (offset, device) = (at as u64 - base, context.device);
    Ok(Export { handle, base, size: size as u64, buffer, offset, device, probe, nonce, mark })
}

/// Whether no process was refused so far, and handles are wanted.
pub fn shares(context: &Context) -> bool {
    wanted() && context.imports.lock().tried.iter().all(|(_, _, reason)| reason.is_none())
}

fn wanted() -> bool {
    knob::GPU_IPC.text() == "auto"
}

fn shareable(kind: Kind) -> Result<(), String> {
    if wanted() {
        return match kind {
            Kind::Device => Ok(()),
            Kind::Managed => Err("managed memory has no handle for other processes".into()),
            Kind::Pool => Err("memory of a stream-ordered pool (cudaMallocAsync) has no legacy handle".into()),
            Kind::Mapped => Err("a virtual mapping (cuMemCreate, expandable segments) has no legacy handle".into()),
            Kind::Host | Kind::Pinned => Err("it is host memory".into()),
        };
    }
    Err(format!("{} is off", knob::GPU_IPC.name))
}

fn refused(what: &str, code: u32) -> Result<(), String> {
    if code == 0 { Ok(()) } else { Err(format!("{what} failed: {}", driver::name_of(code))) }
}

fn new_handle(base: Address) -> Result<[u8; 64], String> {
    let mut handle = IpcHandle([0; 64]);
    // SAFETY: writes the handle.
    refused("cuIpcGetMemHandle", unsafe { (driver().ipc_export)(&mut handle, base) })?;
    Ok(handle.0)
}

impl Exports {
    /// The allocation that an address lies in, if it was exported before.
    fn known(&self, at: Address, buffer: u64) -> Option<Known> {
        let holds = |k: &Known| (k.base..k.base + k.size as u64).contains(&at) && k.buffer == buffer;
        self.known.iter().find(|k| holds(k) && !freed::is_ours_gone(k.mark)).copied()
    }

    /// A new handle, and where the end of the allocation will be said.
    #[cold]
    fn make(&mut self, context: &'static Context, at: Address, buffer: u64) -> Result<Known, String> {
        let _entered = context.enter().map_err(|e| e.text().to_owned())?;
        let (mut base, mut size) = (0, 0);
        // SAFETY: writes the two.
        refused("cuMemGetAddressRange", unsafe { (driver().address_range)(&mut base, &mut size, at) })?;
        let handle = new_handle(base)?;
        // Whatever lay here before is gone.
        let lies_apart = |k: &Known| k.base + k.size as u64 <= base || k.base >= base + size as u64;
        self.known.retain(|k| lies_apart(k) && !freed::is_ours_gone(k.mark));
        if self.known.len() == EXPORTS {
            self.known.remove(0);
        }
        let known = Known { base, size, buffer, handle, mark: freed::watch(base, buffer) };
        self.known.push(known);
        Ok(known)
    }

    /// Handle and contents of the probe, made at the first export. Not by the default stream, which waits for the program's.
    fn probe(&mut self, context: &'static Context) -> Result<([u8; 64], u64), String> {
        if let Some(probe) = self.probe {
            return Ok(probe);
        }
        let text = |e: crate::object::error::Error| e.text().to_owned();
        let entered = context.enter().map_err(text)?;
        let (mut at, nonce) = (0, nonce());
        // SAFETY: writes the address.
        refused("cuMemAlloc", unsafe { (driver().mem_alloc)(&mut at, PROBE) })?;
        let handle = new_handle(at)?;
        drop(entered);
        let mut bounce = crate::device::staging::take_small(context).map_err(text)?;
        bounce.bytes()[..8].copy_from_slice(&nonce.to_ne_bytes());
        // SAFETY: the probe and the bounce hold 8 bytes, and this waits for the copy: nobody hears of the probe before.
        unsafe { super::copy::plain(context, bounce.at(), at as *mut u8, 8) }.and_then(|mut copy| copy.wait()).map_err(text)?;
        self.probe = Some((handle, nonce));
        Ok((handle, nonce))
    }
}

fn nonce() -> u64 {
    let mut nonce = 0u64;
    // SAFETY: writes 8 bytes.
    unsafe { libc::getrandom((&raw mut nonce).cast(), 8, 0) };
    nonce ^ u64::from(std::process::id()) << 32 | 1
}

/// Maps an exported allocation, or finds it mapped: the address of what was exported, and the slot to give back.
pub fn import(context: &'static Context, process: u32, export: &Export) -> Result<(Address, u64), String> {
    let mut imports = context.imports.lock();
    imports.clock += 1;
    if let Some(open) = imports.find(process, export) {
        return Ok(open);
    }
    closing::has_room(process)?;
    let _entered = context.enter().map_err(|e| e.text().to_owned())?;
    imports.try_probe(context, process, export)?;
    imports.give_up_overlapped(context, process, export);
    imports.make_room(context);
    let at = open_handle(export.handle)?;
    trace::chose("device handles", "opened", export.size);
    freed::has_mapped(process, export.mark);
    Ok(imports.keep(process, export, at))
}

fn open_handle(handle: [u8; 64]) -> Result<Address, String> {
    let mut at = 0;
    // SAFETY: writes the address.
    refused("cuIpcOpenMemHandle", unsafe { (driver().ipc_open)(&mut at, IpcHandle(handle), LAZY_PEER_ACCESS) })?;
    Ok(at)
}

impl Imports {
    fn find(&mut self, process: u32, export: &Export) -> Option<(Address, u64)> {
        let fits = |o: &Open| !o.stale && o.process == process && o.base == export.base && o.buffer == export.buffer;
        let open = self.open.iter_mut().find(|o| fits(o) && o.device == export.device)?;
        open.users += 1;
        Some((open.at + export.offset, open.slot))
    }

    fn keep(&mut self, process: u32, export: &Export, at: Address) -> (Address, u64) {
        let slot = self.clock;
        let Export { base, size, buffer, device, mark, .. } = *export;
        self.open.push(Open { slot, process, device, base, size, buffer, mark, at, users: 1, stale: false });
        (at + export.offset, slot)
    }

    /// Once for a process and a device: can its handles be opened here, and do they lead where its owner means?
    fn try_probe(&mut self, context: &'static Context, process: u32, export: &Export) -> Result<(), String> {
        let known = self.tried.iter().find(|(p, device, _)| *p == process && *device == export.device);
        if let Some((_, _, outcome)) = known {
            return outcome.clone().map_or(Ok(()), Err);
        }
        let outcome = probe(context, export).err();
        self.tried.push((process, export.device, outcome.clone()));
        outcome.map_or(Ok(()), Err)
    }

    /// Gives up what was mapped where the owner has another allocation now.
    fn give_up_overlapped(&mut self, context: &'static Context, process: u32, export: &Export) {
        let (low, high) = (export.base, export.base + export.size);
        for open in self.open.iter_mut().filter(|o| o.process == process && o.device == export.device) {
            open.stale |= open.base < high && low < open.base + open.size;
        }
        self.sweep(context);
    }

    /// Gives up mappings whose owners say that they have freed the memory, but leaves calls room to close theirs. Whether any was given up,
    /// and whether any is left.
    fn give_up_freed(&mut self, context: &'static Context) -> (bool, bool) {
        let mut given = false;
        let may_go = |open: &&mut Open| open.is_freed() && (open.users > 0 || closing::has_room_to_spare(open.process));
        while let Some(open) = self.open.iter_mut().find(may_go) {
            trace::chose("device handles", "closed: freed by the owner", open.size);
            (open.stale, given) = (true, true);
            self.sweep(context);
        }
        (given, self.open.iter().any(Open::is_freed))
    }

    /// Gives up any that is not in use, by chance: whichever rule took the oldest would always take what a program needs next that
    /// goes round one buffer more than are kept, and whichever took the newest would keep what it is done with.
    fn make_room(&mut self, context: &'static Context) {
        while self.open.len() >= knob::GPU_IMPORTS.number() as usize {
            let mut idle: Vec<&mut Open> = self.open.iter_mut().filter(|o| o.users == 0).collect();
            let count = idle.len() as u64;
            if count == 0 {
                break;
            }
            idle[(scatter(self.clock) % count) as usize].stale = true;
            self.sweep(context);
        }
    }

    /// What is stale and unused is closed soon.
    fn sweep(&mut self, context: &'static Context) {
        self.open.retain(|open| {
            let close = open.stale && open.users == 0;
            if close {
                closing::close(context, open.process, open.at);
            }
            !close
        });
    }
}

impl Open {
    /// Whether its owner has freed it, and it was not given up yet.
    fn is_freed(&self) -> bool {
        !self.stale && freed::is_gone(self.process, self.mark)
    }
}

/// Gives up mappings whose owners have freed the memory: whether there were any, and whether some are left for later.
pub fn give_up_freed() -> (bool, bool) {
    let each = Context::all().into_iter().map(|context| context.imports.lock().give_up_freed(context));
    each.fold((false, false), |all, one| (all.0 | one.0, all.1 | one.1))
}

/// A number that looks like chance, the same for the same `count` (the last steps of SplitMix64).
fn scatter(count: u64) -> u64 {
    let mixed = count.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// An import is no longer used.
pub fn unpin(context: &'static Context, slot: u64) {
    let mut imports = context.imports.lock();
    let Some(open) = imports.open.iter_mut().find(|open| open.slot == slot) else { return };
    open.users -= 1;
    if open.stale && open.users == 0 {
        imports.sweep(context);
    }
}

/// Reads the nonce through the probe's handle. The only place where progress waits for a device, once a pair of processes. The mapping
/// stays: closing could wait for other work, and the owner keeps the probe as long as it lives.
fn probe(context: &'static Context, export: &Export) -> Result<(), String> {
    let at = open_handle(export.probe)?;
    let mut bounce = crate::device::staging::take_small(context).map_err(|e| e.text().to_owned())?;
    // SAFETY: the probe and the bounce hold 8 bytes, and this waits for the copy.
    let copied = unsafe { super::copy::plain(context, at as *const u8, bounce.at(), 8) }.and_then(|mut copy| copy.wait());
    copied.map_err(|e| e.text().to_owned())?;
    let found = bounce.bytes()[..8].try_into().map_or(0, u64::from_ne_bytes);
    if found == export.nonce { Ok(()) } else { Err("the handle leads to other memory than its owner's".into()) }
}
