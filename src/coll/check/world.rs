// SPDX-License-Identifier: MIT OR Apache-2.0
//! All ranks in one thread: a pick of what could happen next, until nothing is left.

use std::collections::VecDeque;

use crate::coll::registry::{Algorithm, Collective};
use crate::coll::schedule::{Brings, Call, Cursor, Id, Place, Schedule, Verb};

use super::Random;
use super::memory::Memory;
use super::model;
use super::symbol::{Sums, Symbol};

/// How sends complete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sends {
    /// At once: the contents are taken when the send starts.
    Eager,
    /// When the receiver has taken the contents.
    Rendezvous,
    /// Each send one or the other.
    Mixed,
}

type Verdict = Result<(), String>;

/// A send that has started.
struct Message {
    id: Id,
    place: Place,
    carries: Carries,
    /// The contents, where they are taken at once.
    taken: Option<Vec<Symbol>>,
    /// Whom the sender has heard from, bit by bit.
    heard: u64,
}

/// What a message is.
#[derive(Clone, Copy, PartialEq)]
enum Carries {
    Contents,
    /// Only where the place is.
    Exposure,
    /// Nothing: a fold has written them to the place of the receive.
    Written,
}

#[derive(Default)]
struct Channel {
    sent: VecDeque<Message>,
    posted: VecDeque<(Id, Place)>,
}

/// A message whose receive is known, and whose contents are on their way.
struct Transfer {
    from: usize,
    to: usize,
    message: Message,
    receive: Id,
    into: Place,
}

struct Rank {
    call: Call,
    schedule: Schedule,
    cursor: Cursor,
    memory: Memory,
    heard: u64,
    /// Received operands that have stayed at their senders.
    loans: Vec<Transfer>,
    /// Where other ranks want what folds make: the rank, the result, and its place there.
    exposures: Vec<(usize, Place, Place)>,
    /// Where folds have written it.
    written: Vec<(usize, Place)>,
    /// It may have something to start.
    awake: bool,
}

/// The machine.
pub struct World {
    collective: Collective,
    commutative: bool,
    ranks: Vec<Rank>,
    sums: Sums,
    /// From each rank to each.
    channels: Vec<Channel>,
    transfers: Vec<Transfer>,
    awake: Vec<usize>,
    sends: Sends,
    window: usize,
    random: Random,
}

impl Rank {
    fn new(algorithm: &Algorithm, call: &Call, rank: usize, sums: &mut Sums) -> Rank {
        let mut call = Call { rank, ..call.clone() };
        let model = model::model(algorithm.collective, &mut call, sums);
        let mut schedule = Schedule::new(call.clone());
        (algorithm.write)(&mut schedule);
        let memory = Memory::new(model, schedule.areas());
        Rank {
            call,
            schedule,
            cursor: Cursor::default(),
            memory,
            heard: 1 << rank,
            loans: Vec::new(),
            exposures: Vec::new(),
            written: Vec::new(),
            awake: true,
        }
    }

    fn verb(&self, id: Id) -> Verb {
        self.cursor.verb(&self.schedule, id)
    }

    /// A message of this rank is through with a place.
    fn finish(&mut self, id: Id, place: Place) {
        self.memory.release(&self.call, place);
        self.cursor.done(&self.schedule, id);
    }
}

impl World {
    /// All ranks of a call, before the first step.
    pub fn new(algorithm: &Algorithm, call: &Call, sends: Sends, window: usize, random: Random) -> World {
        let mut sums = Sums::new(call.size);
        World {
            collective: algorithm.collective,
            commutative: call.commutative && model::reduces(algorithm.collective),
            ranks: (0..call.size).map(|r| Rank::new(algorithm, call, r, &mut sums)).collect(),
            sums,
            channels: (0..call.size * call.size).map(|_| Channel::default()).collect(),
            transfers: Vec::new(),
            awake: (0..call.size).collect(),
            sends,
            window,
            random,
        }
    }

    /// Runs to the end.
    pub fn run(mut self) -> Verdict {
        while !self.awake.is_empty() || !self.transfers.is_empty() {
            let advance = self.transfers.is_empty() || self.random.below(2) == 0;
            if advance && !self.awake.is_empty() {
                let one = self.random.below(self.awake.len());
                self.advance(one)?;
            } else {
                self.land_some()?;
            }
        }
        self.verdict()
    }

    /// Starts some of the steps that a rank can start; a rank without any sleeps until something lands.
    fn advance(&mut self, awake: usize) -> Verdict {
        let r = self.awake[awake];
        let rank = &mut self.ranks[r];
        let mut startable = Vec::new();
        rank.cursor.startable_within(&mut rank.schedule, self.window, &mut startable);
        if startable.is_empty() {
            rank.awake = false;
            self.awake.swap_remove(awake);
            return Ok(());
        }
        let some = self.random.below(startable.len()) + 1;
        self.pick(r, &startable, some).into_iter().try_for_each(|id| self.start(r, id))
    }

    fn wake(&mut self, rank: usize) {
        if !std::mem::replace(&mut self.ranks[rank].awake, true) {
            self.awake.push(rank);
        }
    }

    /// Some of the steps, in random order, except that messages of one channel stay in line: whichever of them is drawn,
    /// the first that is left goes.
    fn pick(&mut self, rank: usize, startable: &[Id], some: usize) -> Vec<Id> {
        let (n, me) = (self.ranks.len(), &self.ranks[rank]);
        // Of each channel the first step that is left, and behind each step the next one of its channel.
        let (mut heads, mut behind) = (vec![usize::MAX; 2 * n], vec![usize::MAX; startable.len()]);
        let mut channels = vec![None; startable.len()];
        for (i, id) in startable.iter().enumerate().rev() {
            let channel = match me.verb(*id) {
                Verb::Send { to, .. } | Verb::Expose { to, .. } => to,
                Verb::Recv { from, .. } => n + from,
                _ => continue,
            };
            channels[i] = Some(channel);
            behind[i] = std::mem::replace(&mut heads[channel], i);
        }
        let mut left: Vec<usize> = (0..startable.len()).collect();
        let mut picked = Vec::with_capacity(some);
        while picked.len() < some {
            let any = left.swap_remove(self.random.below(left.len()));
            let step = channels[any].map_or(any, |channel| heads[channel]);
            if let Some(channel) = channels[any] {
                heads[channel] = behind[step];
            }
            picked.push(startable[step]);
        }
        picked
    }

    fn start(&mut self, r: usize, id: Id) -> Verdict {
        let rank = &mut self.ranks[r];
        rank.cursor.start(&rank.schedule, id);
        match rank.verb(id) {
            Verb::Send { to, place } => {
                self.send(r, to, id, place)?;
                return self.meet(r, to);
            }
            Verb::Expose { to, place } => {
                let message = Message { id, place, carries: Carries::Exposure, taken: None, heard: rank.heard };
                rank.cursor.done(&rank.schedule, id);
                self.channel(r, to).sent.push_back(message);
                return self.meet(r, to);
            }
            Verb::Recv { from, place, .. } => {
                self.channel(from, r).posted.push_back((id, place));
                return self.meet(from, r);
            }
            Verb::Reduce { from, into } => {
                self.settle(r, from);
                self.settle(r, into);
                let rank = &mut self.ranks[r];
                rank.memory.compute(&rank.call, from, into, Some(&mut self.sums))?;
            }
            Verb::Fold { into } => {
                let operands = rank.schedule.operands(id).to_vec();
                operands.iter().for_each(|operand| self.settle(r, *operand));
                let rank = &mut self.ranks[r];
                rank.memory.fold(&rank.call, &operands, into, &mut self.sums)?;
                self.put(r, into)?;
            }
            Verb::Copy { from, into } => rank.memory.compute(&rank.call, from, into, None)?,
            Verb::Join => {}
        }
        let rank = &mut self.ranks[r];
        rank.cursor.done(&rank.schedule, id);
        Ok(())
    }

    /// A reduction reads what has stayed at its sender, whose send is over then.
    fn settle(&mut self, r: usize, place: Place) {
        let Some(at) = self.ranks[r].loans.iter().position(|loan| loan.into == place) else { return };
        let Transfer { from, message, into, .. } = self.ranks[r].loans.swap_remove(at);
        let sender = &mut self.ranks[from];
        let contents = sender.memory.read(&sender.call, message.place).to_vec();
        sender.finish(message.id, message.place);
        let rank = &mut self.ranks[r];
        rank.memory.read(&rank.call, into).copy_from_slice(&contents);
        rank.memory.release(&rank.call, into);
        self.wake(from);
    }

    /// A fold writes its result to some of the places that other ranks have exposed: theirs until the receives there end.
    fn put(&mut self, r: usize, result: Place) -> Verdict {
        let rank = &mut self.ranks[r];
        let contents = rank.memory.read(&rank.call, result).to_vec();
        for (to, _, place) in rank.exposures.extract_if(.., |(_, of, _)| *of == result).collect::<Vec<_>>() {
            if self.random.below(3) == 0 {
                continue;
            }
            let taker = &mut self.ranks[to];
            taker.memory.occupy(&taker.call, place, true)?;
            taker.memory.read(&taker.call, place).copy_from_slice(&contents);
            self.ranks[r].written.push((to, result));
        }
        Ok(())
    }

    fn channel(&mut self, from: usize, to: usize) -> &mut Channel {
        let n = self.ranks.len();
        &mut self.channels[from * n + to]
    }

    fn send(&mut self, r: usize, to: usize, id: Id, place: Place) -> Verdict {
        let eager = match self.sends {
            Sends::Eager => true,
            Sends::Rendezvous => false,
            Sends::Mixed => self.random.below(2) == 0,
        };
        let rank = &mut self.ranks[r];
        rank.memory.occupy(&rank.call, place, false)?;
        let carries = if rank.written.contains(&(to, place)) { Carries::Written } else { Carries::Contents };
        let taken = eager.then(|| rank.memory.read(&rank.call, place).to_vec());
        let heard = rank.heard;
        if eager {
            rank.finish(id, place);
        }
        self.channel(r, to).sent.push_back(Message { id, place, carries, taken, heard });
        Ok(())
    }

    /// Messages meet their receives in order.
    fn meet(&mut self, from: usize, to: usize) -> Verdict {
        let channel = self.channel(from, to);
        if channel.sent.is_empty() || channel.posted.is_empty() {
            return Ok(());
        }
        let (message, (receive, into)) = (channel.sent.pop_front().unwrap(), channel.posted.pop_front().unwrap());
        let (got, expected) = (message.place.len(), into.len());
        if got != expected {
            return Err(format!("rank {to} expects {expected} units of rank {from}, which sends {got}"));
        }
        let rank = &mut self.ranks[to];
        let brings = match rank.verb(receive) {
            Verb::Recv { brings, .. } => brings,
            other => unreachable!("{other:?} is posted"),
        };
        match (message.carries, brings) {
            (Carries::Contents, Brings::Contents | Brings::Operand | Brings::Result) => {
                rank.memory.occupy(&rank.call, into, true)?
            }
            (Carries::Exposure, Brings::Exposure) | (Carries::Written, Brings::Result) => {}
            _ => return Err(format!("rank {to} receives {brings:?} of rank {from}, which sends something else")),
        }
        self.transfers.push(Transfer { from, to, message, receive, into });
        Ok(())
    }

    /// One transfer ends, or a burst of them.
    fn land_some(&mut self) -> Verdict {
        let under_way = self.transfers.len();
        let burst = if self.random.below(3) == 0 { 1 } else { self.random.below(under_way + 1) };
        (0..burst.min(under_way)).try_for_each(|_| self.land())
    }

    /// A random transfer ends.
    fn land(&mut self) -> Verdict {
        let one = self.random.below(self.transfers.len());
        let Transfer { from, to, message, receive, into } = self.transfers.swap_remove(one);
        let rank = &mut self.ranks[to];
        if message.carries == Carries::Exposure {
            rank.exposures.push((from, into, message.place));
            rank.heard |= message.heard;
            rank.cursor.done(&rank.schedule, receive);
            self.wake(to);
            return Ok(());
        }
        let operand = matches!(rank.verb(receive), Verb::Recv { brings: Brings::Operand, .. });
        if operand && message.taken.is_none() {
            rank.cursor.done(&rank.schedule, receive);
            rank.loans.push(Transfer { from, to, message, receive, into });
            self.wake(to);
            return Ok(());
        }
        let contents = message.taken.unwrap_or_else(|| {
            let sender = &mut self.ranks[from];
            let contents = sender.memory.read(&sender.call, message.place).to_vec();
            sender.finish(message.id, message.place);
            contents
        });
        let rank = &mut self.ranks[to];
        if message.carries == Carries::Contents {
            rank.memory.read(&rank.call, into).copy_from_slice(&contents);
        }
        rank.heard |= message.heard;
        rank.finish(receive, into);
        self.wake(to);
        self.wake(from);
        Ok(())
    }

    /// Whether what is left when nothing can happen any more is what the collective wants.
    fn verdict(mut self) -> Verdict {
        for rank in &mut self.ranks {
            if !rank.cursor.complete(&mut rank.schedule) {
                return Err(format!("deadlock: rank {} waits in {:?}", rank.call.rank, rank.schedule.steps()));
            }
            if self.collective == Collective::Barrier && rank.heard.count_ones() as usize != rank.call.size {
                return Err(format!("rank {} left the barrier before all had come: {:b}", rank.call.rank, rank.heard));
            }
            rank.memory.check(&rank.call, self.commutative, &mut self.sums)?;
        }
        match self.channels.iter().position(|c| !c.sent.is_empty()) {
            Some(at) => {
                let n = self.ranks.len();
                Err(format!("a message from rank {} to rank {} is never received", at / n, at % n))
            }
            None => Ok(()),
        }
    }
}
