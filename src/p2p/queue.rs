// SPDX-License-Identifier: MIT OR Apache-2.0
//! A queue that is searched by tag. It is looked through from its front, where mostly the entry is. After a search that went deep
//! the queue keeps its entries by their order and, for each tag, the orders of its entries, so that a search costs no more
//! when a million messages wait.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::object::constant::ANY_TAG;

/// A queue in which a search passed so many entries is indexed until it is empty again.
const NEAR: usize = if cfg!(test) { 4 } else { 128 };

struct Entry<T> {
    order: u64,
    tag: i32,
    value: T,
}

/// Entries in the order in which they came.
pub struct Queue<T> {
    near: VecDeque<Entry<T>>,
    /// A search went deep: the next change makes the index.
    deep: Cell<bool>,
    /// When it is there `near` is empty.
    far: Option<Box<Index<T>>>,
}

struct Index<T> {
    entries: BTreeMap<u64, (i32, T)>,
    tags: HashMap<i32, VecDeque<u64>>,
}

/// Where an entry is.
#[derive(Clone, Copy)]
pub struct At {
    /// Entries are found first in the smallest order.
    pub order: u64,
    index: usize,
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue { near: VecDeque::new(), deep: Cell::new(false), far: None }
    }
}

impl<T> Queue<T> {
    /// Puts an entry behind the others; `order` is greater than theirs.
    #[inline]
    pub fn push(&mut self, order: u64, tag: i32, value: T) {
        if self.deep.get() {
            self.index();
        }
        match &mut self.far {
            None => self.near.push_back(Entry { order, tag, value }),
            Some(index) => index.push(order, tag, value),
        }
    }

    #[cold]
    fn index(&mut self) {
        self.deep.set(false);
        if self.near.is_empty() {
            return;
        }
        let mut index = Box::new(Index { entries: BTreeMap::new(), tags: HashMap::new() });
        std::mem::take(&mut self.near).into_iter().for_each(|entry| index.push(entry.order, entry.tag, entry.value));
        self.far = Some(index);
    }

    /// The first entry that has this tag, any with `ANY_TAG`: what a receive looks for among messages.
    #[inline]
    pub fn first_of(&self, tag: i32) -> Option<At> {
        match &self.far {
            None => self.search(|t| t == tag || tag == ANY_TAG),
            Some(index) if tag == ANY_TAG => index.entries.keys().next().map(|&order| At { order, index: 0 }),
            Some(index) => index.first(tag),
        }
    }

    /// The first entry that has this tag or `ANY_TAG`: what a message looks for among receives.
    #[inline]
    pub fn first_for(&self, tag: i32) -> Option<At> {
        match &self.far {
            None => self.search(|t| t == tag || t == ANY_TAG),
            Some(index) => {
                let both = [index.first(tag), index.first(ANY_TAG)];
                both.into_iter().flatten().min_by_key(|at| at.order)
            }
        }
    }

    /// Takes the first entry if it has this tag or `ANY_TAG`, and nothing else has to be done.
    #[inline]
    pub fn take_front(&mut self, tag: i32) -> Option<T> {
        let front = self.near.front()?;
        if (front.tag != tag && front.tag != ANY_TAG) || self.deep.get() {
            return None;
        }
        self.near.pop_front().map(|entry| entry.value)
    }

    #[inline]
    fn search(&self, fits: impl Fn(i32) -> bool) -> Option<At> {
        // Mostly it is the first.
        let front = self.near.front()?;
        if fits(front.tag) {
            return Some(At { order: front.order, index: 0 });
        }
        let found = self.near.iter().enumerate().skip(1).find(|(_, entry)| fits(entry.tag));
        if found.map_or(self.near.len(), |(index, _)| index) > NEAR {
            self.deep.set(true);
        }
        found.map(|(index, entry)| At { order: entry.order, index })
    }

    /// The entry that was found: its tag and its value.
    pub fn at(&self, at: At) -> (i32, &T) {
        match &self.far {
            None => (self.near[at.index].tag, &self.near[at.index].value),
            Some(index) => index.entries.get(&at.order).map(|(tag, value)| (*tag, value)).expect("the entry was just found"),
        }
    }

    /// Takes out the entry that was found.
    #[inline]
    pub fn take(&mut self, at: At) -> (i32, T) {
        if self.far.is_some() {
            return self.take_far(at.order);
        }
        let entry = if at.index == 0 { self.near.pop_front() } else { self.near.remove(at.index) };
        let entry = entry.map(|entry| (entry.tag, entry.value)).expect("the entry was just found");
        if self.deep.get() {
            self.index();
        }
        entry
    }

    #[cold]
    fn take_far(&mut self, order: u64) -> (i32, T) {
        let index = self.far.as_mut().expect("the queue is indexed");
        let taken = index.take(order);
        if index.entries.is_empty() {
            self.far = None;
        }
        taken
    }

    /// The entry that has this value, whatever its tag.
    pub fn find(&self, wanted: impl Fn(&T) -> bool) -> Option<At> {
        match &self.far {
            None => {
                let found = self.near.iter().enumerate().find(|(_, entry)| wanted(&entry.value));
                found.map(|(index, entry)| At { order: entry.order, index })
            }
            Some(index) => index.entries.iter().find(|(_, (_, value))| wanted(value)).map(|(&order, _)| At { order, index: 0 }),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.far.as_ref().map_or(self.near.len(), |index| index.entries.len())
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.near.is_empty() && self.far.is_none()
    }
}

impl<T> Index<T> {
    fn push(&mut self, order: u64, tag: i32, value: T) {
        self.entries.insert(order, (tag, value));
        self.tags.entry(tag).or_default().push_back(order);
    }

    fn first(&self, tag: i32) -> Option<At> {
        let order = *self.tags.get(&tag)?.front()?;
        Some(At { order, index: 0 })
    }

    fn take(&mut self, order: u64) -> (i32, T) {
        let (tag, value) = self.entries.remove(&order).expect("the entry was just found");
        let orders = self.tags.get_mut(&tag).expect("each entry's tag is listed");
        // The first of its tag, unless it is taken back.
        match orders.front() == Some(&order) {
            true => orders.pop_front(),
            false => orders.binary_search(&order).ok().and_then(|at| orders.remove(at)),
        };
        if orders.is_empty() {
            self.tags.remove(&tag);
        }
        (tag, value)
    }
}
