// SPDX-License-Identifier: MIT OR Apache-2.0
//! All ranks in one thread: a pick of what could happen next, until nothing is left.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use crate::coll::registry::{Algorithm, Collective};
use crate::coll::schedule::{Call, Cursor, Id, Place, Region, Schedule, Verb};

use super::Random;
use super::model::{self, Model, Symbol};

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
    /// The contents, where they are taken at once.
    taken: Option<Vec<Symbol>>,
    /// Whom the sender has heard from, bit by bit.
    heard: u64,
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
    memory: Model,
    scratch: Vec<Vec<Symbol>>,
    /// Places that a transfer reads or writes now.
    busy: Vec<(Id, Place, bool)>,
    heard: u64,
}

/// The machine.
pub struct World {
    collective: Collective,
    commutative: bool,
    ranks: Vec<Rank>,
    channels: HashMap<(usize, usize), Channel>,
    transfers: Vec<Transfer>,
    /// Ranks that may have something to start.
    awake: Vec<usize>,
    sends: Sends,
    window: usize,
    random: Random,
}

impl Rank {
    fn new(algorithm: &Algorithm, call: &Call, rank: usize) -> Rank {
        let mut call = Call { rank, ..call.clone() };
        let memory = model::model(algorithm.collective, &mut call);
        let mut schedule = Schedule::new(call.clone());
        (algorithm.write)(&mut schedule);
        let scratch = schedule.areas().iter().map(|units| vec![None; *units]).collect();
        Rank { call, schedule, cursor: Cursor::default(), memory, scratch, busy: Vec::new(), heard: 1 << rank }
    }

    /// The place as memory sees it: in place, the send buffer is the receive buffer.
    fn real(&self, place: Place) -> Place {
        match (place.region, self.memory.alias) {
            (Region::Send, Some(alias)) => Place { region: Region::Recv, block: alias(&self.call, place.block), ..place },
            _ => place,
        }
    }

    fn units(&mut self, place: Place) -> &mut [Symbol] {
        let real = self.real(place);
        let region = match real.region {
            Region::Send => &mut self.memory.send,
            Region::Recv => &mut self.memory.recv,
            Region::Scratch => &mut self.scratch,
        };
        if real.is_empty() { &mut [] } else { &mut region[real.block][real.from..real.to] }
    }

    /// An error when the place is in use by a transfer in a way that does not allow this one.
    fn check_free(&self, place: Place, write: bool) -> Verdict {
        let place = self.real(place);
        let overlap = |b: &Place| {
            b.region == place.region && b.block == place.block && b.from < place.to && place.from < b.to && !place.is_empty()
        };
        match self.busy.iter().find(|(_, b, writes)| (write || *writes) && overlap(b)) {
            Some((_, b, _)) => Err(format!("rank {}: {place:?} is used while a message uses {b:?}", self.call.rank)),
            None => Ok(()),
        }
    }

    fn occupy(&mut self, id: Id, place: Place, write: bool) -> Verdict {
        self.check_free(place, write)?;
        let place = self.real(place);
        self.busy.push((id, place, write));
        Ok(())
    }

    fn finish(&mut self, id: Id) {
        self.busy.retain(|(b, ..)| *b != id);
        self.cursor.done(&self.schedule, id);
    }

    fn compute(&mut self, from: Place, into: Place, reduce: bool) -> Verdict {
        self.check_free(from, false)?;
        self.check_free(into, true)?;
        let left = self.units(from).to_vec();
        for (l, i) in left.into_iter().zip(self.units(into)) {
            *i = match (reduce, l, i.take()) {
                (false, l, _) => l,
                (true, Some(l), Some(r)) => Some(l.iter().chain(r.iter()).copied().collect()),
                _ => return Err(format!("reduces {from:?} into {into:?}, where nothing has been written")),
            };
        }
        Ok(())
    }
}

impl World {
    /// All ranks of a call, before the first step.
    pub fn new(algorithm: &Algorithm, call: &Call, sends: Sends, window: usize, random: Random) -> World {
        World {
            collective: algorithm.collective,
            commutative: call.commutative && model::reduces(algorithm.collective),
            ranks: (0..call.size).map(|r| Rank::new(algorithm, call, r)).collect(),
            channels: HashMap::new(),
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
            self.awake.swap_remove(awake);
            return Ok(());
        }
        let some = self.random.below(startable.len()) + 1;
        self.pick(r, &startable, some).into_iter().try_for_each(|id| self.start(r, id))
    }

    fn wake(&mut self, rank: usize) {
        if !self.awake.contains(&rank) {
            self.awake.push(rank);
        }
    }

    /// Some of the steps, in random order, except that messages of one channel stay in line.
    fn pick(&mut self, rank: usize, startable: &[Id], some: usize) -> Vec<Id> {
        let me = &self.ranks[rank];
        let channel = |id: &Id| match me.cursor.verb(&me.schedule, *id) {
            Verb::Send { to, .. } => Some((true, to)),
            Verb::Recv { from, .. } => Some((false, from)),
            _ => None,
        };
        let mut left: Vec<Id> = startable.to_vec();
        let mut picked = Vec::new();
        while picked.len() < some && !left.is_empty() {
            let any = self.random.below(left.len());
            let first = channel(&left[any]).and_then(|c| left.iter().position(|id| channel(id) == Some(c)));
            picked.push(left.remove(first.unwrap_or(any)));
        }
        picked
    }

    fn start(&mut self, r: usize, id: Id) -> Verdict {
        let rank = &mut self.ranks[r];
        rank.cursor.start(&rank.schedule, id);
        match rank.cursor.verb(&rank.schedule, id) {
            Verb::Send { to, place } => self.send(r, to, id, place)?,
            Verb::Recv { from, place } => self.channels.entry((from, r)).or_default().posted.push_back((id, place)),
            Verb::Reduce { from, into } => rank.compute(from, into, true)?,
            Verb::Copy { from, into } => rank.compute(from, into, false)?,
            Verb::Join => {}
        }
        let rank = &mut self.ranks[r];
        match rank.cursor.verb(&rank.schedule, id) {
            Verb::Send { to, .. } => self.meet(r, to),
            Verb::Recv { from, .. } => self.meet(from, r),
            _ => {
                rank.finish(id);
                Ok(())
            }
        }
    }

    fn send(&mut self, r: usize, to: usize, id: Id, place: Place) -> Verdict {
        let eager = match self.sends {
            Sends::Eager => true,
            Sends::Rendezvous => false,
            Sends::Mixed => self.random.below(2) == 0,
        };
        let rank = &mut self.ranks[r];
        rank.occupy(id, place, false)?;
        let taken = eager.then(|| rank.units(place).to_vec());
        let heard = rank.heard;
        if eager {
            rank.finish(id);
        }
        self.channels.entry((r, to)).or_default().sent.push_back(Message { id, place, taken, heard });
        Ok(())
    }

    /// Messages meet their receives in order.
    fn meet(&mut self, from: usize, to: usize) -> Verdict {
        let channel = self.channels.entry((from, to)).or_default();
        while !channel.sent.is_empty() && !channel.posted.is_empty() {
            let (message, (receive, into)) = (channel.sent.pop_front().unwrap(), channel.posted.pop_front().unwrap());
            let (got, expected) = (message.place.len(), into.len());
            if got != expected {
                return Err(format!("rank {to} expects {expected} units of rank {from}, which sends {got}"));
            }
            self.ranks[to].occupy(receive, into, true)?;
            self.transfers.push(Transfer { from, to, message, receive, into });
        }
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
        let contents = match message.taken {
            Some(contents) => contents,
            None => {
                let contents = self.ranks[from].units(message.place).to_vec();
                self.ranks[from].finish(message.id);
                contents
            }
        };
        let rank = &mut self.ranks[to];
        rank.units(into).clone_from_slice(&contents);
        rank.heard |= message.heard;
        rank.finish(receive);
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
            check_contents(rank, self.commutative)?;
        }
        match self.channels.iter().find(|(_, c)| !c.sent.is_empty()) {
            Some(((from, to), _)) => Err(format!("a message from rank {from} to rank {to} is never received")),
            None => Ok(()),
        }
    }
}

fn check_contents(rank: &Rank, commutative: bool) -> Verdict {
    for (b, want) in rank.memory.want.iter().enumerate() {
        for (i, want) in want.iter().enumerate().filter(|(_, w)| w.is_some()) {
            let mut holds = rank.memory.recv[b][i].clone();
            if let (true, Some(contributions)) = (commutative, &mut holds) {
                let mut sorted = contributions.to_vec();
                sorted.sort_unstable();
                *contributions = Rc::from(sorted);
            }
            if holds != *want {
                return Err(format!("rank {}: unit {i} of block {b} holds {holds:x?}, not {want:x?}", rank.call.rank));
            }
        }
    }
    Ok(())
}
