// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an address is, asked of the driver with one call that knows host memory, too.

use std::ffi::c_void;

use super::driver::{self, Address, Object, driver};
use crate::device::Kind;

/// What the driver says of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// What kind of memory.
    pub kind: Kind,
    /// The context that allocated it; 0 for memory that belongs to a device rather than a context.
    pub context: Object,
    /// Number of the device.
    pub ordinal: i32,
    /// Tells allocations at one address apart.
    pub buffer: u64,
}

/// `CU_POINTER_ATTRIBUTE_*` that are asked for, newest last: older drivers know only the first so many.
const ASKED: [u32; 7] = [2, 1, 9, BUFFER_ID, 8, 14, 17];
const BUFFER_ID: u32 = 7;
/// Drivers before 11.3 have no memory pools to ask for.
const ASKED_BEFORE_POOLS: usize = 6;
const POOLS: i32 = 11_030;
const MEMORY_HOST: u32 = 1;
const MEMORY_DEVICE: u32 = 2;

#[derive(Default)]
struct Answers {
    memory: u32,
    context: Object,
    ordinal: i32,
    buffer: u64,
    managed: u32,
    handle_types: u64,
    pool: Object,
}

/// Asks the driver; `None` for plain host memory, an error's code where the driver does not know any more.
pub fn attributes(at: *const u8) -> std::result::Result<Option<Attributes>, u32> {
    let mut a = Answers::default();
    let mut places: [*mut c_void; 7] = [
        (&raw mut a.memory).cast(),
        (&raw mut a.context).cast(),
        (&raw mut a.ordinal).cast(),
        (&raw mut a.buffer).cast(),
        (&raw mut a.managed).cast(),
        (&raw mut a.handle_types).cast(),
        (&raw mut a.pool).cast(),
    ];
    let asked = if driver::version() >= POOLS { ASKED.len() } else { ASKED_BEFORE_POOLS };
    // SAFETY: a place of the right size for each attribute; the address is only a number to the driver.
    let code = unsafe { (driver().pointer_attributes)(asked as u32, ASKED.as_ptr(), places.as_mut_ptr(), at as Address) };
    if code != 0 {
        return failed(code);
    }
    Ok(kind(&a).map(|kind| Attributes { kind, context: a.context, ordinal: a.ordinal, buffer: a.buffer }))
}

/// The buffer id of an address, 0 where there is no buffer; `None` if the driver does not say. Needs no context.
pub fn buffer(at: Address) -> Option<u64> {
    let mut buffer = 0u64;
    let mut place: *mut c_void = (&raw mut buffer).cast();
    // SAFETY: a place of the right size for the attribute; the address is only a number to the driver.
    let code = unsafe { (driver().pointer_attributes)(1, &BUFFER_ID, &mut place, at) };
    (code == 0).then_some(buffer)
}

fn kind(a: &Answers) -> Option<Kind> {
    match a.memory {
        // Some drivers call managed memory host memory while it lies there.
        MEMORY_HOST | MEMORY_DEVICE if a.managed != 0 => Some(Kind::Managed),
        MEMORY_HOST => Some(Kind::Pinned),
        MEMORY_DEVICE if a.context != 0 => Some(Kind::Device),
        MEMORY_DEVICE if a.pool != 0 => Some(Kind::Pool),
        MEMORY_DEVICE => Some(Kind::Mapped),
        _ => None,
    }
}

/// Not initialized is no failure: the program has loaded the driver and does not use it.
#[cold]
fn failed(code: u32) -> std::result::Result<Option<Attributes>, u32> {
    if code == driver::STUB {
        super::disable("it is the stub library of the CUDA toolkit, not the driver");
    } else if code != driver::NOT_INITIALIZED {
        return Err(code);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart() {
        let of = |memory, context, managed, pool| kind(&Answers { memory, context, managed, pool, ..Answers::default() });
        assert_eq!(of(0, 0, 0, 0), None);
        assert_eq!(of(1, 7, 0, 0), Some(Kind::Pinned));
        assert_eq!(of(2, 7, 0, 0), Some(Kind::Device));
        assert_eq!(of(2, 0, 0, 9), Some(Kind::Pool));
        assert_eq!(of(2, 0, 0, 0), Some(Kind::Mapped));
        assert_eq!(of(2, 7, 1, 0), Some(Kind::Managed));
    }
}
