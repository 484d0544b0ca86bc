// SPDX-License-Identifier: MIT OR Apache-2.0
//! `MPI_Pack`, `MPI_Unpack`, `MPI_Pack_size` (MPI 5.0, section 5.2): the packed form is the bytes in type-map order.

use super::{Datatype, committed, get};
use crate::device;
use crate::err;
use crate::object::comm;
use crate::object::constant::Handle;
use crate::object::error::{Error, Result};
use crate::p2p::memory::Memory;
use crate::p2p::{self, Span};

/// `MPI_Pack`: appends `incount` elements at `position`, which moves on.
///
/// # Safety
/// `inbuf` must hold `incount` elements and `outbuf` `outsize` bytes.
pub unsafe fn pack(
    inbuf: *mut u8,
    incount: i64,
    datatype: Handle,
    outbuf: *mut u8,
    outsize: i64,
    position: &mut i64,
    comm: Handle,
) -> Result<()> {
    comm::get(comm)?;
    let datatype = committed(datatype)?;
    let bytes = bytes(datatype, incount)?;
    let place = place(outbuf, outsize, *position, bytes)?;
    // SAFETY: `place` checked that the bytes lie within `outsize`; the elements are the caller's promise.
    unsafe {
        let typed = Span::whole(inbuf, datatype, incount);
        if is_away(&typed, place) {
            p2p::copy_now(typed, Span::bytes(place, bytes))?;
        } else {
            datatype.pack(inbuf, incount, 0, std::slice::from_raw_parts_mut(place, bytes as usize));
        }
    }
    *position += bytes;
    Ok(())
}

/// `MPI_Unpack`: takes `outcount` elements from `position`, which moves on.
///
/// # Safety
/// `inbuf` must hold `insize` bytes and `outbuf` `outcount` elements.
pub unsafe fn unpack(
    inbuf: *mut u8,
    insize: i64,
    position: &mut i64,
    outbuf: *mut u8,
    outcount: i64,
    datatype: Handle,
    comm: Handle,
) -> Result<()> {
    comm::get(comm)?;
    let datatype = committed(datatype)?;
    let bytes = bytes(datatype, outcount)?;
    let place = place(inbuf, insize, *position, bytes)?;
    // SAFETY: `place` checked that the bytes lie within `insize`; the elements are the caller's promise.
    unsafe {
        let typed = Span::whole(outbuf, datatype, outcount);
        if is_away(&typed, place) {
            p2p::copy_now(Span::bytes(place, bytes), typed)?;
        } else {
            datatype.unpack(outbuf, outcount, 0, std::slice::from_raw_parts(place, bytes as usize));
        }
    }
    *position += bytes;
    Ok(())
}

/// Whether the typed or the packed side is in memory that the CPU may not touch.
fn is_away(typed: &Span<'_>, packed: *mut u8) -> bool {
    typed.to > 0 && (Memory::is_away(typed) || device::home(packed).is_some())
}

/// `MPI_Pack_size`: the bytes [`pack`] needs.
pub fn pack_size(incount: i64, datatype: Handle, comm: Handle, size: &mut i64) -> Result<()> {
    comm::get(comm)?;
    *size = bytes(get(datatype)?, incount)?;
    Ok(())
}

fn bytes(datatype: &Datatype, count: i64) -> Result<i64> {
    if count < 0 {
        return Err(err!(Count, "count is {count}, and may not be negative"));
    }
    let total = count.checked_mul(datatype.size);
    total.ok_or_else(|| err!(Count, "{count} elements of {} bytes exceed an address", datatype.size))
}

/// The address of `position` in a buffer, if `bytes` more fit.
pub(super) fn place(buffer: *mut u8, size: i64, position: i64, bytes: i64) -> Result<*mut u8> {
    if position < 0 || position > size || bytes > size - position {
        return Err(too_small(size, position, bytes));
    }
    // An empty slice still needs an address that is not null.
    Ok(if bytes == 0 { std::ptr::dangling_mut() } else { buffer.wrapping_offset(position as isize) })
}

#[cold]
fn too_small(size: i64, position: i64, bytes: i64) -> Error {
    err!(Truncate, "the packed buffer has {size} bytes, position is {position}, and {bytes} more bytes are needed")
}
