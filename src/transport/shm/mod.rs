// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shared segment of a node: one memfd a job.

/// Reserves `bytes` (zeroed, 4096-aligned) of the segment's heap; returns the offset to tell the others, or `None`
/// when the heap is used up. One process reserves, the others use the same offset.
pub fn reserve(_bytes: usize) -> Option<usize> {
    todo!()
}

/// Gives a reservation back (by the process that made it, when no process uses it any more).
pub fn release(_offset: usize, _bytes: usize) {
    todo!()
}

/// The address of an offset in this process.
pub fn at(_offset: usize) -> *mut u8 {
    todo!()
}

/// Wakes a process if it sleeps; to be called after making something true in shared memory that it may wait for.
/// A load when nobody sleeps.
pub fn ring(_process: u32) {
    todo!()
}

/// More ranks than cores on this node: waiting must yield at once.
pub fn oversubscribed() -> bool {
    todo!()
}
