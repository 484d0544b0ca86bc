// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drivers: what runs a schedule over `p2p`. Blocking ([`Run::wait`]), in the background ([`Active`]); both are the same
//! [`Run::advance`]. No lock of the engine is held while a reduction (perhaps the user's function) runs.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use crate::device::MOST_INPUTS;
use crate::err;
use crate::object::comm::Comm;
use crate::object::error::{Class, Error, Result};
use crate::object::op::away::Operand;
use crate::object::op::fold::{self, Target};
use crate::object::op::{Op, away};
use crate::object::request::Active;
use crate::object::status::Status;
use crate::os::copy::copy_over;
use crate::p2p::alarm::{Alarm, Name, REFUSED};
use crate::p2p::memory::Memory;
use crate::p2p::{self, Envelope, Loan, Loans, Span, Ticket};
use crate::progress;

use super::bind::Bound;
use super::node;
use super::patience::Patience;
use super::plan::Plan;
use super::refusal;
use super::said::{self, Said};
use super::schedule::{Brings, Ground, Id, Place, Region, Verb};

/// A collective under way: a plan, the memory that it works on, and the communicator.
pub struct Run {
    plan: Option<Box<Plan>>,
    bound: Option<Bound>,
    op: Option<Arc<Op>>,
    comm: Arc<Comm>,
    name: Name,
    said: Said,
    end: End,
    patience: Patience,
    /// Operations of this process that had completed when its messages were last looked at.
    seen: u64,
}

/// What a run waits for: the collective, its communicator and number there, and one of its messages.
struct Awaited {
    name: &'static str,
    context: u32,
    number: Option<i32>,
    first: Option<Ticket>,
}

impl Display for Awaited {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, p2p::waiting::on(self.context))?;
        if let Some(number) = self.number {
            write!(f, ", collective number {number} there")?;
        }
        match self.first.and_then(p2p::waiting::describe) {
            Some(message) => write!(f, "; first of its messages: {message}"),
            None => Ok(()),
        }
    }
}

/// How a run ends.
enum End {
    /// It goes on, or is complete.
    Well,
    /// Another rank failed in it.
    Heard,
    /// It failed, and messages may still come into its buffers: it is over when they have.
    Failing(Error),
    Failed,
}

impl Run {
    /// Binds a plan for the call `said` to memory on a communicator, as its collective `name`.
    pub fn new((plan, said): (Box<Plan>, Said), mut bound: Bound, op: Option<Arc<Op>>, comm: Arc<Comm>, name: Name) -> Run {
        bound.lay_out(plan.schedule.areas(), op.as_deref());
        let (plan, bound) = (Some(plan), Some(bound));
        Run { plan, bound, op, comm, name, said, end: End::Well, patience: Patience::default(), seen: u64::MAX }
    }

    /// Tells ranks that wait for this one in the shared segment that it waits for the nonblocking collective `number`.
    pub fn tell_wait(&self, number: u32) {
        super::node::awaited(&self.comm, number);
    }

    /// Runs it to the end.
    pub fn wait(mut self) -> Result<()> {
        while !self.advance()? {
            debug_assert!(!self.plan().flying.is_empty(), "the schedule has a cycle");
            let awaited = self.awaited();
            progress::wait(awaited, || self.collect());
        }
        Ok(())
    }

    /// Goes as far as it can without waiting; whether it is complete. After an error the run is over, and nothing of it
    /// writes into the user's memory any more.
    pub fn advance(&mut self) -> Result<bool> {
        if let End::Well = self.end {
            match self.try_advance() {
                Ok(complete) => return Ok(complete),
                Err(error) => self.fail(error),
            }
        }
        self.collect();
        let plan = self.plan();
        plan.landed.clear();
        plan.loans.drain(..).for_each(|(_, loan)| p2p::repay(*loan));
        plan.exposures.drain(..).for_each(|(.., loan)| p2p::repay(*loan));
        if !plan.flying.is_empty() {
            return Ok(false);
        }
        match std::mem::replace(&mut self.end, End::Failed) {
            End::Failing(error) => Err(error),
            _ => Err(err!(Intern, "a collective that failed was moved on")),
        }
    }

    fn try_advance(&mut self) -> Result<bool> {
        // Nothing can start that could not at the last look, which started all.
        if self.seen != u64::MAX && !self.collect() && self.plan().landed.is_empty() {
            return self.heed();
        }
        let mut startable = std::mem::take(&mut self.plan().startable);
        loop {
            self.collect();
            self.land()?;
            let plan = self.plan();
            plan.cursor.startable(&mut plan.schedule, &mut startable);
            if startable.is_empty() {
                break;
            }
            for id in &startable {
                self.start(*id)?;
            }
        }
        let plan = self.plan();
        plan.startable = startable;
        if plan.cursor.complete(&mut plan.schedule) { Ok(true) } else { self.heed() }
    }

    /// A run that is not complete: does what another rank said end it?
    #[inline]
    fn heed(&mut self) -> Result<bool> {
        match self.heard() {
            None => Ok(false),
            Some(alarm) if alarm.asks() || alarm.answers => Err(said::mismatch(&self.said, &alarm)),
            Some(alarm) => Err(self.heeded(alarm)),
        }
    }

    /// What another rank said. The question of one that made the same call is no news.
    #[inline]
    fn heard(&self) -> Option<Alarm> {
        let alarm = p2p::heard(self.name)?;
        if alarm.device == REFUSED {
            return self.refused(alarm);
        }
        if alarm.asks() && self.said.discord(&alarm.said).is_none() {
            p2p::calm(self.name);
            return None;
        }
        Some(alarm)
    }

    /// Another rank's call was refused. That is no news if it was not this one.
    #[cold]
    fn refused(&self, alarm: Alarm) -> Option<Alarm> {
        let plan = self.plan.as_ref().expect("present until the run is dropped");
        let found = node::refused(&self.comm, self.name.number(), plan.algorithm.collective);
        if found.is_none() {
            p2p::calm(self.name);
        }
        found.map(|(rank, code)| Alarm { rank: rank as i32, code, ..alarm })
    }

    /// Nothing has come for long: asks those from whom messages should come, and those who have not taken some, what they called. They keep
    /// the question until their part of the collective ends.
    #[cold]
    fn ask(&mut self) {
        let question = self.alarm(0, -1);
        let plan = self.plan.as_ref().expect("present until the run is dropped");
        for (id, _) in &plan.flying {
            if let Verb::Recv { from: peer, .. } | Verb::Send { to: peer, .. } | Verb::Expose { to: peer, .. } =
                plan.cursor.verb(&plan.schedule, *id)
            {
                p2p::alert(self.comm.process_at(peer), question);
            }
        }
    }

    #[cold]
    fn heeded(&mut self, alarm: Alarm) -> Error {
        self.end = End::Heard;
        let (name, number, me) = (self.plan().algorithm.collective.name(), self.number(), self.comm.rank);
        let text = match alarm.device {
            0.. => format!(
                "a device of rank {} failed in {name} (collective number {number} on this communicator), so it cannot end at rank {me}",
                alarm.device
            ),
            REFUSED => return refusal::elsewhere(alarm.code, alarm.rank as usize, name),
            _ => format!(
                "{name} (collective number {number} on this communicator) failed at rank {}, so it cannot end at rank {me}; do all \
                 ranks call {name} with the same count, type signature and root?",
                alarm.rank
            ),
        };
        Error::with_code(alarm.code, text)
    }

    /// The first error ends the run. Others may wait for messages that this rank does not send now: they are told, unless
    /// they are who told.
    #[cold]
    pub fn fail(&mut self, mut error: Error) {
        if let End::Well = self.end {
            let device = self.broken(&error);
            if device == self.me() as i32 {
                error = Error::with_code(error.code(), format!("a device of this rank failed: {}", error.text()));
            }
            let alarm = self.alarm(error.code(), device);
            (0..self.plan().schedule.size()).for_each(|place| p2p::alert(self.comm.process_at(place), alarm));
        }
        self.abandon(error);
    }

    /// Its number among the collectives of its form, for the user.
    fn number(&self) -> i32 {
        self.name.tag & 0x0fff_ffff
    }

    fn alarm(&self, code: i32, device: i32) -> Alarm {
        Alarm { of: self.name, rank: self.comm.rank, code, device, said: self.said, answers: false }
    }

    /// The rank whose device is the reason of an error, as the schedule counts ranks, else negative. No other error of a run has this class.
    fn broken(&self, error: &Error) -> i32 {
        if error.code() != Class::Other as i32 {
            return -1;
        }
        error.device_at().unwrap_or(self.me() as i32)
    }

    fn plan(&mut self) -> &mut Plan {
        self.plan.as_mut().expect("present until the run is dropped")
    }

    /// What it waits for.
    fn awaited(&self) -> Awaited {
        let plan = self.plan.as_ref().expect("present until the run is dropped");
        let first = plan.flying.first().map(|(_, ticket)| *ticket);
        let number = (self.name.tag >= 0 || self.name.is_counted()).then(|| self.number());
        Awaited { name: plan.algorithm.collective.name(), context: self.comm.context, number, first }
    }

    /// Asks which messages have completed; cheap, and runs no user code.
    fn collect(&mut self) -> bool {
        let completions = p2p::completions();
        if completions == self.seen {
            if self.patience.is_over() {
                self.ask();
            }
            return false;
        }
        self.seen = completions;
        let borrows = self.bound().reduces_on().is_some();
        let Plan { flying, landed, loans, exposures, cursor, schedule, .. } = self.plan();
        let mut finish = |id: Id, ticket| {
            if !borrows {
                return p2p::finish(ticket);
            }
            let (result, loan) = p2p::finish_operand(ticket)?;
            match (loan, cursor.verb(schedule, id)) {
                (Some(loan), Verb::Recv { from, place, brings: Brings::Exposure }) => exposures.push((from, place, loan)),
                (Some(loan), Verb::Recv { place, .. }) => loans.push((place, loan)),
                _ => {}
            }
            Some(result)
        };
        flying.retain(|(id, ticket)| match finish(*id, *ticket) {
            Some(result) => {
                landed.push((*id, result));
                false
            }
            None => true,
        });
        if landed.is_empty() {
            return self.heard().is_some();
        }
        self.patience = Patience::default();
        true
    }

    /// Checks and books the messages that have completed.
    fn land(&mut self) -> Result<()> {
        while let Some((id, result)) = self.plan().landed.pop() {
            let plan = self.plan();
            let verb = plan.cursor.verb(&plan.schedule, id);
            plan.cursor.done(&plan.schedule, id);
            self.check(verb, result)?;
        }
        Ok(())
    }

    fn start(&mut self, id: Id) -> Result<()> {
        let verb = {
            let plan = self.plan();
            plan.cursor.verb(&plan.schedule, id)
        };
        let ticket = match verb {
            Verb::Send { to, place } => self.start_send(to, place)?,
            Verb::Recv { from, place, brings } => Some(self.start_receive(from, place, brings)),
            Verb::Expose { to, place } => self.expose(to, place)?,
            Verb::Reduce { from, into } => self.reduce(from, into)?,
            Verb::Fold { into } => self.fold(id, into)?,
            Verb::Copy { from, into } => copy(self.bound().span(from), self.bound().span(into))?,
            Verb::Join => None,
        };
        let plan = self.plan();
        match ticket {
            Some(ticket) => {
                plan.cursor.start(&plan.schedule, id);
                plan.flying.push((id, ticket));
            }
            None => plan.cursor.done(&plan.schedule, id),
        }
        Ok(())
    }

    fn bound(&self) -> &Bound {
        self.bound.as_ref().expect("present until the run is dropped")
    }

    /// My rank as schedules count, through both groups of an intercommunicator.
    fn me(&self) -> usize {
        self.plan.as_ref().map_or(0, |plan| plan.schedule.rank())
    }

    fn envelope(&self, process: usize, rank: usize) -> Envelope {
        let process = self.comm.process_at(process);
        Envelope { process, context: self.name.context, rank: rank as i32, tag: self.name.tag }
    }

    /// Of what a fold has written at the receiver, only that it has.
    fn start_send(&mut self, to: usize, place: Place) -> Result<Option<Ticket>> {
        let carries = !place.is_empty() && (self.plan().written.is_empty() || !self.plan().written.contains(&(to, place)));
        let memory = if carries { self.bound().memory(place) } else { Memory::NONE };
        // SAFETY: the caller of the collective keeps its buffers until it completes, and `bound` keeps scratch.
        unsafe { p2p::start_send_of(self.envelope(to, self.me()), memory) }
    }

    #[cold]
    fn expose(&self, to: usize, place: Place) -> Result<Option<Ticket>> {
        // SAFETY: as in `start_send`; the schedule gives no step this place until the fold's result is there.
        unsafe { p2p::start_expose(self.envelope(to, self.me()), self.bound().memory(place)) }
    }

    fn start_receive(&self, from: usize, place: Place, brings: Brings) -> Ticket {
        let (bound, from) = (self.bound(), self.envelope(from, from));
        // SAFETY: as in `start_send`; the schedule gives no other step this place until the receive completes. An exposure changes nothing.
        unsafe {
            match (brings, bound.reduces_on()) {
                (Brings::Operand, Some(home)) if bound.is_unused(place) && self.lends() => {
                    p2p::start_receive_operand_anywhere(from, bound.bytes(place) as usize, home)
                }
                (Brings::Operand, Some(_)) => p2p::start_receive_operand(from, bound.memory(place)),
                (Brings::Exposure, Some(_)) => p2p::start_receive_exposure(from, bound.memory(place)),
                (Brings::Exposure, None) => p2p::start_receive_into(from, Memory::NONE),
                _ => p2p::start_receive_into(from, bound.memory(place)),
            }
        }
    }

    /// Whether operands may be expected to stay at their senders.
    fn lends(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.schedule.call().ground != Ground::Staged)
    }

    fn reduce(&mut self, from: Place, into: Place) -> Result<Option<Ticket>> {
        if !self.plan().loans.is_empty() {
            let (left, right) = (self.loan_of(from), self.loan_of(into));
            if left.is_some() || right.is_some() {
                let left = left.map_or_else(|| Operand::Here(self.bound().address(from)), Operand::Lent);
                return self.reduce_loans(left, (into, right));
            }
        }
        let (bound, op) = (self.bound(), self.op.as_ref().expect("a reduction has an operation"));
        // SAFETY: both places hold `into.len()` elements; the schedule gives no other step `into` meanwhile.
        unsafe { away::reduce(op, bound.element(), into.len() as i64, bound.address(from), bound.address(into)) }
    }

    #[cold]
    fn fold(&mut self, id: Id, into: Place) -> Result<Option<Ticket>> {
        let places = self.plan().schedule.operands(id).to_vec();
        let operands = places.iter().map(|place| self.operand(*place)).collect();
        let scratch = places.iter().find(|place| place.region == Region::Scratch && places.len() > MOST_INPUTS).unwrap_or(&into);
        let plan = self.plan();
        let (takers, exposed): (Vec<_>, Loans) =
            plan.exposures.extract_if(.., |(_, result, _)| *result == into).map(|(rank, _, loan)| ((rank, into), *loan)).unzip();
        let (bound, op) = (self.bound(), self.op.as_ref().expect("a reduction has an operation"));
        let target = Target { into: bound.address(into), spare: bound.address(*scratch), exposed };
        // SAFETY: the places hold `into.len()` elements each, as do the loans, and the schedule gives no other step `into` or the
        // scratch meanwhile, nor other ranks what they have exposed.
        let folded = unsafe { fold::fold(op, bound.element(), into.len() as i64, operands, target, bound.is_on_device())? };
        if folded.is_everywhere {
            self.plan().written.extend(takers);
        }
        Ok(folded.ticket)
    }

    /// A place as an operand, or the loan that stands for it.
    fn operand(&mut self, place: Place) -> Operand {
        self.loan_of(place).map_or_else(|| Operand::Here(self.bound().address(place)), Operand::Lent)
    }

    /// The loan that stands for a place.
    fn loan_of(&mut self, place: Place) -> Option<Loan> {
        let loans = &mut self.plan().loans;
        let at = loans.iter().position(|(stands_for, _)| *stands_for == place)?;
        Some(*loans.swap_remove(at).1)
    }

    /// A reduction whose operands lie at other ranks: a kernel reads them there.
    #[cold]
    fn reduce_loans(&self, from: Operand, (into, right): (Place, Option<Loan>)) -> Result<Option<Ticket>> {
        let (bound, op) = (self.bound(), self.op.as_ref().expect("a reduction has an operation"));
        // SAFETY: as in `reduce`; loans are of as many elements, since their messages had the places' sizes.
        unsafe { away::reduce_loans(op, bound.element(), into.len() as i64, from, (bound.address(into), right)) }
    }

    /// A message of another size than this rank expects means that the ranks did not make the same call.
    fn check(&mut self, verb: Verb, result: Result<Status>) -> Result<()> {
        let Verb::Recv { from, place, brings } = verb else { return result.map(drop) };
        let expected = if place.is_empty() { 0 } else { self.bound().bytes(place) };
        match result {
            Ok(_) if brings == Brings::Exposure => Ok(()),
            // What has no way to the place that was exposed looks truncated; the message of the result tells whether lengths agree.
            Err(e) if brings == Brings::Exposure && e.code() == Class::Truncate as i32 => Ok(()),
            Ok(status) if status.bytes == expected || status.bytes == 0 && brings == Brings::Result => Ok(()),
            Ok(status) => Err(self.mismatch(from, &status.bytes.to_string(), expected)),
            Err(e) if e.code() == Class::Truncate as i32 => Err(self.mismatch(from, "more", expected)),
            Err(e) => Err(e),
        }
    }

    #[cold]
    fn mismatch(&mut self, from: usize, got: &str, expected: i64) -> Error {
        let (me, number) = (self.comm.rank, self.number());
        let (name, algorithm) = (self.plan().algorithm.collective.name(), self.plan().algorithm.name);
        err!(
            Truncate,
            "{name} (collective number {number} on this communicator, algorithm {algorithm}): rank {me} expected {expected} \
             bytes of rank {from} and got {got}; do both ranks call {name} with the same count, type signature and root?"
        )
    }

    /// After an error: receives that have not matched are taken back; those that have go on, since their messages are on the
    /// way, and so does a device's work. Sends out of device memory are taken back, or end when they have been read: the program may
    /// free its buffers after the call, and a device that reads freed memory is lost. Other sends complete on their own, maybe
    /// never, so the scratch that they read is not given back: who reads what the program has written there since hears of the
    /// failure, too, or reads what is not its to use.
    fn abandon(&mut self, error: Error) {
        self.end = End::Failing(error);
        let plan = self.plan();
        let (cursor, schedule) = (&plan.cursor, &plan.schedule);
        let before = plan.flying.len();
        plan.flying.retain(|(id, ticket)| match cursor.verb(schedule, *id) {
            Verb::Send { .. } | Verb::Expose { .. } => !p2p::withdraw(*ticket),
            Verb::Recv { .. } => {
                p2p::cancel(*ticket);
                true
            }
            _ => true,
        });
        if plan.flying.len() < before {
            self.leak();
        }
    }

    /// Keeps the scratch for ever.
    fn leak(&mut self) {
        if let Some(bound) = &mut self.bound {
            bound.leak();
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        p2p::ended(self.name, self.comm.rank, self.said);
        if let (Some(plan), End::Well) = (self.plan.take(), &self.end) {
            plan.keep();
        }
    }
}

/// Its errors go to the communicator's handler, whichever call waits for the request.
impl Active for Run {
    fn advance(&mut self) -> Option<Result<Status>> {
        match Run::advance(self) {
            Ok(false) => None,
            Ok(true) => Some(Ok(Status::EMPTY)),
            Err(e) => Some(Err(e.in_context(self.comm.context))),
        }
    }

    fn describe(&self) -> String {
        self.awaited().to_string()
    }
}

/// The same, and waits until it is done.
pub fn copy_now(from: Span<'_>, into: Span<'_>) -> Result<()> {
    copy(from, into)?.map_or(Ok(()), |ticket| p2p::send::complete("a copy on a device", ticket).map(drop))
}

/// Copies within the process, between stretches of equal packed size. A ticket when a device does it.
pub fn copy(from: Span<'_>, into: Span<'_>) -> Result<Option<Ticket>> {
    let bytes = (from.to - from.from).min(into.to - into.from);
    if from.base == into.base && from.from == into.from && Arc::ptr_eq(from.datatype, into.datatype) {
        return Ok(None);
    }
    if bytes > 0 && (Memory::is_away(&from) || Memory::is_away(&into)) {
        // SAFETY: as below; the buffers of a collective stay until it completes.
        return unsafe { p2p::start_copy(from, into) };
    }
    if from.datatype.dense && into.datatype.dense {
        // SAFETY: both stretches are one run of so many bytes in buffers of the call (a dense type has no holes).
        unsafe { copy_over(packed_address(&from), packed_address(&into), bytes as usize) };
        return Ok(None);
    }
    let mut buffer = [0u8; 8192];
    let mut done = 0;
    while done < bytes {
        let piece = &mut buffer[..8192.min(bytes - done) as usize];
        // SAFETY: as above, for elements laid out by their types.
        unsafe {
            from.datatype.pack(from.base, from.count, from.from + done, piece);
            into.datatype.unpack(into.base, into.count, into.from + done, piece);
        }
        done += piece.len() as i64;
    }
    Ok(None)
}

fn packed_address(span: &Span<'_>) -> *mut u8 {
    span.base.wrapping_offset((span.datatype.true_lb + span.from) as isize)
}
