// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packing: which entry serves which form and alignment, and the table of blocks.
//!
//! The arguments of `strided` entries: `(packed: pointer, data: pointer, first: u64, bytes: u64, block: u64, inner: u64,
//! inner_stride: i64, outer: u64, outer_stride: i64, extent: i64)`. The stream is, for each repetition, for each of `outer`, for each
//! of `inner`: `block` bytes; blocks are `inner_stride` apart, rows of them `outer_stride`, repetitions `extent`.
//!
//! The arguments of `blocks` entries: `(packed: pointer, data: pointer, first: u64, bytes: u64, table: pointer to [`Block`]s in
//! device memory, count: u64, size: u64, extent: i64, begin: u64, end: u64, width: u32)`. The stream is, for each repetition, the
//! `count` blocks of the table, `size` bytes in all; the launch does blocks `begin` to `end`, counted through all repetitions
//! (those that hold the bytes asked for), and `width` neighbouring threads move a block together.
//!
//! Both do the bytes `first .. first + bytes` of the stream; `packed` is where the first of them lies. Any grid and any
//! block of threads will do, for `blocks` at least `width` threads and fewer than 2^32.

use std::ffi::CStr;

use super::text;

/// One block of a type, as the table in device memory has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Block {
    /// Bytes from the element's address.
    pub offset: i64,
    /// Bytes.
    pub length: u64,
    /// Where it begins in the stream of one element.
    pub position: u64,
}

/// Entries of [`super::PACK`] for accesses of one width.
#[derive(Debug)]
pub struct Packing {
    /// Bytes of an access: divides all addresses, lengths, strides and offsets of the launch, and `first`.
    pub width: usize,
    /// Regular blocks, to the stream.
    pub pack_strided: &'static CStr,
    /// Regular blocks, from the stream.
    pub unpack_strided: &'static CStr,
    /// Blocks of a table, to the stream.
    pub pack_blocks: &'static CStr,
    /// Blocks of a table, from the stream.
    pub unpack_blocks: &'static CStr,
}

macro_rules! widths {
    ($($width:literal)*) => {
        /// From the narrowest.
        pub static PACKINGS: [Packing; [$($width),*].len()] = [$(Packing {
            width: $width,
            pack_strided: text!(concat!("paceline_pack_strided_", $width)),
            unpack_strided: text!(concat!("paceline_unpack_strided_", $width)),
            pack_blocks: text!(concat!("paceline_pack_blocks_", $width)),
            unpack_blocks: text!(concat!("paceline_unpack_blocks_", $width)),
        }),*];
    };
}

widths!(1 2 4 8 16);

/// The widest packing that all these addresses, lengths, strides and offsets allow (negative ones by their bits).
pub fn widest(quantities: impl IntoIterator<Item = u64>) -> &'static Packing {
    let all = quantities.into_iter().fold(16, |all, quantity| all | quantity);
    &PACKINGS[all.trailing_zeros() as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_access_divides_everything() {
        assert_eq!(widest([]).width, 16);
        assert_eq!(widest([64, 0, 32]).width, 16);
        assert_eq!(widest([64, 8]).width, 8);
        assert_eq!(widest([-12i64 as u64, 16]).width, 4);
        assert_eq!(widest([6]).width, 2);
        assert_eq!(widest([16, 3]).width, 1);
    }
}
