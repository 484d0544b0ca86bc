// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pointer attributes. For a pointer that the driver does not know the single query fails and the plural one gives zeros.

use crate::address;
use crate::call::{In, Out, driver};
use crate::code::{self, Result};
use crate::host::{self, Pinned};
use crate::memory::{self, Kind, Range};
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

/// What a pointer points to.
enum Thing {
    Range(Arc<Range>),
    Pinned(Pinned),
    /// A reserved address without memory, or memory of the host that is not pinned.
    Unknown,
}

fn look(address: u64) -> Thing {
    if address::is_device(address) {
        return memory::find(address).map_or(Thing::Unknown, Thing::Range);
    }
    host::find(address).map_or(Thing::Unknown, Thing::Pinned)
}

/// Width of an attribute's value in bytes.
fn width(attribute: i32) -> Result<usize> {
    match attribute {
        1 | 3 | 4 | 7 | 11 | 12 | 14 | 17..=20 => Ok(8),
        2 | 9 | 16 => Ok(4),
        // Booleans, which the driver writes as an int (SYNC_MEMOPS, IS_MANAGED) or as a bool: as wide as every caller gives.
        6 | 8 | 10 | 13 | 15 | 21 => Ok(4),
        _ => Err(code::INVALID_VALUE),
    }
}

/// The value of CUpointer_attribute `attribute`.
fn value(thing: &Thing, attribute: i32, address: u64) -> Result<u64> {
    match thing {
        Thing::Range(range) => of_range(range, attribute, address),
        Thing::Pinned(pinned) => of_pinned(pinned, attribute, address),
        Thing::Unknown => Err(code::INVALID_VALUE),
    }
}

fn of_range(range: &Range, attribute: i32, address: u64) -> Result<u64> {
    let managed = range.kind == Kind::Managed;
    Ok(match attribute {
        1 => range.context,
        2 => 2,
        3 => address,
        4 if managed => address,
        4 => return Err(code::INVALID_VALUE),
        6 => range.sync_memops.load(SeqCst).into(),
        7 => range.id,
        8 => managed.into(),
        9 => range.device as u64,
        10 => (range.kind == Kind::Device).into(),
        11 | 19 => range.base,
        12 | 18 => range.bytes as u64,
        13 => 1,
        14 => match range.kind {
            Kind::Mapped(types) | Kind::Pool(_, types) => types.into(),
            _ => 0,
        },
        16 => 3,
        17 => match range.kind {
            Kind::Pool(pool, _) => pool,
            _ => 0,
        },
        20 => range.id,
        _ => 0,
    })
}

fn of_pinned(pinned: &Pinned, attribute: i32, address: u64) -> Result<u64> {
    Ok(match attribute {
        1 => pinned.context,
        2 => 1,
        3 | 4 => address,
        7 | 20 => pinned.id,
        9 => pinned.device as u64,
        11 | 19 => pinned.base,
        12 | 18 => pinned.bytes as u64,
        13 => 1,
        16 => 3,
        _ => 0,
    })
}

/// What the plural query says of an unknown pointer.
fn unknown(attribute: i32) -> u64 {
    // DEVICE_ORDINAL: CU_DEVICE_INVALID.
    if attribute == 9 { -2i32 as u32 as u64 } else { 0 }
}

fn write(to: *mut c_void, width: usize, value: u64) -> Result {
    if width == 8 { Out(to.cast::<u64>()).put(value) } else { Out(to.cast::<u32>()).put(value as u32) }
}

driver! {
    /// One attribute of a pointer.
    fn cuPointerGetAttribute(out: *mut c_void, attribute: i32, address: u64) {
        let width = width(attribute)?;
        write(out, width, value(&look(address), attribute, address)?)
    }

    /// Several attributes of a pointer.
    fn cuPointerGetAttributes(count: u32, attributes: In<i32>, out: In<*mut c_void>, address: u64) {
        let thing = look(address);
        for at in 0..count as usize {
            let attribute = attributes.at(at)?;
            let found = value(&thing, attribute, address).unwrap_or_else(|_| unknown(attribute));
            write(out.at(at)?, width(attribute)?, found)?;
        }
        Ok(())
    }

    /// Sets SYNC_MEMOPS, the one attribute that can be set. Not on mappings.
    fn cuPointerSetAttribute(flag: In<u32>, attribute: i32, address: u64) {
        let Thing::Range(range) = look(address) else { return Err(code::INVALID_VALUE) };
        if attribute != 6 || matches!(range.kind, Kind::Mapped(_)) {
            return Err(code::INVALID_VALUE);
        }
        range.sync_memops.store(flag.get()? != 0, SeqCst);
        Ok(())
    }
}
