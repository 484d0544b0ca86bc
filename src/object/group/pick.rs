// SPDX-License-Identifier: MIT OR Apache-2.0
//! Groups from lists of ranks: incl, excl, range_incl, range_excl.

use super::{Group, get, register};
use crate::err;
use crate::object::constant::Handle;
use crate::object::error::Result;

/// `MPI_Group_incl`.
pub fn incl(group: Handle, n: i32, ranks: &[i32], new: &mut Handle) -> Result<()> {
    let group = get(group)?;
    check_count(n)?;
    *new = register(Group::of_session(included(group, ranks)?, group.session));
    Ok(())
}

/// `MPI_Group_excl`.
pub fn excl(group: Handle, n: i32, ranks: &[i32], new: &mut Handle) -> Result<()> {
    let group = get(group)?;
    check_count(n)?;
    *new = register(Group::of_session(excluded(group, ranks)?, group.session));
    Ok(())
}

/// `MPI_Group_range_incl`: `ranges` holds first, last, stride after each other.
pub fn range_incl(group: Handle, n: i32, ranges: &[i32], new: &mut Handle) -> Result<()> {
    incl(group, n, &expand(ranges)?, new)
}

/// `MPI_Group_range_excl`: `ranges` holds first, last, stride after each other.
pub fn range_excl(group: Handle, n: i32, ranges: &[i32], new: &mut Handle) -> Result<()> {
    excl(group, n, &expand(ranges)?, new)
}

pub(super) fn check_count(n: i32) -> Result<()> {
    if n < 0 { Err(err!(Arg, "the number of ranks or ranges is {n}")) } else { Ok(()) }
}

/// Which ranks are named; an error when one is named twice or does not exist.
fn marked(group: &Group, ranks: &[i32]) -> Result<Vec<bool>> {
    let mut named = vec![false; group.members.len()];
    for &rank in ranks {
        let place = &mut named[group.check_rank(rank)?];
        if std::mem::replace(place, true) {
            return Err(err!(Rank, "rank {rank} is named twice"));
        }
    }
    Ok(named)
}

fn included(group: &Group, ranks: &[i32]) -> Result<Vec<u32>> {
    marked(group, ranks)?;
    Ok(ranks.iter().map(|&r| group.members[r as usize]).collect())
}

fn excluded(group: &Group, ranks: &[i32]) -> Result<Vec<u32>> {
    let named = marked(group, ranks)?;
    Ok(group.members.iter().zip(named).filter(|(_, out)| !out).map(|(&m, _)| m).collect())
}

/// The ranks that triplets of first, last and stride name.
fn expand(ranges: &[i32]) -> Result<Vec<i32>> {
    let mut ranks = Vec::new();
    for triplet in ranges.chunks_exact(3) {
        expand_one(triplet[0], triplet[1], triplet[2], &mut ranks)?;
    }
    Ok(ranks)
}

fn expand_one(first: i32, last: i32, stride: i32, ranks: &mut Vec<i32>) -> Result<()> {
    if stride == 0 {
        return Err(err!(Arg, "the stride of range {first}..{last} is 0"));
    }
    if first < 0 || last < 0 {
        return Err(err!(Rank, "range {first}..{last} has a negative rank"));
    }
    let steps = (i64::from(last) - i64::from(first)) / i64::from(stride);
    if (first < last) != (stride > 0) && first != last {
        return Err(err!(Arg, "the stride {stride} leads away from the end of range {first}..{last}"));
    }
    ranks.extend((0..=steps).map(|k| first + k as i32 * stride));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_expand() {
        assert_eq!(expand(&[0, 6, 3, 9, 7, -1, 5, 5, 2]).unwrap(), [0, 3, 6, 9, 8, 7, 5]);
        assert_eq!(expand(&[1, 6, 4]).unwrap(), [1, 5]);
        assert!(expand(&[1, 6, 0]).is_err() && expand(&[1, 6, -1]).is_err() && expand(&[-1, 6, 1]).is_err());
    }

    #[test]
    fn picks_keep_the_order_asked_for() {
        let group = Group { members: vec![5, 6, 7, 8], session: 0 };
        assert_eq!(included(&group, &[3, 0]).unwrap(), [8, 5]);
        assert_eq!(excluded(&group, &[3, 0]).unwrap(), [6, 7]);
        assert!(included(&group, &[1, 1]).is_err() && included(&group, &[4]).is_err() && excluded(&group, &[-1]).is_err());
    }
}
