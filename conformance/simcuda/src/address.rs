// SPDX-License-Identifier: MIT OR Apache-2.0
//! Device addresses: a part of the process' address space that the host cannot touch, and its shadow at a fixed distance,
//! through which the simulator works. The lowest free address is given first, so that an address comes back at once after a
//! free, as the driver does it.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

/// Bytes of device addresses in a process.
const ARENA: usize = 1 << 40;
/// Addresses are reserved in this unit, and blocks are of this size.
pub const GRAIN: usize = 2 << 20;

/// The two halves.
struct Arena {
    base: u64,
    shadow: u64,
    used: Mutex<BTreeMap<u64, usize>>,
}

/// A reserved range of addresses; given back when dropped.
pub struct Span {
    /// The first address.
    pub base: u64,
    /// Bytes, a multiple of the grain.
    pub bytes: usize,
}

fn arena() -> &'static Arena {
    static ARENA_CELL: OnceLock<Arena> = OnceLock::new();
    ARENA_CELL.get_or_init(|| {
        let base = untouchable(0, 2 * ARENA + GRAIN).next_multiple_of(GRAIN as u64);
        Arena { base, shadow: base + ARENA as u64, used: Mutex::default() }
    })
}

/// Maps addresses that nobody can touch: anywhere (0), or over what is at `at`.
pub fn untouchable(at: u64, bytes: usize) -> u64 {
    let fixed = if at == 0 { 0 } else { libc::MAP_FIXED };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | fixed;
    // SAFETY: without MAP_FIXED nothing else is mapped there; with it the callers give a range of the arena that they hold.
    let address = unsafe { libc::mmap(at as *mut _, bytes, libc::PROT_NONE, flags, -1, 0) };
    if address == libc::MAP_FAILED {
        crate::code::fatal("no address space for device memory");
    }
    address as u64
}

/// Whether `address` is a device address.
pub fn is_device(address: u64) -> bool {
    let arena = arena();
    (arena.base..arena.base + ARENA as u64).contains(&address)
}

/// Where the simulator finds what a device address names.
pub fn shadow(address: u64) -> *mut u8 {
    let arena = arena();
    (address - arena.base + arena.shadow) as *mut u8
}

/// Reserves addresses, at a multiple of `align` (itself a multiple of the grain).
pub fn reserve(bytes: usize, align: usize) -> Option<Span> {
    let arena = arena();
    let (bytes, align) = (bytes.checked_next_multiple_of(GRAIN)?, align.max(GRAIN) as u64);
    let mut used = arena.used.lock().unwrap();
    let mut at = arena.base.next_multiple_of(align);
    for (base, length) in used.iter() {
        if at + bytes as u64 <= *base {
            break;
        }
        at = (base + *length as u64).max(at).next_multiple_of(align);
    }
    if at + bytes as u64 > arena.base + ARENA as u64 {
        return None;
    }
    used.insert(at, bytes);
    Some(Span { base: at, bytes })
}

impl Drop for Span {
    fn drop(&mut self) {
        arena().used.lock().unwrap().remove(&self.base);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_freed_address_comes_back_and_alignment_is_kept() {
        let first = reserve(1, 1).unwrap();
        let at = first.base;
        let second = reserve(3 * GRAIN, 1).unwrap();
        assert!(second.base >= at + GRAIN as u64 || second.base + second.bytes as u64 <= at);
        drop(first);
        assert_eq!(reserve(GRAIN, 1).unwrap().base, at);
        assert!(is_device(at) && !is_device(shadow(at) as u64));
        drop(second);
        let _odd = reserve(GRAIN, 1).unwrap();
        assert_eq!(reserve(GRAIN, 64 * GRAIN).unwrap().base % (64 * GRAIN as u64), 0);
    }
}
