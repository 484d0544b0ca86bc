// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copies within the process where an end is in memory that the CPU may not touch.

use super::{gather, scatter};
use crate::device::scratch::Buffer;
use crate::device::{Home, Pending};
use crate::object::error::Result;
use crate::p2p::memory::Memory;

/// Copies as many packed bytes as both hold. What it returns is complete when they are there; the buffer must live until then.
///
/// # Safety
/// `from` must stay readable and `into` writable until then; they do not overlap.
pub unsafe fn copy(from: &Memory, into: &Memory) -> Result<(Pending, Option<Buffer>)> {
    let len = from.len().min(into.len());
    // SAFETY: the caller's promise, passed on.
    unsafe {
        match (from.home(), into.home()) {
            (Some(home), Some(other)) => {
                home.memory.fence()?;
                other.memory.fence()?;
                within(from, into, len, &home, &other)
            }
            _ => across(from, into, len).map(|()| (Pending::DONE, None)),
        }
    }
}

unsafe fn within(from: &Memory, into: &Memory, len: usize, home: &Home, other: &Home) -> Result<(Pending, Option<Buffer>)> {
    // SAFETY: as for `copy`; scratch is handed out with what uses it last.
    unsafe {
        match (from, into) {
            (Memory::Away { at, .. }, Memory::Away { at: to, .. }) => Ok((other.memory.copy(*at, *to, len)?, None)),
            (_, Memory::Away { at: to, .. }) if home.is_same(other) => Ok((gather(from, 0, *to, len)?, None)),
            (Memory::Away { at, .. }, _) if home.is_same(other) => Ok((scatter(into, 0, *at, len)?, None)),
            _ => {
                let scratch = Buffer::take(home.memory, len)?;
                if let Memory::Away { at, .. } = from {
                    home.memory.copy(*at, scratch.at(), len)?.wait()?;
                } else {
                    gather(from, 0, scratch.at(), len)?.wait()?;
                }
                if let Memory::Away { at, .. } = into {
                    return Ok((other.memory.copy(scratch.at(), *at, len)?, Some(scratch)));
                }
                if home.is_same(other) {
                    return Ok((scatter(into, 0, scratch.at(), len)?, Some(scratch)));
                }
                let second = Buffer::take(other.memory, len)?;
                other.memory.copy(scratch.at(), second.at(), len)?.wait()?;
                Ok((scatter(into, 0, second.at(), len)?, Some(second)))
            }
        }
    }
}

/// Between host and device: piece by piece, and waits.
unsafe fn across(from: &Memory, into: &Memory, len: usize) -> Result<()> {
    let mut piece = vec![0u8; len.min(4 << 20)];
    let mut done = 0;
    while done < len {
        let part = piece.len().min(len - done);
        // SAFETY: as for `copy`.
        unsafe {
            from.try_read(done, piece.as_mut_ptr(), part)?;
            into.try_write(done, piece.as_ptr(), part)?;
        }
        done += part;
    }
    Ok(())
}
