// SPDX-License-Identifier: MIT OR Apache-2.0
//! What asks about a communicator and changes nothing but its name.

use super::get;
use crate::err;
use crate::object::callback;
use crate::object::constant::{COMM_NULL, CONGRUENT, Handle, IDENT, MAX_OBJECT_NAME, UNEQUAL};
use crate::object::error::Result;
use crate::object::group;

/// `MPI_Comm_size`.
#[inline]
pub fn size(comm: Handle, size: &mut i32) -> Result<()> {
    *size = get(comm)?.size();
    Ok(())
}

/// `MPI_Comm_rank`.
#[inline]
pub fn rank(comm: Handle, rank: &mut i32) -> Result<()> {
    *rank = get(comm)?.rank;
    Ok(())
}

/// `MPI_Comm_remote_size`. Where there is no remote group Open MPI says 0 and MPICH the size of the local one, without an error.
pub fn remote_size(comm: Handle, size: &mut i32) -> Result<()> {
    let comm = get(comm)?;
    *size = match &comm.remote {
        Some(remote) => remote.members.len() as i32,
        None if callback::is_lenient() => 0,
        None => comm.size(),
    };
    Ok(())
}

/// `MPI_Comm_test_inter`.
pub fn test_inter(comm: Handle, flag: &mut bool) -> Result<()> {
    *flag = get(comm)?.is_inter();
    Ok(())
}

/// `MPI_Comm_group`.
pub fn comm_group(comm: Handle, new: &mut Handle) -> Result<()> {
    *new = group::register(get(comm)?.group.clone());
    Ok(())
}

/// `MPI_Comm_remote_group`.
pub fn comm_remote_group(comm: Handle, new: &mut Handle) -> Result<()> {
    *new = group::register(remote_of(comm)?.clone());
    Ok(())
}

fn remote_of(comm: Handle) -> Result<&'static std::sync::Arc<group::Group>> {
    get(comm)?.remote.as_ref().ok_or_else(|| err!(Comm, "the communicator has no remote group: it is an intracommunicator"))
}

/// `MPI_Comm_compare`.
pub fn compare(a: Handle, b: Handle, result: &mut i32) -> Result<()> {
    let (x, y) = (get(a)?, get(b)?);
    *result = match (&x.remote, &y.remote) {
        _ if a == b => IDENT,
        (None, None) => relation(&x.group, &y.group),
        (Some(p), Some(q)) => relation(&x.group, &y.group).max(relation(p, q)),
        _ => UNEQUAL,
    };
    Ok(())
}

/// As for groups, but never identical (the values are ordered: congruent < similar < unequal).
fn relation(a: &group::Group, b: &group::Group) -> i32 {
    group::relation(a, b).max(CONGRUENT)
}

/// `MPI_Comm_get_parent`: no process of the job was spawned.
pub fn get_parent(parent: &mut Handle) -> Result<()> {
    *parent = COMM_NULL;
    Ok(())
}

/// `MPI_Comm_set_name`; a name that is too long is cut.
pub fn set_name(comm: Handle, name: &str) -> Result<()> {
    let mut end = name.len().min(MAX_OBJECT_NAME as usize - 1);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name[..end].clone_into(&mut get(comm)?.name.lock());
    Ok(())
}

/// `MPI_Comm_get_name`.
pub fn get_name(comm: Handle, name: &mut String) -> Result<()> {
    if comm == COMM_NULL {
        "MPI_COMM_NULL".clone_into(name);
        return Ok(());
    }
    name.clone_from(&get(comm)?.name.lock());
    Ok(())
}

/// `MPIX_Comm_test_threadcomm`: no communicator has threads as members.
pub fn is_of_threads(comm: Handle, flag: &mut bool) -> Result<()> {
    *flag = false;
    get(comm).map(|_| ())
}
