// SPDX-License-Identifier: MIT OR Apache-2.0
//! Allocations: the table of them, and device memory of `cuMemAlloc`. Small allocations share a block of 2 MiB, so that an
//! offset that is forgotten between a handle and a pointer is noticed.

use crate::address::{self, GRAIN, Span};
use crate::backing::{Backing, Mapping};
use crate::board::{self, Slot};
use crate::call::{self, Out, driver};
use crate::code::{self, Result, fatal};
use crate::{context, host, setting};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, OnceLock, RwLock, Weak};

/// What an allocation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `cuMemAlloc`.
    Device,
    /// Of a pool: its handle and its handle types.
    Pool(u64, u32),
    /// A mapping of `cuMemMap`: the handle types of its physical memory.
    Mapped(u32),
    /// `cuMemAllocManaged`.
    Managed,
    /// Memory of another process: its id.
    Imported(u32),
}

/// An allocation, or a mapping that is like one.
pub struct Range {
    /// The first address.
    pub base: u64,
    /// Bytes that were asked for.
    pub bytes: usize,
    /// What it is.
    pub kind: Kind,
    /// The `CUdevice` it is on.
    pub device: i32,
    /// The context it belongs to, 0 if none.
    pub context: u64,
    /// The buffer id: no two allocations of the process have the same.
    pub id: u64,
    /// Whether copies of it are fully synchronous.
    pub sync_memops: AtomicBool,
    /// False until it is there in stream order.
    pub ready: AtomicBool,
    /// For a `cuMemMap`: whether access has been set.
    pub accessible: AtomicBool,
    freed: AtomicBool,
    export: OnceLock<Slot>,
    home: Home,
}

/// What holds the addresses of an allocation. They are given back when it is dropped: after the last operation on them.
pub enum Home {
    /// Its own addresses.
    Own(Mapping, Span),
    /// Addresses that somebody else has reserved.
    Lent(Mapping),
    /// A part of a block: where in it.
    Part(Arc<Block>, usize),
}

/// Two MiB of small allocations of one context.
pub struct Block {
    mapping: Mapping,
    context: u64,
    used: Mutex<BTreeMap<usize, usize>>,
    _span: Span,
}

static TABLE: RwLock<BTreeMap<u64, Arc<Range>>> = RwLock::new(BTreeMap::new());
/// Memory that this process has freed and others may still map: until the last mapping is closed it stays allocated.
struct Held {
    slot: Slot,
    device: i32,
    bytes: usize,
}

static HELD: Mutex<Vec<Held>> = Mutex::new(Vec::new());
static BLOCKS: Mutex<Vec<Weak<Block>>> = Mutex::new(Vec::new());

/// Small allocations start at multiples of this.
const UNIT: usize = 512;

impl Range {
    /// A new allocation in the table; not ready means that a stream will say when it is.
    pub fn new(home: Home, bytes: usize, kind: Kind, device: i32, context: u64, ready: bool) -> Arc<Range> {
        Range::insert(home, 0, bytes, kind, device, context, ready)
    }

    /// The same, from `inside` bytes after the start of its addresses.
    pub fn inside(home: Home, inside: usize, bytes: usize, kind: Kind, device: i32, context: u64) -> Arc<Range> {
        Range::insert(home, inside, bytes, kind, device, context, true)
    }

    fn insert(home: Home, inside: usize, bytes: usize, kind: Kind, device: i32, context: u64, ready: bool) -> Arc<Range> {
        static IDS: AtomicU64 = AtomicU64::new(1);
        let base = inside as u64
            + match &home {
                Home::Own(mapping, _) | Home::Lent(mapping) => mapping.base,
                Home::Part(block, at) => block.mapping.base + *at as u64,
            };
        let range = Arc::new(Range {
            base,
            bytes,
            kind,
            device,
            context,
            id: IDS.fetch_add(1, SeqCst),
            sync_memops: AtomicBool::new(false),
            ready: AtomicBool::new(ready),
            accessible: AtomicBool::new(!matches!(kind, Kind::Mapped(_))),
            freed: AtomicBool::new(false),
            export: OnceLock::new(),
            home,
        });
        TABLE.write().unwrap().insert(base, range.clone());
        range
    }

    /// The address after its last.
    pub fn end(&self) -> u64 {
        self.base + self.bytes as u64
    }

    /// The memory behind it, and from where in that.
    pub fn backing(&self) -> (&Arc<Backing>, usize) {
        match &self.home {
            Home::Own(mapping, _) | Home::Lent(mapping) => (&mapping.backing, mapping.offset),
            Home::Part(block, at) => (&block.mapping.backing, *at),
        }
    }

    /// Its word on the board: for an import the owner's, else one that is made at the first export.
    pub fn slot(&self) -> Slot {
        *self.export.get_or_init(board::fresh)
    }

    /// Tells an import which word of its owner's board says that it has been freed, and counts it there.
    pub fn watch(&self, slot: Slot) {
        let _ = self.export.set(slot);
        slot.map();
    }

    /// Takes it out of the table and marks it as freed.
    pub fn free(&self) {
        TABLE.write().unwrap().remove(&self.base);
        let before = self.freed.swap(true, SeqCst);
        let Some(slot) = self.export.get().filter(|_| !before) else { return };
        match self.kind {
            Kind::Imported(_) => slot.unmap(),
            _ => {
                slot.free();
                HELD.lock().unwrap().push(Held { slot: *slot, device: self.device, bytes: self.bytes });
            }
        }
    }

    /// Ends the process unless an operation may touch it now.
    pub fn check(&self, who: &str) {
        let at = self.base;
        if self.freed.load(SeqCst) {
            fatal(&format!("{who} ran after the memory at {at:#x} had been freed"));
        }
        if !self.ready.load(SeqCst) {
            fatal(&format!("{who} ran before the stream-ordered allocation at {at:#x}, on another stream"));
        }
        if !self.accessible.load(SeqCst) {
            fatal(&format!("{who} touches the mapping at {at:#x}, whose access was not set"));
        }
        if let Kind::Imported(owner) = self.kind {
            self.check_owner(who, owner);
        }
    }

    fn check_owner(&self, who: &str, owner: u32) {
        if call::is_void() {
            return;
        }
        if self.slot().freed() {
            fatal(&format!("{who} touches memory at {:#x} that its owner, process {owner}, has freed", self.base));
        }
        // SAFETY: signal 0 only asks whether the process exists.
        if unsafe { libc::kill(owner as i32, 0) } != 0 {
            fatal(&format!("{who} touches memory at {:#x} whose owner, process {owner}, has ended", self.base));
        }
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        if let Home::Part(block, at) = &self.home {
            block.used.lock().unwrap().remove(at);
        }
    }
}

/// The allocation that contains `address`.
pub fn find(address: u64) -> Option<Arc<Range>> {
    let table = TABLE.read().unwrap();
    let (_, range) = table.range(..=address).next_back()?;
    (address < range.end()).then(|| range.clone())
}

/// Bytes of `device` that this process holds: its allocations, those that it has freed and others still map, and those of others that
/// it still maps after they have been freed.
pub fn used(device: i32) -> usize {
    let mut mapped = HELD.lock().unwrap();
    mapped.retain(|held| held.slot.is_mapped());
    let elsewhere: usize = mapped.iter().filter(|held| held.device == device).map(|held| held.bytes.next_multiple_of(UNIT)).sum();
    drop(mapped);
    let table = TABLE.read().unwrap();
    let held = |range: &Range| !matches!(range.kind, Kind::Imported(_)) || range.export.get().is_some_and(Slot::freed);
    let held = table.values().filter(|range| range.device == device && held(range));
    elsewhere + held.map(|range| range.bytes.next_multiple_of(UNIT)).sum::<usize>()
}

/// Frees everything that belongs to a context.
pub fn forget(context: u64) {
    let table = TABLE.read().unwrap();
    let gone: Vec<_> = table.values().filter(|range| range.context == context).cloned().collect();
    drop(table);
    gone.iter().for_each(|range| range.free());
}

/// What an operation touches.
pub struct Target {
    /// Where the simulator finds it.
    pub at: *mut u8,
    /// The allocations it lies in; none for memory of the host.
    pub ranges: Vec<Arc<Range>>,
    /// For memory of the host: whether it is pinned.
    pub pinned: bool,
}

// SAFETY: the pointer is used by the one operation that owns the target.
unsafe impl Send for Target {}

impl Target {
    /// Whether it is device memory.
    pub fn is_device(&self) -> bool {
        !self.ranges.is_empty()
    }

    /// Ends the process unless the operation may touch it now.
    pub fn check(&self, who: &str) {
        self.ranges.iter().for_each(|range| range.check(who));
    }
}

/// Looks up `bytes` at `address` for the operation `who`; ends the process where they are not all allocated.
pub fn target(who: &str, address: u64, bytes: usize) -> Target {
    if !address::is_device(address) {
        return Target { at: address as *mut u8, ranges: Vec::new(), pinned: host::is_pinned(address, bytes) };
    }
    let (mut ranges, mut next) = (Vec::new(), address);
    while next < address + bytes.max(1) as u64 {
        let Some(range) = find(next) else { nothing(who, address, bytes, next) };
        next = range.end();
        // Two allocations that happen to be neighbours are not one buffer; two mappings are.
        if next < address + bytes as u64 && !matches!(range.kind, Kind::Mapped(_)) {
            nothing(who, address, bytes, next);
        }
        ranges.push(range);
    }
    Target { at: address::shadow(address), ranges, pinned: false }
}

fn nothing(who: &str, address: u64, bytes: usize, at: u64) -> ! {
    if at == address {
        fatal(&format!("{who} touches device address {address:#x}, which is not allocated (any more)"));
    }
    fatal(&format!("{who} touches {bytes} bytes at {address:#x}, past the end of the allocation at {at:#x}"));
}

/// Fresh memory at its own addresses.
pub fn own(bytes: usize, managed: bool) -> Result<Home> {
    let span = address::reserve(bytes, GRAIN).ok_or(code::OUT_OF_MEMORY)?;
    let backing = Backing::new(span.bytes)?;
    let mapping = Mapping::new(span.base, span.bytes, backing, 0, managed)?;
    dirty(address::shadow(span.base), bytes);
    Ok(Home::Own(mapping, span))
}

/// Fresh memory is not zero; a large piece only at its start, to be quick.
fn dirty(at: *mut u8, bytes: usize) {
    // SAFETY: the caller has just mapped `bytes` bytes there.
    unsafe { at.write_bytes(0xCD, bytes.min(1 << 20)) };
}

/// Room in a block of small allocations.
fn part(bytes: usize, context: u64) -> Result<Home> {
    let mut blocks = BLOCKS.lock().unwrap();
    blocks.retain(|block| block.strong_count() > 0);
    for block in blocks.iter().filter_map(Weak::upgrade).filter(|block| block.context == context) {
        if let Some(at) = block.take(bytes) {
            return Ok(Home::Part(block, at));
        }
    }
    let Home::Own(mapping, span) = own(GRAIN, false)? else { unreachable!("own memory") };
    let block = Arc::new(Block { mapping, context, used: Mutex::default(), _span: span });
    let at = block.take(bytes).ok_or(code::OUT_OF_MEMORY)?;
    blocks.push(Arc::downgrade(&block));
    Ok(Home::Part(block, at))
}

impl Block {
    /// The lowest free place for `bytes`.
    fn take(&self, bytes: usize) -> Option<usize> {
        let bytes = bytes.next_multiple_of(UNIT);
        let mut used = self.used.lock().unwrap();
        let mut at = 0;
        for (start, length) in used.iter() {
            if at + bytes <= *start {
                break;
            }
            at = start + length;
        }
        (at + bytes <= GRAIN).then(|| {
            used.insert(at, bytes);
            dirty(address::shadow(self.mapping.base + at as u64), bytes);
            at
        })
    }
}

/// Whether the device has room for `bytes` more.
pub fn fits(device: i32, bytes: usize) -> Result {
    let room = setting::get().memory.saturating_sub(used(device));
    if bytes <= room { Ok(()) } else { Err(code::OUT_OF_MEMORY) }
}

driver! {
    /// Allocates device memory.
    fn cuMemAlloc_v2(out: Out<u64>, bytes: usize) {
        let context = context::current()?;
        if bytes == 0 {
            return Err(code::INVALID_VALUE);
        }
        fits(context.device, bytes)?;
        let home = if bytes <= GRAIN / 2 { part(bytes, context.handle)? } else { own(bytes, false)? };
        out.put(Range::new(home, bytes, Kind::Device, context.device, context.handle, true).base)
    }

    /// Allocates rows of device memory whose distance suits the device.
    fn cuMemAllocPitch_v2(out: Out<u64>, pitch: Out<usize>, width: usize, height: usize, _element: u32) {
        let context = context::current()?;
        let row = width.next_multiple_of(UNIT);
        if row * height == 0 {
            return Err(code::INVALID_VALUE);
        }
        fits(context.device, row * height)?;
        pitch.put(row)?;
        out.put(Range::new(own(row * height, false)?, row * height, Kind::Device, context.device, context.handle, true).base)
    }

    /// Frees device memory of any kind, after all work of its context.
    fn cuMemFree_v2(address: u64) {
        if address == 0 {
            return Ok(());
        }
        let current = context::current()?;
        let range = find(address).filter(|range| range.base == address).ok_or(code::INVALID_VALUE)?;
        if matches!(range.kind, Kind::Imported(_) | Kind::Mapped(_)) {
            return Err(code::INVALID_VALUE);
        }
        context::find(range.context).unwrap_or(current).synchronize();
        range.free();
        Ok(())
    }

    /// The allocation around an address. Managed memory has none.
    fn cuMemGetAddressRange_v2(base: Out<u64>, bytes: Out<usize>, address: u64) {
        context::current()?;
        let range = find(address).ok_or(code::NOT_FOUND)?;
        if range.kind == Kind::Managed {
            return Err(code::INVALID_VALUE);
        }
        base.put_if_wanted(range.base);
        bytes.put_if_wanted(range.bytes);
        Ok(())
    }
}
