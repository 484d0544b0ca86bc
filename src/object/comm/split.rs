// SPDX-License-Identifier: MIT OR Apache-2.0
//! Splitting by colour and key (MPI 5.0, section 7.4.2), and by what processes share.

use super::agree;
use super::birth::{self, Plan};
use super::{Comm, get};
use crate::err;
use crate::object::constant::{
    COMM_TYPE_HW_GUIDED, COMM_TYPE_HW_UNGUIDED, COMM_TYPE_RESOURCE_GUIDED, COMM_TYPE_SHARED, Handle, UNDEFINED,
};
use crate::object::error::Result;
use crate::object::group::Group;
use crate::object::info;

/// What one process says in a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Vote {
    colour: i32,
    key: i32,
}

impl Vote {
    /// Never 0 words: an OR with zeros gathers them.
    fn word(self) -> u64 {
        u64::from(self.colour as u32) << 32 | u64::from(self.key as u32)
    }

    fn from_word(word: u64) -> Vote {
        Vote { colour: (word >> 32) as u32 as i32, key: word as u32 as i32 }
    }
}

/// The old ranks of one colour in their new order: by key, then by old rank.
fn ordered(votes: &[Vote], colour: i32) -> Vec<usize> {
    let mut ranks: Vec<usize> = (0..votes.len()).filter(|&r| votes[r].colour == colour).collect();
    ranks.sort_by_key(|&r| votes[r].key);
    ranks
}

fn pick(group: &Group, votes: &[Vote], colour: i32) -> Vec<u32> {
    ordered(votes, colour).into_iter().map(|r| group.members[r]).collect()
}

/// `MPI_Comm_split`.
pub fn split(comm: Handle, colour: i32, key: i32, new: &mut Handle) -> Result<()> {
    let comm = get(comm)?;
    if colour < 0 && colour != UNDEFINED {
        return Err(err!(Arg, "the colour {colour} is negative and not MPI_UNDEFINED"));
    }
    *new = by_vote(comm, Vote { colour, key })?;
    Ok(())
}

fn by_vote(comm: &Comm, vote: Vote) -> Result<Handle> {
    let everyone = comm.everyone();
    let words = agree::gather(&everyone, &[vote.word()])?;
    let votes: Vec<Vote> = words.into_iter().map(Vote::from_word).collect();
    birth::now(everyone, plan(comm, &votes, vote.colour))
}

/// What a vote makes of this process; nothing without a colour, or with nobody of it in the other group.
fn plan(comm: &Comm, votes: &[Vote], colour: i32) -> Option<Plan> {
    if colour == UNDEFINED {
        return None;
    }
    let (mine, theirs) = comm.halves(votes);
    let remote = comm.remote.as_ref().map(|remote| pick(remote, theirs, colour));
    if remote.as_ref().is_some_and(Vec::is_empty) {
        return None;
    }
    let group = Group::new(pick(&comm.group, mine, colour));
    let rank = group.rank_of(comm.process_of_mine()).expect("I voted for this colour");
    let mut plan = Plan::child(comm, group, rank);
    plan.remote = remote.map(Group::new);
    Some(plan)
}

/// Splits an intercommunicator into one of the processes that `in_group`, in the order of `key`.
pub(super) fn create_inter(comm: &Comm, place: Option<i32>) -> Result<Handle> {
    by_vote(comm, Vote { colour: if place.is_some() { 0 } else { UNDEFINED }, key: place.unwrap_or(0) })
}

/// `MPI_Comm_split_type`. All processes of a job share one machine's memory; finer hardware is not looked at, so an
/// unguided split, which must make something smaller, makes nothing.
pub fn split_type(comm: Handle, split_type: i32, key: i32, info: Handle, new: &mut Handle) -> Result<()> {
    let comm = get(comm)?;
    let hints = info::entries(info)?;
    let shared = match split_type {
        COMM_TYPE_SHARED => true,
        UNDEFINED | COMM_TYPE_HW_UNGUIDED => false,
        COMM_TYPE_HW_GUIDED => hints.get("mpi_hw_resource_type") == Some("mpi_shared_memory"),
        COMM_TYPE_RESOURCE_GUIDED => hints.get("mpi_hw_resource_type") == Some("mpi_shared_memory"),
        other => return Err(err!(Arg, "{other} is no type to split by")),
    };
    *new = by_vote(comm, Vote { colour: if shared { 0 } else { UNDEFINED }, key })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranks_are_ordered_by_key_then_rank(votes in proptest::collection::vec((0i32..3, -3i32..3), 1..20)) {
            let votes: Vec<_> = votes.into_iter().map(|(colour, key)| Vote { colour, key }).collect();
            for colour in 0..3 {
                let order = ordered(&votes, colour);
                prop_assert_eq!(order.len(), votes.iter().filter(|v| v.colour == colour).count());
                prop_assert!(order.windows(2).all(|w| (votes[w[0]].key, w[0]) < (votes[w[1]].key, w[1])));
            }
        }

        #[test]
        fn votes_travel_as_words(colour: i32, key: i32) {
            let vote = Vote { colour, key };
            prop_assert_eq!(Vote::from_word(vote.word()), vote);
        }
    }
}
