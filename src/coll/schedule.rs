// SPDX-License-Identifier: MIT OR Apache-2.0
//! The language that algorithms are written in. An algorithm does not send: it writes a [`Schedule`] for one rank, of
//! six verbs (send, receive, expose, reduce, fold, copy) over [`Place`]s, with edges between them. Drivers run it, the checker proves it.
//!
//! What a schedule may count on, in every driver:
//! * a step starts when all its edges are complete, and after every earlier step in the same direction with the same
//!   peer has *started* (messages between two ranks match in the order in which they are written);
//! * nothing else: steps without an edge between them run in any order, so a place that is sent must not be changed by a
//!   step that does not (here or round the other ranks) come after that send;
//! * empty sends, receives, reductions and copies vanish. [`Schedule::notify`] and [`Schedule::hear`] are the messages
//!   that carry nothing on purpose.
//!
//! A long pipeline is not written at once: the algorithm hands over a closure ([`Schedule::rounds`]) that writes round
//! `k`, and the driver calls it while its window has room.
//!
//! In an intercommunicator the ranks of both groups are counted through: what differs is who has what to give, not the language.
//!
//! One file of over 600 lines: verbs, their edges and the cursor that unfolds them share the numbers of steps, which nobody else sees.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::device::MOST_INPUTS;
use crate::object::comm::topology::neighbors::Neighbors;

/// Steps that are kept in flight before another round is written.
const WINDOW: usize = 48;

/// Where the ranks have agreed that their buffers lie. Those that agree on nothing (no call before, forced algorithms) say `Host`, and
/// messages find their ways all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ground {
    /// In memory that CPUs read.
    #[default]
    Host,
    /// On devices: at the root of a broadcast, at any rank of a reduction.
    Devices,
    /// All on one device that the ranks share.
    OneDevice,
    /// On devices, and some messages between them go through the host.
    Staged,
}

impl Ground {
    /// All of them.
    pub const ALL: [Ground; 4] = [Ground::Host, Ground::Devices, Ground::OneDevice, Ground::Staged];
}

/// What an algorithm may know of the call that it serves. Units are packed bytes in data movement, elements in reductions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Call {
    /// My rank.
    pub rank: usize,
    /// Number of ranks.
    pub size: usize,
    /// The root, where the collective has one; else 0.
    pub root: usize,
    /// Units of the buffer, or of one block of it.
    pub len: usize,
    /// Units of a chunk, in algorithms that are pipelined; at least 1.
    pub chunk: usize,
    /// Whether the operands of the reduction may change places.
    pub commutative: bool,
    /// `MPI_IN_PLACE`: the places of `Send` lie in the receive buffer.
    pub in_place: bool,
    /// Units of each block where they differ (the vector forms).
    pub lens: Option<Arc<Lens>>,
    /// Intercommunicators: the ranks of both groups are counted through, and so many are of the first group. Else 0.
    /// A root of `size` is nobody: this rank takes no part (`MPI_PROC_NULL`).
    pub first: usize,
    /// Neighborhood collectives: who sends to me and to whom I send, a block each.
    pub neighbors: Option<Arc<Neighbors>>,
    /// Where the buffers lie.
    pub ground: Ground,
    /// Whether all operands of a sum are reduced at once ([`Schedule::fold`]): on devices, by one kernel.
    pub folds: bool,
}

/// Units of each block of the two buffers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Lens {
    /// Of the send buffer.
    pub send: Vec<usize>,
    /// Of the receive buffer.
    pub recv: Vec<usize>,
}

impl Call {
    /// The ranks of my group, in an intercommunicator.
    pub fn ours(&self) -> Range<usize> {
        if self.rank < self.first { 0..self.first } else { self.first..self.size }
    }

    /// The ranks of the other group, in an intercommunicator.
    pub fn theirs(&self) -> Range<usize> {
        if self.rank < self.first { self.first..self.size } else { 0..self.first }
    }

    /// Units of block `b` of the send buffer.
    pub fn send_len(&self, b: usize) -> usize {
        self.lens.as_ref().map_or(self.len, |l| l.send[b])
    }

    /// Units of block `b` of the receive buffer.
    pub fn recv_len(&self, b: usize) -> usize {
        self.lens.as_ref().map_or(self.len, |l| l.recv[b])
    }
}

/// What a place lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Region {
    Send,
    Recv,
    Scratch,
}

/// A range of units in a block of a buffer. A uniform buffer has one block, 0; scratch has a block an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Which buffer.
    pub region: Region,
    /// Which block of it.
    pub block: usize,
    /// First unit.
    pub from: usize,
    /// One past the last unit.
    pub to: usize,
}

impl Place {
    /// Units of the (uniform) send buffer.
    pub fn send(units: Range<usize>) -> Place {
        Place::send_block(0, units)
    }

    /// Units of the (uniform) receive buffer; the buffer of a broadcast is one.
    pub fn recv(units: Range<usize>) -> Place {
        Place::recv_block(0, units)
    }

    /// Units of block `block` of the send buffer.
    pub fn send_block(block: usize, units: Range<usize>) -> Place {
        Place { region: Region::Send, block, from: units.start, to: units.end }
    }

    /// Units of block `block` of the receive buffer.
    pub fn recv_block(block: usize, units: Range<usize>) -> Place {
        Place { region: Region::Recv, block, from: units.start, to: units.end }
    }

    /// Number of units.
    pub fn len(&self) -> usize {
        self.to - self.from
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.to == self.from
    }

    /// A part of it, counted from its start.
    pub fn cut(&self, units: Range<usize>) -> Place {
        debug_assert!(units.start <= units.end && units.end <= self.len(), "cut {units:?} of {self:?}");
        Place { from: self.from + units.start, to: self.from + units.end, ..*self }
    }
}

/// Part `i` of `len` units cut into `n` parts whose sizes differ by at most one.
pub fn part(len: usize, i: usize, n: usize) -> Range<usize> {
    let (each, more) = (len / n, len % n);
    let start = i * each + i.min(more);
    start..start + each + (i < more) as usize
}

/// Chunk `c` of a range, which is empty past the end.
pub fn chunk_of(range: Range<usize>, c: usize, chunk: usize) -> Range<usize> {
    let start = range.end.min(range.start.saturating_add(c.saturating_mul(chunk)));
    start..range.end.min(start.saturating_add(chunk))
}

/// Names a step, to draw edges from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id(u32);

impl Id {
    /// A step that is always complete.
    pub const START: Id = Id(u32::MAX);
}

/// What a receive brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brings {
    /// Contents, into its place.
    Contents,
    /// Contents that one later reduction reads, and no other step: they may stay at the sender until then.
    Operand,
    /// No contents: where the sender wants what a fold writes to its place here.
    Exposure,
    /// Contents, unless a fold at the sender has written them to the place already, which was exposed.
    Result,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Verb {
    Send {
        to: usize,
        place: Place,
    },
    Recv {
        from: usize,
        place: Place,
        brings: Brings,
    },
    /// Says where this rank wants what a fold of `to` makes.
    Expose {
        to: usize,
        place: Place,
    },
    /// `into[i] = from[i] op into[i]`: `from` is the left operand.
    Reduce {
        from: Place,
        into: Place,
    },
    /// `into[i] = operands[0][i] op operands[1][i] op …` with the step's operands.
    Fold {
        into: Place,
    },
    Copy {
        from: Place,
        into: Place,
    },
    /// Only gathers edges.
    Join,
}

/// A verb and its edges.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it does.
    pub verb: Verb,
    /// Steps that must be complete before it starts.
    pub after: SmallVec<[Id; 3]>,
    /// Of a [`Verb::Fold`].
    pub operands: Box<[Place]>,
}

type Rounds = (usize, usize, Box<dyn FnMut(&mut Schedule, usize) + Send>);

/// The steps of one rank, in the order in which they were written.
#[derive(Default)]
pub struct Schedule {
    call: Call,
    steps: VecDeque<Step>,
    base: u32,
    areas: Vec<usize>,
    rounds: Option<Rounds>,
    lazy: bool,
}

/// Verbs and what an algorithm asks: for algorithms.
impl Schedule {
    /// An empty schedule for a call.
    pub fn new(call: Call) -> Schedule {
        Schedule { call, ..Schedule::default() }
    }

    /// The call that it serves.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// My rank.
    pub fn rank(&self) -> usize {
        self.call.rank
    }

    /// Number of ranks.
    pub fn size(&self) -> usize {
        self.call.size
    }

    /// The root.
    pub fn root(&self) -> usize {
        self.call.root
    }

    /// The rank counted from the root, round the ring.
    pub fn relative(&self) -> usize {
        (self.call.rank + self.call.size - self.call.root) % self.call.size
    }

    /// The rank that lies `relative` after the root.
    pub fn absolute(&self, relative: usize) -> usize {
        (self.call.root + relative) % self.call.size
    }

    /// Units of the buffer, or of a block.
    pub fn len(&self) -> usize {
        self.call.len
    }

    /// Whether there are no units (not whether there are no steps).
    pub fn is_empty(&self) -> bool {
        self.call.len == 0
    }

    /// Units of a chunk.
    pub fn chunk(&self) -> usize {
        self.call.chunk.max(1)
    }

    /// A new area of scratch.
    pub fn scratch(&mut self, units: usize) -> Place {
        self.areas.push(units);
        Place { region: Region::Scratch, block: self.areas.len() - 1, from: 0, to: units }
    }

    /// Sends a place.
    pub fn send(&mut self, to: usize, place: Place, after: &[Id]) -> Id {
        self.step_unless(place.is_empty(), Verb::Send { to, place }, after)
    }

    /// Receives into a place.
    pub fn recv(&mut self, from: usize, place: Place, after: &[Id]) -> Id {
        self.step_unless(place.is_empty(), Verb::Recv { from, place, brings: Brings::Contents }, after)
    }

    /// Receives what one reduction, and no other step, reads: it may stay at the sender until that reduction has read it there.
    /// So no edge may lead from that send to that reduction, through whatever ranks: the reduction must not wait for it.
    pub fn recv_operand(&mut self, from: usize, place: Place, after: &[Id]) -> Id {
        self.step_unless(place.is_empty(), Verb::Recv { from, place, brings: Brings::Operand }, after)
    }

    /// Whether folds write their results where other ranks want them ([`Schedule::expose`]), as one kernel can.
    pub fn puts(&self) -> bool {
        self.call.folds && self.call.ground != Ground::Staged && self.size() <= MOST_INPUTS
    }

    /// Lets a fold of rank `to` write a place, which comes with a later [`Schedule::recv_result`] from it, written there or as a
    /// message. From here to the end of that receive no step may use the place, but sends of operands of that very fold.
    pub fn expose(&mut self, to: usize, place: Place, after: &[Id]) -> Id {
        self.step_unless(place.is_empty(), Verb::Expose { to, place }, after)
    }

    /// Hears where rank `from` wants `result`: the fold that makes it comes after, and a [`Schedule::send`] of it to that rank after that.
    pub fn exposed(&mut self, from: usize, result: Place, after: &[Id]) -> Id {
        self.step_unless(result.is_empty(), Verb::Recv { from, place: result, brings: Brings::Exposure }, after)
    }

    /// Receives what a fold of rank `from` has written to the place, or what it sends for it.
    pub fn recv_result(&mut self, from: usize, place: Place, after: &[Id]) -> Id {
        self.step_unless(place.is_empty(), Verb::Recv { from, place, brings: Brings::Result }, after)
    }

    /// `into[i] = from[i] op into[i]`: `from` is the left operand.
    pub fn reduce(&mut self, from: Place, into: Place, after: &[Id]) -> Id {
        debug_assert_eq!(from.len(), into.len());
        self.step_unless(into.is_empty(), Verb::Reduce { from, into }, after)
    }

    /// `into[i] = operands[0][i] op operands[1][i] op …`, rounded once for 16-bit floats. `into` is one of the operands or touches
    /// none; all lie in scratch, but for `into` and one more.
    pub fn fold(&mut self, operands: Vec<Place>, into: Place, after: &[Id]) -> Id {
        debug_assert!(operands.iter().all(|operand| operand.len() == into.len()));
        if let [only] = operands[..] {
            return self.copy(only, into, after);
        }
        let id = self.step_unless(into.is_empty(), Verb::Fold { into }, after);
        if !into.is_empty() {
            self.steps.back_mut().expect("just written").operands = operands.into();
        }
        id
    }

    /// Copies; nothing where the two are the same place (in place).
    pub fn copy(&mut self, from: Place, into: Place, after: &[Id]) -> Id {
        debug_assert_eq!(from.len(), into.len());
        self.step_unless(into.is_empty() || from == into, Verb::Copy { from, into }, after)
    }

    /// Sends a message without contents.
    pub fn notify(&mut self, to: usize, after: &[Id]) -> Id {
        self.step(Verb::Send { to, place: Place::send(0..0) }, after)
    }

    /// Receives a message without contents.
    pub fn hear(&mut self, from: usize, after: &[Id]) -> Id {
        self.step(Verb::Recv { from, place: Place::recv(0..0), brings: Brings::Contents }, after)
    }

    /// Complete when all of `after` are.
    pub fn join(&mut self, after: &[Id]) -> Id {
        self.step_unless(true, Verb::Join, after)
    }

    /// The rest of the schedule comes in `count` rounds, each written by `write` when there is room for it.
    /// Nothing may be written after this call, and scratch is to be asked for before it.
    pub fn rounds(&mut self, count: usize, write: impl FnMut(&mut Schedule, usize) + Send + 'static) {
        debug_assert!(self.rounds.is_none(), "one generator a schedule");
        self.rounds = Some((0, count, Box::new(write)));
        self.lazy = true;
    }

    fn step_unless(&mut self, empty: bool, verb: Verb, after: &[Id]) -> Id {
        match (empty, after) {
            (false, _) => self.step(verb, after),
            (true, []) => Id::START,
            (true, [one]) => *one,
            (true, _) => self.step(Verb::Join, after),
        }
    }

    fn step(&mut self, verb: Verb, after: &[Id]) -> Id {
        let id = self.base + self.steps.len() as u32;
        let after = after.iter().copied().filter(|a| *a != Id::START && a.0 >= self.base).collect();
        self.steps.push_back(Step { verb, after, operands: Box::default() });
        Id(id)
    }
}

/// What drivers ask.
impl Schedule {
    /// Units of each scratch area.
    pub fn areas(&self) -> &[usize] {
        &self.areas
    }

    /// Whether it is written while it runs, and so must be written anew to run again.
    pub fn lazy(&self) -> bool {
        self.lazy
    }

    /// Forgets the steps, for `write` to write it anew; keeps the call and the memory.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.areas.clear();
        (self.base, self.rounds, self.lazy) = (0, None, false);
    }

    /// Steps written so far and not retired.
    pub fn steps(&self) -> &VecDeque<Step> {
        &self.steps
    }

    /// The operands of step `id`, a [`Verb::Fold`].
    pub fn operands(&self, id: Id) -> &[Place] {
        &self.steps[(id.0 - self.base) as usize].operands
    }

    fn pull(&mut self) -> bool {
        let Some((k, count, mut write)) = self.rounds.take() else { return false };
        if k == count {
            return false;
        }
        write(self, k);
        self.rounds = Some((k + 1, count, write));
        true
    }

    fn retire(&mut self) {
        self.steps.pop_front();
        self.base += 1;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Started,
    Done,
}

/// One run through a schedule: which steps are waiting, started, done.
#[derive(Default)]
pub struct Cursor {
    state: VecDeque<State>,
    /// Of the steps held: so many at the front are done (a schedule that is not lazy keeps its steps).
    front: usize,
    blocked: SmallVec<[(bool, usize); 8]>,
}

impl Cursor {
    /// Back to the start.
    pub fn reset(&mut self) {
        self.state.clear();
        self.front = 0;
    }

    /// Writes further rounds into the window, and drops steps that are done.
    fn fill(&mut self, schedule: &mut Schedule, window: usize) {
        while self.state.get(self.front) == Some(&State::Done) {
            if schedule.lazy {
                self.state.pop_front();
                schedule.retire();
            } else {
                self.front += 1;
            }
        }
        while schedule.steps.len() - self.front < window && schedule.pull() {}
        self.state.resize(schedule.steps.len(), State::Waiting);
    }

    /// Whether every step is done.
    pub fn complete(&mut self, schedule: &mut Schedule) -> bool {
        self.fill(schedule, WINDOW);
        self.front == self.state.len()
    }

    /// Puts all steps that may start now into `out`, in the order in which they were written.
    pub fn startable(&mut self, schedule: &mut Schedule, out: &mut Vec<Id>) {
        self.startable_within(schedule, WINDOW, out);
    }

    /// [`Cursor::startable`] with another window, in steps.
    pub fn startable_within(&mut self, schedule: &mut Schedule, window: usize, out: &mut Vec<Id>) {
        self.fill(schedule, window);
        out.clear();
        self.blocked.clear();
        for i in self.front..self.state.len() {
            if self.state[i] != State::Waiting {
                continue;
            }
            let step = &schedule.steps[i];
            let channel = match step.verb {
                Verb::Send { to, .. } | Verb::Expose { to, .. } => Some((true, to)),
                Verb::Recv { from, .. } => Some((false, from)),
                _ => None,
            };
            let behind = channel.is_some_and(|c| self.blocked.contains(&c));
            if !behind && step.after.iter().all(|id| self.is_done(schedule, *id)) {
                out.push(Id(schedule.base + i as u32));
            } else if let (false, Some(channel)) = (behind, channel) {
                self.blocked.push(channel);
            }
        }
    }

    fn is_done(&self, schedule: &Schedule, id: Id) -> bool {
        id.0 < schedule.base || self.state[(id.0 - schedule.base) as usize] == State::Done
    }

    /// What step `id` does.
    pub fn verb(&self, schedule: &Schedule, id: Id) -> Verb {
        schedule.steps[(id.0 - schedule.base) as usize].verb
    }

    /// Step `id` has started.
    pub fn start(&mut self, schedule: &Schedule, id: Id) {
        self.state[(id.0 - schedule.base) as usize] = State::Started;
    }

    /// Step `id` is done.
    pub fn done(&mut self, schedule: &Schedule, id: Id) {
        self.state[(id.0 - schedule.base) as usize] = State::Done;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_chunks_cover_a_range_once() {
        for (len, n, chunk) in [(0, 3, 2), (1, 4, 1), (17, 5, 3), (64, 8, 8)] {
            let parts: Vec<usize> = (0..n).flat_map(|i| part(len, i, n)).collect();
            assert_eq!(parts, (0..len).collect::<Vec<_>>());
            let chunks: Vec<usize> = (0..len + 2).flat_map(|c| chunk_of(0..len, c, chunk)).collect();
            assert_eq!(chunks, parts);
        }
    }

    #[test]
    fn a_later_message_to_the_same_peer_waits_for_the_earlier_one() {
        let mut s = Schedule::new(Call { size: 2, ..Call::default() });
        let first = s.hear(1, &[]);
        let second = s.notify(1, &[first]);
        s.notify(1, &[]);
        let (mut cursor, mut out) = (Cursor::default(), Vec::new());
        cursor.startable(&mut s, &mut out);
        assert_eq!(out, [first]);
        cursor.done(&s, first);
        cursor.startable(&mut s, &mut out);
        assert_eq!(out, [second, Id(2)]);
    }

    #[test]
    fn rounds_are_written_as_the_window_moves() {
        let mut s = Schedule::new(Call { size: 2, ..Call::default() });
        s.rounds(1000, |s, _| {
            s.notify(1, &[]);
        });
        let (mut cursor, mut out, mut seen) = (Cursor::default(), Vec::new(), 0);
        while !cursor.complete(&mut s) {
            cursor.startable(&mut s, &mut out);
            assert!(s.steps().len() <= WINDOW);
            seen += out.len();
            out.iter().for_each(|id| cursor.done(&s, *id));
        }
        assert_eq!(seen, 1000);
    }
}
