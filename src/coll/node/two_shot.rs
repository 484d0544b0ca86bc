// SPDX-License-Identifier: MIT OR Apache-2.0
//! Large reductions in two shots. First each rank combines one slice: it reads that slice of every contribution piece by
//! piece into a scratch that stays in cache, and leaves the result in its own buffer. Then whoever wants the whole reads the
//! other slices from their owners. Each byte crosses between two ranks 2(n-1)/n times; three synchronisations.

use std::io;
use std::ops::Range;

use smallvec::SmallVec;

use super::Way;
use super::area::{Area, MOST_RANKS, SLOTS};
use super::call::Call;
use super::mates::Mates;
use super::rescue::{self, Rescue};
use crate::coll::schedule::Ground;
use crate::object::error::Result;
use crate::os::copy::copy;

const REDUCED: u64 = 1;
const PULLED: u64 = 2;
/// Bytes combined at a time: contribution and result fit the second-level cache, and a read's fixed cost is small beside it.
const PIECE: usize = 64 << 10;

/// A large reduction. Addresses are of the first byte of data; elements lie without gaps.
pub struct Work<'a> {
    /// My contribution; the same as `result` in place.
    pub input: *const u8,
    /// Where the result goes. Off the root of a reduction to one: memory for one slice only (see [`slice`]), and the address
    /// such that slices lie at their offsets.
    pub result: *mut u8,
    /// Elements.
    pub count: usize,
    /// Bytes of one.
    pub element: usize,
    /// Whether operands may be exchanged.
    pub commutative: bool,
    /// `inout = input op inout` for so many elements.
    pub combine: &'a dyn Fn(usize, *const u8, *mut u8),
    /// The only rank that wants the result, if it is only one.
    pub root: Option<usize>,
}

/// Bytes of the buffer that `rank` of `size` combines.
pub fn slice(count: usize, element: usize, rank: usize, size: usize) -> Range<usize> {
    let at = |i: usize| (count / size * i + (count % size).min(i)) * element;
    at(rank)..at(rank + 1)
}

/// Room for two pieces: another rank's contribution, and mine where the result is built over it.
struct Scratch {
    memory: Vec<u128>,
    half: usize,
}

impl Scratch {
    fn new(piece: usize) -> Scratch {
        let half = piece.div_ceil(16);
        Scratch { memory: Vec::with_capacity(2 * half), half }
    }

    fn other(&mut self) -> *mut u8 {
        self.memory.as_mut_ptr().cast()
    }

    fn own(&mut self) -> *mut u8 {
        self.memory.as_mut_ptr().wrapping_add(self.half).cast()
    }
}

/// In place of an address: my buffers are in memory that nobody reads directly. The result's address then is a [`place_of`] the device.
pub const AWAY: *const u8 = std::ptr::without_provenance(usize::MAX);

/// A device's number, and whether messages of that memory go through the host.
pub fn place_of(device: u64, staged: bool) -> *mut u8 {
    std::ptr::without_provenance_mut((device as usize) << 1 | usize::from(staged))
}

fn is_staged(place: usize) -> bool {
    place & 1 == 1
}

/// Runs this rank's part. By a schedule, on all ranks, when the input of one is [`AWAY`]: then nothing has happened.
///
/// # Safety
/// The buffers hold what [`Work`] says.
pub unsafe fn run<M: Mates>(area: &Area<M>, call: &Call, work: &Work) -> Result<Way> {
    let sequence = area.begin(SLOTS);
    // SAFETY: the line has room for two words.
    area.post(sequence, call, 16, |to| unsafe { to.cast::<[usize; 2]>().write([work.input as usize, work.result as usize]) });
    area.ring_all();
    let mut run = Run::new(area, sequence, work);
    let met = run.meet(call);
    let outcome = match met {
        Ok(Way::Done) => {
            // SAFETY: as promised by the caller.
            unsafe { run.reduce().and_then(|()| run.pull()) }.map(|()| Way::Done)
        }
        other => other,
    };
    area.end(sequence, SLOTS);
    let (first, second) = (run.first.finish(), run.second.finish());
    outcome.and_then(|done| first.and(second).map(|()| done))
}

struct Run<'a, 'b, M: Mates> {
    area: &'a Area<'b, M>,
    sequence: u64,
    work: &'a Work<'a>,
    mine: Range<usize>,
    /// Addresses of (contribution, result) in each rank.
    remote: [(usize, usize); MOST_RANKS],
    first: Rescue<'a, 'b, M>,
    second: Rescue<'a, 'b, M>,
    /// My slice of every contribution, if others had to send them.
    rescued: Vec<u8>,
}

impl<'a, 'b, M: Mates> Run<'a, 'b, M> {
    fn new(area: &'a Area<'b, M>, sequence: u64, work: &'a Work<'a>) -> Self {
        Run {
            area,
            sequence,
            work,
            mine: slice(work.count, work.element, area.rank, area.size),
            remote: [(0, 0); MOST_RANKS],
            first: Rescue::new(area, sequence, REDUCED),
            second: Rescue::new(area, sequence, PULLED),
            rescued: Vec::new(),
        }
    }

    fn slice(&self, rank: usize) -> Range<usize> {
        slice(self.work.count, self.work.element, rank, self.area.size)
    }

    /// Learns where the others' buffers are, and so how the call goes on.
    fn meet(&mut self, call: &Call) -> Result<Way> {
        let here = self.work.input != AWAY;
        let (mut near, mut any_near) = (here, here);
        let (mut one, mut staged) = (!here, !here && is_staged(self.work.result as usize));
        for rank in self.area.others() {
            let post = self.area.read(self.sequence, rank, call)?;
            self.remote[rank] = (post.word(0), post.word(1));
            let away = post.word(0) == AWAY as usize;
            near &= !away;
            any_near |= !away;
            staged |= away && is_staged(post.word(1));
            one &= away && post.word(1) == self.work.result as usize;
        }
        Ok(match (near, any_near || staged, one) {
            (true, ..) => Way::Done,
            (false, true, _) => Way::Schedule(Ground::Staged),
            (false, false, true) => Way::Schedule(Ground::OneDevice),
            (false, false, false) => Way::Schedule(Ground::Devices),
        })
    }

    /// Sends to ranks that cannot read.
    unsafe fn serve(&mut self) {
        let (work, mine) = (self.work, self.mine.clone());
        let (count, element, size) = (work.count, work.element, self.area.size);
        let contribution = |rank: usize| {
            let part = slice(count, element, rank, size);
            (work.input.wrapping_add(part.start), part.len())
        };
        let reduced = |_| (work.result.wrapping_add(mine.start).cast_const(), mine.len());
        // SAFETY: the first stage's parts are overwritten only once their receiver has reached that stage; the second stage's
        // are final; `run` ends with `finish`.
        unsafe {
            self.first.serve(contribution);
            if self.area.reached(self.area.rank, self.sequence, REDUCED) {
                self.second.serve(reduced);
            }
        }
    }

    /// The order in which contributions are combined, the last being where the result starts from.
    fn order(&self) -> SmallVec<[usize; MOST_RANKS]> {
        if !self.work.commutative {
            return (0..self.area.size).collect();
        }
        let mut order: SmallVec<_> = self.area.others().collect();
        // Not in place, the first contribution read is the first thing in the result; in place, mine is there already.
        let place = if self.in_place() { order.len() } else { order.len() - 1 };
        order.insert(place, self.area.rank);
        order
    }

    fn in_place(&self) -> bool {
        self.work.input == self.work.result.cast_const()
    }

    unsafe fn reduce(&mut self) -> Result<()> {
        let step = (PIECE / self.work.element).max(1) * self.work.element;
        let order = self.order();
        let mut scratch = Scratch::new(step.min(self.mine.len()));
        for from in self.mine.clone().step_by(step) {
            // SAFETY: as promised to `run`.
            unsafe { self.reduce_piece(&order, from..self.mine.end.min(from + step), &mut scratch)? };
        }
        self.area.reach(self.sequence, REDUCED);
        Ok(())
    }

    unsafe fn reduce_piece(&mut self, order: &[usize], piece: Range<usize>, scratch: &mut Scratch) -> Result<()> {
        let (me, work, len) = (self.area.rank, self.work, piece.len());
        let result = work.result.wrapping_add(piece.start);
        let (&last, rest) = order.split_last().expect("an area has ranks");
        let mut own = work.input.wrapping_add(piece.start);
        // SAFETY: pieces lie inside the buffers and the scratch, which are apart.
        unsafe {
            if last == me && !self.in_place() {
                copy(own, result, len);
            } else if last != me {
                if self.in_place() {
                    own = scratch.own();
                    copy(result, own.cast_mut(), len);
                }
                self.contribution(last, &piece, result)?;
            }
            for &rank in rest.iter().rev() {
                if rank == me {
                    (work.combine)(len / work.element, own, result);
                } else {
                    self.contribution(rank, &piece, scratch.other())?;
                    (work.combine)(len / work.element, scratch.other(), result);
                }
            }
        }
        Ok(())
    }

    /// Brings a piece of a rank's contribution.
    unsafe fn contribution(&mut self, rank: usize, piece: &Range<usize>, to: *mut u8) -> Result<()> {
        if self.rescued.is_empty() {
            // SAFETY: `to` has room for a piece.
            let read = unsafe { self.area.mates.read(rank, self.remote[rank].0 + piece.start, to, piece.len()) };
            if read.is_ok() {
                return Ok(());
            }
            self.be_sent_contributions()?;
        }
        let from = rank * self.mine.len() + piece.start - self.mine.start;
        // SAFETY: `to` has room for a piece.
        unsafe { copy(self.rescued[from..from + piece.len()].as_ptr(), to, piece.len()) };
        Ok(())
    }

    #[cold]
    fn be_sent_contributions(&mut self) -> Result<()> {
        let (area, len) = (self.area, self.mine.len());
        let mut all = vec![0u8; len * area.size];
        let base = all.as_mut_ptr();
        let parts = area.others().map(|rank| (rank, base.wrapping_add(rank * len), len));
        // SAFETY: each part is a stretch of `all`, which outlives the messages; `serve` as in `pull`.
        unsafe { rescue::receive(area, (self.sequence, REDUCED), parts, || self.serve())? };
        self.rescued = all;
        Ok(())
    }

    unsafe fn pull(&mut self) -> Result<()> {
        let wants = self.work.root.is_none_or(|root| root == self.area.rank);
        if wants {
            // SAFETY: whoever wants the result has memory for all of it.
            unsafe { self.pull_slices()? };
            self.area.reach(self.sequence, PULLED);
        }
        let (area, sequence) = (self.area, self.sequence);
        area.wait("a large reduction", || {
            // SAFETY: `run` finishes the messages before the caller's buffers are given back.
            unsafe { self.serve() };
            match self.work.root {
                None => area.others().all(|rank| area.reached(rank, sequence, PULLED)),
                Some(root) => area.reached(root, sequence, PULLED),
            }
        });
        Ok(())
    }

    /// Reads every other slice as soon as it is ready.
    unsafe fn pull_slices(&mut self) -> Result<()> {
        let (area, sequence) = (self.area, self.sequence);
        let mut missing: SmallVec<[usize; MOST_RANKS]> = area.others().collect();
        while !missing.is_empty() {
            let mut ready = None;
            area.wait("a large reduction", || {
                // SAFETY: as in `pull`.
                unsafe { self.serve() };
                ready = missing.iter().position(|&rank| area.reached(rank, sequence, REDUCED));
                ready.is_some()
            });
            let rank = missing.remove(ready.expect("the wait ended"));
            // SAFETY: the result buffer holds every slice.
            if unsafe { self.pull_slice(rank) }.is_err() {
                return self.be_sent_slices();
            }
        }
        Ok(())
    }

    unsafe fn pull_slice(&self, rank: usize) -> io::Result<()> {
        let part = self.slice(rank);
        let to = self.work.result.wrapping_add(part.start);
        // SAFETY: as promised by the caller.
        unsafe { self.area.mates.read(rank, self.remote[rank].1.wrapping_add(part.start), to, part.len()) }
    }

    #[cold]
    fn be_sent_slices(&mut self) -> Result<()> {
        let (area, work) = (self.area, self.work);
        let parts = area.others().map(|rank| {
            let part = slice(work.count, work.element, rank, area.size);
            (rank, work.result.wrapping_add(part.start), part.len())
        });
        // SAFETY: the result buffer holds every slice; `serve` as in `pull`.
        unsafe { rescue::receive(area, (self.sequence, PULLED), parts, || self.serve()) }
    }
}
