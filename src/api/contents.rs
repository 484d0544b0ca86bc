// SPDX-License-Identifier: MIT OR Apache-2.0
//! The integers that a datatype was made of: among plain ones stand an order and distributions, which each ABI numbers its
//! own way. This marks them, and the kind translates.

use smallvec::SmallVec;

use super::kind::Word;
use crate::object::constant::{COMBINER_DARRAY, COMBINER_SUBARRAY, Handle};
use crate::object::datatype::envelope;
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
    let (mut count, mut ignored, mut combiner) = (0, [0; 2], 0);
    let [a, b] = &mut ignored;
    envelope::get_envelope(datatype, &mut count, a, b, &mut combiner)?;
    for (i, (marked, &value)) in integers.iter_mut().zip(&values).enumerate() {
        *marked = (value, word(combiner, i, count as usize));
    }
    Ok(())
}

/// The family of integer `i` of `count`. An array's dimensions are its first integer in a subarray, the third in a distributed array.
fn word(combiner: i32, i: usize, count: usize) -> Option<Word> {
    let last = i + 1 == count;
    match combiner {
        COMBINER_SUBARRAY | COMBINER_DARRAY if last => Some(Word::Order),
        COMBINER_DARRAY => {
            let dims = (count - 4) / 4;
            match i.checked_sub(3)? / dims.max(1) {
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
        let marks: Vec<_> = (0..12).map(|i| word(COMBINER_DARRAY, i, 12)).collect();
        let (d, a) = (Some(Word::Distribution), Some(Word::DistributionArgument));
        assert_eq!(marks, [None, None, None, None, None, d, d, a, a, None, None, Some(Word::Order)]);
        assert_eq!(word(COMBINER_SUBARRAY, 4, 5), Some(Word::Order));
        assert_eq!(word(COMBINER_SUBARRAY, 3, 5), None);
    }
}
