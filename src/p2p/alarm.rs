// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operations of many ranks that cannot end: one of them failed, so the others may wait for messages that it does not send any
//! more, and it tells them; or ranks made different calls and wait for each other, so who waits long asks them what they called.
//! What was heard is kept until this rank's part of the operation ends; what ended last is remembered for those who ask late.

use std::collections::BTreeMap;

use super::engine::{Engine, Waiting};
use crate::object::error::Class;

/// An operation of many ranks, as all of them name it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// Context of the operation's messages.
    pub context: u32,
    /// Their tag.
    pub tag: i32,
    /// Which of the operations with this tag (a persistent request's starts share one).
    pub round: u32,
}

/// Bits of a number in the tag of a collective that is counted in the shared segment; the bits above are those of no other tag.
const COUNTED_BITS: u32 = 27;
/// Those bits.
const COUNTED: i32 = -2;

impl Name {
    /// A blocking collective with its number in the shared segment.
    pub fn counted(context: u32, number: u64) -> Name {
        let low = number & ((1 << COUNTED_BITS) - 1);
        Name { context, tag: COUNTED << COUNTED_BITS | low as i32, round: (number >> COUNTED_BITS) as u32 }
    }

    /// Its number there, of one of those.
    pub fn number(&self) -> u64 {
        (self.round as u64) << COUNTED_BITS | self.tag as u64 & ((1 << COUNTED_BITS) - 1)
    }

    /// Whether it is one of those.
    pub fn is_counted(&self) -> bool {
        self.tag >> COUNTED_BITS == COUNTED
    }

    /// Whether it begins on every rank after another has ended there.
    fn follows(&self, other: &Name) -> bool {
        let both = self.context == other.context && self.is_counted() && other.is_counted();
        both && (self.round, self.tag) > (other.round, other.tag)
    }
}

/// What a rank called, as far as all ranks must have called the same. The numbers are for the caller to read.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Which collective.
    pub what: u32,
    /// Its root.
    pub root: u32,
    /// Its packed bytes.
    pub bytes: u64,
}

/// One rank's failure in one operation of its communicator, or its question.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// The operation.
    pub of: Name,
    /// The rank that failed or asks, as the operation counts ranks.
    pub rank: i32,
    /// Its error's code; 0 in a question.
    pub code: i32,
    /// The rank whose device has failed, if that was the reason; else negative. [`REFUSED`]: the call's arguments were no good.
    pub device: i32,
    /// What it called.
    pub said: Said,
    /// An answer, which the others have not got.
    pub answers: bool,
}

/// In the place of a device: the rank's call was refused.
pub const REFUSED: i32 = -2;
/// Alarms kept at most: of operations that had ended here before the alarm came, nobody takes them.
const KEPT: usize = 1 << 16;
/// Operations remembered after their end.
const REMEMBERED: usize = 256;

impl Alarm {
    /// Whether it only asks what this rank called.
    #[inline]
    pub fn asks(&self) -> bool {
        self.code == 0
    }
}

impl Said {
    /// The error's code if two ranks of one operation called this and that.
    pub fn discord(&self, other: &Said) -> Option<i32> {
        match (self.what == other.what, self.root == other.root, self.bytes == other.bytes) {
            (true, true, true) => None,
            (true, true, false) => Some(Class::Truncate as i32),
            (true, false, _) => Some(Class::Root as i32),
            (false, ..) => Some(Class::Arg as i32),
        }
    }
}

/// What a process has heard, and what it would answer.
pub struct Alarms {
    heard: BTreeMap<Name, Alarm>,
    /// The last operations that ended, with this rank in them and its call: a ring.
    ended: Vec<(Name, i32, Said)>,
    next: usize,
}

impl Alarms {
    /// Nothing heard, nothing ended.
    pub(super) const fn new() -> Alarms {
        Alarms { heard: BTreeMap::new(), ended: Vec::new(), next: 0 }
    }

    /// The first failure of an operation is kept, or else that a call was refused, which may come to nothing, or else the last question.
    /// Questions that do not agree are a failure, whatever this rank has called.
    fn keep(&mut self, alarm: Alarm) {
        if self.heard.len() >= KEPT {
            return;
        }
        let kept = self.heard.entry(alarm.of).or_insert(alarm);
        if kept.device == REFUSED && !alarm.asks() {
            *kept = alarm;
        } else if kept.asks() {
            let code = kept.said.discord(&alarm.said).filter(|_| alarm.asks());
            *kept = code.map_or(alarm, |code| Alarm { code, answers: true, ..alarm });
        }
    }

    /// Forgets what was heard of an operation that is over, and of those before it, which may have ended in the shared segment.
    #[cold]
    fn outlive(&mut self, over: Name) {
        self.heard.retain(|of, _| *of != over && !over.follows(of));
    }

    fn forget(&mut self, context: u32) {
        self.ended.rotate_left(self.next);
        self.ended.retain(|(of, ..)| of.context != context);
        self.next = 0;
    }

    /// Whether an operation has ended here, as far as is remembered.
    fn is_over(&self, of: Name) -> bool {
        self.ended.iter().any(|(ended, ..)| *ended == of)
    }

    #[inline]
    fn remember(&mut self, of: Name, rank: i32, said: Said) {
        if self.ended.len() < REMEMBERED {
            self.ended.push((of, rank, said));
            return;
        }
        self.ended[self.next] = (of, rank, said);
        self.next = (self.next + 1) % REMEMBERED;
    }

    /// The answer to a question about an operation that has ended here: none if the calls agree or it is forgotten.
    fn answer(&self, question: &Alarm) -> Option<Option<Alarm>> {
        let (of, rank, said) = *self.ended.iter().find(|(of, ..)| *of == question.of)?;
        Some(said.discord(&question.said).map(|code| Alarm { of, rank, code, device: -1, said, answers: true }))
    }
}

impl Engine {
    /// Tells another process, or asks it.
    #[cold]
    pub fn alert(&mut self, process: u32, alarm: Alarm) {
        if process != self.me() {
            self.push(process, Waiting::Alarm(alarm));
        }
    }

    /// Hears of one from a process. What waits looks again. Questions about what is over are answered at once.
    #[cold]
    pub fn hear(&mut self, process: u32, alarm: Alarm) {
        if alarm.asks()
            && let Some(answer) = self.alarms.answer(&alarm)
        {
            answer.into_iter().for_each(|answer| self.alert(process, answer));
            return;
        }
        if self.alarms.is_over(alarm.of) {
            return;
        }
        self.alarms.keep(alarm);
        self.completions += 1;
    }

    /// The alarm of an operation.
    #[inline]
    pub fn heard(&self, of: Name) -> Option<Alarm> {
        if self.alarms.heard.is_empty() { None } else { self.alarms.heard.get(&of).copied() }
    }

    /// What was heard of the operation is done with.
    #[inline]
    pub fn calm(&mut self, of: Name) {
        if !self.alarms.heard.is_empty() {
            self.alarms.heard.remove(&of);
        }
    }

    /// The operation is over at this rank, which called `said`.
    #[inline]
    pub fn ended(&mut self, of: Name, rank: i32, said: Said) {
        if !self.alarms.heard.is_empty() {
            self.alarms.outlive(of);
        }
        self.alarms.remember(of, rank, said);
    }

    /// Nothing of this context runs any more: what is heard of it comes too late, and another communicator may have it next.
    pub fn calm_all(&mut self, context: u32) {
        self.alarms.heard.retain(|of, _| of.context != context);
        self.alarms.forget(context);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: Said = Said { what: 1, root: 0, bytes: 40 };

    fn name(tag: i32, round: u32) -> Name {
        Name { context: 3, tag, round }
    }

    fn alarm(tag: i32, round: u32, code: i32) -> Alarm {
        Alarm { of: name(tag, round), rank: 2, code, device: -1, said: SAID, answers: false }
    }

    #[test]
    fn an_alarm_is_heard_by_its_own_operation_until_that_ends() {
        let mut engine = Engine::new();
        engine.hear(0, alarm(7, 0, 15));
        engine.hear(0, alarm(8, 1, 15));
        assert_eq!(engine.heard(name(7, 0)), Some(alarm(7, 0, 15)));
        assert_eq!((engine.heard(name(8, 0)), engine.heard(Name { context: 1, ..name(7, 0) })), (None, None));
        engine.ended(name(7, 0), 0, SAID);
        assert_eq!((engine.heard(name(7, 0)), engine.heard(name(8, 1))), (None, Some(alarm(8, 1, 15))));
    }

    #[test]
    fn what_is_heard_of_operations_before_the_one_that_ends_is_forgotten() {
        let of = |number| Name::counted(3, number);
        let mut engine = Engine::new();
        for number in [5, 6, 8, 1 << 27] {
            engine.hear(0, Alarm { of: of(number), ..alarm(0, 0, 15) });
        }
        engine.hear(0, alarm(4, 0, 15));
        engine.ended(of(6), 0, SAID);
        let heard = [5, 6, 8, 1 << 27].map(|number| engine.heard(of(number)).is_some());
        assert_eq!(heard, [false, false, true, true]);
        assert!(engine.heard(name(4, 0)).is_some() && !name(4, 0).is_counted() && !name(-5, 0).is_counted());
        assert!(of((1 << 27) - 1).is_counted() && of(1 << 27).is_counted());
    }

    #[test]
    fn alarms_of_a_context_that_is_over_are_forgotten() {
        let mut engine = Engine::new();
        engine.hear(0, alarm(7, 0, 15));
        engine.calm_all(1);
        assert!(engine.heard(name(7, 0)).is_some());
        engine.calm_all(3);
        assert!(engine.heard(name(7, 0)).is_none());
    }

    #[test]
    fn who_has_a_context_next_does_not_answer_for_who_had_it_before() {
        let mut engine = Engine::new();
        engine.ended(name(7, 0), 0, Said { root: 1, ..SAID });
        engine.hear(0, alarm(7, 0, 15));
        assert!(engine.heard(name(7, 0)).is_none(), "it was over");
        engine.calm_all(3);
        engine.hear(0, alarm(7, 0, 0));
        assert_eq!(engine.heard(name(7, 0)), Some(alarm(7, 0, 0)));
    }

    #[test]
    fn what_is_remembered_of_other_contexts_stays() {
        let mut engine = Engine::new();
        for round in 0..REMEMBERED as u32 + 10 {
            engine.ended(name(7, round), 0, SAID);
            engine.ended(Name { context: 4, ..name(7, round) }, 0, SAID);
        }
        engine.calm_all(4);
        let last = REMEMBERED as u32 + 9;
        assert!(engine.alarms.is_over(name(7, last)) && !engine.alarms.is_over(Name { context: 4, ..name(7, last) }));
        engine.ended(name(7, last + 1), 0, SAID);
        assert!(engine.alarms.is_over(name(7, last)));
    }

    #[test]
    fn two_who_ask_and_do_not_agree_are_a_failure() {
        let mut engine = Engine::new();
        engine.hear(0, alarm(7, 0, 0));
        engine.hear(0, Alarm { said: Said { root: 1, ..SAID }, ..alarm(7, 0, 0) });
        assert_eq!(engine.heard(name(7, 0)).unwrap().code, Class::Root as i32);
    }

    #[test]
    fn many_failures_are_kept_and_the_first_counts() {
        let mut engine = Engine::new();
        for tag in 0..1000 {
            engine.hear(0, alarm(tag, 0, 15));
            engine.hear(0, alarm(tag, 0, 16));
        }
        assert!((0..1000).all(|tag| engine.heard(name(tag, 0)) == Some(alarm(tag, 0, 15))));
    }

    #[test]
    fn a_question_about_what_is_over_is_answered_if_the_calls_differ() {
        let mut alarms = Alarms::new();
        assert_eq!(alarms.answer(&alarm(7, 0, 0)), None);
        for tag in 0..=REMEMBERED as i32 {
            alarms.remember(name(tag, 0), 1, SAID);
        }
        assert_eq!(alarms.answer(&alarm(0, 0, 0)), None);
        assert_eq!(alarms.answer(&alarm(7, 0, 0)), Some(None));
        let other = Alarm { said: Said { root: 1, ..SAID }, ..alarm(7, 0, 0) };
        let answer = Alarm { of: name(7, 0), rank: 1, code: Class::Root as i32, device: -1, said: SAID, answers: true };
        assert_eq!(alarms.answer(&other), Some(Some(answer)));
    }

    #[test]
    fn a_failure_takes_the_place_of_a_refused_call() {
        let (mut alarms, refused) = (Alarms::new(), Alarm { device: REFUSED, ..alarm(7, 0, 12) });
        for (heard, kept) in [(refused, 12), (alarm(7, 0, 0), 12), (alarm(7, 0, 15), 15), (refused, 15)] {
            alarms.keep(heard);
            assert_eq!(alarms.heard[&name(7, 0)].code, kept);
        }
    }

    #[test]
    fn a_failure_takes_the_place_of_a_question() {
        let mut alarms = Alarms::new();
        for (code, kept) in [(0, 0), (15, 15), (0, 15)] {
            alarms.keep(alarm(7, 0, code));
            assert_eq!(alarms.heard[&name(7, 0)].code, kept);
        }
    }
}
