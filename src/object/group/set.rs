// SPDX-License-Identifier: MIT OR Apache-2.0
//! Groups as sets: union, intersection, difference. The order is that of the first group, then of the second.

use super::{Group, get, register};
use crate::object::constant::Handle;
use crate::object::error::Result;

fn both(a: Handle, b: Handle, new: &mut Handle, combine: impl FnOnce(&Group, &Group) -> Vec<u32>) -> Result<()> {
    let (a, b) = (get(a)?, get(b)?);
    let session = if a.session == 0 { b.session } else { a.session };
    *new = register(Group::of_session(combine(a, b), session));
    Ok(())
}

/// The members of `a`, then those of `b` that are not in `a`.
pub fn joined(a: &Group, b: &Group) -> Vec<u32> {
    let index = a.index();
    let more = b.members.iter().filter(|m| !index.contains_key(m));
    a.members.iter().chain(more).copied().collect()
}

/// The members of `a` that are in `b` (`wanted`) or that are not.
pub fn filtered(a: &Group, b: &Group, wanted: bool) -> Vec<u32> {
    let index = b.index();
    a.members.iter().filter(|m| index.contains_key(m) == wanted).copied().collect()
}

/// `MPI_Group_union`.
pub fn union(a: Handle, b: Handle, new: &mut Handle) -> Result<()> {
    both(a, b, new, joined)
}

/// `MPI_Group_intersection`.
pub fn intersection(a: Handle, b: Handle, new: &mut Handle) -> Result<()> {
    both(a, b, new, |a, b| filtered(a, b, true))
}

/// `MPI_Group_difference`.
pub fn difference(a: Handle, b: Handle, new: &mut Handle) -> Result<()> {
    both(a, b, new, |a, b| filtered(a, b, false))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn members() -> impl Strategy<Value = Vec<u32>> {
        proptest::collection::btree_set(0u32..20, 0..12).prop_map(|s| s.into_iter().collect::<Vec<_>>()).prop_shuffle()
    }

    proptest! {
        #[test]
        fn set_operations_agree_with_sets(a in members(), b in members()) {
            let (x, y): (BTreeSet<u32>, BTreeSet<u32>) = (a.iter().copied().collect(), b.iter().copied().collect());
            let (a, b) = (Group { members: a, session: 0 }, Group { members: b, session: 0 });
            let set = |v: &[u32]| v.iter().copied().collect::<BTreeSet<u32>>();
            let (union, common, rest) = (joined(&a, &b), filtered(&a, &b, true), filtered(&a, &b, false));
            prop_assert_eq!(set(&union), x.union(&y).copied().collect::<BTreeSet<_>>());
            prop_assert_eq!(set(&common), x.intersection(&y).copied().collect::<BTreeSet<_>>());
            prop_assert_eq!(set(&rest), x.difference(&y).copied().collect::<BTreeSet<_>>());
            prop_assert_eq!(union.len(), set(&union).len());
            prop_assert_eq!(&union[..a.members.len()], &a.members[..]);
            let order = |v: &[u32]| v.iter().map(|&m| a.rank_of(m).unwrap()).collect::<Vec<_>>();
            prop_assert!(order(&common).is_sorted() && order(&rest).is_sorted());
        }
    }
}
