// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matching messages to receives in one context (MPI 5.0, section 3.5: a message matches the first receive posted that
//! accepts it, a receive takes the first message arrived that it accepts).
//! Posted receives and unexpected messages are kept by source, so only receives or probes from `ANY_SOURCE` look at more
//! than one source. Pure: knows neither buffers nor transport.

use super::queue::{At, Queue};
use crate::object::constant::ANY_SOURCE;

/// A source and a tag, either of which may be a wildcard in a receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Rank of the sender or `ANY_SOURCE`.
    pub source: i32,
    /// Tag or `ANY_TAG`.
    pub tag: i32,
}

struct Source<P, U> {
    posted: Queue<P>,
    unexpected: Queue<U>,
}

/// The queues of one context: `P` stands for a posted receive, `U` for an unexpected message.
pub struct Matcher<P, U> {
    sources: Vec<Source<P, U>>,
    any: Queue<P>,
    order: u64,
    unexpected: usize,
}

impl<P, U> Default for Matcher<P, U> {
    fn default() -> Self {
        Matcher { sources: Vec::new(), any: Queue::default(), order: 0, unexpected: 0 }
    }
}

impl<P: PartialEq, U> Matcher<P, U> {
    #[inline]
    fn source(&mut self, rank: i32) -> &mut Source<P, U> {
        let rank = rank as usize;
        if self.sources.len() <= rank {
            self.sources.resize_with(rank + 1, || Source { posted: Queue::default(), unexpected: Queue::default() });
        }
        &mut self.sources[rank]
    }

    #[inline]
    fn next_order(&mut self) -> u64 {
        self.order += 1;
        self.order
    }

    /// A message arrives: takes the receive that it matches.
    #[inline]
    pub fn arrive(&mut self, source: i32, tag: i32) -> Option<P> {
        // Mostly it is the first for its source, and no receive is for any.
        if self.any.is_empty()
            && let Some(of) = self.sources.get_mut(source as usize)
            && let Some(receive) = of.posted.take_front(tag)
        {
            return Some(receive);
        }
        self.arrive_anywhere(source, tag)
    }

    #[inline(never)]
    fn arrive_anywhere(&mut self, source: i32, tag: i32) -> Option<P> {
        let any = if self.any.is_empty() { None } else { self.any.first_for(tag) };
        let posted = &mut self.source(source).posted;
        match (posted.first_for(tag), any) {
            (None, None) => None,
            (Some(at), any) if any.is_none_or(|any| at.order < any.order) => Some(posted.take(at).1),
            (_, Some(at)) => Some(self.any.take(at).1),
            (Some(_), None) => unreachable!("the second arm takes it"),
        }
    }

    /// Keeps a message that matched no receive.
    pub fn keep(&mut self, source: i32, tag: i32, message: U) {
        let order = self.next_order();
        self.unexpected += 1;
        self.source(source).unexpected.push(order, tag, message);
    }

    /// The first unexpected message that `pattern` accepts: its source, and where it is.
    #[inline]
    fn find(&self, pattern: Pattern) -> Option<(usize, At)> {
        if self.unexpected == 0 {
            return None;
        }
        if pattern.source != ANY_SOURCE {
            let source = pattern.source as usize;
            return self.sources.get(source)?.unexpected.first_of(pattern.tag).map(|at| (source, at));
        }
        let found = self.sources.iter().enumerate().filter_map(|(s, q)| q.unexpected.first_of(pattern.tag).map(|at| (s, at)));
        found.min_by_key(|(_, at)| at.order)
    }

    /// Looks at the first unexpected message that `pattern` accepts: its source, its tag, the message.
    pub fn peek(&self, pattern: Pattern) -> Option<(i32, i32, &U)> {
        let (source, at) = self.find(pattern)?;
        let (tag, message) = self.sources[source].unexpected.at(at);
        Some((source as i32, tag, message))
    }

    /// Takes the first unexpected message that `pattern` accepts.
    #[inline]
    pub fn claim(&mut self, pattern: Pattern) -> Option<(i32, i32, U)> {
        let (source, at) = self.find(pattern)?;
        self.unexpected -= 1;
        let (tag, message) = self.sources[source].unexpected.take(at);
        Some((source as i32, tag, message))
    }

    /// Posts a receive that found no unexpected message.
    #[inline]
    pub fn post(&mut self, pattern: Pattern, receive: P) {
        let order = self.next_order();
        self.posted(pattern.source).push(order, pattern.tag, receive);
    }

    /// Receives from one source, or from any.
    #[inline]
    fn posted(&mut self, source: i32) -> &mut Queue<P> {
        if source == ANY_SOURCE { &mut self.any } else { &mut self.source(source).posted }
    }

    /// Takes a posted receive back; false when it has matched already.
    pub fn withdraw(&mut self, pattern: Pattern, receive: P) -> bool {
        let queue = self.posted(pattern.source);
        queue.find(|value| *value == receive).map(|at| queue.take(at)).is_some()
    }

    /// Posted receives and unexpected messages.
    pub fn counts(&self) -> (usize, usize) {
        (self.any.len() + self.sources.iter().map(|s| s.posted.len()).sum::<usize>(), self.unexpected)
    }

    /// Whether nothing is posted and nothing waits.
    pub fn is_idle(&self) -> bool {
        self.unexpected == 0 && self.any.is_empty() && self.sources.iter().all(|s| s.posted.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::constant::ANY_TAG;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Step {
        Message(i32, i32),
        Receive(i32, i32),
        Withdraw(usize),
    }

    fn step() -> impl Strategy<Value = Step> {
        let wild = |limit: i32| prop_oneof![3 => 0..limit, 1 => Just(i32::MIN)];
        prop_oneof![
            4 => (0..4, 0..3).prop_map(|(s, t)| Step::Message(s, t)),
            4 => (wild(4), wild(3)).prop_map(|(s, t)| Step::Receive(
                if s == i32::MIN { ANY_SOURCE } else { s },
                if t == i32::MIN { ANY_TAG } else { t })),
            1 => (0usize..8).prop_map(Step::Withdraw),
        ]
    }

    fn accepts(p: Pattern, source: i32, tag: i32) -> bool {
        (p.source == ANY_SOURCE || p.source == source) && (p.tag == ANY_TAG || p.tag == tag)
    }

    proptest! {
        /// The standard's rule, done naively with two lists in order, gives the same pairs.
        #[test]
        fn same_as_two_lists(steps in proptest::collection::vec(step(), 0..200)) {
            let mut matcher = Matcher::default();
            let mut posted: Vec<(usize, Pattern)> = Vec::new();
            let mut waiting: Vec<(usize, i32, i32)> = Vec::new();
            for (id, step) in steps.into_iter().enumerate() {
                match step {
                    Step::Message(source, tag) => {
                        let at = posted.iter().position(|(_, p)| accepts(*p, source, tag));
                        let expected = at.map(|i| posted.remove(i).0);
                        let got = matcher.arrive(source, tag);
                        prop_assert_eq!(got, expected);
                        if got.is_none() {
                            waiting.push((id, source, tag));
                            matcher.keep(source, tag, id);
                        }
                    }
                    Step::Receive(source, tag) => {
                        let pattern = Pattern { source, tag };
                        let at = waiting.iter().position(|(_, s, t)| accepts(pattern, *s, *t));
                        let seen = matcher.peek(pattern).map(|(s, t, &id)| (id, s, t));
                        prop_assert_eq!(seen, at.map(|i| waiting[i]));
                        let got = matcher.claim(pattern).map(|(s, t, id)| (id, s, t));
                        prop_assert_eq!(got, at.map(|i| waiting.remove(i)));
                        if got.is_none() {
                            posted.push((id, pattern));
                            matcher.post(pattern, id);
                        }
                    }
                    Step::Withdraw(n) if n < posted.len() => {
                        let (id, pattern) = posted.remove(n);
                        prop_assert!(matcher.withdraw(pattern, id));
                        prop_assert!(!matcher.withdraw(pattern, id));
                    }
                    Step::Withdraw(_) => {}
                }
            }
            prop_assert_eq!(matcher.is_idle(), posted.is_empty() && waiting.is_empty());
        }
    }
}
