// SPDX-License-Identifier: MIT OR Apache-2.0
//! Typed elements that lie in several memories: a type of absolute addresses (`MPI_BOTTOM`) may name host memory and devices at
//! once. Such a buffer is cut, in packed order, where the memory changes.

use super::Span;
use super::memory::Memory;
use crate::device::{self, Home};
use crate::err;
use crate::object::error::Error;

/// Addresses that differ only below this are in the same memory.
const PAGE: usize = 4096;

/// Packed bytes up to `to`, from where the stretch before ends, in one memory.
struct Stretch {
    to: i64,
    home: Option<Home>,
}

fn is_same(a: &Option<Home>, b: &Option<Home>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.is_same(b),
        (None, None) => true,
        _ => false,
    }
}

/// The memory of a span whose type is not dense, when it has to be looked at block by block.
#[cold]
pub fn of(span: Span<'_>) -> Memory {
    let stretches = stretches(&span, device::home);
    let mut from = span.from;
    let mut parts = stretches.into_iter().map(|Stretch { to, home }| {
        let part = Memory::typed(Span { from, to, ..span }, home);
        from = to;
        part
    });
    match (parts.next(), parts.next()) {
        (None, _) => Memory::NONE,
        (Some(only), None) => only,
        (Some(first), Some(second)) => {
            let parts = [first, second].into_iter().chain(parts).collect();
            Memory::Mixed { parts, len: (span.to - span.from) as usize }
        }
    }
}

/// The error for a buffer that may not.
#[cold]
pub fn refuse(name: &str) -> Error {
    err!(
        Buffer,
        "{name} with its type names memory of the host and of a device, or of several devices; a reduction needs each of its \
         buffers in one memory"
    )
}

/// Whether the ends of a span are in different memories, for a base that is an address of one of them.
pub fn ends_differ(span: &Span<'_>, first: &Option<Home>) -> bool {
    let (_, high) = span.datatype.footprint(span.count);
    let last = device::home(span.base.wrapping_offset(high as isize - 1));
    !is_same(first, &last)
}

/// Where the memory changes; the home of a block is asked for once a page.
fn stretches(span: &Span<'_>, home: impl Fn(*const u8) -> Option<Home>) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    let (mut to, mut page) = (span.from, usize::MAX);
    span.datatype.rows(span.from, span.to, &mut |offset, stride, block, count| {
        for row in 0..count as i64 {
            let at = span.base.wrapping_offset((offset + row * stride) as isize);
            to += block as i64;
            let fresh = at as usize / PAGE != page;
            page = at as usize / PAGE;
            match stretches.last_mut() {
                Some(last) if !fresh => last.to = to,
                last => {
                    let home = home(at);
                    match last {
                        Some(last) if is_same(&last.home, &home) => last.to = to,
                        _ => stretches.push(Stretch { to, home }),
                    }
                }
            }
        }
    });
    stretches
}

/// The parts that hold packed bytes `[offset, offset + len)`: each with the first of its bytes that is meant, how many, and where
/// these are among the `len`.
pub fn within(parts: &[Memory], offset: usize, len: usize) -> impl Iterator<Item = (&Memory, usize, usize, usize)> {
    let mut begin = 0;
    parts.iter().filter_map(move |part| {
        let (from, to) = (begin, begin + part.len());
        begin = to;
        let (low, high) = (from.max(offset), to.min(offset + len));
        (low < high).then(|| (part, low - from, high - low, low - offset))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::constant::BYTE;
    use crate::object::datatype::committed;
    use crate::object::datatype::construct::hindexed;
    use crate::object::datatype::manage::commit;

    fn at_addresses(blocks: &[(usize, i64)]) -> crate::object::constant::Handle {
        let (lengths, places): (Vec<i64>, Vec<i64>) = blocks.iter().map(|&(at, len)| (len, at as i64)).unzip();
        let mut handle = 0;
        hindexed(blocks.len() as i64, &lengths, &places, BYTE, &mut handle).unwrap();
        commit(&mut handle).unwrap();
        handle
    }

    #[test]
    fn stretches_end_where_the_memory_changes() {
        let far = device::host::HOST;
        let home = |at: *const u8| ((at as usize) >= 1 << 40).then_some(far);
        let handle = at_addresses(&[(8192, 5), (1 << 40, 7), ((1 << 40) + 100, 2), ((2 << 40) + 1, 3), (8200, 1), (4096, 9)]);
        let span = Span::whole(std::ptr::null_mut(), committed(handle).unwrap(), 1);
        let found: Vec<_> = stretches(&span, home).iter().map(|stretch| (stretch.to, stretch.home.is_some())).collect();
        assert_eq!(found, [(5, false), (17, true), (27, false)]);
        let cut = Span { from: 6, to: 16, ..span };
        assert_eq!(stretches(&cut, home).iter().map(|stretch| stretch.to).collect::<Vec<_>>(), [16]);
    }

    #[test]
    fn bytes_go_to_the_parts_that_hold_them() {
        let (mut a, mut b) = ([0u8; 4], [0u8; 6]);
        let parts: Box<[Memory]> =
            Box::new([Memory::Flat { at: a.as_mut_ptr(), len: 4 }, Memory::Flat { at: b.as_mut_ptr(), len: 6 }]);
        let memory = Memory::Mixed { parts: parts.into(), len: 10 };
        let mut back = [0u8; 7];
        // SAFETY: both arrays are alive, and 3 + 7 bytes lie within them.
        unsafe {
            memory.write(0, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].as_ptr(), 10);
            memory.read(3, back.as_mut_ptr(), 7);
        }
        assert_eq!((a, b, back), ([1, 2, 3, 4], [5, 6, 7, 8, 9, 10], [4, 5, 6, 7, 8, 9, 10]));
    }
}
