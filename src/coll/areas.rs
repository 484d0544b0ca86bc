// SPDX-License-Identifier: MIT OR Apache-2.0
//! The scratch areas of a run. In host memory all of them are one piece, there from the start; on a device each is there once it is used:
//! operands that stay at their senders need none.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;

use crate::device::Home;
use crate::device::scratch::Buffer;
use crate::object::datatype::Datatype;
use crate::trace;

use super::bind::Block;
use super::scratch::Memory;

/// One area: elements of which the first may lie `low` bytes after the area's start, or before it.
struct Area {
    block: Block,
    low: i64,
    bytes: usize,
    place: OnceCell<Place>,
}

/// What an area lies in.
enum Place {
    /// [`Areas::memory`], at an offset.
    Shared(usize),
    Device(Buffer, Option<Home>),
    /// Of its own: the device had no room.
    Host(Memory),
}

/// All areas of a run.
#[derive(Default)]
pub struct Areas {
    all: Vec<Area>,
    memory: Memory,
    home: Option<Home>,
    /// An area is in host memory.
    on_host: Cell<bool>,
}

impl Areas {
    /// Areas of so many elements each, on a device or on the host. They do not overlap, even where the data of an element reaches into its
    /// neighbour's extent.
    pub fn new(units: &[usize], element: &Arc<Datatype>, home: Option<Home>) -> Areas {
        let area = |units: &usize| {
            let (low, high) = element.footprint(*units as i64);
            let block = Block::new(std::ptr::null_mut(), *units as i64, element);
            Area { block, low, bytes: ((high - low) as usize).next_multiple_of(64), place: OnceCell::new() }
        };
        let mut areas = Areas { all: units.iter().map(area).collect(), home, ..Areas::default() };
        if home.is_none() {
            areas.share();
        }
        areas
    }

    fn share(&mut self) {
        let mut total = 0;
        for area in &self.all {
            let _ = area.place.set(Place::Shared(total));
            total += area.bytes;
        }
        self.memory = Memory::take(total);
        self.on_host.set(total > 0);
    }

    /// Area `number`: the address of its element 0, and the block that says its type and count.
    pub fn block(&self, number: usize) -> (*mut u8, &Block) {
        let area = &self.all[number];
        let start = match area.place.get_or_init(|| self.make(area)) {
            Place::Shared(offset) => self.memory.address().wrapping_add(*offset),
            Place::Device(buffer, _) => buffer.at(),
            Place::Host(memory) => memory.address(),
        };
        (start.wrapping_offset(-area.low as isize), &area.block)
    }

    /// The device of an area that is there.
    pub fn home(&self, number: usize) -> Option<Home> {
        match self.all[number].place.get()? {
            Place::Device(_, home) => *home,
            _ => None,
        }
    }

    #[cold]
    fn make(&self, area: &Area) -> Place {
        let home = self.home.expect("areas of the host are shared");
        match Buffer::take(home.memory, area.bytes) {
            Ok(buffer) => {
                // What works on it works on the program's buffers, too, and so comes after what the program does there.
                let own = buffer.home().map(|own| Home { is_settled: home.is_settled, ..own });
                Place::Device(buffer, own)
            }
            Err(error) => {
                trace::note(format!("CUDA: scratch is in host memory, and reductions that use it are computed there: {error}"));
                self.on_host.set(true);
                Place::Host(Memory::take(area.bytes))
            }
        }
    }

    /// Whether an area has been used.
    pub fn is_there(&self, number: usize) -> bool {
        self.all[number].place.get().is_some()
    }

    /// Whether all that is there is on the device.
    pub fn on_device(&self) -> bool {
        !self.on_host.get()
    }

    /// They are never given back: something may still read them.
    pub fn leak(&mut self) {
        std::mem::forget(std::mem::take(self));
    }
}
