// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sequence of basic elements of a type (its signature), compressed: for `MPI_Get_elements` and for conversions.

use std::sync::Arc;

use super::element::Element;
use super::layout::prefix_sums;

/// The basic elements of a type, in packed order.
#[derive(Debug)]
pub struct Signature {
    /// Packed bytes.
    pub size: i64,
    /// Basic elements (a value-index pair counts as two, a complex number as one).
    pub elements: i64,
    node: Node,
}

#[derive(Debug)]
enum Node {
    Empty,
    Basic(Element),
    /// `size / child.size` times the child.
    Repeat(Arc<Signature>),
    /// Children one after the other; number `i` holds bytes from `starts[i]` and elements from `counts[i]`.
    Sequence {
        starts: Box<[i64]>,
        counts: Box<[i64]>,
        children: Box<[Arc<Signature>]>,
    },
}

impl Signature {
    /// No element.
    pub fn empty() -> Arc<Signature> {
        Arc::new(Signature { size: 0, elements: 0, node: Node::Empty })
    }

    /// One basic element; a pair becomes its two parts.
    pub fn basic(element: Element) -> Arc<Signature> {
        if let (true, Some([a, b])) = (element.is_pair(), element.parts()) {
            return Signature::sequence(vec![Signature::basic(a.0), Signature::basic(b.0)]);
        }
        if element.size() == 0 {
            return Signature::empty();
        }
        Arc::new(Signature { size: element.size(), elements: 1, node: Node::Basic(element) })
    }

    /// `count` times `child`.
    pub fn repeat(child: &Arc<Signature>, count: i64) -> Arc<Signature> {
        if count <= 0 || child.size == 0 {
            return Signature::empty();
        }
        if count == 1 {
            return child.clone();
        }
        let inner = match &child.node {
            Node::Repeat(inner) => inner.clone(),
            _ => child.clone(),
        };
        Arc::new(Signature { size: child.size * count, elements: child.elements * count, node: Node::Repeat(inner) })
    }

    /// Signatures one after the other; neighbours of the same element become one repetition.
    pub fn sequence(all: Vec<Arc<Signature>>) -> Arc<Signature> {
        let mut children: Vec<Arc<Signature>> = Vec::with_capacity(all.len());
        for next in all.into_iter().filter(|s| s.size > 0) {
            match children.last_mut() {
                Some(last) if last.uniform().is_some() && last.uniform() == next.uniform() => {
                    let count = last.elements + next.elements;
                    *last = Signature::repeat(&Signature::basic(next.uniform().expect("just seen")), count);
                }
                _ => children.push(next),
            }
        }
        match children.len() {
            0 => Signature::empty(),
            1 => children.remove(0),
            _ => {
                let starts = prefix_sums(children.iter().map(|c| c.size));
                let counts = prefix_sums(children.iter().map(|c| c.elements));
                let (size, elements) = (starts[children.len()], counts[children.len()]);
                Arc::new(Signature { size, elements, node: Node::Sequence { starts, counts, children: children.into() } })
            }
        }
    }

    /// The element, when all elements are the same.
    pub fn uniform(&self) -> Option<Element> {
        match &self.node {
            Node::Basic(element) => Some(*element),
            Node::Repeat(child) => child.uniform(),
            Node::Empty | Node::Sequence { .. } => None,
        }
    }

    /// How many whole elements the first `bytes` packed bytes of one copy hold; `None` if they end inside an element.
    pub fn elements_in(&self, bytes: i64) -> Option<i64> {
        if bytes == self.size {
            return Some(self.elements);
        }
        match &self.node {
            _ if bytes == 0 => Some(0),
            Node::Empty | Node::Basic(_) => None,
            Node::Repeat(child) => {
                let whole = bytes / child.size;
                Some(whole * child.elements + child.elements_in(bytes % child.size)?)
            }
            Node::Sequence { starts, counts, children } => {
                let i = starts.partition_point(|&s| s <= bytes) - 1;
                Some(counts[i] + children[i].elements_in(bytes - starts[i])?)
            }
        }
    }

    /// The other way: packed bytes of the first `elements` elements of one copy.
    pub fn bytes_of(&self, elements: i64) -> i64 {
        if elements >= self.elements {
            return self.size;
        }
        match &self.node {
            Node::Empty | Node::Basic(_) => 0,
            Node::Repeat(child) => elements / child.elements * child.size + child.bytes_of(elements % child.elements),
            Node::Sequence { starts, counts, children } => {
                let i = counts.partition_point(|&s| s <= elements) - 1;
                starts[i] + children[i].bytes_of(elements - counts[i])
            }
        }
    }

    /// Calls `each(element, count)` for runs of equal elements, in packed order.
    pub fn each(&self, each: &mut dyn FnMut(Element, i64)) {
        match &self.node {
            Node::Empty => {}
            Node::Basic(element) => each(*element, 1),
            Node::Repeat(child) => match child.node {
                Node::Basic(element) => each(element, self.elements),
                _ => (0..self.size / child.size).for_each(|_| child.each(each)),
            },
            Node::Sequence { children, .. } => children.iter().for_each(|child| child.each(each)),
        }
    }
}
