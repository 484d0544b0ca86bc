// SPDX-License-Identifier: MIT OR Apache-2.0
//! From places to memory: a [`Buffer`] is the typed memory that the user passed, [`Bound`] resolves each place of a schedule
//! to a [`Span`] of it. Messages are cut by packed bytes, so ranks may use different types of equal signature.

use std::sync::Arc;

use crate::device::Home;
use crate::object::datatype::{self, Datatype};
use crate::object::op::{Op, away};
use crate::p2p::Span;
use crate::p2p::memory::Memory;

use super::areas::Areas;
use super::schedule::{Place, Region};

/// `count` elements of a type at an address.
#[derive(Clone)]
pub struct Block {
    /// Address of element 0.
    pub base: *mut u8,
    /// How many elements.
    pub count: i64,
    /// Their type.
    pub datatype: Arc<Datatype>,
}

/// A buffer of a collective.
#[derive(Clone)]
pub enum Buffer {
    /// Not significant at this rank.
    None,
    /// One run of elements: block 0.
    One(Block),
    /// Blocks like the first, at a fixed distance in bytes (gather, scatter, allgather, alltoall).
    Strided(Block, i64),
    /// Blocks of their own (the vector forms).
    List(Vec<Block>),
}

impl Block {
    /// `count` elements at `base`.
    pub fn new(base: *mut u8, count: i64, datatype: &Arc<Datatype>) -> Block {
        Block { base, count, datatype: datatype.clone() }
    }
}

impl Buffer {
    /// One run of elements.
    pub fn one(base: *mut u8, count: i64, datatype: &Arc<Datatype>) -> Buffer {
        Buffer::One(Block::new(base, count, datatype))
    }

    /// Blocks of `count` elements, one after the other.
    pub fn blocks(base: *mut u8, count: i64, datatype: &Arc<Datatype>) -> Buffer {
        Buffer::Strided(Block::new(base, count, datatype), count * datatype.extent)
    }

    /// The device that it belongs to, by the first block that has contents.
    fn home(&self) -> Option<Home> {
        let block = match self {
            Buffer::None => return None,
            Buffer::One(block) | Buffer::Strided(block, _) => block,
            Buffer::List(blocks) => blocks.iter().find(|block| block.count > 0)?,
        };
        if block.count > 0 { away::home(&block.datatype, block.base) } else { None }
    }

    /// The address of block `b`.
    pub fn address(&self, b: usize) -> *mut u8 {
        self.block(b).0
    }

    /// Block `b` alone.
    pub fn cut(&self, b: usize) -> Block {
        let (base, block) = self.block(b);
        Block { base, ..block.clone() }
    }

    /// Block `b`: its address and the block that says its type and count.
    fn block(&self, b: usize) -> (*mut u8, &Block) {
        match self {
            Buffer::One(block) => (block.base, block),
            Buffer::Strided(block, stride) => (block.base.wrapping_offset(b as isize * *stride as isize), block),
            Buffer::List(blocks) => (blocks[b].base, &blocks[b]),
            Buffer::None => panic!("a schedule named a buffer that this rank does not have"),
        }
    }
}

/// What the units of a schedule are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Packed bytes.
    Byte,
    /// Elements of the reduction's type.
    Element,
}

/// The user's memory, as a collective sees it.
#[derive(Clone)]
pub struct Buffers {
    unit: Unit,
    send: Buffer,
    recv: Buffer,
    element: Arc<Datatype>,
}

// SAFETY: the addresses are the user's buffers, which MPI keeps for the operation until it completes; whichever thread
// advances the operation may use them.
unsafe impl Send for Buffers {}

impl Buffers {
    /// Of a data movement: units are packed bytes.
    pub fn bytes(send: Buffer, recv: Buffer) -> Buffers {
        Buffers { unit: Unit::Byte, send, recv, element: datatype::byte().clone() }
    }

    /// Of a reduction: units are elements.
    pub fn elements(send: Buffer, recv: Buffer, element: &Arc<Datatype>) -> Buffers {
        Buffers { unit: Unit::Element, send, recv, element: element.clone() }
    }
}

/// The memory of one run of a schedule.
pub struct Bound {
    unit: Unit,
    send: Buffer,
    recv: Buffer,
    element: Arc<Datatype>,
    areas: Areas,
    /// The devices of the two buffers.
    homes: [Option<Home>; 2],
    /// All buffers lie on this device, which has a kernel for the operation.
    reduces_on: Option<Home>,
}

// SAFETY: the addresses are the user's buffers, which MPI keeps for the operation until it completes, and scratch that
// this value owns; whichever thread advances the operation may use both, one at a time.
unsafe impl Send for Bound {}

impl Bound {
    /// The user's memory, and no scratch yet.
    pub fn new(Buffers { unit, send, recv, element }: Buffers) -> Bound {
        Bound { unit, send, recv, element, areas: Areas::default(), homes: [None; 2], reduces_on: None }
    }

    /// Lays out scratch areas of so many units each: where the buffers lie, so that a device works on them; on the host where the host must
    /// do the reduction.
    pub fn lay_out(&mut self, areas: &[usize], op: Option<&Op>) {
        let useful = |home: &Home| op.is_none_or(|op| home.exec.has(op, &self.element));
        let homes @ [send, recv] = [&self.send, &self.recv].map(|buffer| buffer.home().map(Home::beginning));
        let home = recv.or(send).filter(useful);
        let is_on = |buffer: &Buffer, on: Option<Home>, home: &Home| {
            matches!(buffer, Buffer::None) || on.is_some_and(|other| home.is_same(&other))
        };
        self.reduces_on = op.and(home).filter(|home| is_on(&self.send, send, home) && is_on(&self.recv, recv, home));
        self.homes = homes;
        self.areas = Areas::new(areas, &self.element, home);
    }

    /// The device that may take the operands of reductions from wherever it reaches them.
    pub fn reduces_on(&self) -> Option<Home> {
        self.reduces_on
    }

    /// Whether all that a reduction uses here is on that device.
    pub fn is_on_device(&self) -> bool {
        self.reduces_on.is_some() && self.areas.on_device()
    }

    /// Whether a place is scratch that nothing has used yet.
    pub fn is_unused(&self, place: Place) -> bool {
        place.region == Region::Scratch && !self.areas.is_there(place.block)
    }

    /// Its scratch is never given back: something may still read it.
    pub fn leak(&mut self) {
        self.areas.leak();
    }

    /// Packed bytes of a place.
    pub fn bytes(&self, place: Place) -> i64 {
        let size = |buffer: &Buffer| if place.is_empty() { 0 } else { buffer.block(place.block).1.datatype.size };
        let element = match (self.unit, place.region) {
            (Unit::Byte, _) => 1,
            (_, Region::Send) => size(&self.send),
            (_, Region::Recv) => size(&self.recv),
            (_, Region::Scratch) => self.element.size,
        };
        place.len() as i64 * element
    }

    /// The stretch of typed memory that a place means.
    pub fn span(&self, place: Place) -> Span<'_> {
        let (base, block) = self.block(place);
        let size = if self.unit == Unit::Byte { 1 } else { block.datatype.size };
        let (from, to) = (place.from as i64 * size, place.to as i64 * size);
        Span { base, datatype: &block.datatype, count: block.count, from, to }
    }

    /// The memory that a place means.
    pub fn memory(&self, place: Place) -> Memory {
        if place.is_empty() {
            return Memory::NONE;
        }
        let span = self.span(place);
        let one = |buffer: &Buffer| !matches!(buffer, Buffer::List(_));
        let home = match place.region {
            Region::Send => self.homes[0].filter(|_| one(&self.send)),
            Region::Recv => self.homes[1].filter(|_| one(&self.recv)),
            Region::Scratch => self.areas.home(place.block),
        };
        Memory::within(span, home)
    }

    /// The address of the first element of a place (reductions).
    pub fn address(&self, place: Place) -> *mut u8 {
        let (base, block) = self.block(place);
        base.wrapping_offset((place.from as i64 * block.datatype.extent) as isize)
    }

    /// The type of the elements of scratch, and of a reduction.
    pub fn element(&self) -> &Arc<Datatype> {
        &self.element
    }

    fn block(&self, place: Place) -> (*mut u8, &Block) {
        match place.region {
            Region::Send => self.send.block(place.block),
            Region::Recv => self.recv.block(place.block),
            Region::Scratch => self.areas.block(place.block),
        }
    }
}
