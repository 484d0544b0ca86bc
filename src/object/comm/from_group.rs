// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communicators from groups alone, without a parent (MPI 5.0, sections 7.4.2 and 7.6.2): `MPI_Comm_create_from_group` and
//! `MPI_Intercomm_create_from_groups`. The agreement goes over a context of the library's own, told apart by the string tag.

use std::sync::Arc;

use super::agree::Circle;
use super::birth::{self, Plan};
use super::{INTERNAL_CONTEXT, Space, hints, inter};
use crate::object::attribute::Set;
use crate::object::constant::{COMM_NULL, Handle, MAX_STRINGTAG_LEN};
use crate::object::errhandler::Slot;
use crate::object::error::Result;
use crate::object::group::{self, Group};
use crate::object::handle::Kind;
use crate::{err, init};

/// Fowler, Noll, Vo: FNV-1a of 32 bits.
fn hash(text: &str) -> i32 {
    text.bytes().fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)) as i32
}

fn check_tag(tag: &str) -> Result<()> {
    if tag.len() < MAX_STRINGTAG_LEN as usize {
        return Ok(());
    }
    Err(err!(Arg, "the string tag has {} bytes; at most {} fit", tag.len(), MAX_STRINGTAG_LEN - 1))
}

fn my_rank(group: &Group) -> Result<i32> {
    let rank = group.rank_of(init::rank());
    rank.ok_or_else(|| err!(Group, "this process (number {} of the job) is not in the group", init::rank()))
}

fn plan(group: Arc<Group>, rank: i32, info: Handle, errhandler: Handle) -> Result<Plan> {
    Ok(Plan {
        group,
        remote: None,
        rank,
        errhandler: Slot::with(Kind::Comm, errhandler)?,
        attributes: Set::default(),
        hints: hints::understood(info)?,
        topology: None,
    })
}

fn circle(group: &Group, me: i32, tag: i32) -> Circle {
    Circle { members: group.members.clone(), me: me as usize, context: INTERNAL_CONTEXT, tag }
}

/// `MPI_Comm_create_from_group`: every process of the group calls it with the same tag.
pub fn create(group: Handle, tag: &str, info: Handle, errhandler: Handle, new: &mut Handle) -> Result<()> {
    let group = group::get(group)?;
    check_tag(tag)?;
    if group.members.is_empty() {
        *new = COMM_NULL;
        return Ok(());
    }
    let rank = my_rank(group)?;
    let plan = plan(group.clone(), rank, info, errhandler)?;
    *new = birth::now(circle(group, rank, Space::FromGroup.tag(hash(tag))), plan)?;
    Ok(())
}

/// `MPI_Intercomm_create_from_groups`: the remote group matters at the local leader alone, which tells it to the others.
#[allow(clippy::too_many_arguments)]
pub fn create_inter(
    local: Handle,
    local_leader: i32,
    remote: Handle,
    remote_leader: i32,
    tag: &str,
    info: Handle,
    errhandler: Handle,
    new: &mut Handle,
) -> Result<()> {
    let local = group::get(local)?;
    check_tag(tag)?;
    let leader = local.check_rank(local_leader)?;
    let rank = my_rank(local)?;
    let mut plan = plan(local.clone(), rank, info, errhandler)?;
    let heard = (leader == rank as usize).then(|| leaders_group(remote, remote_leader));
    let remote = inter::tell(&circle(local, rank, Space::FromGroup.tag(hash(tag))), heard)?;
    let circle = inter::both(local, init::rank(), &remote, Space::BothGroups.tag(hash(tag)))?;
    plan.remote = Some(Group::new(remote));
    *new = birth::now(circle, plan)?;
    Ok(())
}

fn leaders_group(remote: Handle, leader: i32) -> Result<Vec<u32>> {
    let remote = group::get(remote)?;
    remote.check_rank(leader)?;
    Ok(remote.members.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_different_words_differ() {
        let tags = ["", "a", "b", "ab", "ba", "mpi4py"].map(|t| Space::FromGroup.tag(hash(t)));
        assert!((1..tags.len()).all(|i| !tags[..i].contains(&tags[i])));
        assert!(tags.iter().all(|&t| t < 0));
    }
}
