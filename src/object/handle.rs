// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables from handles to objects. A handle is 32 bits: predefined ones are the standard ABI's constants (below 0x400),
//! dynamic ones carry their kind in the top five bits and a slot number below.

use std::marker::PhantomData;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use parking_lot::Mutex;

use super::constant::Handle;

/// The kind of object a dynamic handle names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs)]
pub enum Kind {
    Comm = 1,
    Group = 2,
    Datatype = 3,
    Op = 4,
    Request = 5,
    Info = 6,
    Errhandler = 7,
    Message = 8,
    Session = 9,
    Win = 10,
    File = 11,
    Keyval = 12,
}

const KIND_SHIFT: u32 = 27;
/// Slots below this number belong to predefined objects: slot = handle.
const FIRST_DYNAMIC: u32 = 0x400;
const CHUNK_BITS: u32 = 10;
const CHUNK: usize = 1 << CHUNK_BITS;
/// As many as slot numbers need.
const CHUNKS: usize = 1 << (KIND_SHIFT - CHUNK_BITS);
const SLOT: u32 = (1 << KIND_SHIFT) - 1;

type Chunk<T> = [AtomicPtr<T>; CHUNK];

/// A table of shared objects: lookups are one load for predefined ones, two for others, no lock; slots of freed objects are
/// used again.
pub struct Table<T> {
    kind: Kind,
    predefined: Chunk<T>,
    chunks: [AtomicPtr<Chunk<T>>; CHUNKS],
    next: AtomicU32,
    free: Mutex<Vec<u32>>,
    owns: PhantomData<Arc<T>>,
}

impl<T> Table<T> {
    /// An empty table; usable as a `static`.
    pub const fn new(kind: Kind) -> Table<T> {
        Table {
            kind,
            predefined: [const { AtomicPtr::new(ptr::null_mut()) }; CHUNK],
            chunks: [const { AtomicPtr::new(ptr::null_mut()) }; CHUNKS],
            next: AtomicU32::new(FIRST_DYNAMIC),
            free: Mutex::new(Vec::new()),
            owns: PhantomData,
        }
    }

    #[inline(always)]
    fn cell(&self, handle: Handle) -> Option<&AtomicPtr<T>> {
        if handle < FIRST_DYNAMIC {
            return Some(&self.predefined[handle as usize]);
        }
        if handle >> KIND_SHIFT == self.kind as u32 { self.dynamic(handle & SLOT) } else { None }
    }

    #[inline(always)]
    fn dynamic(&self, slot: u32) -> Option<&AtomicPtr<T>> {
        let chunk = self.chunks[(slot >> CHUNK_BITS) as usize].load(Ordering::Acquire);
        // SAFETY: a chunk, once published, is never freed or moved (the table lives as long as the process).
        unsafe { chunk.as_ref() }.map(|c| &c[slot as usize & (CHUNK - 1)])
    }

    fn make_cell(&self, slot: u32) -> &AtomicPtr<T> {
        let place = &self.chunks[(slot >> CHUNK_BITS) as usize];
        if place.load(Ordering::Acquire).is_null() {
            let fresh: Box<Chunk<T>> = Box::new([const { AtomicPtr::new(ptr::null_mut()) }; CHUNK]);
            let fresh = Box::into_raw(fresh);
            if place.compare_exchange(ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire).is_err() {
                // SAFETY: another thread published its chunk first; ours was never shared.
                drop(unsafe { Box::from_raw(fresh) });
            }
        }
        self.dynamic(slot).expect("chunk was just made")
    }

    /// A handle for an object that comes later, by [`Table::fill`]; until then it names nothing.
    pub fn reserve(&self) -> Handle {
        let slot = self.free.lock().pop().unwrap_or_else(|| self.next.fetch_add(1, Ordering::Relaxed));
        ((self.kind as u32) << KIND_SHIFT) | slot
    }

    /// Puts the object of a reserved handle in.
    pub fn fill(&self, handle: Handle, object: T) {
        self.make_cell(handle & SLOT).store(Arc::into_raw(Arc::new(object)).cast_mut(), Ordering::Release);
    }

    /// Gives a reserved handle back that gets no object, or whose object is gone. A predefined one stays what it is.
    pub fn forgo(&self, handle: Handle) {
        if handle >> KIND_SHIFT != 0 {
            self.free.lock().push(handle & SLOT);
        }
    }

    /// Puts a new object in and returns its handle. `make` learns the handle before the object exists.
    pub fn insert_with(&self, make: impl FnOnce(Handle) -> T) -> Handle {
        let handle = self.reserve();
        self.fill(handle, make(handle));
        handle
    }

    /// Puts an object in and returns its handle.
    pub fn insert(&self, object: T) -> Handle {
        self.insert_with(|_| object)
    }

    /// Puts a predefined object at its constant.
    pub fn set(&self, handle: Handle, object: T) {
        debug_assert!(handle < FIRST_DYNAMIC);
        let old = self.predefined[handle as usize].swap(Arc::into_raw(Arc::new(object)).cast_mut(), Ordering::AcqRel);
        debug_assert!(old.is_null());
    }

    /// The object, borrowed. MPI forbids freeing a handle while another call uses it, so the borrow outlives the call.
    #[inline(always)]
    pub fn get(&self, handle: Handle) -> Option<&T> {
        let object = self.cell(handle)?.load(Ordering::Acquire);
        // SAFETY: the slot holds null or a pointer from `Arc::into_raw`, released only by `remove`; a program that frees
        // a handle in one thread while using it in another is erroneous (MPI 5.0, section 11.6).
        unsafe { object.as_ref() }
    }

    /// [`Table::get`] for predefined objects alone: the least that a look can cost.
    #[inline(always)]
    pub fn predefined(&self, handle: Handle) -> Option<&T> {
        if handle >= FIRST_DYNAMIC {
            return None;
        }
        // SAFETY: as in `get`.
        unsafe { self.predefined[handle as usize].load(Ordering::Acquire).as_ref() }
    }

    /// Takes the object out; its slot may be used again.
    pub fn remove(&self, handle: Handle) -> Option<Arc<T>> {
        let object = self.retire(handle)?;
        self.forgo(handle);
        Some(object)
    }

    /// Takes the object out; its slot is used again only after [`Table::forgo`].
    pub fn retire(&self, handle: Handle) -> Option<Arc<T>> {
        let object = self.cell(handle)?.swap(ptr::null_mut(), Ordering::AcqRel);
        // SAFETY: the pointer came from `Arc::into_raw` and the swap made this the only taker.
        (!object.is_null()).then(|| unsafe { Arc::from_raw(object) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_come_back_and_kinds_are_told_apart() {
        static COMMS: Table<u8> = Table::new(Kind::Comm);
        let a = COMMS.insert(1);
        assert_eq!(COMMS.get(a), Some(&1));
        assert!(COMMS.get((Kind::Group as u32) << KIND_SHIFT | 0x400).is_none());
        assert_eq!(COMMS.remove(a).as_deref(), Some(&1));
        assert!(COMMS.get(a).is_none());
        assert_eq!(COMMS.insert(2), a);
        COMMS.set(0x101, 7);
        assert_eq!(COMMS.get(0x101), Some(&7));
        assert_eq!((COMMS.predefined(0x101), COMMS.predefined(0x102), COMMS.predefined(a)), (Some(&7), None, None));
    }
}
