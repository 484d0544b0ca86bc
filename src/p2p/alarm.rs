// SPDX-License-Identifier: MIT OR Apache-2.0
//! An operation of many ranks that failed at one of them: that rank tells the others, which else might wait for messages that
//! it does not send any more. What was heard is kept until this rank's part of the operation ends.

use super::engine::{Engine, Waiting};

/// One rank's failure in one operation of its communicator.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// Context of the operation's messages.
    pub context: u32,
    /// Their tag.
    pub tag: i32,
    /// Which of the operations with this tag (a persistent request's starts share one).
    pub round: u32,
    /// The rank that failed, as the operation counts ranks.
    pub rank: i32,
    /// Its error's code.
    pub code: i32,
    /// The rank whose device has failed, if that was the reason; else negative.
    pub device: i32,
}

/// Alarms kept at most: of operations that had ended here before the alarm came, nobody takes them.
const KEPT: usize = 64;

impl Alarm {
    fn is_of(&self, context: u32, tag: i32, round: u32) -> bool {
        (self.context, self.tag, self.round) == (context, tag, round)
    }
}

impl Engine {
    /// Tells another process.
    #[cold]
    pub fn alert(&mut self, process: u32, alarm: Alarm) {
        if process != self.me() {
            self.push(process, Waiting::Alarm(alarm));
        }
    }

    /// Hears of one. What waits looks again.
    #[cold]
    pub fn hear(&mut self, alarm: Alarm) {
        if self.alarms.len() == KEPT {
            self.alarms.remove(0);
        }
        self.alarms.push(alarm);
        self.completions += 1;
    }

    /// The first alarm of an operation.
    #[inline]
    pub fn heard(&self, context: u32, tag: i32, round: u32) -> Option<Alarm> {
        self.alarms.iter().find(|alarm| alarm.is_of(context, tag, round)).copied()
    }

    /// The operation is over at this rank.
    #[inline]
    pub fn calm(&mut self, context: u32, tag: i32, round: u32) {
        if !self.alarms.is_empty() {
            self.alarms.retain(|alarm| !alarm.is_of(context, tag, round));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_is_heard_by_its_own_operation_until_that_ends() {
        let mut engine = Engine::new();
        let alarm = |tag, round| Alarm { context: 3, tag, round, rank: 2, code: 15, device: -1 };
        engine.hear(alarm(7, 0));
        engine.hear(alarm(8, 1));
        assert_eq!(engine.heard(3, 7, 0), Some(alarm(7, 0)));
        assert_eq!((engine.heard(3, 8, 0), engine.heard(1, 7, 0)), (None, None));
        assert!(!engine.is_idle(3) && engine.is_idle(1));
        engine.calm(3, 7, 0);
        assert_eq!((engine.heard(3, 7, 0), engine.heard(3, 8, 1)), (None, Some(alarm(8, 1))));
    }

    #[test]
    fn alarms_that_nobody_takes_do_not_pile_up() {
        let mut engine = Engine::new();
        for tag in 0..1000 {
            engine.hear(Alarm { context: 1, tag, round: 0, rank: 0, code: 1, device: -1 });
        }
        assert_eq!((engine.alarms.len(), engine.heard(1, 999, 0).is_some()), (KEPT, true));
    }
}
