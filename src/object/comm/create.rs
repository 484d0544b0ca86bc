// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communicators from groups: `MPI_Comm_create` and `MPI_Comm_create_group`.

use std::sync::Arc;

use super::agree::Circle;
use super::birth::{self, Plan};
use super::{Comm, Space, get, split};
use crate::err;
use crate::object::constant::{COMM_NULL, Handle};
use crate::object::error::Result;
use crate::object::group::{self, Group};

/// `MPI_Comm_create`: every process of the communicator calls it; groups of different callers may be disjoint.
pub fn create(comm: Handle, group: Handle, new: &mut Handle) -> Result<()> {
    let (comm, group) = (get(comm)?, group::get(group)?);
    check_subset(comm, group)?;
    let place = group.rank_of(comm.process_of_mine());
    if comm.is_inter() {
        *new = split::create_inter(comm, place)?;
        return Ok(());
    }
    let plan = place.map(|rank| Plan::child(comm, group.clone(), rank));
    *new = birth::now(comm.everyone(), plan)?;
    Ok(())
}

/// `MPI_Comm_create_group`: only the members of the group call it.
pub fn create_group(comm: Handle, group: Handle, tag: i32, new: &mut Handle) -> Result<()> {
    let (comm, group) = (get(comm)?, group::get(group)?);
    if comm.is_inter() {
        return Err(err!(Comm, "MPI_Comm_create_group needs an intracommunicator"));
    }
    if tag < 0 {
        return Err(err!(Tag, "the tag {tag} is negative"));
    }
    check_subset(comm, group)?;
    *new = among(comm, group, group.rank_of(comm.process_of_mine()), Space::CreateGroup.tag(tag))?;
    Ok(())
}

fn check_subset(comm: &Comm, group: &Group) -> Result<()> {
    let index = comm.group.index();
    match group.members.iter().find(|m| !index.contains_key(m)) {
        None => Ok(()),
        Some(stranger) => Err(err!(Group, "process {stranger} of the job is in the group but not in the communicator")),
    }
}

fn among(comm: &Comm, group: &Arc<Group>, place: Option<i32>, tag: i32) -> Result<Handle> {
    let Some(rank) = place else { return Ok(COMM_NULL) };
    let circle = Circle { members: group.members.clone(), me: rank as usize, context: comm.context + 1, tag };
    birth::now(circle, Plan::child(comm, group.clone(), rank))
}
