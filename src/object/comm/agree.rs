// SPDX-License-Identifier: MIT OR Apache-2.0
//! How processes agree before they have a communicator: words are combined up a binomial tree, and the result goes
//! down it. 2 log n steps; the words are few. Works step by step, for nonblocking calls, or to its end.
//!
//! Everything needed is a combination: AND of free context ids, OR for gathering and broadcasting (others give 0).

use crate::object::error::Result;
use crate::p2p::{self, Envelope, Span, Ticket};
use crate::progress;

/// Who agrees, and on which channel. All members use the same order, context and tag.
#[derive(Clone, Debug)]
pub struct Circle {
    /// Job-wide process numbers.
    pub members: Vec<u32>,
    /// My place among them.
    pub me: usize,
    /// Context of the messages.
    pub context: u32,
    /// Their tag.
    pub tag: i32,
}

impl Circle {
    /// Some of the members, among them me, on the same channel.
    pub fn narrowed(&self, members: Vec<u32>) -> Circle {
        let me = self.members[self.me];
        let me = members.iter().position(|&m| m == me).expect("I am one of the members");
        Circle { members, me, context: self.context, tag: self.tag }
    }
}

/// How words that arrive are combined with mine.
pub type Combine = fn(&mut [u64], &[u64]);

/// Bits that all have.
pub fn and(mine: &mut [u64], theirs: &[u64]) {
    mine.iter_mut().zip(theirs).for_each(|(a, b)| *a &= b);
}

/// Bits that anyone has.
pub fn or(mine: &mut [u64], theirs: &[u64]) {
    mine.iter_mut().zip(theirs).for_each(|(a, b)| *a |= b);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Receive words of a child and combine.
    Gather(usize),
    /// Receive the result from the parent.
    Take(usize),
    /// Send my words.
    Send(usize),
}

fn steps(me: usize, n: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut mask = 1;
    while mask < n && me & mask == 0 {
        if me + mask < n {
            steps.push(Step::Gather(me + mask));
        }
        mask <<= 1;
    }
    if me > 0 {
        steps.extend([Step::Send(me - mask), Step::Take(me - mask)]);
    }
    while mask > 1 {
        mask >>= 1;
        if me + mask < n {
            steps.push(Step::Send(me + mask));
        }
    }
    steps
}

/// An agreement under way.
pub struct Exchange {
    circle: Circle,
    combine: Combine,
    words: Vec<u64>,
    inbox: Vec<u64>,
    steps: Vec<Step>,
    at: usize,
    ticket: Option<Ticket>,
}

impl Exchange {
    /// Starts with my words; all members give equally many.
    pub fn new(circle: &Circle, words: Vec<u64>, combine: Combine) -> Exchange {
        let inbox = vec![0; words.len()];
        let steps = steps(circle.me, circle.members.len());
        Exchange { circle: circle.clone(), combine, words, inbox, steps, at: 0, ticket: None }
    }

    /// Goes as far as possible without waiting: the combined words when all is done.
    pub fn advance(&mut self) -> Option<Result<Vec<u64>>> {
        while let Some(&step) = self.steps.get(self.at) {
            match self.advance_one(step)? {
                Ok(()) => self.at += 1,
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(std::mem::take(&mut self.words)))
    }

    fn advance_one(&mut self, step: Step) -> Option<Result<()>> {
        if self.ticket.is_none() {
            match self.start(step) {
                Ok(Some(ticket)) => self.ticket = Some(ticket),
                Ok(None) => return Some(Ok(())),
                Err(error) => return Some(Err(error)),
            }
        }
        let outcome = p2p::finish(self.ticket?)?;
        self.ticket = None;
        Some(outcome.map(|_| self.arrived(step)))
    }

    fn start(&mut self, step: Step) -> Result<Option<Ticket>> {
        let Circle { context, tag, .. } = self.circle;
        let bytes = (self.words.len() * 8) as i64;
        let envelope = |process: u32, who: u32| Envelope { process, context, rank: who as i32, tag };
        match step {
            Step::Send(to) => {
                let to = envelope(self.circle.members[to], self.circle.members[self.circle.me]);
                // SAFETY: the words live as long as the exchange, and nothing changes them before the send is finished.
                unsafe { p2p::start_send(to, Span::bytes(self.words.as_mut_ptr().cast(), bytes)) }
            }
            Step::Gather(from) | Step::Take(from) => {
                let from = self.circle.members[from];
                // SAFETY: the inbox lives as long as the exchange, and nothing else uses it before the receive is finished.
                Ok(Some(unsafe { p2p::start_receive(envelope(from, from), Span::bytes(self.inbox.as_mut_ptr().cast(), bytes)) }))
            }
        }
    }

    fn arrived(&mut self, step: Step) {
        match step {
            Step::Gather(_) => (self.combine)(&mut self.words, &self.inbox),
            Step::Take(_) => self.words.copy_from_slice(&self.inbox),
            Step::Send(_) => {}
        }
    }
}

/// Waits for something that goes step by step.
pub fn wait<T>(what: &str, mut advance: impl FnMut() -> Option<T>) -> T {
    let mut outcome = advance();
    if outcome.is_none() {
        progress::wait(what, || {
            outcome = advance();
            outcome.is_some()
        });
    }
    outcome.expect("the wait ends when there is an outcome")
}

/// Agrees now.
pub fn agree(circle: &Circle, words: Vec<u64>, combine: Combine) -> Result<Vec<u64>> {
    let mut exchange = Exchange::new(circle, words, combine);
    wait("communicator creation: agreement with the other members", || exchange.advance())
}

/// Everyone's `mine` in the order of the circle; all of the same length.
pub fn gather(circle: &Circle, mine: &[u64]) -> Result<Vec<u64>> {
    let mut words = vec![0; mine.len() * circle.members.len()];
    words[circle.me * mine.len()..][..mine.len()].copy_from_slice(mine);
    agree(circle, words, or)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, VecDeque};

    use super::*;

    /// Runs all members in one thread; messages lie in queues.
    fn run(n: usize, combine: Combine, start: impl Fn(usize) -> u64) -> Vec<u64> {
        let plans: Vec<_> = (0..n).map(|me| steps(me, n)).collect();
        let mut at = vec![0; n];
        let mut words: Vec<_> = (0..n).map(start).collect();
        let mut mail: BTreeMap<(usize, usize), VecDeque<u64>> = BTreeMap::new();
        while (0..n).any(|me| at[me] < plans[me].len()) {
            let before = at.clone();
            for me in 0..n {
                let Some(&step) = plans[me].get(at[me]) else { continue };
                match step {
                    Step::Send(to) => mail.entry((me, to)).or_default().push_back(words[me]),
                    Step::Gather(from) | Step::Take(from) => {
                        let Some(word) = mail.entry((from, me)).or_default().pop_front() else { continue };
                        match step {
                            Step::Gather(_) => combine(&mut words[me..=me], &[word]),
                            _ => words[me] = word,
                        }
                    }
                }
                at[me] += 1;
            }
            assert_ne!(before, at, "deadlock with {n} members");
        }
        assert!(mail.values().all(VecDeque::is_empty));
        words
    }

    #[test]
    fn all_members_end_with_the_combination() {
        for n in 1..=64 {
            assert!(run(n, or, |me| 1 << me).iter().all(|&w| w == u64::MAX >> (64 - n)));
            assert!(run(n, and, |me| !(1 << me)).iter().all(|&w| w == !(u64::MAX >> (64 - n))));
        }
    }
}
