// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine's doors to this folder. What is not for the shared segment takes a schedule; all ranks come to the same answer, from what
//! MPI makes equal on all of them and from what they agreed.

use std::sync::atomic::Ordering::*;
use std::time::Duration;

use smallvec::SmallVec;

use super::Way;
use super::area::{self, Area, BROAD, MOST_RANKS, SHEET, SLOTS};
use super::call::Call;
use super::mates::{Mates, Node};
use super::star::Target;
use super::two_shot::{self, Work};
use super::{allreduce as small, barrier as meet, bcast as letter, star};
use crate::coll::registry::Collective;
use crate::coll::schedule::Ground;
use crate::device;
use crate::object::comm::Comm;
use crate::object::datatype::Datatype;
use crate::object::error::Result;
use crate::object::op::Op;
use crate::os::clock;
use crate::os::copy::{copy, copy_out};
use crate::p2p::memory::Memory;
use crate::p2p::{self, Envelope, Span, probe};
use crate::transport::shm;
use crate::{progress, trace};

/// A schedule, and the ranks know nothing of each other's memory.
const UNKNOWN: Way = Way::Schedule(Ground::Host);
/// No area: the segment was full, or the communicator is not of this folder.
const NONE: usize = usize::MAX;
/// Tag of the message that tells where an area lies.
const AREA_TAG: i32 = 0x7fff_ffff;

/// In the two low bits of where an area lies, which is at the beginning of a page: it is known.
const KNOWN: usize = 1;
/// The same, and this rank has left a note there.
const NOTED: usize = 2;
/// Milliseconds that the next call waits to see whether others have made the refused one, or another.
const GRACE: u64 = 100;

/// Runs `with` on the area of a communicator, if it has one, for a call of `next`.
#[inline]
fn on_area<R>(comm: &Comm, next: Collective, with: impl FnOnce(&Area<Node>) -> Result<R>) -> Result<Option<R>> {
    let mut offset = comm.area.load(Relaxed);
    if offset & 3 != KNOWN {
        offset = look_for_area(comm, next)?;
        if offset == NONE {
            return Ok(None);
        }
    }
    at(comm, offset, with).map(Some)
}

/// Runs `with` on the area at `offset`, with its bits.
#[inline]
fn at<R>(comm: &Comm, offset: usize, with: impl FnOnce(&Area<Node>) -> R) -> R {
    let node = Node(comm);
    // SAFETY: the offset is a reservation for this communicator alone, made by its rank 0.
    let area = unsafe { Area::new(shm::at(offset & !3), &node, comm.rank as usize, comm.size() as usize) };
    with(&area)
}

/// Runs `with` on the area, if it is known, outside of the sequence of calls.
fn beside<R>(comm: &Comm, with: impl FnOnce(&Area<Node>) -> R) -> Option<R> {
    match comm.area.load(Relaxed) {
        0 | NONE => None,
        offset => Some(at(comm, offset, with)),
    }
}

#[cold]
fn look_for_area(comm: &Comm, next: Collective) -> Result<usize> {
    match comm.area.load(Relaxed) {
        0 => find_area(comm),
        NONE => Ok(NONE),
        noted => Ok(settle(comm, noted, next, false)),
    }
}

/// Decides about the note that this rank has left, before its next call, which is right or was refused, `too`.
fn settle(comm: &Comm, noted: usize, next: Collective, too: bool) -> usize {
    let known = noted & !3 | KNOWN;
    at(comm, known, |area| {
        let mut used_up = None;
        linger(|| {
            used_up = area.used_up(next, too);
            used_up.is_some()
        });
        area.settle(used_up == Some(true));
    });
    comm.area.store(known, Relaxed);
    known
}

/// Waits for a short while, on the way of errors only.
fn linger(mut ready: impl FnMut() -> bool) -> bool {
    let end = clock::coarse() + GRACE;
    loop {
        if ready() {
            return true;
        }
        if clock::coarse() > end {
            return false;
        }
        if !progress::poll() {
            std::thread::sleep(Duration::from_micros(50));
        }
    }
}

/// First use: rank 0 reserves an area and tells the others where it lies, whether large calls read memory directly, and how much a
/// root posts.
#[cold]
fn find_area(comm: &Comm) -> Result<usize> {
    let mut told = Told { offset: NONE, reads: false, letter: 0 };
    if may_have_area(comm) {
        if comm.rank == 0 {
            told.offset = shm::reserve(area::bytes(comm.size() as usize)).map_or(NONE, |at| at | KNOWN);
            told.reads = Node(comm).can_read();
            told.letter = letter_bytes();
        }
        share(comm, &mut told)?;
    }
    comm.area.store(told.offset, Relaxed);
    if told.offset == NONE {
        if comm.size() > 1 {
            trace::note("collectives: a communicator has no area in the shared segment (too many ranks, or it is full)");
        }
        return Ok(NONE);
    }
    let _ = comm.retire.set(release);
    at(comm, told.offset, |area| area.set_ways(told.reads, told.letter));
    Ok(told.offset)
}

fn may_have_area(comm: &Comm) -> bool {
    comm.remote.is_none() && (2..=MOST_RANKS as i32).contains(&comm.size())
}

/// What rank 0 says of an area.
#[repr(C)]
struct Told {
    offset: usize,
    reads: bool,
    letter: usize,
}

/// Most bytes that a root posts. With more ranks than cores waiting until it is read would cost switches; but a post is in host memory,
/// and large messages of devices have a better way, so it is less where the program has loaded CUDA by then.
fn letter_bytes() -> usize {
    match (shm::oversubscribed(), device::loaded()) {
        (false, _) => SHEET,
        (true, true) => BROAD / 4,
        (true, false) => BROAD,
    }
}

fn area_envelope(comm: &Comm, peer: i32) -> Envelope {
    Envelope { process: comm.process(peer), context: comm.context + 1, rank: 0, tag: AREA_TAG }
}

fn share(comm: &Comm, told: &mut Told) -> Result<()> {
    let data = Span::bytes((told as *mut Told).cast(), size_of::<Told>() as i64);
    if comm.rank != 0 {
        // SAFETY: `told` outlives the wait.
        let ticket = unsafe { p2p::start_receive(area_envelope(comm, 0), data) };
        return p2p::send::complete("a communicator's area", ticket).map(|_| ());
    }
    for peer in 1..comm.size() {
        // SAFETY: as above.
        if let Some(ticket) = unsafe { p2p::start_send(area_envelope(comm, peer), data)? } {
            p2p::send::complete("a communicator's area", ticket)?;
        }
    }
    Ok(())
}

/// Gives the area of a communicator back, when all ranks have freed it.
fn release(comm: &Comm) {
    let offset = comm.area.swap(NONE, Relaxed);
    if offset != 0 && offset != NONE && comm.rank == 0 {
        shm::release(offset & !3, area::bytes(comm.size() as usize));
    }
}

/// Says in the area that this rank is in a collective that runs as messages: ranks that wait for it there, because they
/// are in another call, get an error instead of waiting for ever. Its number there, which an operation that began there has already.
pub fn announce(comm: &Comm, collective: Collective, root: usize) -> Result<Option<u64>> {
    on_area(comm, collective, |area| {
        if let Some(begun) = area.left() {
            return Ok(begun);
        }
        let sequence = area.begin(SLOTS);
        area.post(sequence, &Call { root: root as u16, ..Call::new(collective, 0) }, 0, |_| ());
        area.ring_all();
        area.end(sequence, SLOTS);
        Ok(sequence)
    })
}

/// Leaves a note that this rank's call was refused, with the error's code; the number that the call would have.
#[cold]
pub fn refuse(comm: &Comm, collective: Collective, code: i32) -> Result<Option<u64>> {
    let known = match comm.area.load(Relaxed) {
        _ if !may_have_area(comm) => NONE,
        // Rank 0 may never come to tell where it is, if nobody else makes this call.
        0 if comm.rank != 0 && !linger(|| probe::has_come(area_envelope(comm, 0))) => return Ok(None),
        0 => find_area(comm)?,
        NONE => NONE,
        noted if noted & 3 == NOTED => settle(comm, noted, collective, true),
        known => known,
    };
    if known == NONE {
        return Ok(None);
    }
    let number = at(comm, known, |area| area.refuse(collective, code));
    comm.area.store(known & !3 | NOTED, Relaxed);
    Ok(Some(number))
}

/// The rank whose refused call ends this rank's of `collective`, the communicator's `number`th in the area, and the code of its error.
#[cold]
pub fn refused(comm: &Comm, number: u64, collective: Collective) -> Option<(usize, i32)> {
    beside(comm, |area| area.closed(number, collective)).flatten()
}

/// Says in the area that this rank waits for the nonblocking collective `number`: ranks that wait there for it, and have not begun
/// that one, are in another call.
#[cold]
pub fn awaited(comm: &Comm, number: u32) {
    beside(comm, |area| area.await_number(number));
}

/// Waits for all ranks.
pub fn barrier(comm: &Comm) -> Result<bool> {
    // As a bare function it would be tied to one lifetime.
    #[allow(clippy::redundant_closure)]
    let done = on_area(comm, Collective::Barrier, |area| meet::barrier(area))?.is_some();
    if done {
        trace::chose("barrier", "node", 0);
    }
    Ok(done)
}

/// Notes what all ranks know now of where their buffers lie; where a call fails they know nothing.
fn remember(area: &Area<Node>, outcome: &Result<Way>) {
    let mut known = Ground::Host;
    if let Ok(Way::Schedule(ground)) = outcome {
        known = *ground;
        area.leave();
    }
    area.agreed(known);
}

/// Where the ranks of a communicator have last agreed that their buffers lie: the same on all of them at the same point of its
/// sequence of collectives, for calls that may not wait for each other.
pub fn last_ground(comm: &Comm) -> Ground {
    beside(comm, |area| area.last_ground()).unwrap_or_default()
}

/// This rank's device has failed before the call: the others hear of it, instead of waiting for what it would send.
#[cold]
fn fail(area: &Area<Node>, call: &Call, reason: impl FnOnce() -> Result<()>) -> Result<Way> {
    let sequence = area.begin(SLOTS);
    area.failing().post(sequence, call, 0, |_| ());
    area.ring_all();
    area.end(sequence, SLOTS);
    reason().map(|()| UNKNOWN)
}

/// Broadcasts a span. Small ones are copied through the segment, large ones read from the root's memory.
///
/// # Safety
/// The span must be readable at the root and writable at the others.
pub unsafe fn bcast(comm: &Comm, root: i32, data: Span<'_>) -> Result<Way> {
    let bytes = data.to - data.from;
    let call =
        Call { root: root as u16, element: data.datatype.size.max(1) as u64, ..Call::new(Collective::Bcast, bytes as u64) };
    let done = on_area(comm, Collective::Bcast, |area| {
        if bytes as usize <= area.letter() {
            return bcast_small(area, &call, data).map(|()| Way::Done);
        }
        if !area.reads() {
            return Ok(UNKNOWN);
        }
        // SAFETY: as promised by the caller.
        let outcome = unsafe { bcast_large(area, &call, data) };
        remember(area, &outcome);
        outcome
    })?;
    if done == Some(Way::Done) {
        trace::chose("bcast", "node", bytes as u64);
    }
    Ok(done.unwrap_or(UNKNOWN))
}

/// The address of a span's first byte, when its bytes are one run.
fn run_of(data: &Span<'_>) -> Option<*mut u8> {
    data.datatype.dense.then(|| data.base.wrapping_offset((data.datatype.true_lb + data.from) as isize))
}

/// A span in memory that the CPU may not touch.
fn away(data: &Span<'_>) -> Option<Memory> {
    Memory::is_away(data).then(|| Memory::of(*data))
}

/// The same through host memory: a small message has no other way that is faster.
#[cold]
fn bcast_small_away(area: &Area<Node>, call: &Call, memory: &Memory) -> Result<()> {
    let len = call.bytes as usize;
    if area.rank == call.root as usize {
        let mut packed = vec![0u8; len];
        // SAFETY: the copy has room for `len` bytes, and the span is readable.
        let read = unsafe { memory.try_read(0, packed.as_mut_ptr(), len) };
        let area = if read.is_err() { &area.failing() } else { area };
        // SAFETY: the post has room for `len` bytes.
        let given = letter::give(area, call, |to| unsafe { copy_out(packed.as_ptr(), to, len) });
        return read.and(given);
    }
    // SAFETY: the post holds `len` bytes, and the span is writable.
    letter::take(area, call, |from| unsafe { memory.write(0, from, len) })
}

fn bcast_small(area: &Area<Node>, call: &Call, data: Span<'_>) -> Result<()> {
    let len = call.bytes as usize;
    if let Some(memory) = away(&data) {
        return bcast_small_away(area, call, &memory);
    }
    if area.rank == call.root as usize {
        // SAFETY: the post has room for `len` bytes, and the span is readable.
        return letter::give(area, call, |to| unsafe {
            match run_of(&data) {
                Some(run) => copy_out(run, to, len),
                None => data.datatype.pack(data.base, data.count, data.from, std::slice::from_raw_parts_mut(to, len)),
            }
        });
    }
    // SAFETY: the post holds `len` bytes, and the span is writable.
    letter::take(area, call, |from| unsafe {
        match run_of(&data) {
            Some(run) => copy(from, run, len),
            None => data.datatype.unpack(data.base, data.count, data.from, std::slice::from_raw_parts(from, len)),
        }
    })
}

unsafe fn bcast_large(area: &Area<Node>, call: &Call, data: Span<'_>) -> Result<Way> {
    let memory = away(&data);
    let run = run_of(&data).filter(|_| memory.is_none());
    if area.rank == call.root as usize {
        if let Some(home) = memory.as_ref().and_then(Memory::home) {
            if home.memory.device() == 0 {
                return fail(area, call, || home.memory.fence());
            }
            return Ok(star::decline(area, call, home.memory.device()));
        }
        let (mut packed, mut read) = (Vec::new(), Ok(()));
        let run = run.unwrap_or_else(|| {
            packed.resize(call.bytes as usize, 0);
            // SAFETY: the span is readable.
            unsafe {
                match &memory {
                    Some(memory) => read = memory.try_read(0, packed.as_mut_ptr(), packed.len()),
                    None => data.datatype.pack(data.base, data.count, data.from, &mut packed),
                }
            }
            packed.as_mut_ptr()
        });
        if read.is_err() {
            return fail(area, call, || read);
        }
        // SAFETY: the run holds all bytes.
        return unsafe { star::give(area, call, run) }.map(|()| Way::Done);
    }
    area.say_device(memory.as_ref().and_then(Memory::home).map_or(0, |home| home.memory.device()));
    // SAFETY: the span is writable.
    let mut scatter = |at: usize, piece: &[u8]| unsafe {
        match &memory {
            Some(memory) => memory.write(at, piece.as_ptr(), piece.len()),
            None => data.datatype.unpack(data.base, data.count, data.from + at as i64, piece),
        }
    };
    let target = run.map_or(Target::Pieces(&mut scatter), Target::Plain);
    // SAFETY: the run holds all bytes.
    unsafe { star::take(area, call, target) }
}

fn reduction(kind: Collective, root: i32, count: i64, datatype: &Datatype, op: &Op) -> Call {
    let name = if op.handle < 0x100 { op.handle as u8 } else { 0 };
    let element = datatype.size.max(1) as u64;
    Call { kind, root: root as u16, op: name, bytes: (count * datatype.size) as u64, element }
}

/// Reduces `count` elements of all ranks to all; `send` may equal `recv` (in place).
///
/// # Safety
/// `send` must be readable and `recv` writable for `count` elements.
pub unsafe fn allreduce(comm: &Comm, send: *const u8, recv: *mut u8, count: i64, datatype: &Datatype, op: &Op) -> Result<Way> {
    let call = reduction(Collective::Allreduce, 0, count, datatype, op);
    // SAFETY: as promised by the caller.
    unsafe { reduce_on(comm, call, None, (send, recv), datatype, op) }
}

/// Reduces `count` elements of all ranks to `root`; `send` may equal `recv` (in place, at the root).
///
/// # Safety
/// `send` must be readable, and at the root `recv` writable, for `count` elements.
pub unsafe fn reduce(
    comm: &Comm,
    send: *const u8,
    recv: *mut u8,
    count: i64,
    datatype: &Datatype,
    op: &Op,
    root: i32,
) -> Result<Way> {
    let call = reduction(Collective::Reduce, root, count, datatype, op);
    // SAFETY: as promised by the caller.
    unsafe { reduce_on(comm, call, Some(root as usize), (send, recv), datatype, op) }
}

unsafe fn reduce_on(
    comm: &Comm,
    call: Call,
    root: Option<usize>,
    (send, recv): (*const u8, *mut u8),
    datatype: &Datatype,
    op: &Op,
) -> Result<Way> {
    if !datatype.dense || datatype.size == 0 {
        return Ok(UNKNOWN);
    }
    let done = on_area(comm, call.kind, |area| {
        let (lb, len) = (datatype.true_lb as isize, call.bytes as usize);
        let (input, result) = (send.wrapping_offset(lb), recv.wrapping_offset(lb));
        let has_result = root.is_none_or(|root| root == area.rank);
        let far = device::home(input).or_else(|| if has_result { device::home(result) } else { None });
        // SAFETY: `count` dense elements at both addresses; `lb` undone for the operation, which knows the type.
        let combine = |count: usize, input: *const u8, inout: *mut u8| unsafe {
            op.apply(datatype, count as i64, input.wrapping_offset(-lb), inout.wrapping_offset(-lb))
        };
        if len <= small::most(area.size) {
            let count = len / datatype.size as usize;
            let two = |input: *const u8, inout: *mut u8| combine(count, input, inout);
            // SAFETY: as for `combine`.
            let many = |inputs: &[*const u8], out: *mut u8| unsafe {
                let inputs: SmallVec<[*const u8; MOST_RANKS]> = inputs.iter().map(|input| input.wrapping_offset(-lb)).collect();
                op.combine_many(datatype, count as i64, &inputs, out.wrapping_offset(-lb))
            };
            let all: Option<small::AtOnce> = if op.rounds_once(datatype) { Some(&many) } else { None };
            let whole = small::Combine { two: &two, all };
            if far.is_some() {
                // SAFETY: as promised by the caller.
                return unsafe { small_away(area, &call, (input, result), has_result, whole) }.map(|()| Way::Done);
            }
            // SAFETY: as promised by the caller.
            let outcome = unsafe {
                match root {
                    None => small::all(area, &call, input, result, whole),
                    Some(_) => small::to_root(area, &call, input, result, whole),
                }
            };
            return outcome.map(|()| Way::Done);
        }
        if !area.reads() {
            return Ok(UNKNOWN);
        }
        let element = datatype.size as usize;
        let (input, result) = match far {
            Some(home) if home.memory.device() == 0 => return fail(area, &call, || home.memory.fence()),
            Some(home) => (two_shot::AWAY, two_shot::place_of(home.memory.device(), home.is_staged())),
            None => (input, result),
        };
        let work = Work { input, result, count: len / element, element, commutative: op.commutative, combine: &combine, root };
        // SAFETY: as promised by the caller.
        let outcome = unsafe { large(area, &call, work) };
        remember(area, &outcome);
        outcome
    })?;
    if done == Some(Way::Done) {
        trace::chose(if root.is_some() { "reduce" } else { "allreduce" }, "node", call.bytes);
    }
    Ok(done.unwrap_or(UNKNOWN))
}

/// A small reduction of memory that the CPU may not touch: by copies in host memory, the same algorithm as the others run.
#[cold]
unsafe fn small_away(
    area: &Area<Node>,
    call: &Call,
    (input, result): (*const u8, *mut u8),
    has_result: bool,
    combine: small::Combine<'_>,
) -> Result<()> {
    let len = call.bytes as usize;
    let flat = |at: *mut u8| Memory::of(Span::bytes(at, len as i64));
    // Aligned like what they stand for.
    let (mut mine, mut all) = (vec![0u128; len.div_ceil(16)], vec![0u128; len.div_ceil(16)]);
    let (mine, all) = (mine.as_mut_ptr().cast::<u8>(), all.as_mut_ptr().cast::<u8>());
    // SAFETY: as promised by the caller; the copies have room.
    unsafe {
        let read = flat(input.cast_mut()).try_read(0, mine, len);
        let area = if read.is_err() { &area.failing() } else { area };
        let outcome = match call.kind {
            Collective::Allreduce => small::all(area, call, mine, all, combine),
            _ => small::to_root(area, call, mine, all, combine),
        };
        read.and(outcome)?;
        if has_result {
            flat(result).write(0, all, len);
        }
    }
    Ok(())
}

/// Off the root of a reduction to one rank, the slice combined here needs a place.
unsafe fn large(area: &Area<Node>, call: &Call, mut work: Work) -> Result<Way> {
    let mut room = Vec::<u128>::new();
    if work.input != two_shot::AWAY && work.root.is_some_and(|root| root != area.rank) {
        let part = two_shot::slice(work.count, work.element, area.rank, area.size);
        room.reserve_exact(part.len().div_ceil(16));
        work.result = room.as_mut_ptr().cast::<u8>().wrapping_sub(part.start);
    }
    // SAFETY: as promised by the caller; `room` is what `Work` asks for.
    unsafe { two_shot::run(area, call, &work) }
}
