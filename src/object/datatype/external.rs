// SPDX-License-Identifier: MIT OR Apache-2.0
//! The portable representation "external32": big-endian IEEE, with the sizes of MPI 5.0, section 14.5.2.

use std::sync::Arc;

use super::element::Element;
use super::message::place;
use super::{Datatype, get};
use crate::device;
use crate::err;
use crate::object::constant::Handle;
use crate::object::error::Result;
use crate::p2p::{self, Span};

/// `MPI_Pack_external`.
///
/// # Safety
/// `inbuf` must hold `incount` elements and `outbuf` `outsize` bytes.
pub unsafe fn pack_external(
    datarep: &str,
    inbuf: *mut u8,
    incount: i64,
    datatype: Handle,
    outbuf: *mut u8,
    outsize: i64,
    position: &mut i64,
) -> Result<()> {
    let (datatype, bytes) = prepare(datarep, datatype, incount)?;
    let out = place(outbuf, outsize, *position, bytes)?;
    let mut portable = Near::of(out, bytes);
    let mut to = portable.at();
    let mut native = vec![0u8; (incount * datatype.size) as usize];
    // SAFETY: the elements are the caller's promise.
    unsafe { p2p::copy_now(Span::whole(inbuf, datatype, incount), Span::bytes(native.as_mut_ptr(), native.len() as i64))? };
    let mut from = native.as_ptr();
    each_scalar(datatype, incount, &mut |element, count| {
        let (size, portable) = (element.size() as usize, external_size(element) as usize);
        for _ in 0..count {
            // SAFETY: both sides were sized from the same signature.
            unsafe {
                let value = to_external(element, std::slice::from_raw_parts(from, size));
                value.as_ptr().add(16 - portable).copy_to_nonoverlapping(to, portable);
                (from, to) = (from.add(size), to.add(portable));
            }
        }
    });
    portable.write_back()?;
    *position += bytes;
    Ok(())
}

/// `MPI_Unpack_external`.
///
/// # Safety
/// `inbuf` must hold `insize` bytes and `outbuf` `outcount` elements.
pub unsafe fn unpack_external(
    datarep: &str,
    inbuf: *mut u8,
    insize: i64,
    position: &mut i64,
    outbuf: *mut u8,
    outcount: i64,
    datatype: Handle,
) -> Result<()> {
    let (datatype, bytes) = prepare(datarep, datatype, outcount)?;
    let mut portable = Near::of(place(inbuf, insize, *position, bytes)?, bytes);
    portable.read()?;
    let mut from = portable.at().cast_const();
    let mut native = Vec::with_capacity((outcount * datatype.size) as usize);
    each_scalar(datatype, outcount, &mut |element, count| {
        let (size, portable) = (element.size() as usize, external_size(element) as usize);
        for _ in 0..count {
            // SAFETY: `place` checked that the portable form of all elements lies within `insize`.
            let value = from_external(element, unsafe { std::slice::from_raw_parts(from, portable) });
            native.extend_from_slice(&value[..size]);
            from = from.wrapping_add(portable);
        }
    });
    // SAFETY: the elements are the caller's promise.
    unsafe { p2p::copy_now(Span::bytes(native.as_mut_ptr(), native.len() as i64), Span::whole(outbuf, datatype, outcount))? };
    *position += bytes;
    Ok(())
}

/// Bytes at an address, where the CPU may touch them: there, or in a copy of device memory.
struct Near {
    far: *mut u8,
    copy: Option<Vec<u8>>,
}

impl Near {
    fn of(at: *mut u8, len: i64) -> Near {
        let copy = (len > 0 && device::home(at).is_some()).then(|| vec![0; len as usize]);
        Near { far: at, copy }
    }

    fn at(&mut self) -> *mut u8 {
        self.copy.as_mut().map_or(self.far, Vec::as_mut_ptr)
    }

    fn spans(&mut self) -> Option<(Span<'static>, Span<'static>)> {
        let (far, copy) = (self.far, self.copy.as_mut()?);
        let len = copy.len() as i64;
        Some((Span::bytes(far, len), Span::bytes(copy.as_mut_ptr(), len)))
    }

    fn read(&mut self) -> Result<()> {
        // SAFETY: the caller's buffer and a copy as long.
        self.spans().map_or(Ok(()), |(far, copy)| unsafe { p2p::copy_now(far, copy) })
    }

    fn write_back(&mut self) -> Result<()> {
        // SAFETY: as in `read`.
        self.spans().map_or(Ok(()), |(far, copy)| unsafe { p2p::copy_now(copy, far) })
    }
}

/// `MPI_Pack_external_size`.
pub fn pack_external_size(datarep: &str, incount: i64, datatype: Handle, size: &mut i64) -> Result<()> {
    *size = prepare(datarep, datatype, incount)?.1;
    Ok(())
}

/// Checks the arguments; gives the type and the portable bytes of `count` elements.
fn prepare(datarep: &str, datatype: Handle, count: i64) -> Result<(&'static Arc<Datatype>, i64)> {
    if datarep != "external32" {
        return Err(err!(Arg, "datarep is \"{datarep}\", only \"external32\" is known"));
    }
    if count < 0 {
        return Err(err!(Count, "count is {count}, and may not be negative"));
    }
    let datatype = get(datatype)?;
    let mut one = 0;
    each_scalar(datatype, 1, &mut |element, n| one += n * external_size(element));
    Ok((datatype, one * count))
}

/// Calls `each(scalar, how many)` in packed order; complex numbers are two scalars.
fn each_scalar(datatype: &Datatype, count: i64, each: &mut dyn FnMut(Element, i64)) {
    let signature = &datatype.shape.signature;
    let mut flat = |element: Element, n: i64| match element.parts() {
        Some([(part, _), _]) => each(part, 2 * n),
        None => each(element, n),
    };
    match signature.uniform() {
        Some(element) => flat(element, signature.elements * count),
        None => (0..count).for_each(|_| signature.each(&mut flat)),
    }
}

fn external_size(element: Element) -> i64 {
    match element {
        Element::Long | Element::UnsignedLong => 4,
        Element::Wide => 2,
        other => other.size(),
    }
}

/// The value, big-endian, at the end of 16 bytes.
fn to_external(element: Element, native: &[u8]) -> [u8; 16] {
    let mut wide = [0u8; 16];
    wide[..native.len()].copy_from_slice(native);
    let bits = u128::from_ne_bytes(wide);
    let bits = if element == Element::F80 { quad_of_extended(bits) } else { bits };
    bits.to_be_bytes()
}

/// The value in native order, at the beginning of 16 bytes; narrowed integers are widened again.
fn from_external(element: Element, portable: &[u8]) -> [u8; 16] {
    let mut wide = [0u8; 16];
    wide[16 - portable.len()..].copy_from_slice(portable);
    let bits = u128::from_be_bytes(wide);
    let bits = match element {
        Element::Long => bits as u32 as i32 as i64 as u64 as u128,
        Element::F80 => extended_of_quad(bits),
        _ => bits,
    };
    bits.to_ne_bytes()
}

/// binary128 of an x87 value: same sign, exponent and bias; the integer bit becomes implicit.
fn quad_of_extended(bits: u128) -> u128 {
    let (head, fraction) = ((bits >> 64) & 0xffff, bits & (u64::MAX >> 1) as u128);
    (head << 112) | (fraction << 49)
}

/// x87 of a binary128 value; fraction bits beyond 63 are cut.
fn extended_of_quad(bits: u128) -> u128 {
    let (head, fraction) = (bits >> 112, (bits >> 49) & (u64::MAX >> 1) as u128);
    let integer = if head & 0x7fff == 0 { 0 } else { 1u128 << 63 };
    (head << 64) | integer | fraction
}
