// SPDX-License-Identifier: MIT OR Apache-2.0
//! The integers that a datatype was made of: among plain ones stand an order and distributions, which each ABI numbers its
//! own way. This marks them, and the kind translates.

use smallvec::SmallVec;

use super::kind::Word;
use crate::object::constant::{COMBINER_DARRAY, COMBINER_SUBARRAY, Handle};
use crate::object::datatype::{self, envelope};
use crate::object::error::Result;

/// An integer, and what family of special values it belongs to.
pub type Marked = (i32, Option<Word>);

/// `MPI_Type_get_contents` (MPI 5.0, section 5.1.13).
pub fn get_contents(
    datatype: Handle,
    max_integers: i32,
    max_addresses: i32,
    max_datatypes: i32,
    integers: &mut [Marked],
    addresses: &mut [i64],
    datatypes: &mut [Handle],
) -> Result<()> {
    let mut values: SmallVec<[i32; 16]> = SmallVec::from_elem(0, integers.len());
    envelope::get_contents(datatype, max_integers, max_addresses, max_datatypes, &mut values, addresses, datatypes)?;
    mark(datatype, integers, &values, 4)
}

/// `MPI_Type_get_contents_c`.
#[allow(clippy::too_many_arguments)]
pub fn get_contents_large(
    datatype: Handle,
    max_integers: i64,
    max_addresses: i64,
    max_counts: i64,
    max_datatypes: i64,
    integers: &mut [Marked],
    addresses: &mut [i64],
    counts: &mut [i64],
    datatypes: &mut [Handle],
) -> Result<()> {
    let mut values: SmallVec<[i32; 16]> = SmallVec::from_elem(0, integers.len());
    let most = [max_integers, max_addresses, max_counts, max_datatypes];
    envelope::get_contents_large(datatype, most, &mut values, addresses, counts, datatypes)?;
    let mut found = [0; 4];
    let [a, b, large, c] = &mut found;
    envelope::get_envelope_large(datatype, a, b, large, c, &mut 0)?;
    mark(datatype, integers, &values, if *large == 0 { 4 } else { 3 })
}

/// `per_dimension`: how many integers a distributed array has for each dimension (its sizes may be large counts).
fn mark(datatype: Handle, integers: &mut [Marked], values: &[i32], per_dimension: usize) -> Result<()> {
    let envelope = &datatype::get(datatype)?.envelope;
    let count = if per_dimension == 3 { envelope.wide().integers.len() } else { envelope.integers.len() };
    for (i, (marked, &value)) in integers.iter_mut().zip(values).enumerate() {
        *marked = (value, word(envelope.combiner, i, count, per_dimension));
    }
    Ok(())
}

/// The family of integer `i` of `count`. The last one of an array is its order; those of a distributed array come in groups
/// of one for each dimension, behind three others.
fn word(combiner: i32, i: usize, count: usize, per_dimension: usize) -> Option<Word> {
    let last = i + 1 == count;
    match combiner {
        COMBINER_SUBARRAY | COMBINER_DARRAY if last => Some(Word::Order),
        COMBINER_DARRAY => {
            let dims = count.saturating_sub(4) / per_dimension;
            match i.checked_sub(3)? / dims.max(1) + 4 - per_dimension {
                1 => Some(Word::Distribution),
                2 => Some(Word::DistributionArgument),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_distributions_are_marked() {
        // size, rank, ndims, 2 global sizes, 2 distributions, 2 arguments, 2 grid sizes, order
        let marks: Vec<_> = (0..12).map(|i| word(COMBINER_DARRAY, i, 12, 4)).collect();
        let (d, a) = (Some(Word::Distribution), Some(Word::DistributionArgument));
        assert_eq!(marks, [None, None, None, None, None, d, d, a, a, None, None, Some(Word::Order)]);
        // The same with the sizes among the large counts.
        let marks: Vec<_> = (0..10).map(|i| word(COMBINER_DARRAY, i, 10, 3)).collect();
        assert_eq!(marks, [None, None, None, d, d, a, a, None, None, Some(Word::Order)]);
        assert_eq!(word(COMBINER_SUBARRAY, 4, 5, 4), Some(Word::Order));
        assert_eq!(word(COMBINER_SUBARRAY, 3, 5, 4), None);
    }
}
