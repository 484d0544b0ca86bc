// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the packed bytes of a type lie in memory: a small tree, normalised when it is built, so that any packed range
//! is found in O(depth + log blocks) steps and regular blocks are copied by one loop.

use std::sync::Arc;

/// A layout and the offset at which it starts.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Byte offset from the element's address.
    pub offset: i64,
    /// What lies there.
    pub layout: Arc<Layout>,
}

/// A node of the tree: `size` packed bytes, laid out from offset 0.
#[derive(Debug)]
pub struct Layout {
    /// Packed bytes.
    pub size: i64,
    /// How they lie.
    pub node: Node,
}

/// How bytes lie. No node is empty except a `Run` of size 0; children are never empty.
#[derive(Debug)]
pub enum Node {
    /// Consecutive bytes.
    Run,
    /// `size / child.size` children, `stride` apart.
    #[allow(missing_docs)]
    Repeat { stride: i64, child: Arc<Layout> },
    /// One child at each offset.
    #[allow(missing_docs)]
    Same { offsets: Box<[i64]>, child: Arc<Layout> },
    /// Runs: number `i` holds packed bytes `[starts[i], starts[i + 1])` and lies at `offsets[i]`.
    #[allow(missing_docs)]
    Runs { starts: Box<[i64]>, offsets: Box<[i64]> },
    /// Children of any kind, numbered as in `Runs`.
    #[allow(missing_docs)]
    Parts { starts: Box<[i64]>, children: Box<[Placed]> },
}

/// What a walk over packed bytes meets, in packed order.
pub trait Visit {
    /// `len` consecutive bytes at `at`.
    fn run(&mut self, at: i64, len: usize);
    /// `count` blocks of `block` bytes, the first at `at`, `stride` apart.
    fn strided(&mut self, at: i64, stride: i64, block: usize, count: usize);
    /// Blocks of `block` bytes at `at` plus each offset.
    fn listed(&mut self, at: i64, offsets: &[i64], block: usize) {
        offsets.iter().for_each(|offset| self.run(at + offset, block));
    }
}

impl Placed {
    /// `len` consecutive bytes at `offset`.
    pub fn run(offset: i64, len: i64) -> Placed {
        Placed { offset, layout: Arc::new(Layout { size: len, node: Node::Run }) }
    }

    /// Packed bytes.
    pub fn size(&self) -> i64 {
        self.layout.size
    }

    /// The same, `by` bytes further.
    pub fn shift(&self, by: i64) -> Placed {
        Placed { offset: self.offset + by, layout: self.layout.clone() }
    }

    fn is_run(&self) -> bool {
        matches!(self.layout.node, Node::Run)
    }

    /// Whether copies `extent` apart are one run.
    pub fn is_solid(&self, extent: i64) -> bool {
        self.is_run() && self.size() == extent
    }

    /// `count` copies, `stride` apart.
    pub fn repeat(&self, count: i64, stride: i64) -> Placed {
        let inner = &self.layout;
        if count <= 0 || inner.size == 0 {
            return Placed::run(self.offset, 0);
        }
        if count == 1 {
            return self.clone();
        }
        let (stride, child) = match &inner.node {
            Node::Run if stride == inner.size => return Placed::run(self.offset, count * inner.size),
            Node::Repeat { stride: s, child } if stride == *s * (inner.size / child.size) => (*s, child.clone()),
            _ => (stride, inner.clone()),
        };
        let layout = Layout { size: count * inner.size, node: Node::Repeat { stride, child } };
        Placed { offset: self.offset, layout: Arc::new(layout) }
    }

    /// Runs of `(offset, length)`, in packed order.
    pub fn runs(all: impl Iterator<Item = (i64, i64)>) -> Placed {
        let mut runs: Vec<(i64, i64)> = Vec::with_capacity(all.size_hint().0);
        for (at, len) in all.filter(|r| r.1 > 0) {
            match runs.last_mut() {
                Some(last) if last.0 + last.1 == at => last.1 += len,
                _ => runs.push((at, len)),
            }
        }
        let Some(&(first, block)) = runs.first() else { return Placed::run(0, 0) };
        if runs.iter().all(|r| r.1 == block) {
            let offsets = runs.iter().map(|r| r.0 - first).collect();
            return same(first, offsets, &Placed::run(0, block));
        }
        let starts = prefix_sums(runs.iter().map(|r| r.1));
        let offsets = runs.iter().map(|r| r.0 - first).collect();
        let layout = Layout { size: starts[runs.len()], node: Node::Runs { starts, offsets } };
        Placed { offset: first, layout: Arc::new(layout) }
    }

    /// Pieces one after the other, in packed order.
    pub fn sequence(pieces: Vec<Placed>) -> Placed {
        let pieces: Vec<Placed> = pieces.into_iter().filter(|p| p.size() > 0).collect();
        let Some(first) = pieces.first() else { return Placed::run(0, 0) };
        if pieces.iter().all(Placed::is_run) {
            return Placed::runs(pieces.iter().map(|p| (p.offset, p.size())));
        }
        if pieces.iter().all(|p| Arc::ptr_eq(&p.layout, &first.layout)) {
            let offsets = pieces.iter().map(|p| p.offset - first.offset).collect();
            return same(first.offset, offsets, first);
        }
        let starts = prefix_sums(pieces.iter().map(Placed::size));
        let layout = Layout { size: starts[pieces.len()], node: Node::Parts { starts, children: pieces.into() } };
        Placed { offset: 0, layout: Arc::new(layout) }
    }
}

/// The child's layout at each of `base + offsets` (`offsets[0]` is 0).
fn same(base: i64, offsets: Vec<i64>, child: &Placed) -> Placed {
    let child = &child.layout;
    let stride = offsets.get(1).copied().unwrap_or(0);
    if offsets.windows(2).all(|w| w[1] - w[0] == stride) {
        return Placed { offset: base, layout: child.clone() }.repeat(offsets.len() as i64, stride);
    }
    let size = child.size * offsets.len() as i64;
    let node = Node::Same { offsets: offsets.into(), child: child.clone() };
    Placed { offset: base, layout: Arc::new(Layout { size, node }) }
}

/// `[0, l0, l0 + l1, …]`.
pub fn prefix_sums(lengths: impl Iterator<Item = i64>) -> Box<[i64]> {
    let mut sum = 0;
    let ends = lengths.map(|len| {
        sum += len;
        sum
    });
    std::iter::once(0).chain(ends).collect()
}

/// Number of the piece that holds packed byte `at`.
fn piece(starts: &[i64], at: i64) -> usize {
    if at == 0 { 0 } else { starts.partition_point(|&s| s <= at) - 1 }
}

impl Layout {
    /// Visits packed bytes `[from, to)` of this layout placed at `at`.
    pub fn walk<V: Visit>(&self, at: i64, from: i64, to: i64, visit: &mut V) {
        match &self.node {
            Node::Run => visit.run(at + from, (to - from) as usize),
            Node::Repeat { stride, child } => child.walk_repeated(*stride, at, from, to, visit),
            Node::Same { offsets, child } if to - from == self.size && matches!(child.node, Node::Run) => {
                visit.listed(at, offsets, child.size as usize);
            }
            Node::Same { offsets, child } => each(child, from, to, |i| at + offsets[i as usize], visit),
            Node::Runs { starts, offsets } if to - from == self.size => {
                let mut start = 0;
                for (offset, &end) in offsets.iter().zip(&starts[1..]) {
                    visit.run(at + offset, (end - start) as usize);
                    start = end;
                }
            }
            Node::Runs { starts, offsets } => {
                let mut i = piece(starts, from);
                while i < offsets.len() && starts[i] < to {
                    let (begin, end) = (from.max(starts[i]), to.min(starts[i + 1]));
                    visit.run(at + offsets[i] + begin - starts[i], (end - begin) as usize);
                    i += 1;
                }
            }
            Node::Parts { starts, children } => {
                let mut i = piece(starts, from);
                while i < children.len() && starts[i] < to {
                    let (begin, end) = (from.max(starts[i]) - starts[i], to.min(starts[i + 1]) - starts[i]);
                    children[i].layout.walk(at + children[i].offset, begin, end, visit);
                    i += 1;
                }
            }
        }
    }

    /// Visits packed bytes `[from, to)` of copies of this layout, the first at `at`, `stride` apart.
    pub fn walk_repeated<V: Visit>(&self, stride: i64, at: i64, from: i64, to: i64, visit: &mut V) {
        match self.node {
            Node::Run => walk_blocks(self.size, stride, at, from, to, visit),
            _ => each(self, from, to, |i| at + i * stride, visit),
        }
    }
}

/// Visits packed bytes `[from, to)` of copies of `child`, number `i` at `place(i)`.
fn each<V: Visit>(child: &Layout, from: i64, to: i64, place: impl Fn(i64) -> i64, visit: &mut V) {
    let size = child.size;
    let mut i = if from == 0 { 0 } else { from / size };
    let mut start = i * size;
    while start < to {
        child.walk(place(i), (from - start).max(0), (to - start).min(size), visit);
        i += 1;
        start += size;
    }
}

/// A partial block, whole blocks, a partial block.
fn walk_blocks<V: Visit>(block: i64, stride: i64, mut at: i64, mut from: i64, to: i64, visit: &mut V) {
    if from != 0 {
        let skip = from % block;
        at += from / block * stride;
        if skip != 0 {
            let len = (block - skip).min(to - from);
            visit.run(at + skip, len as usize);
            from += len;
            at += stride;
        }
    }
    let (whole, rest) = ((to - from) / block, (to - from) % block);
    if whole > 0 {
        visit.strided(at, stride, block as usize, whole as usize);
    }
    if rest > 0 {
        visit.run(at + whole * stride, rest as usize);
    }
}
