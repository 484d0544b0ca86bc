// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where memory lives and who works on it. Protocols and algorithms see the two traits here and know no CUDA.
//!
//! | file | what |
//! |---|---|
//! | [`watch`] | notices, cheaply, that the program has loaded CUDA; until then nothing here costs anything |
//! | [`host`] | memory that the CPU reads, and the CPU |
//! | [`cuda`] | memory of NVIDIA GPUs, and the GPUs |
//! | [`board`] | where processes read that device memory of others has been freed |
//! | [`pending`] | work that a device has been given |
//! | [`staging`] | pinned host memory through which bytes go in and out |
//! | [`scratch`] | device memory of our own, kept for the next call |
//! | [`strided`] | regular and irregular blocks, the unit of packing on a device |

pub mod board;
pub mod cuda;
pub mod host;
pub mod pending;
pub mod scratch;
pub mod staging;
pub mod strided;
pub mod watch;

use crate::object::datatype::Datatype;
use crate::object::error::Result;
use crate::object::op::Op;

use board::Mark;
pub use pending::Pending;
use strided::Blocks;

/// What kind of memory an address names. Only the first two may be read by the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Host,
    /// Host memory that a device reaches directly (page-locked).
    Pinned,
    /// Migrates between host and device; here it is treated as the device's.
    Managed,
    Device,
    /// Stream-ordered allocation out of a memory pool.
    Pool,
    /// A virtual mapping of physical handles.
    Mapped,
}

impl Kind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Host => "host",
            Kind::Pinned => "pinned",
            Kind::Managed => "managed",
            Kind::Device => "device",
            Kind::Pool => "pool",
            Kind::Mapped => "mapped",
        }
    }
}

/// The device that an address belongs to.
#[derive(Clone, Copy)]
pub struct Home {
    /// What kind of memory it is.
    pub kind: Kind,
    /// Moves its bytes.
    pub memory: &'static dyn Memory,
    /// Computes on them.
    pub exec: &'static dyn Exec,
    /// Tells allocations at one address apart, where the driver does.
    pub buffer: u64,
    /// What the program has given the default stream before the operation is known to be complete, and need not be asked for.
    pub is_settled: bool,
}

impl Home {
    /// Whether both are memory of one device, in one context.
    pub fn is_same(&self, other: &Home) -> bool {
        self.memory.number() == other.memory.number()
    }

    /// The same for an operation that begins now, and will have many messages.
    pub fn beginning(self) -> Home {
        let is_settled = self.memory.settled().and_then(|mut pending| pending.done()).unwrap_or(false);
        Home { is_settled, ..self }
    }

    /// As [`Memory::fence`], for the program's work with this memory.
    pub fn fence(&self) -> Result<()> {
        if self.is_settled { Ok(()) } else { self.memory.fence() }
    }

    /// As [`Memory::settled`], for the program's work with this memory.
    pub fn settled(&self) -> Result<Pending> {
        if self.is_settled { Ok(Pending::DONE) } else { self.memory.settled() }
    }

    /// What another process needs to reach `at`, which is this memory; an error's text is the reason why it cannot.
    pub fn export(&self, at: *const u8) -> std::result::Result<Export, String> {
        self.memory.export(at, self.kind, self.buffer)
    }

    /// Whether messages of this memory go through the host, as far as it was tried.
    pub fn is_staged(&self) -> bool {
        self.kind != Kind::Device || !self.memory.shares()
    }
}

/// What another process needs to reach an allocation of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Export {
    /// The driver's handle of the allocation.
    pub handle: [u8; 64],
    /// Where the allocation starts in its owner, and its size.
    pub base: u64,
    #[allow(missing_docs)]
    pub size: u64,
    /// Tells allocations at one address apart.
    pub buffer: u64,
    /// Bytes from the allocation's start to the address meant.
    pub offset: u64,
    /// Which device it lies on.
    pub device: [u8; 16],
    /// A small allocation of the owner that holds `nonce`, by which an importer finds out whether handles work.
    pub probe: [u8; 64],
    #[allow(missing_docs)]
    pub nonce: u64,
    /// Where its owner will say that it is gone.
    pub mark: Mark,
}

impl Export {
    /// Leads nowhere: the address is of this process.
    pub const NONE: Export = Export {
        handle: [0; 64],
        base: 0,
        size: 0,
        buffer: 0,
        offset: 0,
        device: [0; 16],
        probe: [0; 64],
        nonce: 0,
        mark: Mark::NONE,
    };
}

/// Another process's allocation, mapped here while this lives. (The mapping itself is kept for the next time.)
pub struct Import {
    /// Address, in this process, of the address that was exported.
    pub at: *const u8,
    memory: &'static dyn Memory,
    slot: u64,
}

// SAFETY: an address that only devices dereference, and a shared handle.
unsafe impl Send for Import {}

impl Drop for Import {
    fn drop(&mut self) {
        self.memory.unpin(self.slot);
    }
}

/// Memory of one device, and the copies in, out and within it. Copies run in the device's own time; addresses may be of this
/// memory, imported, of a device that it reaches, or pinned host memory.
pub trait Memory: Sync {
    /// Tells memories apart; 0 is the host.
    fn number(&self) -> usize;
    /// Tells devices apart, the same number in every process; 0 is the host, or a device that has failed.
    fn device(&self) -> u64;
    /// Makes everything started from now on wait for what the program has given the device's default stream so far.
    fn fence(&'static self) -> Result<()>;
    /// Complete when what the program has given the default stream so far is.
    fn settled(&'static self) -> Result<Pending>;
    /// Copies bytes.
    ///
    /// # Safety
    /// Both stretches must stay valid until the work is complete; they do not overlap.
    unsafe fn copy(&'static self, from: *const u8, to: *mut u8, len: usize) -> Result<Pending>;
    /// Copies the blocks at `base` to consecutive bytes at `to`.
    ///
    /// # Safety
    /// As for [`Memory::copy`].
    unsafe fn gather(&'static self, base: *const u8, blocks: &Blocks, to: *mut u8) -> Result<Pending>;
    /// The other way.
    ///
    /// # Safety
    /// As for [`Memory::copy`].
    unsafe fn scatter(&'static self, from: *const u8, blocks: &Blocks, base: *mut u8) -> Result<Pending>;
    /// New memory of the device.
    fn allocate(&self, bytes: usize) -> Result<*mut u8>;
    /// Gives it back.
    ///
    /// # Safety
    /// Nothing may use it any more.
    unsafe fn free(&self, at: *mut u8);
    /// New pinned host memory.
    fn allocate_pinned(&self, bytes: usize) -> Result<*mut u8>;
    /// Gives it back.
    ///
    /// # Safety
    /// Nothing may use it any more.
    unsafe fn free_pinned(&self, at: *mut u8);
    /// As [`Home::export`].
    fn export(&'static self, at: *const u8, kind: Kind, buffer: u64) -> std::result::Result<Export, String>;
    /// Whether processes reach each other's allocations, as far as this one has tried.
    fn shares(&self) -> bool;
    /// Maps what process `process` has exported; an error's text is the reason why it cannot.
    fn import(&'static self, process: u32, export: &Export) -> std::result::Result<Import, String>;
    /// An import is no longer used.
    fn unpin(&'static self, slot: u64);
}

/// Inputs that are combined at once, and places that get the result.
pub const MOST_INPUTS: usize = 8;

/// Reductions on one device.
pub trait Exec: Sync {
    /// Whether there is a kernel for an operation on a type.
    fn has(&self, op: &Op, datatype: &Datatype) -> bool;
    /// `outs[j][i] = inputs[0][i] op inputs[1][i] op …` for all `j` and elements of a predefined type, with the bits of
    /// [`Op::combine_many`] (but for those of a NaN), after what it was told to combine before; `None` when there is no kernel for it.
    ///
    /// # Safety
    /// All must be memory that this device reaches, with `count` elements, valid until the work is complete; two inputs up to
    /// [`MOST_INPUTS`], and one place up to as many. A place may be one of the inputs, and touches no other.
    unsafe fn combine(
        &'static self,
        op: &Op,
        datatype: &Datatype,
        count: usize,
        inputs: &[*const u8],
        outs: &[*mut u8],
    ) -> Option<Result<Pending>>;
}

/// The device that `at` belongs to; `None` for memory that the CPU reads. Costs a few loads as long as the program has not loaded CUDA.
#[inline]
pub fn home(at: *const u8) -> Option<Home> {
    if watch::may_be_foreign(at as usize) { cuda::home(at) } else { None }
}

/// Whether typed elements at `base` may lie in several memories: absolute addresses once the program has loaded CUDA; others are of
/// one buffer, and whoever makes a type of distances between buffers is served, too.
#[inline]
pub fn may_mix(base: *const u8) -> bool {
    if base.is_null() { watch::is_on() } else { watch::was_on() }
}

/// A device of this process that reaches memory which another one has exported, when the buffer here is on the host.
pub fn importer(device: &[u8; 16]) -> Option<&'static dyn Memory> {
    cuda::importer(device)
}

/// Whether the program has loaded CUDA.
pub fn loaded() -> bool {
    watch::look_now()
}

/// Whether device buffers may be passed: CUDA is in this process and works, or it is not loaded yet and this machine has a driver.
pub fn supported() -> bool {
    if loaded() { cuda::works() } else { cuda::expected() }
}

/// Whether devices have a kernel for an operation on a type.
pub fn has_kernel(op: &Op, datatype: &Datatype) -> bool {
    cuda::module::has(op, datatype)
}

/// The process leaves its job: what devices still do for the library ends, or is left to itself after a second for each of its threads.
pub fn leave() {
    cuda::freed::end(cuda::closing::PATIENCE);
    cuda::closing::end(cuda::closing::PATIENCE);
}

/// For the report: why no buffer was a device's, where that is so.
pub fn conclude() {
    loaded();
    cuda::conclude();
}

/// The kinds of memory that buffers may be in, as the info key `mpi_memory_alloc_kinds` says them (MPI 5.0, section 12.4.3).
pub fn alloc_kinds() -> &'static str {
    if supported() { "system,mpi,cuda:host,cuda:device,cuda:managed" } else { "system,mpi" }
}
