// SPDX-License-Identifier: MIT OR Apache-2.0
//! In place, the contents of the receive buffer are the input and are overwritten by what arrives. Where an algorithm sends
//! from one block while another rank's message comes into it, the input first moves aside.

use super::schedule::{Id, Place, Schedule};

/// The blocks of the send buffer, where an algorithm may read them until its end.
pub struct Input {
    places: Vec<Place>,
    /// When they are there.
    pub ready: Id,
}

impl Input {
    /// Block `b`.
    pub fn block(&self, b: usize) -> Place {
        self.places[b]
    }
}

/// The input of a call with a block a rank: the send buffer, or in place a copy in scratch.
pub fn aside(s: &mut Schedule) -> Input {
    let blocks: Vec<Place> = (0..s.size()).map(|b| Place::send_block(b, 0..s.call().send_len(b))).collect();
    if !s.call().in_place {
        return Input { places: blocks, ready: Id::START };
    }
    let places: Vec<Place> = blocks.iter().map(|block| s.scratch(block.len())).collect();
    let copies: Vec<Id> = blocks.iter().zip(&places).map(|(block, place)| s.copy(*block, *place, &[])).collect();
    let ready = s.join(&copies);
    Input { places, ready }
}
