// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is kept of a message that no receive waits for yet.

use super::away::Offer;
use super::wire::{self, Ready};
use crate::os::copy::copy;

/// A message that arrived before its receive.
pub enum Arrived {
    /// Its bytes, when they fit into a cell.
    Short([u8; wire::SHORT], u8),
    /// Its bytes.
    Eager(Box<[u8]>),
    /// Where to fetch it.
    Ready(u32, Ready),
    /// Where to fetch it, in device memory.
    Offer(u32, Box<Offer>),
}

impl Arrived {
    /// A message that arrived whole.
    pub fn keep(bytes: &[u8]) -> Arrived {
        if bytes.len() > wire::SHORT {
            return Arrived::Eager(boxed(bytes));
        }
        let mut short = [0; wire::SHORT];
        short[..bytes.len()].copy_from_slice(bytes);
        Arrived::Short(short, bytes.len() as u8)
    }

    /// Its length in bytes.
    pub fn len(&self) -> u64 {
        match self {
            Arrived::Short(_, len) => *len as u64,
            Arrived::Eager(data) => data.len() as u64,
            Arrived::Ready(_, ready) => ready.len,
            Arrived::Offer(_, offer) => offer.ready.len,
        }
    }
}

fn boxed(bytes: &[u8]) -> Box<[u8]> {
    let mut kept = Box::<[u8]>::new_uninit_slice(bytes.len());
    // SAFETY: both hold so many bytes; then all are written.
    unsafe {
        copy(bytes.as_ptr(), kept.as_mut_ptr().cast(), bytes.len());
        kept.assume_init()
    }
}
