// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layout, signature and bounds together, and the few ways to combine them that every constructor is made of.

use std::sync::Arc;

use super::bounds::Bounds;
use super::element::Element;
use super::layout::Placed;
use super::signature::Signature;
use crate::err;
use crate::object::error::Result;

/// What a type map is: where its bytes lie, what they mean, what bounds it has.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Where packed bytes lie.
    pub layout: Placed,
    /// Basic elements in packed order.
    pub signature: Arc<Signature>,
    /// Bounds.
    pub bounds: Bounds,
}

/// `length` copies of a type, side by side, `at` bytes from the origin.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Block {
    pub length: i64,
    pub at: i64,
}

impl Shape {
    /// The empty map.
    pub fn empty() -> Shape {
        Shape { layout: Placed::run(0, 0), signature: Signature::empty(), bounds: Bounds::EMPTY }
    }

    /// One basic element.
    pub fn basic(element: Element) -> Shape {
        let bounds = match element {
            Element::LowerBound => Bounds::marker(false),
            Element::UpperBound => Bounds::marker(true),
            _ => Bounds::basic(element_span(element), element.extent(), element.align()),
        };
        Shape { layout: element_layout(element), signature: Signature::basic(element), bounds }
    }

    /// Packed bytes.
    pub fn size(&self) -> i64 {
        self.layout.size()
    }

    /// The same, `by` bytes further.
    pub fn shift(&self, by: i64) -> Shape {
        Shape { layout: self.layout.shift(by), signature: self.signature.clone(), bounds: self.bounds.shift(by) }
    }

    /// `count` copies, `stride` apart.
    pub fn repeat(&self, count: i64, stride: i64) -> Result<Shape> {
        fits(count, self.size().max(stride.saturating_abs()))?;
        Ok(Shape {
            layout: self.layout.repeat(count, stride),
            signature: Signature::repeat(&self.signature, count),
            bounds: self.bounds.repeat(count, stride),
        })
    }

    /// Blocks of copies: the indexed constructors.
    pub fn blocks(&self, blocks: &[Block]) -> Result<Shape> {
        let extent = self.bounds.extent();
        let total = blocks.iter().fold(0i64, |sum, b| sum.saturating_add(b.length));
        fits(total, self.size().max(extent.saturating_abs()))?;
        let layout = if self.layout.is_solid(extent) {
            Placed::runs(blocks.iter().map(|b| (b.at + self.layout.offset, b.length * self.size())))
        } else {
            Placed::sequence(self.pieces(blocks))
        };
        let bounds = blocks.iter().map(|b| self.bounds.repeat(b.length, extent).shift(b.at)).fold(Bounds::EMPTY, Bounds::join);
        Ok(Shape { layout, signature: Signature::repeat(&self.signature, total), bounds })
    }

    /// One layout a block; blocks of equal length share theirs.
    fn pieces(&self, blocks: &[Block]) -> Vec<Placed> {
        let mut last: Option<(i64, Placed)> = None;
        let mut piece = |block: &Block| match &last {
            Some((length, placed)) if *length == block.length => placed.shift(block.at),
            _ => {
                let placed = self.layout.repeat(block.length, self.bounds.extent());
                last = Some((block.length, placed.clone()));
                placed.shift(block.at)
            }
        };
        blocks.iter().map(&mut piece).collect()
    }

    /// Shapes one after the other in packed order, where they are.
    pub fn sequence(parts: Vec<Shape>) -> Result<Shape> {
        let total = parts.iter().fold(0i64, |sum, p| sum.saturating_add(p.size()));
        fits(total, 1)?;
        Ok(Shape {
            bounds: parts.iter().map(|p| p.bounds).fold(Bounds::EMPTY, Bounds::join),
            layout: Placed::sequence(parts.iter().map(|p| p.layout.clone()).collect()),
            signature: Signature::sequence(parts.into_iter().map(|p| p.signature).collect()),
        })
    }

    /// The same data with bounds fixed by markers.
    pub fn resized(&self, lb: i64, extent: i64) -> Shape {
        Shape { bounds: self.bounds.resized(lb, extent), ..self.clone() }
    }
}

/// An error when `count * unit` bytes would not fit the address space.
fn fits(count: i64, unit: i64) -> Result<()> {
    match count.max(0).checked_mul(unit) {
        Some(total) if total <= i64::MAX / 4 => Ok(()),
        _ => Err(err!(Count, "the datatype would span {count} times {unit} bytes, more than an address can reach")),
    }
}

/// From the first to the last byte of data of an element.
fn element_span(element: Element) -> i64 {
    element.parts().map_or(element.size(), |[_, (last, at)]| at + last.size())
}

fn element_layout(element: Element) -> Placed {
    match element.parts() {
        Some(parts) => Placed::runs(parts.iter().map(|(e, at)| (*at, e.size()))),
        None => Placed::run(0, element.size()),
    }
}
