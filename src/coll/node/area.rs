// SPDX-License-Identifier: MIT OR Apache-2.0
//! The area of a communicator in the shared segment: a desk a rank, written only by its owner (but for notes, see [`super::note`]).
//!
//! Every operation takes the next sequence number, the same on all ranks. What a rank posts for operation `s` goes to its
//! slot `s % SLOTS`: up to 48 bytes ride in the cache line of the number itself, so a small message is one line from core
//! to core. A slot is reused once every rank is known to be past the operation that used it last: ranks say so lazily in
//! their own line (`done`), and posting in operation `s` says it too, for all before `s`. So a rank that only posts (the root of
//! small broadcasts) runs ahead without a word from the others.

use std::cell::UnsafeCell;
use std::fmt::{self, Display, Formatter};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::*};

use super::call::{CLOSED, Call, FAILED, REFUSED};
use super::mates::Mates;
use crate::coll::refusal;
use crate::coll::registry::Collective;
use crate::coll::schedule::Ground;
use crate::object::error::{Error, Result};
use crate::transport::shm::Share;

/// Operations a rank can be ahead of the slowest when what it posts fits a line.
pub const SLOTS: u64 = 64;
/// Bytes that fit beside the sequence number.
pub const INLINE: usize = 48;
/// The same for larger posts.
pub const SHEETS: u64 = 16;
/// Bytes of a larger post.
pub const SHEET: usize = 8192;
/// The same for broad posts, which let a root run ahead where waiting for the readers would cost switches.
pub const BROADS: u64 = 4;
/// Bytes of a broad post.
pub const BROAD: usize = 256 << 10;
/// Says that a number is one.
const NUMBER: u64 = 1 << 32;
/// Ranks beyond which "everyone reads everyone" is no longer a good idea.
pub const MOST_RANKS: usize = 32;

#[repr(C, align(64))]
struct Slot {
    word: AtomicU64,
    bytes: AtomicU64,
    line: UnsafeCell<[u8; INLINE]>,
}

#[repr(C, align(64))]
struct Flags {
    done: AtomicU64,
    stage: AtomicU64,
    help: AtomicU64,
    /// The nonblocking collective that the rank waited for last, with [`NUMBER`]; 0: none yet.
    awaited: AtomicU64,
}

/// What a rank remembers between operations; nobody else looks, but for what is said otherwise.
#[repr(C, align(64))]
struct Memory {
    sequence: AtomicU64,
    /// What the others can know of my progress.
    published: AtomicU64,
    /// Every rank is known to be past this operation.
    floor: AtomicU64,
    /// Whether large calls read the other ranks' memory: what rank 0 said, the same for all.
    reads: AtomicBool,
    /// Most bytes that a root posts: what rank 0 said.
    letter: AtomicUsize,
    /// The device of this rank's last large call, for its mates to see.
    device: AtomicU64,
    /// What the ranks agreed on in their last large call, a [`Ground`].
    ground: AtomicU8,
    /// The operation that goes on as a schedule; 0: none.
    leaving: AtomicU64,
    /// How many calls of this rank were refused in an operation, below its number, for its mates to see: kept as long as its slot.
    refused: [AtomicU64; SLOTS as usize],
}

#[repr(C, align(4096))]
struct Sheet(UnsafeCell<[u8; SHEET]>);

#[repr(C, align(4096))]
struct Broad(UnsafeCell<[u8; BROAD]>);

/// One rank's part of an area.
#[repr(C, align(4096))]
pub struct Desk {
    slots: [Slot; SLOTS as usize],
    flags: Flags,
    /// How far a large message to this rank has come.
    share: Share,
    memory: Memory,
    sheets: [Sheet; SHEETS as usize],
    broads: [Broad; BROADS as usize],
}

impl Desk {
    #[inline]
    fn slot(&self, sequence: u64) -> &Slot {
        &self.slots[(sequence % SLOTS) as usize]
    }

    /// Where a post of `len` bytes lies.
    #[inline]
    fn place(&self, sequence: u64, len: usize) -> *mut u8 {
        match depth(len) {
            SLOTS => self.slot(sequence).line.get().cast(),
            SHEETS => self.sheets[(sequence % SHEETS) as usize].0.get().cast(),
            _ => self.broads[(sequence % BROADS) as usize].0.get().cast(),
        }
    }
}

/// Bytes to reserve (zeroed, page-aligned) for a communicator of `size` ranks; 0 when it is too large for this folder.
pub(super) fn bytes(size: usize) -> usize {
    if (2..=MOST_RANKS).contains(&size) { size * size_of::<Desk>() } else { 0 }
}

/// How far ahead a post of `len` bytes lets its writer run.
#[inline]
pub fn depth(len: usize) -> u64 {
    if len <= INLINE {
        SLOTS
    } else if len <= SHEET {
        SHEETS
    } else {
        BROADS
    }
}

/// The desks of one communicator, seen from one rank.
pub struct Area<'a, M> {
    desks: *const Desk,
    /// The other ranks.
    pub mates: &'a M,
    /// My rank.
    pub rank: usize,
    /// How many ranks.
    pub size: usize,
    /// In the word of what is posted: [`FAILED`], [`REFUSED`] or nothing.
    mark: u64,
}

/// A rank that has not come to a call yet, in words.
struct Late<'a> {
    call: &'a Call,
    rank: usize,
}

impl Display for Late<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} for rank {}", self.call.kind.name(), self.rank)
    }
}

impl<'a, M: Mates> Area<'a, M> {
    /// # Safety
    /// `base` must be [`bytes`]`(size)` bytes shared by the ranks, zero at the start, used through areas only.
    pub unsafe fn new(base: *mut u8, mates: &'a M, rank: usize, size: usize) -> Area<'a, M> {
        Area { desks: base.cast_const().cast(), mates, rank, size, mark: 0 }
    }

    #[inline]
    fn memory(&self) -> &Memory {
        &self.desk(self.rank).memory
    }

    /// Whether large calls read the other ranks' memory.
    pub fn reads(&self) -> bool {
        self.memory().reads.load(Relaxed)
    }

    /// Most bytes that a root posts instead of waiting until it is read.
    #[inline]
    pub fn letter(&self) -> usize {
        self.memory().letter.load(Relaxed)
    }

    /// Says on which device my buffer lies.
    pub fn say_device(&self, device: u64) {
        self.memory().device.store(device, Relaxed);
    }

    /// The same area for a rank whose device has failed: whoever reads what it posts gets an error.
    pub fn failing(&self) -> Area<'a, M> {
        Area { mark: FAILED, ..*self }
    }

    /// The same area for a rank whose call was refused.
    pub(super) fn refusing(&self) -> Area<'a, M> {
        Area { mark: REFUSED, ..*self }
    }

    /// The number of the next operation.
    pub(super) fn next(&self) -> u64 {
        self.memory().sequence.load(Relaxed) + 1
    }

    /// How many calls of a rank were refused in an operation.
    pub(super) fn refusals(&self, rank: usize, sequence: u64) -> u64 {
        let counted = self.desk(rank).memory.refused[(sequence % SLOTS) as usize].load(Relaxed);
        if counted >> 16 == sequence { counted & 0xffff } else { 0 }
    }

    /// Counts one more; how many there are.
    pub(super) fn count_refusal(&self, sequence: u64) -> u64 {
        let count = (self.refusals(self.rank, sequence) + 1).min(0xffff);
        self.memory().refused[(sequence % SLOTS) as usize].store(sequence << 16 | count, Relaxed);
        count
    }

    /// The word that a rank has posted for an operation, 0 if none, and the bytes.
    pub(super) fn posted(&self, rank: usize, sequence: u64) -> (u64, u64) {
        let slot = self.desk(rank).slot(sequence);
        let word = slot.word.load(Acquire);
        if word as u32 == sequence as u32 { (word, slot.bytes.load(Relaxed)) } else { (0, 0) }
    }

    /// Puts another word in the place of one that a rank has posted, if it is still there.
    pub(super) fn repost(&self, rank: usize, sequence: u64, old: u64, new: u64) -> bool {
        self.desk(rank).slot(sequence).word.compare_exchange(old, new, AcqRel, Acquire).is_ok()
    }

    /// Says that the last operation goes on as a schedule.
    pub fn leave(&self) {
        let memory = self.memory();
        memory.leaving.store(memory.sequence.load(Relaxed), Relaxed);
    }

    /// The operation that was left as one, once.
    pub fn left(&self) -> Option<u64> {
        Some(self.memory().leaving.swap(0, Relaxed)).filter(|&sequence| sequence != 0)
    }

    /// Remembers what the ranks have agreed on.
    pub fn agreed(&self, ground: Ground) {
        self.memory().ground.store(ground as u8, Relaxed);
    }

    /// What they agreed on last, the same on every rank.
    pub fn last_ground(&self) -> Ground {
        let ground = self.memory().ground.load(Relaxed);
        Ground::ALL.into_iter().find(|known| *known as u8 == ground).unwrap_or_default()
    }

    /// Whether every rank has said the same device as I: for one rank to decide something by, for all.
    pub fn on_one_device(&self) -> bool {
        let device = |rank: usize| self.desk(rank).memory.device.load(Relaxed);
        device(self.rank) != 0 && self.others().all(|rank| device(rank) == device(self.rank))
    }

    /// Remembers what rank 0 said.
    pub fn set_ways(&self, reads: bool, letter: usize) {
        self.memory().reads.store(reads, Relaxed);
        self.memory().letter.store(letter.min(BROAD), Relaxed);
    }

    #[inline]
    fn desk(&self, rank: usize) -> &Desk {
        debug_assert!(rank < self.size);
        // SAFETY: `new` was promised `size` desks; all access to their changing parts is atomic or ordered by slots.
        unsafe { &*self.desks.add(rank) }
    }

    /// The ranks but me, beginning after me.
    pub fn others(&self) -> impl Iterator<Item = usize> + use<M> {
        let (rank, size) = (self.rank, self.size);
        (1..size).map(move |i| if rank + i < size { rank + i } else { rank + i - size })
    }

    /// Looks a little.
    #[inline]
    fn spin(&self, mut ready: impl FnMut() -> bool) -> bool {
        for _ in 0..self.mates.spins() {
            if ready() {
                return true;
            }
            std::hint::spin_loop();
        }
        false
    }

    /// Looks a little, then waits in earnest.
    #[inline]
    pub fn wait(&self, what: &str, mut ready: impl FnMut() -> bool) {
        if !self.spin(&mut ready) {
            self.mates.wait(what, ready);
        }
    }

    /// Begins the next operation; `depth` is the least that any rank posts with.
    #[inline]
    pub fn begin(&self, depth: u64) -> u64 {
        let sequence = self.memory().sequence.load(Relaxed) + 1;
        self.memory().sequence.store(sequence, Relaxed);
        self.publish(sequence - 1, depth);
        sequence
    }

    /// Ends an operation: this rank reads nothing of it any more.
    #[inline]
    pub fn end(&self, sequence: u64, depth: u64) {
        self.publish(sequence, depth);
    }

    /// Ends an operation in which every rank posted and read every post: all know that all are past the one before.
    #[inline]
    pub fn end_known(&self, sequence: u64) {
        self.memory().published.store(sequence - 1, Relaxed);
        self.memory().floor.store(sequence - 1, Relaxed);
    }

    #[inline]
    fn publish(&self, done: u64, depth: u64) {
        if done - self.memory().published.load(Relaxed) >= depth / 2 {
            self.tell(done);
        }
    }

    pub(super) fn tell(&self, done: u64) {
        self.memory().published.store(done, Relaxed);
        self.desk(self.rank).flags.done.store(done, Release);
        self.ring_all();
    }

    /// Wakes every rank that sleeps.
    #[inline]
    pub fn ring_all(&self) {
        self.others().for_each(|r| self.mates.ring(r));
    }

    /// Waits until my slot (or sheet) of this operation is read by all from its last use.
    #[inline]
    fn reuse(&self, sequence: u64, depth: u64) {
        let needed = sequence.saturating_sub(depth);
        if self.memory().floor.load(Relaxed) < needed {
            self.catch_up(needed);
        }
    }

    #[cold]
    fn catch_up(&self, needed: u64) {
        let mut floor = u64::MAX;
        for rank in self.others() {
            let done = &self.desk(rank).flags.done;
            self.wait("a collective before, which other ranks have not ended", || done.load(Acquire) >= needed);
            floor = floor.min(done.load(Acquire));
        }
        self.memory().floor.store(floor, Relaxed);
    }

    /// Posts `len` bytes, written by `fill`, for operation `sequence`. Wakes nobody.
    #[inline]
    pub fn post(&self, sequence: u64, call: &Call, len: usize, fill: impl FnOnce(*mut u8)) {
        debug_assert!(len <= BROAD);
        let desk = self.desk(self.rank);
        let slot = desk.slot(sequence);
        self.reuse(sequence, depth(len));
        fill(desk.place(sequence, len));
        slot.bytes.store(call.bytes, Relaxed);
        slot.word.store(call.word(sequence) | self.mark, Release);
    }

    /// What `rank` has posted for operation `sequence`, if it has: for those who can do without.
    ///
    /// # Errors
    /// The rank is in another call.
    #[inline]
    pub fn glance(&self, sequence: u64, rank: usize, call: &Call) -> Result<Option<Post<'_>>> {
        let desk = self.desk(rank);
        let slot = desk.slot(sequence);
        let word = slot.word.load(Acquire);
        if word as u32 != sequence as u32 {
            return Ok(None);
        }
        let bytes = slot.bytes.load(Relaxed);
        if word != call.word(sequence) || bytes != call.bytes {
            return self.differs(sequence, rank, call, (word, bytes)).map(|()| None);
        }
        Ok(Some(Post { desk, sequence }))
    }

    /// A post that is not this call's: nothing yet where it is the note of another refused call.
    #[cold]
    fn differs(&self, sequence: u64, rank: usize, call: &Call, (word, bytes): (u64, u64)) -> Result<()> {
        if word & REFUSED == 0 {
            return Err(call.mismatch(rank, word, bytes));
        }
        // In a broadcast ranks wait for the root, and it for them.
        let waits = call.kind != Collective::Bcast || [rank, self.rank].contains(&(call.root as usize));
        if !waits && word & CLOSED == 0 {
            return Ok(());
        }
        let closing = self.closes(rank, sequence, call.kind);
        closing.map_or(Ok(()), |code| Err(refusal::elsewhere(code, rank, &call.describe())))
    }

    /// By which a rank and its helper share a large message to that rank.
    pub fn share(&self, rank: usize) -> &Share {
        &self.desk(rank).share
    }

    /// Waits for what `rank` posts for operation `sequence`.
    ///
    /// # Errors
    /// The rank, or another that this one could wait for in vain, is in another call.
    #[inline]
    pub fn read(&self, sequence: u64, rank: usize, call: &Call) -> Result<Post<'_>> {
        let word = &self.desk(rank).slot(sequence).word;
        if self.spin(|| word.load(Acquire) as u32 == sequence as u32)
            && let Some(post) = self.glance(sequence, rank, call)?
        {
            return Ok(post);
        }
        self.read_late(sequence, rank, call).map(|post| post.expect("it is there"))
    }

    /// Waits in earnest. The others learn how far this rank is, so that whoever is about to post need not wait for it; and a
    /// call of anybody's that does not fit ends the wait: the rank waited for may never come.
    #[cold]
    fn read_late(&self, sequence: u64, rank: usize, call: &Call) -> Result<Option<Post<'_>>> {
        if self.memory().published.load(Relaxed) < sequence - 1 {
            self.tell(sequence - 1);
        }
        let mut found = Ok(None);
        self.mates.wait(Late { call, rank }, || {
            found = self.glance(sequence, rank, call);
            if let Ok(None) = found {
                found = self.agrees(sequence, call).and_then(|()| self.glance_astray(sequence, rank, call));
            }
            !matches!(found, Ok(None))
        });
        found
    }

    /// Whether everybody who has posted for operation `sequence` is in the same call.
    ///
    /// # Errors
    /// A rank is in another call.
    fn agrees(&self, sequence: u64, call: &Call) -> Result<()> {
        self.others().try_for_each(|rank| self.glance(sequence, rank, call).map(|_| ()))
    }

    /// Says that this rank waits for a nonblocking collective on the communicator, its `number`th.
    pub fn await_number(&self, number: u32) {
        self.desk(self.rank).flags.awaited.store(NUMBER | number as u64, Release);
        self.ring_all();
    }

    /// What `rank` has posted for operation `sequence`, if it has.
    ///
    /// # Errors
    /// It waits for a nonblocking collective that this rank has not begun, so it will never post.
    fn glance_astray(&self, sequence: u64, rank: usize, call: &Call) -> Result<Option<Post<'_>>> {
        let awaited = self.desk(rank).flags.awaited.load(Acquire);
        if awaited & NUMBER == 0 || ((awaited as u32).wrapping_sub(self.mates.begun()) as i32) < 0 {
            return Ok(None);
        }
        // What it posted before it went on is seen now.
        let post = self.glance(sequence, rank, call)?;
        if post.is_none() { Err(call.elsewhere(rank)) } else { Ok(post) }
    }

    /// In a broadcast: the error when another rank has posted as its root, or for another call, at this point.
    pub fn rival(&self, sequence: u64, call: &Call) -> Option<Error> {
        let slot = |rank: usize| self.desk(rank).slot(sequence);
        let other = |word: u64| word as u32 == sequence as u32 && word != call.word(sequence) && word & REFUSED == 0;
        let rank = self.others().find(|&rank| other(slot(rank).word.load(Acquire)))?;
        Some(call.mismatch(rank, slot(rank).word.load(Relaxed), slot(rank).bytes.load(Relaxed)))
    }

    /// Says that I am past `stage` (1..=3) of a large operation, and wakes everybody.
    pub fn reach(&self, sequence: u64, stage: u64) {
        self.desk(self.rank).flags.stage.store(sequence << 2 | stage, Release);
        self.ring_all();
    }

    /// Whether a rank is past a stage.
    #[inline]
    pub fn reached(&self, rank: usize, sequence: u64, stage: u64) -> bool {
        self.desk(rank).flags.stage.load(Acquire) >= sequence << 2 | stage
    }

    /// Says that I cannot read my mates in this stage: they have to send.
    pub fn cry(&self, sequence: u64, stage: u64) {
        self.desk(self.rank).flags.help.store(sequence << 2 | stage, Release);
        self.ring_all();
    }

    /// Whether a rank needs help in this stage.
    #[inline]
    pub fn cries(&self, rank: usize, sequence: u64, stage: u64) -> bool {
        self.desk(rank).flags.help.load(Acquire) == sequence << 2 | stage
    }
}

/// What a rank posted; stable until the reader ends the operation.
pub struct Post<'a> {
    desk: &'a Desk,
    sequence: u64,
}

impl Post<'_> {
    /// The posted bytes, of which there are `len`.
    #[inline]
    pub fn data(&self, len: usize) -> *const u8 {
        self.desk.place(self.sequence, len)
    }

    /// The posted words.
    #[inline]
    pub fn word(&self, index: usize) -> usize {
        debug_assert!(index < INLINE / 8);
        // SAFETY: inside the line, aligned; written before the sequence number was.
        unsafe { self.desk.slot(self.sequence).line.get().cast::<usize>().add(index).read() }
    }
}
